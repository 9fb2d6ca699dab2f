#include "core/base/figure.h"
#include "ui/scene/slices/ruler_mark.h"
#include "ui/widgets/commands/commands.h"
#include "ui/widgets/controls/folding_tabs.h"
#include "ui/widgets/controls/scroll_strip.h"
#include "ui/widgets/dialogs/dialogs.h"
#include "ui/widgets/panels/plots_panel.h"
#include "ui/widgets/panels/table_window.h"
#include "ui/widgets/tools/brush_tool.h"
#include "ui/widgets/tools/region_bar.h"
#include "ui/widgets/tools/region_tool.h"
#include "ui/widgets/views/canvas.h"
#include "ui/widgets/views/view_area.h"
#include "ui/widgets/window/status_line.h"

#include <QAction>
#include <QVBoxLayout>
#include <memory>

#include <vtkRenderWindow.h>
#include <vtkRendererCollection.h>

namespace sulcus::ui::widgets {

void buildRegions(WindowParts& window) {
  model::RegionTools& regions = window.workspace.editing().regions;
  auto* bar = new RegionBar(window.layers, regions);
  static_cast<QVBoxLayout*>(window.views->layout())
      ->insertWidget(2, new ScrollStrip(bar));  // below the strip and the image overlay bar
  QObject::connect(bar, &RegionBar::ballRequested, &window.widget,
                   [&window] { window.trigger(QStringLiteral("regions.sphere")); });
  QObject::connect(bar, &RegionBar::statisticsRequested, &window.widget,
                   [&window] { window.trigger(QStringLiteral("regions.statistics")); });
  std::vector<std::pair<Canvas*, std::shared_ptr<scene::RulerMark>>> marks;
  const std::vector<model::MovableRegions*> movable{&window.workspace.editing().dissection,
                                                    &window.workspace.editing().growing};
  for (const model::Plane plane : {model::Plane::axial, model::Plane::coronal, model::Plane::sagittal}) {
    SliceView* view = window.views->slice(plane);
    new BrushTool(*view, regions);
    new RegionTool(*view, movable);
    auto* canvas = view->findChild<Canvas*>();
    vtkRenderer* top = nullptr;  // on top of the images
    vtkRendererCollection* all = canvas->renderWindow()->GetRenderers();
    vtkCollectionSimpleIterator at;
    all->InitTraversal(at);
    while (vtkRenderer* renderer = all->GetNextRenderer(at)) top = renderer;
    marks.emplace_back(canvas, std::make_shared<scene::RulerMark>(top));
  }
  window.views->scene()->setRegions(movable);
  auto* canvas = window.views->scene()->findChild<Canvas*>();
  marks.emplace_back(
      canvas, std::make_shared<scene::RulerMark>(canvas->renderWindow()->GetRenderers()->GetFirstRenderer()));
  QObject::connect(&regions, &model::RegionTools::rulerChanged, &window.widget, [&window, &regions, marks] {
    const QString length = QObject::tr("%1 mm").arg(QString::fromStdString(figure(regions.rulerLength())));
    for (const auto& [view, mark] : marks) {
      if (regions.rulerFrom())
        mark->show(*regions.rulerFrom(), window.view.crosshair(), length.toStdString());
      else
        mark->hide();
      view->scheduleRender();
    }
    window.status->showNote(regions.rulerFrom() ? QObject::tr("ruler: %1").arg(length) : QString());
    QAction* action = window.menus.action("regions.ruler");
    action->setChecked(regions.rulerFrom().has_value());  // not all of them: it follows the crosshair
  });
  QObject::connect(&regions, &model::RegionTools::brushChanged, &window.menus, &WindowMenus::refresh);
}

namespace {

void showNewTable(WindowParts& window, const LayerPtr& table) {
  const model::LayerId before = window.layers.current();
  const model::LayerId id = window.layers.add(table, model::Origin::computed);
  window.layers.setCurrent(before);  // so that other statistics can be requested
  window.showTableOf(id);
}

}  // namespace

void addRegionCommands(WindowParts& window) {
  model::RegionTools& regions = window.workspace.editing().regions;
  const auto image = [&regions] { return regions.image() != 0; };
  window.commands.addSwitch(
      "regions.ruler", QObject::tr("&Measure from the crosshair"), "Ctrl+M",
      [&window, &regions] {
        regions.setRuler(regions.rulerFrom() ? std::nullopt : std::optional(window.view.crosshair()));
      },
      [&regions] { return regions.rulerFrom().has_value(); }, [&window] { return !window.layers.empty(); });
  window.commands.addSwitch(
      "regions.paint", QObject::tr("&Paint regions"), "Ctrl+B",
      [&regions] {
        model::Brush brush = regions.brush();
        brush.on = !brush.on;
        regions.setBrush(brush);
      },
      [&regions] { return regions.brush().on; },
      [&regions] { return regions.image() != 0 || regions.target() != 0; });
  window.commands.add(
      "regions.sphere", QObject::tr("&Sphere at the crosshair…"), "",
      [&window, &regions] {
        const double last = window.settings.value(QStringLiteral("sphereRadius"), 6).toDouble();
        askNumber(&window.widget, QObject::tr("Sphere at the crosshair"),
                  QObject::tr("Radius in mm; it becomes label %1").arg(regions.brush().label), last,
                  {0.1, 200}, [&window, &regions](double radius) {
                    window.settings.setValue(QStringLiteral("sphereRadius"), radius);
                    regions.addBall(window.view.crosshair(), radius);
                  });
      },
      [&regions] { return regions.image() != 0 || regions.target() != 0; });
  window.commands.add(
      "regions.statistics", QObject::tr("S&tatistics of regions"), "",
      [&window, &regions] {
        const auto made = std::make_shared<LayerPtr>();
        window.files.work(
            QObject::tr("Statistics of regions"),
            [made, make = regions.statistics()](const Progress&) { *made = make(); },
            [&window, made] { showNewTable(window, *made); });
      },
      [&regions, image] { return image() && regions.target() != 0; });
  window.commands.add(
      "regions.plot", QObject::tr("Mean of the region over &time"), "",
      [&window] {
        window.showLower(window.plotsPanel);
        window.workspace.evaluation().plots.setCurrent(QStringLiteral("Region"));
      },
      [&window] { return window.workspace.evaluation().plots.names().contains(QStringLiteral("Region")); });
}

}  // namespace sulcus::ui::widgets
