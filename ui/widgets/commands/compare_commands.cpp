#include "core/analysis/layer_agreement.h"
#include "ui/jobs/picture_note.h"
#include "ui/model/comparison/compared_layers.h"
#include "ui/model/text/localize.h"
#include "ui/widgets/commands/commands.h"
#include "ui/widgets/controls/folding_tabs.h"
#include "ui/widgets/controls/widget_help.h"
#include "ui/widgets/panels/compare_panel.h"
#include "ui/widgets/panels/layers_panel.h"
#include "ui/widgets/views/view_area.h"

#include <QApplication>
#include <QClipboard>
#include <algorithm>
#include <memory>
#include <utility>

namespace sulcus::ui::widgets {

namespace {

/// The two layers selected in the list, else the current one and the topmost similar one; 0 if there are
/// none.
std::pair<model::LayerId, model::LayerId> layersToCompare(const WindowParts& window) {
  const auto comparable = [&window](model::LayerId a, model::LayerId b) {
    const model::LayerState *first = window.layers.find(a), *second = window.layers.find(b);
    return a != b && first && second && mayCompare(*first->layer, *second->layer);
  };
  const std::vector<model::LayerId> chosen = window.layersPanel->selected(false);
  if (chosen.size() == 2)
    return comparable(chosen[0], chosen[1]) ? std::pair(chosen[0], chosen[1]) : std::pair(0, 0);
  const auto& all = window.layers.layers();
  for (auto other = all.rbegin(); other != all.rend(); ++other)
    if (comparable(window.layers.current(), other->id)) return {window.layers.current(), other->id};
  return {0, 0};
}

void compareLayers(WindowParts& window, model::LayerId a, model::LayerId b) {
  const model::LayerState *first = window.layers.find(a), *second = window.layers.find(b);
  if (!first || !second) return;
  if (!mayCompare(*first->layer, *second->layer))
    return showError(
        &window.widget, QObject::tr("Compare"),
        QObject::tr("%1 and %2 cannot be compared (one is %3, the other %4): choose two of one kind.")
            .arg(first->name, second->name, model::words(kindOf(*first->layer)),
                 model::words(kindOf(*second->layer))));
  window.showLower(window.comparePanel);
  window.runs.comparer().compare(model::sideOf(*first), model::sideOf(*second));
}

}  // namespace

void compareFiles(WindowParts& window, const QStringList& paths) {
  // A single file is compared with the selected layer.
  const auto opened = std::make_shared<std::vector<model::LayerId>>();
  if (paths.size() == 1 && window.layers.current() != 0) opened->push_back(window.layers.current());
  for (const QString& path : paths.mid(0, 2))
    window.files.open({path}, [&window, opened](model::LayerId id) {
      opened->push_back(id);
      if (opened->size() == 2) compareLayers(window, opened->front(), opened->back());
    });
}

void addCompareCommands(WindowParts& window) {
  window.commands.add("compare.files", QObject::tr("Compare f&iles…"), "", [&window] {
    window.dialogs.chooseFiles(QObject::tr("Two files to compare, or one to compare with the current layer"),
                               [&window](const QStringList& paths) { compareFiles(window, paths); });
  });
  window.commands.add(
      "compare.layers", QObject::tr("Compare two la&yers"), "",
      [&window] {
        const auto [a, b] = layersToCompare(window);
        compareLayers(window, a, b);
      },
      [&window] { return layersToCompare(window).first != 0; });
  window.commands.add(
      "compare.runs", QObject::tr("Compare the last two r&uns"), "",
      [&window] {
        window.showLower(window.comparePanel);
        window.comparePanel->compareLast();
      },
      [&window] { return window.comparePanel->mayCompareLast(); });
  const auto compared = [&window] { return window.views->canCompare(); };
  const auto comparisonNote = [&window] {
    const model::ComparedPtr& comparison = window.comparePanel->model().comparison();
    return jobs::plotNote("comparison", {comparison->a, comparison->b});
  };
  window.commands.add(
      "compare.copyMarkdown", QObject::tr("Copy comparison as &Markdown"), "",
      [&window] { QApplication::clipboard()->setText(window.comparePanel->model().markdown()); }, compared);
  window.commands.add(
      "compare.saveCsv", QObject::tr("Save comparison as C&SV…"), "",
      [&window, comparisonNote] {
        window.dialogs.askSave(
            QObject::tr("Save comparison"), QStringLiteral("comparison.csv"), QObject::tr("CSV (*.csv)"),
            [&window, table = window.comparePanel->model().csv(),
             note = comparisonNote()](const QString& file) { window.files.saveText(table, file, note); });
      },
      compared);
  window.commands.add(
      "compare.savePng", QObject::tr("Save comparison as &PNG…"), "",
      [&window, comparisonNote] {
        savePicture(window, QStringLiteral("comparison.png"), window.comparePanel->tablePicture(),
                    comparisonNote());
      },
      compared);
}

}  // namespace sulcus::ui::widgets
