// A window used at random for a given time: window_load FOLDER SECONDS [SEED]
//
// In rounds it opens files of FOLDER, intact and damaged ones, makes demos, runs analyses, compares runs,
// navigates with mouse and keys, undoes, saves and opens sessions, and then closes everything. After each
// round it prints what it still holds. Memory must stay within 2 %, and GPU memory, descriptors and threads
// must not increase. What a view creates on its first drawing, a context and its compiled shaders, remains:
// so everything is drawn in every view before the first round. Only thread pools may grow later, when more
// work is requested at once than ever before, up to one thread for each processor; one of Qt's pools has a
// descriptor.
#include "app/analyses/devices.h"
#include "app/analyses/table.h"
#include "core/base/platform/memory/scratch_memory.h"
#include "tests/support/heap.h"
#include "ui/widgets/views/render_scheduler.h"
#include "ui/widgets/views/view_area.h"
#include "ui/widgets/window/main_window.h"

#include <QApplication>
#include <QDir>
#include <QLocale>
#include <QSettings>
#include <QSignalSpy>
#include <QTest>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <map>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace sulcus::ui {
namespace {

namespace fs = std::filesystem;

constexpr int kPatience = 600'000;  ///< ms; only a failure takes that long
constexpr double kGrowth = 1.02;    ///< of the memory

[[noreturn]] void fail(const std::string& why) {
  std::printf("%s\n", why.c_str());
  std::fflush(stdout);
  std::_Exit(1);
}

/// What the process holds after everything is closed.
struct Held {
  double seconds = 0, gpuMegabytes = 0;
  double megabytes = 0;  ///< resident, not from files
  double allocated = 0;  ///< MB of memory that the program and its libraries have not freed
  int descriptors = 0, threads = 0;
};

int entriesOf(const char* folder) {
  return int(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

Held heldAfter(double seconds) {
  giveFreeMemoryBack();  // otherwise free memory would count
  Held held{seconds};
  held.megabytes = test::residentOfNoFile() / 1e6;
  held.allocated = double(test::heapInUse()) / 1e6;
  held.descriptors = entriesOf("/proc/self/fd"), held.threads = entriesOf("/proc/self/task");
  for (const auto& device : app::analyses::deviceReport().devices)
    held.gpuMegabytes += double(device.memoryBytes - device.freeBytes) / 1e6;
  return held;
}

/// Values for which a run of an analysis is short.
const std::map<std::string, OptionValue> kShort{
    {"draws", std::int64_t(60)}, {"thinning", std::int64_t(1)}, {"iterations", std::int64_t(3)}};

class Load {
 public:
  Load(const fs::path& folder, unsigned seed)
      : folder_(folder),
        random_(seed),
        settings_(QString::fromStdString(folder / "settings.ini"), QSettings::IniFormat),
        workspace_(app::analyses::table(), app::analyses::deviceReport, settings_),
        window_(workspace_, settings_) {
    for (const auto& entry : fs::directory_iterator(folder / "files"))
      files_ << QString::fromStdString(entry.path());
    files_.sort();
  }

  void go(double seconds) {
    window_.resize(1200, 800);
    window_.show();
    if (!QTest::qWaitForWindowExposed(&window_, kPatience)) fail("no window");
    drawAll();
    closeAll();
    const auto start = std::chrono::steady_clock::now();
    const auto past = [&] {
      return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    };
    std::printf("seconds\tsteps\tMB\tallocated MB\tdescriptors\tthreads\tGPU MB\twhat was done\n");
    while (past() < seconds) {
      done_.clear();
      for (int i = 0; i < 12; ++i, ++steps_) step();
      closeAll();
      held_.push_back(heldAfter(past()));
      const Held& held = held_.back();
      std::printf("%.0f\t%d\t%.1f\t%.1f\t%d\t%d\t%.1f\t%s\n", held.seconds, steps_, held.megabytes,
                  held.allocated, held.descriptors, held.threads, held.gpuMegabytes, done_.c_str());
      std::fflush(stdout);
    }
  }

  /// Compares the last quarter of the rounds with the second: in the first one caches fill.
  void judge() const {
    const std::size_t quarter = held_.size() / 4;
    constexpr std::size_t kFewest = 25;  // rounds until all caches are full
    if (quarter < kFewest) {
      std::printf("%zu rounds, %d steps: too few to say whether memory is flat\n", held_.size(), steps_);
      return;
    }
    const auto median = [&](std::size_t from, auto Held::*what) {
      std::vector<double> values;
      for (std::size_t i = from; i < from + quarter; ++i) values.push_back(double(held_[i].*what));
      std::nth_element(values.begin(), values.begin() + std::ptrdiff_t(quarter / 2), values.end());
      return values[quarter / 2];
    };
    const std::size_t before = quarter, after = held_.size() - quarter;
    const double growth = median(after, &Held::megabytes) / median(before, &Held::megabytes),
                 allocated = median(after, &Held::allocated) / median(before, &Held::allocated);
    const double descriptors = median(after, &Held::descriptors) - median(before, &Held::descriptors),
                 threads = median(after, &Held::threads) - median(before, &Held::threads),
                 gpu = median(after, &Held::gpuMegabytes) - median(before, &Held::gpuMegabytes);
    std::printf(
        "%zu rounds, %d steps: memory %+.2f %% (allocated %+.2f %%), descriptors %+.0f, threads %+.0f, "
        "memory "
        "of GPUs %+.1f MB\n",
        held_.size(), steps_, 100 * (growth - 1), 100 * (allocated - 1), descriptors, threads, gpu);
    const int pooled = int(std::thread::hardware_concurrency());
    if (growth > kGrowth || allocated > kGrowth || descriptors > pooled || threads > pooled || gpu > 1)
      fail("more is held than before");
  }

 private:
  int below(int bound) { return int(random_() % unsigned(bound)); }

  void settle() {
    const auto idle = [this] {
      return workspace_.runs().pending() == 0 && workspace_.jobs().active() == 0 &&
             workspace_.files().pending() == 0;
    };
    if (!QTest::qWaitFor(idle, kPatience)) fail("a job does not end");
  }

  void closeAll() {
    workspace_.session().close();
    workspace_.jobs().clearFinished();
    settle();
    // Until then the views hold what they showed.
    const auto drawn = [this] { return widgets::RenderScheduler::of(workspace_.view()).idle(); };
    if (!QTest::qWaitFor(drawn, kPatience)) fail("the views are not drawn");
  }

  /// The demo of each analysis and a comparison of two of its runs, in every view.
  void drawAll() {
    using widgets::ViewLayout;
    for (const Analysis& analysis : app::analyses::table()) {
      demo(analysis);
      for (int i = 0; i < 2; ++i) run(model::RunChoice::cpu), settle();
      compare();
      settle();
      widgets::ViewArea& views = window_.views();
      for (const ViewLayout layout :
           {ViewLayout::grid, ViewLayout::axial, ViewLayout::coronal, ViewLayout::sagittal, ViewLayout::scene,
            ViewLayout::beside, ViewLayout::lightbox, ViewLayout::compare})
        for (const bool in3d : {false, true}) {
          views.setLayoutShown(layout);
          views.comparePage().setIn3d(in3d);
          QCoreApplication::processEvents();  // the views are placed
          views.finishDrawing();
        }
      closeAll();
    }
  }

  void step() {
    const int kind = below(9);
    done_ += "oodrclsuL"[kind];
    switch (kind) {
      case 0:
      case 1:
        open();
        break;
      case 2:
        demo(app::analyses::table()[std::size_t(below(int(app::analyses::table().size())))]);
        break;
      case 3:
        run(below(2) ? model::RunChoice::both : model::RunChoice::cpu);
        break;
      case 4:
        compare();
        break;
      case 5:
        look();
        break;
      case 6:
        session();
        break;
      case 7:
        window_.trigger(below(2) ? QStringLiteral("edit.undo") : QStringLiteral("edit.redo"));
        break;
      default:
        change();
    }
    settle();
  }

  void open() {
    QStringList some;
    for (int i = 0; i <= below(3); ++i) some << files_.at(below(int(files_.size())));
    window_.openFiles(some);
  }

  void demo(const Analysis& analysis) {
    done_ += analysis.name[0];
    QSignalSpy loaded(&workspace_, &model::Workspace::demoLoaded);
    workspace_.loadDemo(QString::fromStdString(analysis.name));
    if (loaded.count() == 0 && !loaded.wait(kPatience)) fail("a demo is not made");
  }

  void run(model::RunChoice choice) {
    model::AnalysisPresenter* const presenter = workspace_.presenters().current();
    for (const auto& [name, value] : kShort)
      if (const auto option = presenter->options().values().find(name);
          option != presenter->options().values().end() && option->second.index() == value.index())
        presenter->options().set(name, value);
    if (workspace_.canRun(choice)) workspace_.run(choice);
  }

  void compare() {
    const auto& runs = workspace_.runs().runs();
    if (runs.size() >= 2 && runs[runs.size() - 2]->analysis == runs.back()->analysis)
      workspace_.runs().comparer().compare(runs[runs.size() - 2], runs.back());
  }

  void look() {
    static const char* const commands[] = {"view.grid",  "view.compare",   "view.reset",   "view.letters",
                                           "layer.mean", "view.crosshair", "layer.toggle", "layer.frame"};
    window_.trigger(QLatin1String(commands[below(int(std::size(commands)))]));
    QWidget* const slice = window_.views().slice(model::Plane(below(3)))->focusProxy();
    if (!slice->isVisible()) return;
    QTest::mouseClick(slice, Qt::LeftButton, {}, {below(slice->width()), below(slice->height())});
    QTest::keyClick(slice, below(2) ? Qt::Key_Up : Qt::Key_Down);
  }

  void session() {
    const QString file = QString::fromStdString(folder_ / "load.sulcus");
    if (below(2) && !workspace_.layers().empty())
      workspace_.session().save(file);
    else if (QFile::exists(file))
      workspace_.session().open(file, {}, true);
  }

  void change() {
    const auto& layers = workspace_.layers().layers();
    if (layers.empty()) return;
    const model::LayerId id = layers[std::size_t(below(int(layers.size())))].id;
    workspace_.layers().setCurrent(id);
    if (below(3) == 0) return workspace_.layers().remove(id);
    workspace_.layers().rename(id, QStringLiteral("layer %1").arg(steps_));
  }

  fs::path folder_;
  std::mt19937 random_;
  QSettings settings_;
  model::Workspace workspace_;
  widgets::MainWindow window_;
  QStringList files_;
  std::vector<Held> held_;
  int steps_ = 0;
  /// The steps of this round: o files opened, d a demo and its analysis, r a run, c a comparison, l
  /// navigation, s a session, u undo or redo, L a layer changed.
  std::string done_;
};

}  // namespace
}  // namespace sulcus::ui

int main(int count, char** arguments) {
  QApplication program(count, arguments);
  QLocale::setDefault(QLocale::c());
  if (count < 3) sulcus::ui::fail("window_load FOLDER SECONDS [SEED]");
  try {
    sulcus::ui::Load load(arguments[1], count > 3 ? unsigned(std::atoi(arguments[3])) : 1);
    load.go(std::atof(arguments[2]));
    load.judge();
  } catch (const std::exception& fault) {
    sulcus::ui::fail(fault.what());
  }
  return 0;
}
