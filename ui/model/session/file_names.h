#pragma once

#include "core/image/layer.h"

#include <QHash>
#include <QString>
#include <QStringList>
#include <functional>
#include <utility>

namespace sulcus::ui::model {

/// Converts a name to the stem of a file name: "peaks (CPU)" becomes "peaks_CPU".
QString fileStem(const QString& name);
/// The suggested file name for saving a layer, that of the result file unless the user has renamed it, with
/// the usual extension for its content.
QString saveName(const Layer& layer, const QString& name);
/// The formats in which a layer can be saved, as filters of a file dialog.
QString saveFilters(const Layer& layer);
/// A name with an extension that one of the `filters` of a file dialog has: unchanged, or with the first
/// extension of the filter that was `chosen`.
QString withEnding(const QString& name, const QString& filters, const QString& chosen);
/// Shortens names to the available room: of their parts, which are separated by '_', those that most other
/// names also have are replaced by '…' until a name fits, so that its distinctive part stays; then what it
/// shares with the most similar name, such as "mean (CPU, ν_e " in "mean (CPU, ν_e 45)".
class ShortNames {
 public:
  explicit ShortNames(QStringList all) : all_(std::move(all)) {}
  QString operator()(const QString& name, const std::function<bool(const QString&)>& fits);

 private:
  QStringList all_;
  QHash<QString, int> holders_;  ///< how many names have a part; counted on first use
};
/// The formats that can be opened, as filters of a file dialog.
QStringList openFilters();

}  // namespace sulcus::ui::model
