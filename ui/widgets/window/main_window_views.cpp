// The commands of the views: layouts, two images in one place, what is written over slices, the mouse.
#include "ui/widgets/panels/compare_panel.h"
#include "ui/widgets/panels/layers_panel.h"
#include "ui/widgets/panels/table_window.h"
#include "ui/widgets/views/view_area.h"
#include "ui/widgets/window/main_window.h"
#include "ui/widgets/window/status_line.h"

#include <algorithm>

namespace sulcus::ui::widgets {

void MainWindow::addViewCommands() {
  struct LayoutEntry {
    const char* name;
    QString text;
    const char* key;
    ViewLayout layout;
  };
  const LayoutEntry layouts[] = {{"view.grid", tr("All &four views"), "0", ViewLayout::grid},
                                 {"view.axial", tr("&Axial alone"), "1", ViewLayout::axial},
                                 {"view.coronal", tr("&Coronal alone"), "2", ViewLayout::coronal},
                                 {"view.sagittal", tr("&Sagittal alone"), "3", ViewLayout::sagittal},
                                 {"view.scene", tr("&3D alone"), "4", ViewLayout::scene},
                                 {"view.compare", tr("Co&mpare"), "5", ViewLayout::compare},
                                 {"view.beside", tr("3D beside the slices"), "7", ViewLayout::beside},
                                 {"view.lightbox", tr("Lig&htbox"), "8", ViewLayout::lightbox}};
  for (const auto& entry : layouts)
    commands_.add({QLatin1String(entry.name), entry.text, QLatin1String(entry.key),
                   [this, layout = entry.layout] {
                     // With nothing compared yet it compares the last two runs, which then shows them.
                     const bool first = layout == ViewLayout::compare && !views_->canCompare();
                     if (first) return void(trigger(QStringLiteral("compare.runs")));
                     views_->setLayoutShown(layout);
                   },
                   [this, layout = entry.layout] { return views_->layoutShown() == layout; },
                   [this, layout = entry.layout] {
                     return layout != ViewLayout::compare || views_->canCompare() ||
                            comparePanel_->mayCompareLast();
                   }});
  commands_.add({QStringLiteral("view.compareIn3d"), tr("Compare in 3&D"), QStringLiteral("6"),
                 [this] { views_->setCompareIn3d(!views_->compareIn3d()); },
                 [this] { return views_->compareIn3d(); },
                 [this] { return views_->layoutShown() == ViewLayout::compare; }});
  const std::tuple<const char*, QString, const char*, model::Plane> planes[] = {
      {"view.planeAxial", tr("Axial plane"), "A", model::Plane::axial},
      {"view.planeCoronal", tr("Coronal plane"), "C", model::Plane::coronal},
      {"view.planeSagittal", tr("Sagittal plane"), "S", model::Plane::sagittal}};
  for (const auto& [name, text, key, plane] : planes)
    commands_.add(
        {QLatin1String(name), text, QLatin1String(key), [this, plane = plane] { views_->showPlane(plane); }});
  const std::pair<const char*, QString> windows[] = {{"view.detachAxial", tr("Detach &axial view")},
                                                     {"view.detachCoronal", tr("Detach &coronal view")},
                                                     {"view.detachSagittal", tr("Detach &sagittal view")},
                                                     {"view.detachScene", tr("Detach &3D view")}};
  for (int view = 0; const auto& [name, text] : windows) {
    commands_.add({QLatin1String(name),
                   text,
                   {},
                   [this, view] { views_->setDetached(view, !views_->isDetached(view)); },
                   [this, view] { return views_->isDetached(view); },
                   [this, view] { return !layers_.empty() && views_->canDetach(view); }});
    ++view;
  }
  commands_.add({QStringLiteral("view.unlink"), tr("&Unlink slice"), QStringLiteral("U"),
                 [this] { views_->toggleLink(); }, [this] { return !views_->activeSlice()->isLinked(); },
                 [this] { return views_->activeSlice()->isVisible(); }});
  commands_.add({QStringLiteral("view.crosshair"), tr("Cross&hair"), QStringLiteral("F"),
                 [this] { view_.setCrosshairVisible(!view_.crosshairVisible()); },
                 [this] { return view_.crosshairVisible(); }});
  model::ImageOverlay& pair = workspace_.imageOverlay();
  // Two images that are chosen in the list are meant, else those that were compared last, or the uppermost.
  const auto takeChosen = [this, &pair] {
    std::vector<model::LayerId> images = layersPanel_->selected(false);  // top first
    const std::vector<model::LayerId> all = pair.candidates();
    std::erase_if(images, [&all](model::LayerId id) { return std::ranges::find(all, id) == all.end(); });
    if (images.size() == 2) pair.suggest(images[1], images[0]);
  };
  const std::tuple<const char*, QString, const char*, model::ImageOverlay::Mode> pairs[] = {
      {"view.checkerboard", tr("Chec&kerboard"), "K", model::ImageOverlay::Mode::checkerboard},
      {"view.blink", tr("&Blink"), "B", model::ImageOverlay::Mode::blink},
      {"view.blend", tr("&Mixture"), "M", model::ImageOverlay::Mode::blend},
      {"view.wipe", tr("&Wipe"), "W", model::ImageOverlay::Mode::wipe}};
  for (const auto& [name, text, key, mode] : pairs)
    commands_.add({QLatin1String(name), text, QLatin1String(key),
                   [&pair, takeChosen, mode = mode] {
                     takeChosen();
                     pair.toggle(mode);
                   },
                   [&pair, mode = mode] { return pair.mode() == mode; },
                   [&pair] { return pair.candidates().size() > 1; }});
  commands_.add({QStringLiteral("view.difference"),
                 tr("&Difference as a layer"),
                 QStringLiteral("D"),
                 [this, takeChosen] {
                   takeChosen();
                   workspace_.makeDifference();
                 },
                 {},
                 [&pair] { return pair.candidates().size() > 1; }});
  commands_.add({QStringLiteral("view.agreement"),
                 tr("A&greement of both as a table"),
                 QStringLiteral("Shift+D"),
                 [this, takeChosen] {
                   takeChosen();
                   workspace_.makeAgreement([this](model::LayerId id) { showTableOf(id); });
                 },
                 {},
                 [&pair] { return pair.candidates().size() > 1; }});
  commands_.add({QStringLiteral("view.planesBesideSurfaces"), tr("&Planes beside surfaces in 3D"),
                 QStringLiteral("P"),
                 [this] { views_->setPlanesBesideSurfaces(!views_->planesBesideSurfaces()); },
                 [this] { return views_->planesBesideSurfaces(); }});
  commands_.add({QStringLiteral("view.letters"), tr("&Letters"), QStringLiteral("O"),
                 [this] { view_.setLettersVisible(!view_.lettersVisible()); },
                 [this] { return view_.lettersVisible(); }});
  commands_.add({QStringLiteral("view.scaleBar"), tr("Sca&le bar"), QStringLiteral("L"),
                 [this] { view_.setScaleBarVisible(!view_.scaleBarVisible()); },
                 [this] { return view_.scaleBarVisible(); }});
  commands_.add({QStringLiteral("view.goTo"),
                 tr("&Go to a place…"),
                 QStringLiteral("Ctrl+G"),
                 [this] { status_->editPosition(); },
                 {},
                 [this] { return !layers_.empty(); }});
  model::Bookmarks& places = workspace_.bookmarks();
  commands_.add({QStringLiteral("view.keepPlace"),
                 tr("&Keep this place"),
                 QStringLiteral("Ctrl+D"),
                 [this, &places] {
                   places.keep();
                   status_->showPassingNote(tr("kept as %1").arg(places.places().back().name));
                 },
                 {},
                 [this] { return !layers_.empty(); }});
  const auto anyPlace = [&places] { return places.layer() != 0; };
  for (const auto& [name, text, key, by] :
       {std::tuple("view.nextPlace", tr("&Next kept place"), "G", 1),
        {"view.previousPlace", tr("&Previous kept place"), "Shift+G", -1}})
    commands_.add(
        {QLatin1String(name), text, QLatin1String(key), [&places, by = by] { places.go(by); }, {}, anyPlace});
  commands_.add({QStringLiteral("view.listPlaces"),
                 tr("&List of kept places"),
                 {},
                 [this, &places] { showTableOf(places.layer()); },
                 {},
                 anyPlace});
  commands_.add({QStringLiteral("view.alongVoxels"),
                 tr("Slices along the &voxels of the layer"),
                 QStringLiteral("Shift+T"),
                 [this] { view_.setTurn(alongVoxels(*gridOf(*layers_.find(layers_.current())->layer))); },
                 {},
                 [this] {
                   const model::LayerState* state = layers_.find(layers_.current());
                   return state && gridOf(*state->layer);
                 }});
  commands_.add({QStringLiteral("view.straighten"), tr("Slices along the a&xes of the scanner"),
                 QStringLiteral("T"), [this] { view_.setTurn({}); }});
  commands_.add({QStringLiteral("view.radiological"),
                 tr("&Radiological (patient's right on the left)"),
                 {},
                 [this] { view_.setRadiological(true); },
                 [this] { return view_.radiological(); }});
  commands_.add({QStringLiteral("view.neurological"),
                 tr("&Neurological (patient's right on the right)"),
                 {},
                 [this] { view_.setRadiological(false); },
                 [this] { return !view_.radiological(); }});
  commands_.add({QStringLiteral("view.mouseWindowLevel"),
                 tr("Changes &window and level (mrview)"),
                 {},
                 [this] { view_.setMouseScheme(model::MouseScheme::windowLevel); },
                 [this] { return view_.mouseScheme() == model::MouseScheme::windowLevel; }});
  commands_.add({QStringLiteral("view.mouseZoom"),
                 tr("&Zooms (FSLeyes, ITK-SNAP, Slicer)"),
                 {},
                 [this] { view_.setMouseScheme(model::MouseScheme::zoom); },
                 [this] { return view_.mouseScheme() == model::MouseScheme::zoom; }});
  using Background = scene::SceneStyle::Background;
  const std::tuple<const char*, QString, Background> backgrounds[] = {
      {"view.backgroundDark", tr("&Dark background in 3D"), Background::dark},
      {"view.backgroundBlack", tr("&Black background in 3D"), Background::black},
      {"view.backgroundWhite", tr("&White background in 3D"), Background::white}};
  for (const auto& [name, text, background] : backgrounds)
    commands_.add(
        {QLatin1String(name),
         text,
         {},
         [this, background = background] {
           views_->setSceneStyle({background, views_->sceneStyle().light});
         },
         [this, background = background] { return views_->sceneStyle().background == background; }});
  const std::tuple<const char*, QString, double> lights[] = {
      {"view.lightWeak", tr("W&eak light in 3D"), 0.65},
      {"view.lightNormal", tr("&Normal light in 3D"), 1},
      {"view.lightStrong", tr("&Strong light in 3D"), 1.4}};
  for (const auto& [name, text, light] : lights)
    commands_.add({QLatin1String(name),
                   text,
                   {},
                   [this, light = light] {
                     views_->setSceneStyle({views_->sceneStyle().background, light});
                   },
                   [this, light = light] { return views_->sceneStyle().light == light; }});
  const std::pair<char, QString> sides[] = {{'A', tr("&Front")}, {'P', tr("&Back")},  {'L', tr("&Left")},
                                            {'R', tr("&Right")}, {'S', tr("&Above")}, {'I', tr("B&elow")}};
  for (const auto& [side, text] : sides)
    commands_.add({QStringLiteral("view.from") + QLatin1Char(side), text, {}, [this, side = side] {
                     views_->lookFrom(side);
                   }});
  commands_.add({QStringLiteral("view.reset"), tr("R&eset views"), QStringLiteral("R"), [this] {
                   view_.setTurn({});
                   workspace_.frameAny();
                   views_->resetCameras();
                 }});
}

}  // namespace sulcus::ui::widgets
