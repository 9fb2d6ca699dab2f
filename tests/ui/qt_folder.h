#pragma once

#include "tests/support/temporary_folder.h"

#include <QString>

namespace sulcus::test {

/// A temporary folder with paths as Qt strings.
struct QtFolder : TemporaryFolder {
  QString filePath(const QString& name) const { return QString::fromStdString(*this / name.toStdString()); }
};

}  // namespace sulcus::test
