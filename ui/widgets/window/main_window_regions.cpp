// Regions and the ruler in the window.
#include "core/base/figure.h"
#include "ui/scene/slices/ruler_mark.h"
#include "ui/widgets/controls/folding_tabs.h"
#include "ui/widgets/controls/scroll_strip.h"
#include "ui/widgets/panels/plots_panel.h"
#include "ui/widgets/panels/table_window.h"
#include "ui/widgets/views/brush_tool.h"
#include "ui/widgets/views/canvas.h"
#include "ui/widgets/views/region_bar.h"
#include "ui/widgets/views/view_area.h"
#include "ui/widgets/window/dialogs.h"
#include "ui/widgets/window/main_window.h"
#include "ui/widgets/window/status_line.h"

#include <QAction>
#include <QVBoxLayout>
#include <memory>

#include <vtkRenderWindow.h>
#include <vtkRendererCollection.h>

namespace sulcus::ui::widgets {

void MainWindow::buildRegions() {
  model::RegionTools& regions = workspace_.regions();
  auto* bar = new RegionBar(layers_, regions);
  static_cast<QVBoxLayout*>(views_->layout())
      ->insertWidget(2, new ScrollStrip(bar));  // below the strip and the pair of images
  connect(bar, &RegionBar::ballRequested, this, [this] { trigger(QStringLiteral("regions.sphere")); });
  connect(bar, &RegionBar::statisticsRequested, this,
          [this] { trigger(QStringLiteral("regions.statistics")); });
  std::vector<std::pair<Canvas*, std::shared_ptr<scene::RulerMark>>> marks;
  for (const model::Plane plane : {model::Plane::axial, model::Plane::coronal, model::Plane::sagittal}) {
    SliceView* view = views_->slice(plane);
    new BrushTool(*view, regions);
    auto* canvas = view->findChild<Canvas*>();
    vtkRenderer* top = nullptr;  // over the images
    vtkRendererCollection* all = canvas->renderWindow()->GetRenderers();
    vtkCollectionSimpleIterator at;
    all->InitTraversal(at);
    while (vtkRenderer* renderer = all->GetNextRenderer(at)) top = renderer;
    marks.emplace_back(canvas, std::make_shared<scene::RulerMark>(top));
  }
  auto* canvas = views_->scene()->findChild<Canvas*>();
  marks.emplace_back(
      canvas, std::make_shared<scene::RulerMark>(canvas->renderWindow()->GetRenderers()->GetFirstRenderer()));
  connect(&regions, &model::RegionTools::rulerChanged, this, [this, &regions, marks] {
    const QString length = tr("%1 mm").arg(QString::fromStdString(figure(regions.rulerLength())));
    for (const auto& [view, mark] : marks) {
      if (regions.rulerFrom())
        mark->show(*regions.rulerFrom(), view_.crosshair(), length.toStdString());
      else
        mark->hide();
      view->scheduleRender();
    }
    status_->showNote(regions.rulerFrom() ? tr("ruler: %1").arg(length) : QString());
    QAction* action = actions_.at(QStringLiteral("regions.ruler"));
    action->setChecked(regions.rulerFrom().has_value());  // not all of them: it follows the crosshair
  });
  connect(&regions, &model::RegionTools::brushChanged, this, &MainWindow::refreshActions);
}

void MainWindow::showNewTable(const LayerPtr& table) {
  const model::LayerId before = layers_.current();
  const model::LayerId id = layers_.add(table, model::Origin::computed);
  layers_.setCurrent(before);  // of which other numbers may be wanted
  showTableOf(id);
}

void MainWindow::addRegionCommands() {
  model::RegionTools& regions = workspace_.regions();
  const auto image = [&regions] { return regions.image() != 0; };
  commands_.add({QStringLiteral("regions.ruler"), tr("&Measure from the crosshair"), QStringLiteral("Ctrl+M"),
                 [this, &regions] {
                   regions.setRuler(regions.rulerFrom() ? std::nullopt : std::optional(view_.crosshair()));
                 },
                 [&regions] { return regions.rulerFrom().has_value(); },
                 [this] { return !layers_.empty(); }});
  commands_.add({QStringLiteral("regions.paint"), tr("&Paint regions"), QStringLiteral("Ctrl+B"),
                 [&regions] {
                   model::Brush brush = regions.brush();
                   brush.on = !brush.on;
                   regions.setBrush(brush);
                 },
                 [&regions] { return regions.brush().on; },
                 [&regions] { return regions.image() != 0 || regions.target() != 0; }});
  commands_.add({QStringLiteral("regions.sphere"),
                 tr("&Sphere at the crosshair…"),
                 {},
                 [this, &regions] {
                   const double last = settings_.value(QStringLiteral("sphereRadius"), 6).toDouble();
                   askNumber(this, tr("Sphere at the crosshair"),
                             tr("Radius in mm; it becomes label %1").arg(regions.brush().label), last,
                             {0.1, 200}, [this, &regions](double radius) {
                               settings_.setValue(QStringLiteral("sphereRadius"), radius);
                               regions.addBall(view_.crosshair(), radius);
                             });
                 },
                 {},
                 [&regions] { return regions.image() != 0 || regions.target() != 0; }});
  commands_.add({QStringLiteral("regions.statistics"),
                 tr("S&tatistics of regions"),
                 {},
                 [this, &regions] {
                   const auto made = std::make_shared<LayerPtr>();
                   files_.work(
                       tr("Statistics of regions"),
                       [made, make = regions.statistics()](const Progress&) { *made = make(); },
                       [this, made] { showNewTable(*made); });
                 },
                 {},
                 [&regions, image] { return image() && regions.target() != 0; }});
  commands_.add({QStringLiteral("regions.plot"),
                 tr("Mean of the region over &time"),
                 {},
                 [this] {
                   setWanted(bottomSide_, true);
                   bottom_->open(plotsPanel_);
                   workspace_.plots().setCurrent(QStringLiteral("Region"));
                 },
                 {},
                 [this] { return workspace_.plots().names().contains(QStringLiteral("Region")); }});
}

void MainWindow::showTableOf(model::LayerId id) {
  showTable(this, layers_, workspace_.bookmarks(), id,
            [this](const Vec3<double>& place) { view_.lookAt(place); });
}

}  // namespace sulcus::ui::widgets
