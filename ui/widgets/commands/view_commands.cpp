#include "ui/widgets/commands/commands.h"
#include "ui/widgets/panels/compare_panel.h"
#include "ui/widgets/panels/layers_panel.h"
#include "ui/widgets/panels/table_window.h"
#include "ui/widgets/views/view_area.h"
#include "ui/widgets/window/status_line.h"
#include "ui/widgets/window/theme.h"

#include <algorithm>

namespace sulcus::ui::widgets {

namespace {

const QString kAppearance = QStringLiteral("appearance");

Appearance appearanceIn(const QSettings& settings) {
  return Appearance(
      std::clamp(settings.value(kAppearance).toInt(), int(Appearance::dark), int(Appearance::system)));
}

void setAppearance(QSettings& settings, Appearance appearance) {
  settings.setValue(kAppearance, int(appearance));
  applyAppearance(appearance);
}

}  // namespace

void showAppearance(const QSettings& settings) { applyAppearance(appearanceIn(settings)); }

void addViewCommands(WindowParts& window) {
  struct LayoutEntry {
    const char* name;
    QString text;
    const char* key;
    ViewLayout layout;
  };
  const LayoutEntry layouts[] = {
      {"view.grid", QObject::tr("All &four views"), "0", ViewLayout::grid},
      {"view.axial", QObject::tr("&Axial alone"), "1", ViewLayout::axial},
      {"view.coronal", QObject::tr("&Coronal alone"), "2", ViewLayout::coronal},
      {"view.sagittal", QObject::tr("&Sagittal alone"), "3", ViewLayout::sagittal},
      {"view.scene", QObject::tr("&3D alone"), "4", ViewLayout::scene},
      {"view.compare", QObject::tr("Co&mpare"), "5", ViewLayout::compare},
      {"view.beside", QObject::tr("3D next to the slices"), "7", ViewLayout::beside},
      {"view.lightbox", QObject::tr("Lig&htbox"), "8", ViewLayout::lightbox}};
  for (const auto& entry : layouts)
    window.commands.addSwitch(
        entry.name, entry.text, entry.key,
        [&window, layout = entry.layout] {
          // If nothing has been compared yet, it compares the last two runs, which then shows them.
          const bool first = layout == ViewLayout::compare && !window.views->canCompare();
          if (first) return void(window.trigger(QStringLiteral("compare.runs")));
          window.views->setLayoutShown(layout);
        },
        [&window, layout = entry.layout] { return window.views->layoutShown() == layout; },
        [&window, layout = entry.layout] {
          return layout != ViewLayout::compare || window.views->canCompare() ||
                 window.comparePanel->mayCompareLast();
        });
  window.commands.addSwitch(
      "view.compareIn3d", QObject::tr("Compare in 3&D"), "6",
      [&window] { window.views->comparePage().setIn3d(!window.views->comparePage().isIn3d()); },
      [&window] { return window.views->comparePage().isIn3d(); },
      [&window] { return window.views->layoutShown() == ViewLayout::compare; });
  const std::tuple<const char*, QString, const char*, model::Plane> planes[] = {
      {"view.planeAxial", QObject::tr("Axial plane"), "A", model::Plane::axial},
      {"view.planeCoronal", QObject::tr("Coronal plane"), "C", model::Plane::coronal},
      {"view.planeSagittal", QObject::tr("Sagittal plane"), "S", model::Plane::sagittal}};
  for (const auto& [name, text, key, plane] : planes)
    window.commands.add(name, text, key, [&window, plane = plane] { window.views->showPlane(plane); });
  const std::pair<const char*, QString> windows[] = {
      {"view.detachAxial", QObject::tr("Detach &axial view")},
      {"view.detachCoronal", QObject::tr("Detach &coronal view")},
      {"view.detachSagittal", QObject::tr("Detach &sagittal view")},
      {"view.detachScene", QObject::tr("Detach &3D view")}};
  ViewGrid& grid = window.views->grid();
  for (int view = 0; const auto& [name, text] : windows) {
    window.commands.addSwitch(
        name, text, "", [&grid, view] { grid.setDetached(view, !grid.isDetached(view)); },
        [&grid, view] { return grid.isDetached(view); },
        [&window, &grid, view] { return !window.layers.empty() && grid.canDetach(view); });
    ++view;
  }
  window.commands.addSwitch(
      "view.unlink", QObject::tr("&Unlink slice"), "U", [&grid] { grid.toggleLink(); },
      [&grid] { return !grid.activeSlice()->isLinked(); },
      [&grid] { return grid.activeSlice()->isVisible(); });
  window.commands.addSwitch(
      "view.crosshair", QObject::tr("Cross&hair"), "F",
      [&window] { window.view.setCrosshairVisible(!window.view.crosshairVisible()); },
      [&window] { return window.view.crosshairVisible(); });
  model::ImageOverlay& pair = window.workspace.imageOverlay();
  // Uses two images selected in the list, else those compared last, or the topmost ones.
  const auto takeChosen = [&window, &pair] {
    std::vector<model::LayerId> images = window.layersPanel->selected(false);  // topmost first
    const std::vector<model::LayerId> all = pair.candidates();
    std::erase_if(images, [&all](model::LayerId id) { return std::ranges::find(all, id) == all.end(); });
    if (images.size() == 2) pair.suggest(images[1], images[0]);
  };
  const std::tuple<const char*, QString, const char*, model::ImageOverlay::Mode> pairs[] = {
      {"view.checkerboard", QObject::tr("Chec&kerboard"), "K", model::ImageOverlay::Mode::checkerboard},
      {"view.blink", QObject::tr("&Blink"), "B", model::ImageOverlay::Mode::blink},
      {"view.blend", QObject::tr("&Mixture"), "M", model::ImageOverlay::Mode::blend},
      {"view.wipe", QObject::tr("&Wipe"), "W", model::ImageOverlay::Mode::wipe}};
  for (const auto& [name, text, key, mode] : pairs)
    window.commands.addSwitch(
        name, text, key,
        [&pair, takeChosen, mode = mode] {
          takeChosen();
          pair.toggle(mode);
        },
        [&pair, mode = mode] { return pair.mode() == mode; },
        [&pair] { return pair.candidates().size() > 1; });
  window.commands.add(
      "view.difference", QObject::tr("&Difference as a layer"), "D",
      [&window, takeChosen] {
        takeChosen();
        window.workspace.evaluation().derived.makeDifference();
      },
      [&pair] { return pair.candidates().size() > 1; });
  window.commands.add(
      "view.agreement", QObject::tr("A&greement of both as a table"), "Shift+D",
      [&window, takeChosen] {
        takeChosen();
        window.workspace.evaluation().derived.makeAgreement(
            [&window](model::LayerId id) { window.showTableOf(id); });
      },
      [&pair] { return pair.candidates().size() > 1; });
  window.commands.addSwitch(
      "view.planesBesideSurfaces", QObject::tr("&Planes with surfaces in 3D"), "P",
      [&window] {
        window.views->changeStyles(
            [](scene::Styles& styles) { styles.planesBesideSurfaces = !styles.planesBesideSurfaces; });
      },
      [&window] { return window.views->styles().planesBesideSurfaces; });
  window.commands.addSwitch(
      "view.letters", QObject::tr("&Letters"), "O",
      [&window] { window.view.setLettersVisible(!window.view.lettersVisible()); },
      [&window] { return window.view.lettersVisible(); });
  window.commands.addSwitch(
      "view.scaleBar", QObject::tr("Sca&le bar"), "L",
      [&window] { window.view.setScaleBarVisible(!window.view.scaleBarVisible()); },
      [&window] { return window.view.scaleBarVisible(); });
  window.commands.add(
      "view.goTo", QObject::tr("&Go to a place…"), "Ctrl+G", [&window] { window.status->editPosition(); },
      [&window] { return !window.layers.empty(); });
  model::Bookmarks& places = window.workspace.bookmarks();
  window.commands.add(
      "view.addBookmark", QObject::tr("Add &bookmark"), "Ctrl+D",
      [&window, &places] {
        places.keep();
        window.status->showPassingNote(QObject::tr("%1 added").arg(places.all().back().name));
      },
      [&window] { return !window.layers.empty(); });
  const auto anyPlace = [&places] { return places.layer() != 0; };
  for (const auto& [name, text, key, by] :
       {std::tuple("view.nextBookmark", QObject::tr("&Next bookmark"), "G", 1),
        {"view.previousBookmark", QObject::tr("&Previous bookmark"), "Shift+G", -1}})
    window.commands.add(
        name, text, key, [&places, by = by] { places.go(by); }, anyPlace);
  window.commands.add(
      "view.listBookmarks", QObject::tr("&List of bookmarks"), "",
      [&window, &places] { window.showTableOf(places.layer()); }, anyPlace);
  window.commands.add(
      "view.alongVoxels", QObject::tr("Slices along the &voxels of the layer"), "Shift+T",
      [&window] { window.view.setTurn(alongVoxels(*gridOf(*window.current()->layer))); },
      [&window] {
        const model::LayerState* state = window.current();
        return state && gridOf(*state->layer);
      });
  window.commands.add("view.straighten", QObject::tr("Slices along the a&xes of the scanner"), "T",
                      [&window] { window.view.setTurn({}); });
  window.commands.addSwitch(
      "view.radiological", QObject::tr("&Radiological (patient's right on the left)"), "",
      [&window] { window.view.setRadiological(true); }, [&window] { return window.view.radiological(); });
  window.commands.addSwitch(
      "view.neurological", QObject::tr("&Neurological (patient's right on the right)"), "",
      [&window] { window.view.setRadiological(false); }, [&window] { return !window.view.radiological(); });
  window.commands.addSwitch(
      "view.mouseWindowLevel", QObject::tr("Changes &window and level (mrview)"), "",
      [&window] { window.view.setMouseScheme(model::MouseScheme::windowLevel); },
      [&window] { return window.view.mouseScheme() == model::MouseScheme::windowLevel; });
  window.commands.addSwitch(
      "view.mouseZoom", QObject::tr("&Zooms (FSLeyes, ITK-SNAP, Slicer)"), "",
      [&window] { window.view.setMouseScheme(model::MouseScheme::zoom); },
      [&window] { return window.view.mouseScheme() == model::MouseScheme::zoom; });
  using Background = scene::SceneStyle::Background;
  const std::tuple<const char*, QString, Background> backgrounds[] = {
      {"view.backgroundDark", QObject::tr("&Dark background in 3D"), Background::dark},
      {"view.backgroundBlack", QObject::tr("&Black background in 3D"), Background::black},
      {"view.backgroundWhite", QObject::tr("&White background in 3D"), Background::white}};
  for (const auto& [name, text, background] : backgrounds)
    window.commands.addSwitch(
        name, text, "",
        [&window, background = background] {
          window.views->changeStyles(
              [background](scene::Styles& styles) { styles.scene.background = background; });
        },
        [&window, background = background] { return window.views->styles().scene.background == background; });
  const std::tuple<const char*, QString, double> lights[] = {
      {"view.lightWeak", QObject::tr("W&eak light in 3D"), 0.65},
      {"view.lightNormal", QObject::tr("&Normal light in 3D"), 1},
      {"view.lightStrong", QObject::tr("&Strong light in 3D"), 1.4}};
  for (const auto& [name, text, light] : lights)
    window.commands.addSwitch(
        name, text, "",
        [&window, light = light] {
          window.views->changeStyles([light](scene::Styles& styles) { styles.scene.light = light; });
        },
        [&window, light = light] { return window.views->styles().scene.light == light; });
  const std::pair<char, QString> sides[] = {{'A', QObject::tr("&Front")}, {'P', QObject::tr("&Back")},
                                            {'L', QObject::tr("&Left")},  {'R', QObject::tr("&Right")},
                                            {'S', QObject::tr("&Above")}, {'I', QObject::tr("B&elow")}};
  for (const auto& [side, text] : sides)
    window.commands.add(QStringLiteral("view.from") + QLatin1Char(side), text, "",
                        [&window, side = side] { window.views->lookFrom(side); });
  window.commands.add("view.reset", QObject::tr("R&eset views"), "R", [&window] {
    window.view.setTurn({});
    window.workspace.framing().frameAny();
    window.views->resetCameras();
  });
  window.commands.addSwitch(
      "view.fullScreen", QObject::tr("&Full screen"), "F11",
      [&window] { window.widget.setWindowState(window.widget.windowState() ^ Qt::WindowFullScreen); },
      [&window] { return window.widget.isFullScreen(); });
  const std::tuple<const char*, QString, Appearance> looks[] = {
      {"view.dark", QObject::tr("&Dark"), Appearance::dark},
      {"view.light", QObject::tr("&Light"), Appearance::light},
      {"view.asSystem", QObject::tr("As the &system"), Appearance::system}};
  for (const auto& [name, text, look] : looks)
    window.commands.addSwitch(
        name, text, "", [&window, look = look] { setAppearance(window.settings, look); },
        [&window, look = look] { return appearanceIn(window.settings) == look; });
}

}  // namespace sulcus::ui::widgets
