// Pictures of everything in the window: sulcus-window-gallery FOLDER [dark|light [PATH…]]
//
// It opens every menu, panel and dialog, runs each demo, opens each PATH, such as a folder of DICOM files, a
// displacement or a study, and saves a picture of each in FOLDER. QT_SCALE_FACTOR=2 shows them at 200 %.
// Without a GPU, the CPU is used in its place.
//
// sulcus-window-gallery FOLDER start opens each example of the start page instead, and saves a picture of one
// view (resources/start) and one of the whole window (resources/help). sulcus-window-gallery FOLDER clips
// saves the frames of the moving pictures of the help; resources/help/clips makes files of them.
#include "app/analyses/devices.h"
#include "app/analyses/table.h"
#include "app/examples/examples.h"
#include "core/registration/results/apply_field.h"
#include "tests/ui/fake_analysis.h"
#include "ui/widgets/controls/color_map_box.h"
#include "ui/widgets/controls/folding_tabs.h"
#include "ui/widgets/panels/analysis_panel.h"
#include "ui/widgets/panels/compare_panel.h"
#include "ui/widgets/panels/jobs_panel.h"
#include "ui/widgets/panels/plots_panel.h"
#include "ui/widgets/views/view_area.h"
#include "ui/widgets/window/main_window.h"
#include "ui/widgets/window/theme.h"

#include <QAction>
#include <QApplication>
#include <QDir>
#include <QEventLoop>
#include <QFileInfo>
#include <QLocale>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QScreen>
#include <QScrollArea>
#include <QScrollBar>
#include <QSettings>
#include <QTest>
#include <QTimer>
#include <QToolButton>
#include <cmath>
#include <cstdio>
#include <functional>
#include <numbers>
#include <string_view>
#include <vector>

namespace sulcus::app {
namespace {

constexpr int kPatience = 600'000;  ///< ms; only a failure takes that long

class Gallery {
 public:
  explicit Gallery(const QString& folder)
      : folder_(folder),
        settings_(folder + "/settings.ini", QSettings::IniFormat),
        analyses_(analysesOfHere()),
        workspace_(
            analyses_,
            [] {
              const DeviceReport here = analyses::deviceReport();
              return here.devices.empty() ? test::oneDevice() : here;
            },
            settings_),
        window_(workspace_, settings_) {}

  bool examples() {
    ui::model::Examples all(workspace_, examples::all(analyses_));
    if (!begin(all)) return false;
    for (const ui::model::Example& example : all.all()) {
      const QString name = QString::fromStdString(example.name);
      if (!open(all, name)) return false;
      window_.resize(1280, 800);
      drawAround(true);
      settle();
      window_.windowPicture().save(QStringLiteral("%1/window-%2.png").arg(folder_, name));
      window_.resize(1180, 720);
      drawAround(false);
      for (const auto& state : workspace_.layers().layers()) {
        Display display = state.display;
        display.colorBar = false;
        workspace_.layers().setDisplay(state.id, display);
      }
      // One large view.
      QString layout = QString::fromStdString(example.layout);
      if (layout == "view.beside" || example.name == "registration") layout = "view.scene";
      if (layout == "view.grid") layout = "view.sagittal";
      window_.trigger(layout);
      settle();
      window_.views().screenshot(1).save(QStringLiteral("%1/%2.png").arg(folder_, name));
    }
    return true;
  }

  /// The pictures of the clips of the help, each in a folder of its own, in order.
  bool clips() {
    ui::model::Examples all(workspace_, examples::all(analyses_));
    return begin(all) && thresholdClip(all) && bundleClip(all) && warpClip(all);
  }

  bool walk(const QString& appearance, const QStringList& paths) {
    ui::model::Examples all(workspace_, examples::all(analyses_));
    window_.setExamples(all);
    settings_.setValue("guided", true);
    window_.trigger("view." + appearance);
    window_.resize(1440, 900);
    window_.move(0, 0);
    window_.show();
    if (!QTest::qWaitForWindowExposed(&window_, kPatience)) return false;
    picture("start");
    for (const Analysis& analysis : analyses_) demo(analysis);
    dialogs();
    layouts();
    menus(window_.menuBar()->actions(), "menu");
    for (const QString& path : paths) opened(path);
    return true;
  }

 private:
  bool begin(ui::model::Examples& all) {
    window_.setExamples(all);
    window_.show();
    settings_.setValue("guided", true);
    return QTest::qWaitForWindowExposed(&window_, kPatience);
  }

  void drawAround(bool drawn) {
    workspace_.view().setCrosshairVisible(drawn);
    workspace_.view().setLettersVisible(drawn);
    workspace_.view().setScaleBarVisible(drawn);
  }

  /// Opens an example and waits until its result is on screen.
  bool open(ui::model::Examples& all, const QString& name) {
    workspace_.layers().clear();
    bool shown = false;
    const auto until = QObject::connect(&all, &ui::model::Examples::shown, &all, [&] { shown = true; });
    all.open(name);
    const bool inTime = QTest::qWaitFor([&] { return shown; }, kPatience);
    QObject::disconnect(until);
    return inTime;
  }

  static constexpr int kFrames = 24;
  /// 0 … 1 … 0 over the frames of a clip, slower at both ends.
  static double swing(int frame) { return 0.5 - 0.5 * std::cos(2 * std::numbers::pi * frame / kFrames); }

  void frame(const QString& clip, int number, const QImage& picture) {
    QDir(folder_).mkpath(clip);
    picture.scaledToWidth(480, Qt::SmoothTransformation)
        .save(QStringLiteral("%1/%2/%3.png").arg(folder_, clip).arg(number, 2, 10, QLatin1Char('0')));
  }

  /// One view without panels, which open and close by themselves while something runs.
  void record(const QString& view) {
    if (const QAction* alone = window_.findChild<QAction*>("view.viewsOnly"); !alone || !alone->isChecked())
      window_.trigger("view.viewsOnly");
    window_.trigger(view);
    drawAround(false);
    window_.resize(760, 620);
    settle();
    const QSize seen = window_.views().screenshot(1).size();
    window_.resize(760, 620 + 2 * seen.width() / 3 - seen.height());
    window_.trigger("view.reset");
    settle();
  }

  const ui::model::LayerState* layerNamed(const char* beginning) {
    for (const auto& state : workspace_.layers().layers())
      if (state.name.startsWith(QLatin1String(beginning))) return &state;
    return nullptr;
  }

  /// A threshold that is slid over a map.
  bool thresholdClip(ui::model::Examples& all) {
    if (!open(all, "activation")) return false;
    record("view.sagittal");
    const auto* map = layerNamed("mean of visual");
    if (!map) return false;
    const ui::model::LayerId id = map->id;
    Display display = map->display;
    for (const auto& state : workspace_.layers().layers())
      workspace_.layers().setVisible(state.id, state.id == id || state.name.startsWith("T1"));
    display.visible = true;
    display.colormap = "hot";
    display.fade = true;
    display.range = Range{0, 1.5};
    for (int i = 0; i < kFrames; ++i) {
      display.hideBelow = 0.2 + 0.8 * swing(i + kFrames / 3);  // the first picture is the still
      workspace_.layers().setDisplay(id, display);
      window_.views().finishDrawing();
      frame("clip-threshold", i, window_.views().screenshot(1));
    }
    return true;
  }

  /// A sphere that is dragged through lines, of which those that meet it are shown.
  bool bundleClip(ui::model::Examples& all) {
    if (!open(all, "tracts")) return false;
    record("view.scene");
    for (const auto& state : workspace_.layers().layers())
      if (std::holds_alternative<TractsLayer>(state.layer->content)) workspace_.layers().setCurrent(state.id);
    ui::model::Dissection& cut = workspace_.editing().dissection;
    if (!QTest::qWaitFor([&] { return cut.isIndexed(); }, kPatience)) return false;
    const auto centerOf = [](int i) {
      return Vec3<double>{0, 35 - 56 * swing(i), 12 + 14 * std::sin(std::numbers::pi * swing(i))};
    };
    cut.addRegion(TractRegion::Shape::sphere, TractRegion::Role::include, centerOf(0), 9);
    settle();
    for (int i = 0; i < kFrames; ++i) {
      bool followed = false;
      const auto until =
          QObject::connect(&cut, &ui::model::Dissection::followed, &cut, [&] { followed = true; });
      TractRegion region = cut.regions().front();
      region.center = centerOf(i);
      cut.changeRegion(0, region, true);
      const bool inTime = QTest::qWaitFor([&] { return followed; }, 10'000);
      QObject::disconnect(until);
      if (!inTime) std::puts("no lines followed");
      settle();
      const QImage seen = window_.views().screenshot(1);  // less its black edges
      frame("clip-bundle", i,
            seen.copy(seen.width() / 8, seen.height() / 16, seen.width() * 3 / 4, seen.height() * 3 / 4));
    }
    drawAround(true);
    return true;
  }

  /// One brain that flows onto another: its displacement grows from none to all.
  bool warpClip(ui::model::Examples& all) {
    if (!open(all, "registration")) return false;
    record("view.axial");
    const auto *warped = layerNamed("warped"), *field = layerNamed("displacement"),
               *moving = layerNamed("template");
    if (!warped || !field || !moving) return false;
    const ui::model::LayerId ids[] = {warped->id, field->id};
    const Layer brain = *moving->layer;
    Layer grid = *field->layer;
    Display gray = warped->display, lines = field->display;
    gray.range->high *= 1.2;  // so that the pale lines are seen on it
    lines.colorBar = false;
    workspace_.layers().setDisplay(ids[0], gray);
    workspace_.layers().setDisplay(ids[1], lines);
    const auto whole = std::get<DisplacementLayer>(grid.content);
    for (int i = 0; i <= kFrames; i += 2) {  // only forward
      auto part = std::make_shared<Series<float>>(*whole.displacement);
      for (float& u : part->values) u *= float(swing(i / 2));
      grid.content = DisplacementLayer{part, whole.convention};
      workspace_.layers().replaceContent(ids[0], std::make_shared<const Layer>(registration::applyField(
                                                     brain, {{{}, part}}, part->grid, {}, {})));
      workspace_.layers().replaceContent(ids[1], std::make_shared<const Layer>(grid));
      window_.views().finishDrawing();
      frame("clip-warp", i, window_.views().screenshot(1));
    }
    return true;
  }

  static std::vector<Analysis> analysesOfHere() {
    std::vector<Analysis> all = analyses::table();
    if (analyses::deviceReport().devices.empty())
      for (Analysis& analysis : all) analysis.gpu = analysis.cpu;
    return all;
  }

  /// No signal tells when panels have moved and a plot has been drawn, so this waits a moment.
  static void lookLater() {
    QEventLoop loop;
    QTimer::singleShot(300, &loop, &QEventLoop::quit);
    loop.exec();
  }

  void settle() {
    lookLater();
    if (!QTest::qWaitFor(
            [this] {
              return workspace_.files().pending() == 0 && workspace_.runs().pending() == 0 &&
                     workspace_.jobs().active() == 0;
            },
            kPatience))
      std::printf("something does not end\n");
    window_.views().finishDrawing();
    lookLater();
  }

  /// As on the screen, with what covers it.
  void save(const QString& name, const QRect& part) {
    const QString file =
        QStringLiteral("%1/%2-%3.png").arg(folder_).arg(++pictures_, 3, 10, QLatin1Char('0')).arg(name);
    window_.screen()->grabWindow(0, part.x(), part.y(), part.width(), part.height()).save(file);
  }
  void picture(const QString& name) {
    settle();
    save(name, window_.frameGeometry());
  }
  void picture(const QString& name, const QWidget& of) {
    settle();
    save(name, QRect(of.mapToGlobal(QPoint()), of.size()));
  }

  void demo(const Analysis& analysis) {
    const QString name = QString::fromStdString(analysis.name);
    workspace_.layers().clear();
    workspace_.loadDemo(name);
    settle();
    window_.selectAnalysis(name);
    window_.trigger("view.grid");
    picture(name + "-demo");
    window_.trigger("run.both");
    settle();
    window_.bottom().open(&window_.jobsPanel());
    picture(name + "-compared");
    window_.bottom().open(&window_.comparePanel());
    picture(name + "-comparison");
    if (window_.trigger("view.compareIn3d")) picture(name + "-compared-in-3d");
    window_.trigger("view.compareIn3d");
    window_.resize(900, 600);
    picture(name + "-small");
    window_.resize(1440, 900);
    window_.trigger("view.grid");
    form(name);
    layersOf(name);
    plots(name);
    if (name == "activation") {
      for (const auto& state : workspace_.layers().layers())
        if (state.name.startsWith("probability")) workspace_.layers().setCurrent(state.id);
      window_.trigger("clusters.show");
      picture("clusters");
    }
    window_.bottom().open(&window_.jobsPanel());
  }

  /// The whole form, from top to bottom, with every section unfolded.
  void form(const QString& name) {
    QWidget* panel = window_.panel(name);
    for (QToolButton* fold : panel->findChildren<QToolButton*>())
      if (fold->isCheckable() && !fold->isChecked() && fold->objectName().startsWith("more")) fold->click();
    settle();
    for (QScrollArea* area : panel->findChildren<QScrollArea*>()) {
      QScrollBar* bar = area->verticalScrollBar();
      for (int part = 0;; ++part) {
        picture(name + QStringLiteral("-form-%1").arg(part), *panel);
        if (bar->value() >= bar->maximum()) break;
        bar->setValue(bar->value() + area->viewport()->height() - 40);
      }
      bar->setValue(0);
    }
  }

  /// The panel of layers with each layer selected in turn, once for each kind of result.
  void layersOf(const QString& name) {
    QWidget* dock = window_.findChild<QWidget*>("layersDock");
    QStringList seen;
    for (const auto& state : workspace_.layers().layers()) {
      const QString kind = QString::fromStdString(kindOf(*state.layer));
      if (seen.contains(kind)) continue;
      seen << kind;
      workspace_.layers().setCurrent(state.id);
      picture(name + "-layer-" + QString(kind).replace(' ', '-'), *dock);
    }
  }

  void plots(const QString& name) {
    window_.bottom().open(&window_.plotsPanel());
    QWidget* dock = window_.findChild<QWidget*>("bottomDock");
    QStringList seen;
    for (const QString& plot : workspace_.evaluation().plots.names()) {
      workspace_.evaluation().plots.setCurrent(plot);
      if (seen.contains(workspace_.evaluation().plots.quantity())) continue;
      seen << workspace_.evaluation().plots.quantity();
      picture(name + "-plot-" + workspace_.evaluation().plots.quantity().replace(' ', '-').replace('/', '-'),
              *dock);
    }
  }

  /// The dialog of a command, closed again.
  void dialog(const QString& command) {
    if (!window_.trigger(command)) return (void)std::printf("%s is not offered\n", qPrintable(command));
    settle();
    QWidget* opened = QApplication::activePopupWidget();
    if (!opened) opened = QApplication::activeModalWidget();
    for (QWidget* top : QApplication::topLevelWidgets())
      if (!opened && top->isVisible() && top != &window_) opened = top;
    if (!opened) {
      picture("command-" + command);
      window_.findChild<QWidget*>("palette")->hide();
    } else {
      picture("dialog-" + command, *opened);
      opened->close();
    }
    settle();
  }

  void dialogs() {
    for (const char* command :
         {"edit.preferences",   "edit.search",        "help.keys",     "help.about",     "help.pages",
          "view.goTo",          "file.picture",       "file.movie",    "file.open",      "file.openFolder",
          "file.saveSessionAs", "file.save",          "file.page",     "file.openStudy", "layer.rename",
          "run.saveParameters", "run.openParameters", "file.closeAll", "file.openRun",   "compare.files"})
      dialog(command);
    window_.openFiles({"/no/such/file.nii", "/no/other.nii"});
    settle();
    if (QWidget* error = QApplication::activeModalWidget()) {
      picture("dialog-error", *error);
      error->close();
    }
  }

  void ownColors() {
    for (auto* box : window_.findChildren<ui::widgets::ColorMapBox*>()) {
      if (!box->isVisible()) continue;
      box->setCurrentIndex(box->findText("Own colors…"));
      settle();
      QWidget* made = QApplication::activeModalWidget();
      if (!made) return (void)std::printf("no own colors are offered\n");
      picture("dialog-own-colors", *made);
      made->close();
      return settle();
    }
  }

  void opened(const QString& path) {
    workspace_.layers().clear();
    window_.openFiles({path});
    settle();
    const QString name = QFileInfo(path).fileName();
    picture("opened-" + name);
    if (QWidget* asked = QApplication::activeModalWidget()) {
      picture("asked-of-" + name, *asked);
      asked->close();
      settle();
    }
  }

  void layouts() {
    workspace_.layers().clear();
    workspace_.loadDemo("registration");
    settle();
    window_.trigger("run.cpu");
    settle();
    for (const char* layout : {"beside", "lightbox", "axial", "coronal", "sagittal", "scene", "grid"})
      if (window_.trigger(QStringLiteral("view.") + layout)) picture(QStringLiteral("layout-") + layout);
    for (const char* pair : {"checkerboard", "blink", "blend", "wipe"}) {
      window_.trigger(QStringLiteral("view.") + pair);
      picture(QStringLiteral("pair-") + pair, window_.views());
      window_.trigger(QStringLiteral("view.") + pair);
    }
    for (const char* background : {"Black", "White", "Dark"}) {
      window_.trigger(QStringLiteral("view.background") + background);
      picture(QStringLiteral("background-") + background, window_.views());
    }
    for (const auto& state : workspace_.layers().layers())
      if (std::holds_alternative<VolumeLayer>(state.layer->content)) workspace_.layers().setCurrent(state.id);
    ownColors();
    window_.trigger("view.agreement");
    settle();
    for (QWidget* top : QApplication::topLevelWidgets())
      if (top->isVisible() && top != &window_) picture("table-agreement", *top), top->close();
    dialog("layer.applyField");
    window_.trigger("regions.paint");
    picture("regions-paint");
    window_.trigger("regions.paint");
    window_.trigger("view.addBookmark");
    dialog("view.listBookmarks");
    for (const char* panel : {"view.floatLayers", "view.floatAnalysis", "view.floatBottom"}) {
      window_.trigger(panel);
      picture(QStringLiteral("floating-") + panel);
      window_.trigger(panel);
    }
    window_.trigger("view.detachScene");
    picture("detached");
    window_.trigger("view.detachScene");
    window_.trigger("view.viewsOnly");
    picture("views-only");
    window_.trigger("view.viewsOnly");
  }

  void menus(const QList<QAction*>& actions, const QString& name) {
    for (QAction* action : actions) {
      QMenu* menu = action->menu();
      if (!menu) continue;
      const QString title = name + "-" + action->text().remove('&').replace(' ', '-');
      menu->popup(window_.mapToGlobal(QPoint(8, 36)));
      lookLater();
      save(title, menu->geometry());
      menu->close();
      menus(menu->actions(), title);
    }
  }

  QString folder_;
  QSettings settings_;
  std::vector<Analysis> analyses_;
  ui::model::Workspace workspace_;
  ui::widgets::MainWindow window_;
  int pictures_ = 0;
};

}  // namespace
}  // namespace sulcus::app

int main(int count, char** arguments) {
  if (count < 2) return std::puts("sulcus-window-gallery FOLDER [dark|light [PATH…]]"), 2;
  QApplication program(count, arguments);
  QLocale::setDefault(QLocale::c());
  sulcus::ui::widgets::useShippedFont();
  QDir().mkpath(arguments[1]);
  sulcus::app::Gallery gallery(QString::fromLocal8Bit(arguments[1]));
  if (count > 2 && std::string_view(arguments[2]) == "start") return gallery.examples() ? 0 : 1;
  if (count > 2 && std::string_view(arguments[2]) == "clips") return gallery.clips() ? 0 : 1;
  return gallery.walk(count > 2 ? arguments[2] : "dark", program.arguments().mid(3)) ? 0 : 1;
}
