// What the window compares: runs, layers, files.
#include "core/analysis/layer_agreement.h"
#include "ui/jobs/picture_note.h"
#include "ui/model/runs/compared_layers.h"
#include "ui/model/text/localize.h"
#include "ui/widgets/controls/folding_tabs.h"
#include "ui/widgets/controls/widget_help.h"
#include "ui/widgets/panels/compare_panel.h"
#include "ui/widgets/panels/layers_panel.h"
#include "ui/widgets/views/view_area.h"
#include "ui/widgets/window/main_window.h"

#include <QApplication>
#include <QClipboard>
#include <algorithm>
#include <memory>
#include <utility>

namespace sulcus::ui::widgets {

std::pair<model::LayerId, model::LayerId> MainWindow::layersToCompare() const {
  const auto comparable = [this](model::LayerId a, model::LayerId b) {
    const model::LayerState *first = layers_.find(a), *second = layers_.find(b);
    return a != b && first && second && mayCompare(*first->layer, *second->layer);
  };
  const std::vector<model::LayerId> chosen = layersPanel_->selected(false);
  if (chosen.size() == 2)
    return comparable(chosen[0], chosen[1]) ? std::pair(chosen[0], chosen[1]) : std::pair(0, 0);
  const auto& all = layers_.layers();
  for (auto other = all.rbegin(); other != all.rend(); ++other)
    if (comparable(layers_.current(), other->id)) return {layers_.current(), other->id};
  return {0, 0};
}

void MainWindow::compareLayers(model::LayerId a, model::LayerId b) {
  const model::LayerState *first = layers_.find(a), *second = layers_.find(b);
  if (!first || !second) return;
  if (!mayCompare(*first->layer, *second->layer))
    return showError(this, tr("Compare"),
                     tr("%1 and %2 cannot be compared (one is %3, the other %4): choose two of one kind.")
                         .arg(first->name, second->name, model::words(kindOf(*first->layer)),
                              model::words(kindOf(*second->layer))));
  setWanted(bottomSide_, true);
  bottom_->open(comparePanel_);
  runs_.compare(model::sideOf(*first), model::sideOf(*second));
}

void MainWindow::compareFiles(const QStringList& paths) {
  // One file alone is compared with the layer that is chosen.
  const auto opened = std::make_shared<std::vector<model::LayerId>>();
  if (paths.size() == 1 && layers_.current() != 0) opened->push_back(layers_.current());
  for (const QString& path : paths.mid(0, 2))
    files_.open({path}, [this, opened](model::LayerId id) {
      opened->push_back(id);
      if (opened->size() == 2) compareLayers(opened->front(), opened->back());
    });
}

void MainWindow::addCompareCommands() {
  commands_.add({QStringLiteral("compare.files"), tr("Compare f&iles…"), {}, [this] {
                   chooseFiles(tr("Two files to compare, or one to compare with the current layer"),
                               [this](const QStringList& paths) { compareFiles(paths); });
                 }});
  commands_.add({QStringLiteral("compare.layers"),
                 tr("Compare two la&yers"),
                 {},
                 [this] {
                   const auto [a, b] = layersToCompare();
                   compareLayers(a, b);
                 },
                 {},
                 [this] { return layersToCompare().first != 0; }});
  commands_.add({QStringLiteral("compare.runs"),
                 tr("Compare the last two r&uns"),
                 {},
                 [this] {
                   setWanted(bottomSide_, true);
                   bottom_->open(comparePanel_);
                   comparePanel_->compareLast();
                 },
                 {},
                 [this] { return comparePanel_->mayCompareLast(); }});
  const auto compared = [this] { return views_->canCompare(); };
  const auto comparisonNote = [this] {
    const model::ComparedPtr& comparison = comparePanel_->model().comparison();
    return jobs::plotNote("comparison", {comparison->a, comparison->b});
  };
  commands_.add({QStringLiteral("compare.copyMarkdown"),
                 tr("Copy comparison as &Markdown"),
                 {},
                 [this] { QApplication::clipboard()->setText(comparePanel_->model().markdown()); },
                 {},
                 compared});
  commands_.add({QStringLiteral("compare.saveCsv"),
                 tr("Save comparison as C&SV…"),
                 {},
                 [this, comparisonNote] {
                   askSave(tr("Save comparison"), QStringLiteral("comparison.csv"), tr("CSV (*.csv)"),
                           [this, table = comparePanel_->model().csv(), note = comparisonNote()](
                               const QString& file) { files_.saveText(table, file, note); });
                 },
                 {},
                 compared});
  commands_.add({QStringLiteral("compare.savePng"),
                 tr("Save comparison as &PNG…"),
                 {},
                 [this, comparisonNote] {
                   savePicture(QStringLiteral("comparison.png"), comparePanel_->tablePicture(),
                               comparisonNote());
                 },
                 {},
                 compared});
}

}  // namespace sulcus::ui::widgets
