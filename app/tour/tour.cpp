#include "app/tour/tour.h"

#include "ui/model/session/file_names.h"
#include "ui/widgets/controls/folding_tabs.h"
#include "ui/widgets/panels/compare_panel.h"
#include "ui/widgets/panels/jobs_panel.h"
#include "ui/widgets/panels/plots_panel.h"
#include "ui/widgets/views/view_area.h"
#include "ui/widgets/window/main_window.h"
#include "ui/widgets/window/status_line.h"

#include <QApplication>
#include <QComboBox>
#include <QDir>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QFileInfo>
#include <QTimer>
#include <algorithm>
#include <cmath>
#include <cstdio>

namespace sulcus::app::tour {
namespace {

constexpr int kInternalError = 5;

class Tour {
 public:
  Tour(ui::widgets::MainWindow& window, const QString& folder)
      : window_(window), workspace_(window.workspace()), folder_(folder) {
    const auto note = [this](const QString& job, const QString& sentence) {
      failures_ << job + ": " + sentence;
    };
    QObject::connect(&workspace_, &ui::model::Workspace::failed, &context_, note);
    QObject::connect(&workspace_.runs().comparer(), &ui::model::RunComparer::finished, &context_, [this] {
      std::printf("%s\n", window_.comparePanel().model().markdown().toUtf8().constData());
      std::fflush(stdout);
    });
  }

  void begin() {
    QDir().mkpath(folder_);
    window_.resize(1560, 960);
    QEventLoop loop;
    QObject::connect(&workspace_.processors(), &ui::model::Processors::known, &loop, &QEventLoop::quit);
    window_.show();
    loop.exec();
    picture(QStringLiteral("start"));
  }

  void demo(const Analysis& analysis) {
    const QString name = QString::fromStdString(analysis.name);
    say(QStringLiteral("demo: ") + QString::fromStdString(analysis.demoTitle));
    QEventLoop loop;
    QObject::connect(&workspace_, &ui::model::Workspace::demoLoaded, &loop, &QEventLoop::quit);
    workspace_.loadDemo(name);
    loop.exec();
    picture(name + QStringLiteral("-demo"));
    runAndShow(name, QStringLiteral("demo"));
    workspace_.layers().clear();
  }

  void file(const QString& path, const std::vector<Analysis>& analyses) {
    say(QStringLiteral("file: ") + path);
    workspace_.files().open({path});
    waitForFiles();
    if (workspace_.layers().empty()) return;
    const QString stem = QFileInfo(path).fileName().section(QLatin1Char('.'), 0, 0);
    window_.trigger(QStringLiteral("view.grid"));
    picture(stem);
    for (const auto& analysis : analyses) {
      const QString name = QString::fromStdString(analysis.name);
      window_.selectAnalysis(name);
      if (analysis.inputLayers) giveCurrent(*workspace_.presenters().current());
      if (workspace_.canRun(ui::model::RunChoice::cpu)) runAndShow(name, stem);
    }
    workspace_.layers().clear();
  }

  int end() {
    waitForFiles();
    for (const QString& failure : failures_)
      std::fprintf(stderr, "sulcus: %s\n", failure.toUtf8().constData());
    say(failures_.isEmpty() ? QStringLiteral("tour done: %1 pictures in %2").arg(pictures_).arg(folder_)
                            : QStringLiteral("tour failed"));
    return failures_.isEmpty() ? 0 : kInternalError;
  }

 private:
  static void say(const QString& text) { std::fprintf(stderr, "%s\n", text.toUtf8().constData()); }

  /// If none of several slots is required, the first that accepts the current layer gets it.
  void giveCurrent(ui::model::AnalysisPresenter& presenter) {
    if (!presenter.inputs().ids().empty()) return;
    for (const InputSlot& slot : presenter.analysis().inputs) {
      presenter.inputs().choose(slot.name, workspace_.layers().current());
      if (presenter.inputs().first(slot.name) != 0) return;
    }
  }

  /// Runs on both backends, or, without a GPU, on the CPU with two settings, and compares.
  void runAndShow(const QString& name, const QString& stem) {
    const std::size_t before = workspace_.runs().runs().size();
    ui::model::AnalysisPresenter& presenter = *workspace_.presenters().named(name);
    window_.trigger(QStringLiteral("view.grid"));
    if (!window_.trigger(QStringLiteral("run.both"))) {
      window_.trigger(QStringLiteral("run.cpu"));
      waitForRuns();
      runPictures(name, stem);
      changeSomething(presenter);
      window_.trigger(QStringLiteral("run.cpu"));
      waitForRuns();
      const auto& runs = workspace_.runs().runs();
      if (runs.size() == before + 2) workspace_.runs().comparer().compare(runs[before], runs[before + 1]);
      waitForRuns();
      presenter.options().reset();
    } else {
      waitForRuns();
      window_.trigger(QStringLiteral("view.grid"));
      runPictures(name, stem);
    }
    if (window_.trigger(QStringLiteral("view.compare"))) {
      if (window_.views().comparePage().isIn3d()) window_.trigger(QStringLiteral("view.compareIn3d"));
      picture(name + QLatin1Char('-') + stem + QStringLiteral("-compare"));
      window_.trigger(QStringLiteral("view.compareIn3d"));
      picture(name + QLatin1Char('-') + stem + QStringLiteral("-compare-3d"));
      sliderPictures(presenter, name + QLatin1Char('-') + stem);
      save(window_.comparePanel().tablePicture(), name + QLatin1Char('-') + stem + QStringLiteral("-table"));
      const QString file = folder_ + QStringLiteral("/%1-%2-comparison").arg(name, stem);
      workspace_.files().saveText(window_.comparePanel().model().csv(), file + QStringLiteral(".csv"));
      workspace_.files().saveText(window_.comparePanel().model().markdown(), file + QStringLiteral(".md"));
    }
    const auto& runs = workspace_.runs().runs();
    for (std::size_t i = before; i < runs.size(); ++i) saveResults(*runs[i], stem);
    waitForFiles();
    workspace_.jobs().clearFinished();  // the next pictures show their own jobs
    window_.status().showNote({});
    window_.trigger(QStringLiteral("view.grid"));
  }

  /// Another setting to compare with: the first preset, or another choice of the first option that has
  /// choices.
  static void changeSomething(ui::model::AnalysisPresenter& presenter) {
    const Analysis& analysis = presenter.analysis();
    // An option that is applied to finished results would also change the first result.
    const auto isBefore = [&](const auto& value) {
      return std::any_of(analysis.options.begin(), analysis.options.end(), [&](const OptionInfo& option) {
        return option.name == value.first && !option.adjustable;
      });
    };
    for (const Preset& preset : analysis.presets) {
      if (std::none_of(preset.values.begin(), preset.values.end(), isBefore)) continue;
      say(QStringLiteral("no GPU here: comparing with the preset %1")
              .arg(QString::fromStdString(preset.name)));
      presenter.options().setPreset(preset.name);
      return;
    }
    for (const auto& option : analysis.options) {
      if (option.choices.size() < 2 || option.adjustable) continue;
      say(QStringLiteral("no GPU here: comparing with %1 = %2")
              .arg(QString::fromStdString(option.label), QString::fromStdString(option.choices[1])));
      presenter.options().set(option.name, option.choices[1]);
      return;
    }
  }

  void runPictures(const QString& name, const QString& stem) {
    if (workspace_.runs().runs().empty()) return;  // it has failed, which is reported at the end
    const QString base = name + QLatin1Char('-') + stem;
    const Layer& first = workspace_.runs().runs().back()->result->layers.front();
    lookAtLargest(first);
    picture(base + QStringLiteral("-views"));
    if (std::holds_alternative<PeaksLayer>(first.content)) glyphPictures(base);
    if (std::holds_alternative<MeshLayer>(first.content)) surfacePictures(base);
    if (std::holds_alternative<TractsLayer>(first.content)) bundlePictures(base);
    plotPictures(base);
  }

  void surfacePictures(const QString& base) {
    window_.trigger(QStringLiteral("view.scene"));
    for (const char* side : {"A", "L", "S"}) {
      window_.trigger(QStringLiteral("view.from") + QLatin1String(side));
      picture(base + QStringLiteral("-3d-") + QLatin1String(side));
    }
    window_.views().scene()->lookFromFront();
    picture(base + QStringLiteral("-3d"));
    window_.trigger(QStringLiteral("view.grid"));
  }

  /// A bundle cut out of many lines, and lines growing from a sphere.
  void bundlePictures(const QString& base) {
    ui::model::Dissection& dissection = workspace_.editing().dissection;
    ui::model::GrowingLines& growing = workspace_.editing().growing;
    const auto measured = [&] { return dissection.facts(0).has_value(); };
    const Vec3<double> before = workspace_.view().crosshair();
    window_.trigger(QStringLiteral("bundles.show"));
    picture(base + QStringLiteral("-all-lines"));
    const auto& tracts =
        *std::get<TractsLayer>(workspace_.layers().find(dissection.target())->layer->content).tracts;
    if (tracts.lines() == 0) return;
    std::size_t longest = 0;
    for (std::size_t i = 0; i < tracts.lines(); ++i)
      if (tracts.line(i).size() > tracts.line(longest).size()) longest = i;
    const auto line = tracts.line(longest);
    const auto place = [](const Vec3<float>& p) { return Vec3<double>{p.x, p.y, p.z}; };
    constexpr double kRadius = 6;
    workspace_.view().setCrosshair(place(line[line.size() / 2]));
    dissection.addRegion(TractRegion::Shape::sphere, TractRegion::Role::include,
                         workspace_.view().crosshair(), kRadius);
    waitUntil(measured);
    picture(base + QStringLiteral("-bundle"));
    for (const Vec3<float>& end : {line.front(), line.back()})
      dissection.addRegion(TractRegion::Shape::sphere, TractRegion::Role::end, place(end), 2 * kRadius);
    waitUntil(measured);
    picture(base + QStringLiteral("-bundle-with-ends"));
    window_.trigger(QStringLiteral("view.scene"));
    picture(base + QStringLiteral("-bundle-3d"));
    window_.trigger(QStringLiteral("view.grid"));
    dissection.removeBundle(0);
    workspace_.layers().setVisible(dissection.target(), false);
    if (window_.trigger(QStringLiteral("bundles.grow"))) {
      waitUntil(
          [&] { return growing.facts().seeds > 0 && growing.facts().followed == growing.facts().seeds; });
      picture(base + QStringLiteral("-growing"));
      growing.stop();
    }
    workspace_.layers().setVisible(dissection.target(), true);
    workspace_.view().setCrosshair(before);
    window_.bottom().open(&window_.jobsPanel());
  }

  /// Compared surfaces as they follow the slider of the iterations.
  void sliderPictures(ui::model::AnalysisPresenter& presenter, const QString& base) {
    const auto& options = presenter.analysis().options;
    const bool slides = std::any_of(options.begin(), options.end(), [](const OptionInfo& option) {
      return option.name == "iterations" && option.adjustable;
    });
    if (!slides) return;
    const OptionValue before = presenter.options().values().at("iterations");
    for (const int iterations : {1, 5}) {
      QEventLoop loop;
      QTimer::singleShot(30000, &loop, &QEventLoop::quit);  // anything missing is visible in the picture
      const OptionValue wanted = std::int64_t(iterations);
      int adjusted = 0;
      QObject::connect(&workspace_.runs(), &ui::model::RunController::adjusted, &loop,
                       [&](const ui::model::RunPtr& run) {
                         adjusted += run->options.at("iterations") == wanted;
                         if (adjusted == 2) loop.quit();
                       });
      presenter.options().set("iterations", wanted);
      loop.exec();
      picture(base + QStringLiteral("-iterations-%1").arg(iterations));
    }
    presenter.options().set("iterations", before);
  }

  /// Moves the crosshair to the largest value of a map.
  void lookAtLargest(const Layer& layer) {
    const auto* map = std::get_if<VolumeLayer>(&layer.content);
    if (!map) return;
    const auto& values = map->series->values;
    std::size_t largest = 0;
    for (std::size_t i = 0; i < std::size_t(map->series->grid.voxels()); ++i)
      if (values[i] > values[largest] || std::isnan(values[largest])) largest = i;
    const Vec3<int> v = map->series->grid.voxel(std::int64_t(largest));
    workspace_.view().setCrosshair(map->series->grid.positionOf(v));
  }

  void glyphPictures(const QString& base) {
    const double extent = workspace_.view().extent();
    workspace_.view().setExtent(extent / 3);
    auto* glyphs = window_.findChild<QComboBox*>(QStringLiteral("glyphs"));
    for (const auto& [view, command] :
         {std::pair("axial", "view.axial"), std::pair("coronal", "view.coronal")}) {
      window_.trigger(QLatin1String(command));
      glyphs->setCurrentIndex(int(ui::scene::GlyphStyle::Shape::sticks));
      picture(base + QLatin1Char('-') + QLatin1String(view));
      glyphs->setCurrentIndex(int(ui::scene::GlyphStyle::Shape::lobes));
      picture(base + QLatin1Char('-') + QLatin1String(view) + QStringLiteral("-lobes"));
    }
    glyphs->setCurrentIndex(int(ui::scene::GlyphStyle::Shape::sticks));
    workspace_.view().setExtent(extent);
    window_.trigger(QStringLiteral("view.scene"));
    picture(base + QStringLiteral("-3d"));
    glyphs->setCurrentIndex(int(ui::scene::GlyphStyle::Shape::lobes));
    picture(base + QStringLiteral("-3d-lobes"));
    glyphs->setCurrentIndex(int(ui::scene::GlyphStyle::Shape::sticks));
    window_.trigger(QStringLiteral("view.grid"));
  }

  /// Every plot of the last run, next to the views.
  void plotPictures(const QString& base) {
    window_.bottom().open(&window_.plotsPanel());
    const QStringList names = workspace_.evaluation().plots.names();
    for (const QString& name : names) {
      QEventLoop loop;
      QTimer::singleShot(5000, &loop, &QEventLoop::quit);  // a missing plot is visible in its picture
      QObject::connect(&workspace_.evaluation().plots, &ui::model::PlotsModel::chartsChanged, &loop,
                       &QEventLoop::quit);
      workspace_.evaluation().plots.setCurrent(name);
      loop.exec();
      picture(base + QStringLiteral("-plot-") + QString(name).replace(QLatin1Char(' '), QLatin1Char('-')));
    }
    window_.bottom().open(&window_.jobsPanel());
  }

  void saveResults(const ui::model::Run& run, const QString& stem) {
    const QString sub =
        QStringLiteral("%1/%2-%3-%4")
            .arg(folder_, QString::fromStdString(run.analysis->name), stem, ui::model::fileStem(run.title));
    QDir().mkpath(sub);
    for (std::size_t i = 0; i < run.layers.size(); ++i)
      workspace_.files().save(run.layers[i],
                              sub + QLatin1Char('/') + QString::fromStdString(run.result->layers[i].name) +
                                  QString::fromStdString(usualExtension(run.result->layers[i])));
  }

  /// Until something holds, but not for ever: what does not come is seen on the picture.
  template <class Holds>
  static void waitUntil(const Holds& holds) {
    QElapsedTimer waited;
    waited.start();
    constexpr qint64 kLongest = 60'000;  // ms
    while (!holds() && waited.elapsed() < kLongest) QApplication::processEvents(QEventLoop::AllEvents, 50);
  }

  void waitForRuns() {
    if (workspace_.runs().pending() == 0) return;
    QEventLoop loop;
    QObject::connect(&workspace_.runs(), &ui::model::RunController::idle, &loop, &QEventLoop::quit);
    loop.exec();
  }

  void waitForFiles() {
    if (workspace_.files().pending() == 0) return;
    QEventLoop loop;
    QObject::connect(&workspace_.files(), &ui::jobs::FileJobs::idle, &loop, &QEventLoop::quit);
    loop.exec();
  }

  void picture(const QString& name) {
    // Pending layout, scheduled drawing and refinement are completed for the picture.
    for (int turn = 0; turn < 8; ++turn) QApplication::processEvents();
    save(window_.windowPicture(), name);
  }

  /// Not as a job: the job list is in the pictures.
  void save(const QImage& image, const QString& name) {
    const QString file =
        QStringLiteral("%1/%2-%3.png").arg(folder_).arg(++pictures_, 2, 10, QLatin1Char('0')).arg(name);
    if (!image.save(file)) failures_ << QStringLiteral("'%1' could not be written").arg(file);
  }

  ui::widgets::MainWindow& window_;
  ui::model::Workspace& workspace_;
  QObject context_;
  QString folder_;
  QStringList failures_;
  int pictures_ = 0;
};

}  // namespace

int takeTour(ui::widgets::MainWindow& window, const std::vector<Analysis>& analyses, const QString& folder,
             const QStringList& files) {
  Tour tour(window, folder);
  tour.begin();
  for (const auto& analysis : analyses)
    if (analysis.demo) tour.demo(analysis);
  for (const QString& file : files) tour.file(file, analyses);
  return tour.end();
}

}  // namespace sulcus::app::tour
