#include "ui/model/session/file_names.h"
#include "ui/widgets/commands/commands.h"
#include "ui/widgets/controls/folding_tabs.h"
#include "ui/widgets/panels/bundles_panel.h"
#include "ui/widgets/panels/clusters_panel.h"

#include <QApplication>
#include <QClipboard>

namespace sulcus::ui::widgets {

void addClusterCommands(WindowParts& window) {
  model::ClustersModel& clusters = window.workspace.clusters();
  const auto any = [&clusters] { return clusters.table() != nullptr; };
  window.commands.add(
      "clusters.show", QObject::tr("Clusters and &peaks"), "",
      [&window] { window.showLower(window.clustersPanel); },
      [&window] {
        const model::LayerState* state = window.current();
        return state && std::holds_alternative<VolumeLayer>(state->layer->content);
      });
  window.commands.add(
      "bundles.show", QObject::tr("&Bundles of lines"), "",
      [&window] { window.showLower(window.bundlesPanel); },
      [&window] { return window.workspace.dissection().target() != 0; });
  window.commands.add(
      "clusters.copy", QObject::tr("Copy table of clusters"), "",
      [&window] { QApplication::clipboard()->setText(window.clustersPanel->text()); }, any);
  window.commands.add(
      "clusters.save", QObject::tr("Save table of clusters…"), "",
      [&window, &clusters] {
        const LayerPtr table = clusters.table();
        const QString name = QString::fromStdString(table->name);
        window.dialogs.askSave(QObject::tr("Save clusters"), model::saveName(*table, name),
                               model::saveFilters(*table),
                               [&window, table](const QString& file) { window.files.save(table, file); });
      },
      any);
  window.commands.add(
      "clusters.keep", QObject::tr("Keep table of clusters as a layer"), "",
      [&window, &clusters] {
        const model::LayerId map = window.layers.current();
        window.layers.add(clusters.table(), model::Origin::computed);
        window.layers.setCurrent(map);  // its clusters stay on screen
      },
      any);
  QObject::connect(&clusters, &model::ClustersModel::changed, &window.menus, &WindowMenus::refresh);
}

}  // namespace sulcus::ui::widgets
