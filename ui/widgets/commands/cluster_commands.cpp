#include "core/base/figure.h"
#include "core/base/sentence.h"
#include "core/image/display/tract_coloring.h"
#include "core/image/tracts/line_clusters.h"
#include "ui/model/session/file_names.h"
#include "ui/widgets/commands/commands.h"
#include "ui/widgets/controls/folding_tabs.h"
#include "ui/widgets/dialogs/dialogs.h"
#include "ui/widgets/panels/bundles_panel.h"
#include "ui/widgets/panels/clusters_panel.h"

#include <QApplication>
#include <QClipboard>
#include <algorithm>
#include <memory>

namespace sulcus::ui::widgets {

namespace {

constexpr double kUsualDistance = 10;  // mm, of lines that lie together

/// A layer of the lines of the target in groups, which has their colors.
void makeLineClusters(WindowParts& window, double distance) {
  window.settings.setValue(QStringLiteral("lineClusters"), distance);
  const model::LayerState* state = window.layers.find(window.workspace.editing().dissection.target());
  if (!state) return;
  const auto made = std::make_shared<Layer>();
  window.files.work(
      QObject::tr("Lines that lie together"),
      [made, layer = state->layer, name = state->name.toStdString(), distance](const Progress& progress) {
        const auto& lines = std::get<TractsLayer>(layer->content);
        auto tracts = std::make_shared<Tracts>(*lines.tracts);
        tracts->groups = clustersOf(*tracts, distance, progress);
        made->name = name + " in clusters";
        made->notes = {counted(std::int64_t(tracts->groups.size()), "group") + " of the lines of '" + name +
                       "' that lie within " + figure(distance) +
                       " mm in the mean of their middle (QuickBundles)."};
        made->content = TractsLayer{std::move(tracts), lines.scan};
      },
      [&window, made] {
        const model::LayerId id = window.layers.add(made, model::Origin::computed);
        const auto all = coloringsOf(*std::get<TractsLayer>(made->content).tracts);
        const auto byGroup = std::ranges::find(all, TractColoring::By::group, &TractColoring::by);
        if (byGroup != all.end()) window.layers.setVolume(id, int(byGroup - all.begin()));
      });
}

}  // namespace

void addClusterCommands(WindowParts& window) {
  model::ClustersModel& clusters = window.workspace.evaluation().clusters;
  const auto any = [&clusters] { return clusters.table() != nullptr; };
  window.commands.add(
      "clusters.show", QObject::tr("Clusters and &peaks"), "",
      [&window] { window.showLower(window.clustersPanel); },
      [&window] { return window.currentAs<VolumeLayer>() != nullptr; });
  window.commands.add(
      "bundles.show", QObject::tr("&Bundles of lines"), "",
      [&window] { window.showLower(window.bundlesPanel); },
      [&window] {
        return window.workspace.editing().dissection.target() != 0 ||
               window.workspace.editing().growing.canGrow();
      });
  window.commands.add(
      "bundles.grow", QObject::tr("&Grow lines from the crosshair"), "",
      [&window] {
        window.showLower(window.bundlesPanel);
        window.bundlesPanel->growHere();
      },
      [&window] { return window.workspace.editing().growing.canGrow(); });
  window.commands.add(
      "bundles.clusters", QObject::tr("&Lines that lie together…"), "",
      [&window] {
        const double last = window.settings.value(QStringLiteral("lineClusters"), kUsualDistance).toDouble();
        askNumber(&window.widget, QObject::tr("Lines that lie together"),
                  QObject::tr("Largest mean distance in mm from the middle of a group"), last, {0.5, 200},
                  [&window](double distance) { makeLineClusters(window, distance); });
      },
      [&window] { return window.workspace.editing().dissection.target() != 0; });
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
