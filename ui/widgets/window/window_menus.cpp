#include "ui/widgets/window/window_menus.h"

#include "ui/model/choices/remote_hosts.h"
#include "ui/model/layers/layer_list_model.h"
#include "ui/model/layers/readout.h"
#include "ui/widgets/controls/widget_help.h"
#include "ui/widgets/panels/layers_panel.h"
#include "ui/widgets/views/view_area.h"
#include "ui/widgets/window/session_control.h"
#include "ui/widgets/window/theme.h"
#include "ui/widgets/window/window_parts.h"

#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QMenu>
#include <QMenuBar>
#include <QToolButton>
#include <ranges>

namespace sulcus::ui::widgets {

namespace {

/// Adds the entries that are enabled now, and the submenus that contain any.
void addEnabled(QMenu& menu, const QMenu& all) {
  for (QAction* action : all.actions()) {
    if (action->isSeparator()) {
      if (!menu.isEmpty() && !menu.actions().back()->isSeparator()) menu.addSeparator();
    } else if (const QMenu* inner = action->menu()) {
      auto* part = new QMenu(inner->title(), &menu);
      addEnabled(*part, *inner);
      part->isEmpty() ? delete part : static_cast<void>(menu.addMenu(part));
    } else if (action->isEnabled()) {
      menu.addAction(action);
    }
  }
}

/// Shows only the enabled entries of a menu, or all of them again. True if any is shown.
bool showOnly(QMenu& menu, bool enabled) {
  bool any = false;
  for (QAction* action : menu.actions()) {
    if (action->isSeparator()) continue;
    const bool fits = action->menu() ? showOnly(*action->menu(), enabled) : action->isEnabled();
    action->setVisible(!enabled || fits);
    any |= fits;
  }
  return any;
}

/// Makes a menu show only enabled entries while it is open. If there are none, all are shown, grayed out.
void holdWhatFits(QMenu& menu) {
  QObject::connect(&menu, &QMenu::aboutToShow, &menu, [&menu] {
    if (!showOnly(menu, true)) showOnly(menu, false);
  });
  // Keys and the search need all entries.
  QObject::connect(&menu, &QMenu::aboutToHide, &menu, [&menu] { showOnly(menu, false); });
}

}  // namespace

void WindowMenus::build(WindowParts& window) {
  window_ = &window;
  for (const auto& command : window.commands.all()) {
    auto* action = new QAction(command.text, &window.widget);
    action->setObjectName(command.name);
    action->setCheckable(bool(command.checked));
    if (!command.shortcut.isEmpty()) action->setShortcut(QKeySequence(command.shortcut));
    connect(action, &QAction::triggered, this, [this, name = command.name] {
      window_->trigger(name);
      refresh();
    });
    actions_[command.name] = action;
  }
  // Space presses buttons, Del and F2 edit in other widgets: these act only if their subject has the focus.
  const auto confine = [this](const char* name, QWidget* widget) {
    QAction* confined = action(name);
    confined->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    widget->addAction(confined);
  };
  confine("layer.toggleTop", window.views->pages());
  // The window's keys also work in its detached views.
  connect(window.views, &ViewArea::detached, this, [this](QWidget* window) {
    for (const auto& [name, action] : actions_)
      if (name != QStringLiteral("layer.remove") && name != QStringLiteral("layer.rename"))
        window->addAction(action);
  });
  confine("layer.remove", window.layersPanel);
  confine("layer.rename", window.layersPanel);

  const auto fill = [this](QMenu* menu, std::initializer_list<const char*> names) {
    for (const char* name : names) {
      if (*name == '-')
        menu->addSeparator();
      else
        menu->addAction(action(name));
    }
  };
  QMenu* file = window.widget.menuBar()->addMenu(tr("&File"));
  fill(file, {"file.open", "file.openFolder", "file.openRun", "file.openStudy"});
  recentMenu_ = file->addMenu(tr("Open &recent"));
  fill(file, {"-", "file.openSession"});
  recentSessionsMenu_ = file->addMenu(tr("Recen&t sessions"));
  fill(file, {"file.saveSession", "file.saveSessionAs", "-", "file.save", "file.saveRun", "file.page", "-",
              "file.screenshot", "file.copyPicture", "file.picture", "file.movie", "-", "file.closeAll",
              "file.quit"});
  fill(window.widget.menuBar()->addMenu(tr("&Edit")),
       {"edit.undo", "edit.redo", "-", "layer.rename", "layer.remove", "-", "edit.search",
        "edit.preferences"});
  layerMenu_ = window.widget.menuBar()->addMenu(tr("&Layer"));
  connect(layerMenu_, &QMenu::aboutToShow, this, &WindowMenus::refresh);  // another volume may be shown
  fill(layerMenu_, {"layer.toggle",
                    "layer.toggleTop",
                    "layer.nextImage",
                    "layer.previousImage",
                    "layer.rename",
                    "-",
                    "layer.up",
                    "layer.down",
                    "layer.frame",
                    "-",
                    "layer.gradients",
                    "layer.labelNames",
                    "layer.showTable",
                    "clusters.show",
                    "bundles.show",
                    "bundles.grow",
                    "bundles.clusters",
                    "layer.diffusionMaps",
                    "layer.functions",
                    "layer.pointValues",
                    "layer.applyField",
                    "layer.patient",
                    "-"});
  fill(layerMenu_->addMenu(tr("Interpret as")),
       {"layer.takeAsLabels", "layer.takeAsVolume", "-", "layer.takeAsPeaks", "layer.takeAsPeaksImage", "-",
        "layer.takeAsTensorFsl", "layer.takeAsTensorMrtrix", "layer.takeAsTensorAnts",
        "layer.takeAsTensorDipy", "-", "layer.takeAsHarmonics", "-", "layer.takeAsDisplacement"});
  fill(layerMenu_->addMenu(tr("Gradients an&d directions")),
       {"layer.flipX", "layer.flipY", "layer.flipZ", "layer.exchangeXY"});
  fill(layerMenu_->addMenu(tr("&Series")), {"layer.play", "layer.nextVolume", "layer.previousVolume", "-",
                                            "layer.leaveOut", "-", "layer.mean", "layer.deviation"});
  fill(layerMenu_->addMenu(tr("Re&gions")),
       {"regions.paint", "regions.sphere", "regions.statistics", "regions.plot"});
  fill(layerMenu_, {"-", "file.save", "file.saveRun", "-", "layer.remove"});
  QMenu* view = window.widget.menuBar()->addMenu(tr("&View"));
  fill(view->addMenu(tr("&Layout")),
       {"view.grid", "view.beside", "view.lightbox", "-", "view.axial", "view.coronal", "view.sagittal",
        "view.scene", "-", "view.compare", "view.compareIn3d", "-", "view.planeAxial", "view.planeCoronal",
        "view.planeSagittal"});
  fill(view, {"view.radiological", "view.neurological", "-", "view.goTo", "view.crosshair", "view.letters",
              "view.scaleBar", "regions.ruler", "-", "view.alongVoxels", "view.straighten", "view.unlink",
              "view.planesBesideSurfaces", "view.reset", "-"});
  bookmarksMenu_ = view->addMenu(tr("&Bookmarks"));
  fill(bookmarksMenu_,
       {"view.addBookmark", "view.nextBookmark", "view.previousBookmark", "view.listBookmarks", "-"});
  connect(bookmarksMenu_, &QMenu::aboutToShow, this, &WindowMenus::fillBookmarks);
  fill(view->addMenu(tr("&Two images in one place")),
       {"view.checkerboard", "view.blink", "view.blend", "view.wipe", "-", "view.difference",
        "view.agreement"});
  fill(view->addMenu(tr("St&udy")),
       {"study.next", "study.previous", "study.flag", "study.openScans", "study.copyCommand"});
  fill(view->addMenu(tr("3D &view from")),
       {"view.fromA", "view.fromP", "view.fromL", "view.fromR", "view.fromS", "view.fromI"});
  fill(view->addMenu(tr("Bac&kground and light in 3D")),
       {"view.backgroundDark", "view.backgroundBlack", "view.backgroundWhite", "-", "view.lightWeak",
        "view.lightNormal", "view.lightStrong"});
  fill(view->addMenu(tr("Right &mouse button")), {"view.mouseWindowLevel", "view.mouseZoom"});
  fill(view, {"-", "view.layersPanel", "view.bottomPanel", "view.analysisPanel", "view.viewsOnly",
              "view.fullScreen"});
  fill(view->addMenu(tr("Detach panels")), {"view.floatLayers", "view.floatAnalysis", "view.floatBottom"});
  fill(view->addMenu(tr("Detach vie&ws")),
       {"view.detachAxial", "view.detachCoronal", "view.detachSagittal", "view.detachScene"});
  fill(view->addMenu(tr("Appea&rance")), {"view.dark", "view.light", "view.asSystem"});
  QMenu* analysis = window.widget.menuBar()->addMenu(tr("&Analysis"));
  for (QMenu* menu : {layerMenu_, view, analysis})  // layers and jobs come and go
    connect(menu, &QMenu::aboutToShow, this, &WindowMenus::refresh);
  fill(analysis, {"run.cpu", "run.gpu", "run.both"});
  hostsMenu_ = analysis->addMenu(tr("GPU t&o run on"));
  fill(analysis, {"run.reset", "run.openParameters", "run.saveParameters", "-", "run.again",
                  "run.copyCommand", "run.copyCommandOfRun", "-", "run.cancel", "run.clearJobs", "-"});
  fill(analysis->addMenu(tr("Co&mparison")), {"compare.runs", "compare.layers", "compare.files", "-",
                                              "compare.copyMarkdown", "compare.saveCsv", "compare.savePng"});
  fill(analysis->addMenu(tr("&Plot")), {"plot.savePng", "plot.saveSvg", "plot.savePdf", "plot.saveCsv"});
  fill(analysis->addMenu(tr("C&lusters")), {"clusters.copy", "clusters.save", "clusters.keep"});
  QMenu* demos = analysis->addMenu(tr("&Demos"));
  for (const auto& one : window.workspace.analyses())
    if (one.demo) demos->addAction(actions_.at(QStringLiteral("demo.") + QString::fromStdString(one.name)));
  fill(window.widget.menuBar()->addMenu(tr("&Help")),
       {"help.contents", "help.pages", "help.paper", "help.keys", "-", "help.about"});
  for (QMenu* menu : {layerMenu_, view, analysis}) holdWhatFits(*menu);
  fillRecent();
  fillHosts();
  buildCorner();
}

void WindowMenus::buildCorner() {
  auto* corner = new QWidget;
  auto* line = padded<QHBoxLayout>(corner, {0, 2, 4, 2}, 2);
  const auto addButton = [this, line](const char* icon, const char* command) {
    QAction* shown = action(command);
    QToolButton* button = iconButton(QLatin1String(icon), QString());
    button->setDefaultAction(shown);
    shown->setIcon(themeIcon(QLatin1String(icon)));
    shown->setIconVisibleInMenu(false);
    button->setAccessibleName(shown->text().remove(QLatin1Char('&')));
    line->addWidget(button);
  };
  for (const auto& [icon, command] : {std::pair("folder", "file.open"),
                                      {"session", "file.saveSession"},
                                      {"undo", "edit.undo"},
                                      {"redo", "edit.redo"},
                                      {"picture", "file.picture"}})
    addButton(icon, command);
  line->addSpacing(8);
  QToolButton* search = textButton(tr("Search everything   Ctrl+K"),
                                   tr("Search every action, parameter and layer"), "searchButton");
  search->setIcon(themeIcon(QStringLiteral("search")));
  search->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  search->setFocusPolicy(Qt::TabFocus);
  connect(search, &QToolButton::clicked, this, [this] { window_->trigger(QStringLiteral("edit.search")); });
  line->addWidget(search);
  line->addSpacing(8);
  for (const auto& [icon, command] : {std::pair("panel-left", "view.layersPanel"),
                                      {"panel-bottom", "view.bottomPanel"},
                                      {"panel-right", "view.analysisPanel"}})
    addButton(icon, command);
  window_->widget.menuBar()->setCornerWidget(corner);
}

QAction* WindowMenus::action(const char* command) const { return actions_.at(QLatin1String(command)); }

void WindowMenus::setText(const char* command, const QString& text) {
  if (window_) action(command)->setText(text);
}

void WindowMenus::refresh() {
  if (!window_) return;
  for (const auto& command : window_->commands.all()) {
    const auto found = actions_.find(command.name);
    if (found == actions_.end()) continue;
    found->second->setEnabled(!command.enabled || command.enabled());
    if (command.checked) found->second->setChecked(command.checked());
  }
  emit refreshed();
}

void WindowMenus::fillRecent() {
  const auto fill = [this](QMenu* menu, model::RecentFiles& recent) {
    menu->clear();
    for (const QString& path : recent.paths())
      menu->addAction(QString(path).replace(QLatin1Char('&'), QStringLiteral("&&")), this,
                      [this, path] { window_->sessions->openFiles({path}); });
    menu->addSeparator();
    menu->addAction(tr("Clear"), &recent, &model::RecentFiles::clear);
    menu->setEnabled(!recent.paths().isEmpty());
  };
  fill(recentMenu_, window_->workspace.recent());
  fill(recentSessionsMenu_, window_->workspace.session().recent());
}

void WindowMenus::fillBookmarks() {
  QMenu* menu = bookmarksMenu_;
  for (QAction* action : menu->findChildren<QAction*>(Qt::FindDirectChildrenOnly))
    if (action->data().isValid()) delete action;
  for (const model::Bookmarks::Entry& place : window_->workspace.bookmarks().all()) {
    QAction* action = menu->addAction(QString(place.name).replace(QLatin1Char('&'), QStringLiteral("&&")),
                                      this, [this, at = place.at] { window_->view.lookAt(at); });
    action->setData(true);
  }
}

void WindowMenus::fillHosts() {
  hostsMenu_->clear();
  auto* group = new QActionGroup(hostsMenu_);
  const model::Preferences& preferences = window_->workspace.preferences().values();
  for (const QString& place : QStringList{QString()} + model::remoteHostsIn(preferences.places)) {
    QAction* action =
        hostsMenu_->addAction(place.isEmpty() ? tr("This computer") : model::remoteHostTitle(place), this,
                              [this, place] { window_->workspace.processors().chooseHost(place); });
    action->setObjectName(QStringLiteral("place.") + place);
    action->setCheckable(true);
    action->setChecked(place.toStdString() == preferences.place);
    group->addAction(action);
  }
  hostsMenu_->addSeparator();
  hostsMenu_->addAction(tr("Remote hosts…"), this,
                        [this] { window_->commands.trigger(QStringLiteral("edit.preferences")); });
}

void WindowMenus::showLayerMenu(const QPoint& at) {
  refresh();
  auto* menu = deletedOnClose(named("layerContext", new QMenu(&window_->widget)));
  addEnabled(*menu, *layerMenu_);
  menu->popup(at);
}

void WindowMenus::showViewMenu(const QPoint& at, const Vec3<double>& world) {
  refresh();
  auto* menu = deletedOnClose(named("viewContext", new QMenu(&window_->widget)));
  const QString place = model::positionText(world);
  menu->addAction(tr("Copy %1").arg(place), this, [place] { QApplication::clipboard()->setText(place); });
  menu->addAction(tr("Go there"), this, [this, world] { window_->view.lookAt(world); });
  const model::LayerState* current = window_->layers.find(window_->layers.current());
  if (const auto peak = current ? model::peakNear(*current, world) : std::nullopt)
    menu->addAction(tr("Go to the peak of the current layer, %1").arg(model::positionText(*peak)), this,
                    [this, at = *peak] { window_->view.lookAt(at); });
  menu->addAction(tr("Add bookmark"), this, [this, world] {
    window_->view.lookAt(world);
    window_->trigger(QStringLiteral("view.addBookmark"));
  });
  menu->addSeparator();
  QMenu* under = menu->addMenu(tr("Layers here"));
  for (const model::LayerState& state : std::views::reverse(window_->layers.layers())) {
    const QString value = model::valueAt(state, world);
    if (state.display.visible && !value.isEmpty())
      under->addAction(QStringLiteral("%1: %2").arg(model::nameForEye(window_->layers, state.name), value),
                       this, [this, id = state.id] { window_->layers.setCurrent(id); });
  }
  under->setEnabled(!under->isEmpty());
  menu->addAction(tr("Automatic window"), this, [this] {
    const model::LayerState* state = window_->layers.find(window_->layers.current());
    const auto range = state ? model::automaticRangeOf(*state->layer, state->volume) : std::nullopt;
    if (!range) return;
    Display display = state->display;
    display.range = range;
    window_->layers.setDisplay(state->id, display);
  });
  menu->addSeparator();
  for (const char* command : {"view.reset", "file.copyPicture", "file.picture"})
    menu->addAction(action(command));
  menu->popup(at);
}

}  // namespace sulcus::ui::widgets
