// A window that works until it is killed, and what remains of its work: window_walk FOLDER
// [SECONDS-WHEN-KILLED]
//
// Without the second argument it repeats the same steps with real key and mouse events, and writes to
// FOLDER/steps when each was done. With it, it recovers what the killed window left, as the next start does,
// and prints how many seconds of work are lost. What was saved must be complete, and the scan untouched.
#include "core/io/files.h"
#include "tests/ui/fake_analysis.h"
#include "ui/widgets/views/view_area.h"
#include "ui/widgets/window/main_window.h"

#include <QApplication>
#include <QFileDialog>
#include <QLineEdit>
#include <QListView>
#include <QLocale>
#include <QSettings>
#include <QSlider>
#include <QTest>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

namespace sulcus::ui {
namespace {

namespace fs = std::filesystem;

constexpr int kPatience = 60000;  ///< ms; only a failure takes that long

/// In the clock of `date +%s.%N`.
double secondsNow() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

[[noreturn]] void fail(const std::string& why) {
  std::printf("%s\n", why.c_str());
  std::exit(1);
}

void require(bool holds, const std::string& what) {
  if (!holds) fail(what);
}

bool waitFor(const std::function<bool()>& what) { return QTest::qWaitFor(what, kPatience); }

Layer scan() { return test::volumeLayer("scan", {24, 24, 24}); }

const std::vector<float>& valuesOf(const Layer& layer) {
  return std::get<VolumeLayer>(layer.content).series->values;
}

struct Window {
  explicit Window(const fs::path& folder)
      : settings(QString::fromStdString(folder / "settings.ini"), QSettings::IniFormat) {}
  QSettings settings;
  std::vector<Analysis> analyses{test::fakeAnalysis()};
  model::Workspace workspace{analyses, [] { return test::oneDevice(); }, settings};

  bool settle() {
    return waitFor([this] {
      return workspace.runs().pending() == 0 && workspace.jobs().active() == 0 &&
             workspace.files().pending() == 0;
    });
  }
};

class Walk {
 public:
  explicit Walk(const fs::path& folder)
      : folder_(folder), steps_(folder / "steps"), in_(folder), window_(in_.workspace, in_.settings) {}

  void go() {
    window_.resize(800, 600);
    window_.show();
    window_.activateWindow();
    require(QTest::qWaitForWindowActive(&window_, kPatience), "no window");
    model::Session& session = in_.workspace.session();
    session.setAutosaveInterval(1000);
    session.autosaveIn(folder_ / "autosave");
    io::saveLayer(scan(), folder_ / "scan.nii");
    window_.openFiles({file("scan.nii")});
    require(in_.settle() && !in_.workspace.layers().empty(), "the scan was not opened");
    require(waitFor([this] { return in_.workspace.canRun(model::RunChoice::cpu); }), "it cannot be run");
    scan_ = in_.workspace.layers().current();
    for (int step = 1;; ++step) {
      work(step % 4);
      rename(QStringLiteral("step %1").arg(step));
      steps_ << step << ' ' << std::fixed << secondsNow()
             << std::endl;  // flushed, since this may be the last
    }
  }

 private:
  QString file(const char* name) const { return QString::fromStdString(folder_ / name); }

  void work(int kind) {
    model::LayerStack& layers = in_.workspace.layers();
    switch (kind) {
      case 0:
        require(window_.trigger(QStringLiteral("run.cpu")), "it cannot be run");
        require(in_.settle(), "the run does not end");
        break;
      case 1:
        save();
        break;
      case 2: {
        layers.setCurrent(scan_);
        auto* opacity = window_.findChild<QSlider*>(QStringLiteral("opacity"));
        const int middle = opacity->height() / 2, left = opacity->width() / 3;
        QTest::mousePress(opacity, Qt::LeftButton, {}, QPoint(left, middle));
        for (int x = left; x < opacity->width(); x += 10) QTest::mouseMove(opacity, QPoint(x, middle));
        QTest::mouseRelease(opacity, Qt::LeftButton, {}, QPoint(opacity->width() - 9, middle));
        break;
      }
      default: {
        // The newest result, replacing the one saved before.
        if (in_.workspace.runs().runs().empty()) break;
        in_.workspace.files().save(in_.workspace.runs().runs().back()->layers.front(), file("map.nii.gz"));
        require(in_.settle(), "the map is not saved");
        QWidget* slice = window_.views().slice(model::Plane::axial)->focusProxy();
        QTest::mouseClick(slice, Qt::LeftButton, {}, slice->rect().center() + QPoint(5, 5));
      }
    }
  }

  void save() {
    QTest::keyClick(&window_, Qt::Key_S, Qt::ControlModifier);
    QApplication::processEvents();
    for (auto* dialog : window_.findChildren<QFileDialog*>()) {
      emit dialog->fileSelected(file("study.sulcus"));
      dialog->close();
    }
    require(in_.settle(), "the session is not saved");
  }

  void rename(const QString& name) {
    in_.workspace.layers().setCurrent(scan_);
    require(window_.trigger(QStringLiteral("layer.rename")), "it cannot be renamed");
    auto* editor = window_.findChild<QListView*>(QStringLiteral("layers"))->findChild<QLineEdit*>();
    require(editor, "there is nothing to type into");
    editor->setFocus();
    editor->selectAll();
    QTest::keyClicks(editor, name);
    QTest::keyClick(editor, Qt::Key_Return);
    require(waitFor([&] { return in_.workspace.layers().find(scan_)->name == name; }), "it is not renamed");
  }

  fs::path folder_;
  std::ofstream steps_;
  Window in_;
  widgets::MainWindow window_;
  model::LayerId scan_ = 0;
};

/// The last step recorded by layers of a session; 0: none.
int lastStep(model::Workspace& workspace) {
  for (const model::LayerState& layer : workspace.layers().layers())
    if (layer.name.startsWith(QStringLiteral("step "))) return layer.name.mid(5).toInt();
  return 0;
}

void requireWhole(const fs::path& folder) {
  require(valuesOf(io::openLayer(folder / "scan.nii")) == valuesOf(scan()), "the scan is changed");
  if (fs::exists(folder / "map.nii.gz")) io::openLayer(folder / "map.nii.gz");  // throws if it is not
  if (!fs::exists(folder / "study.sulcus")) return;
  Window saved(folder);
  QStringList said;
  QObject::connect(&saved.workspace, &model::Workspace::failed,
                   [&](const QString&, const QString& sentence) { said << sentence; });
  QObject::connect(&saved.workspace.session(), &model::Session::opened,
                   [&](const QString&, const QStringList& notes) { said << notes; });
  saved.workspace.session().open(QString::fromStdString(folder / "study.sulcus"));
  require(saved.settle(), "the saved session does not open");
  require(said.isEmpty(), "the saved session: " + said.join(QLatin1Char(' ')).toStdString());
  require(!saved.workspace.layers().empty(), "the saved session is empty");
}

void check(const fs::path& folder, double killed) {
  requireWhole(folder);
  Window next(folder);
  int recovered = 0;
  next.workspace.session().autosaveIn(folder / "autosave");
  if (!next.workspace.session().recoverable().isEmpty()) {
    next.workspace.session().recover();
    require(next.settle(), "the state does not open");
    recovered = lastStep(next.workspace);
    require(!next.workspace.layers().empty(), "the state is empty");
  }
  std::ifstream steps(folder / "steps");
  int step = 0, done = 0;
  double at = 0, lost = 0;
  while (steps >> step >> at) {
    done = step;
    if (step > recovered && lost == 0) lost = killed - at;
  }
  std::printf("%d steps, %d recovered, %.2f s lost\n", done, recovered, lost);
}

}  // namespace
}  // namespace sulcus::ui

int main(int count, char** arguments) {
  QApplication program(count, arguments);
  QLocale::setDefault(QLocale::c());
  try {
    if (count == 3)
      sulcus::ui::check(arguments[1], std::atof(arguments[2]));
    else
      sulcus::ui::Walk(arguments[1]).go();
  } catch (const std::exception& fault) {
    sulcus::ui::fail(fault.what());
  }
  return 0;
}
