#pragma once

#include "core/image/layer.h"

#include <QHash>
#include <QString>
#include <QStringList>
#include <functional>
#include <utility>

namespace sulcus::ui::model {

/// A name as the stem of a file: "peaks (CPU)" becomes "peaks_CPU".
QString fileStem(const QString& name);
/// The name a layer is offered to be saved as, that of the file of a result unless the user has renamed it,
/// with the extension that is usual for its content.
QString saveName(const Layer& layer, const QString& name);
/// The formats a layer can be saved in, as filters of a file dialog.
QString saveFilters(const Layer& layer);
/// A name with an ending that one of the `filters` of a file dialog has: as it is, or with the first ending
/// of the filter that was `chosen`.
QString withEnding(const QString& name, const QString& filters, const QString& chosen);
/// Names in the room there is for them beside others: of their parts, which '_' separates, those that most of
/// the others have too are replaced by '…' until a name fits, so that its distinctive part stays; then what
/// it has in common with the one that is most like it, such as "mean (CPU, ν_e " of "mean (CPU, ν_e 45)".
class ShortNames {
 public:
  explicit ShortNames(QStringList all) : all_(std::move(all)) {}
  QString operator()(const QString& name, const std::function<bool(const QString&)>& fits);

 private:
  QStringList all_;
  QHash<QString, int> holders_;  ///< how many names have a part; counted when first needed
};
/// The formats that can be opened, as filters of a file dialog.
QStringList openFilters();

}  // namespace sulcus::ui::model
