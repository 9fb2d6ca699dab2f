// From a file to a picture: how many clicks each analysis takes after its files were dropped on the window,
// as stated in resources/help/window.md.
#include "app/analyses/table.h"
#include "core/image/table_places.h"
#include "core/io/files.h"
#include "tests/ui/widgets/window/window_fixture.h"

#include <QApplication>
#include <QComboBox>
#include <QDropEvent>
#include <QMimeData>
#include <QPushButton>
#include <QTabBar>
#include <QUrl>
#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

namespace sulcus::app {
namespace {

struct Walk {
  const char* analysis;
  std::set<std::string> dropped;  ///< slots of the demo whose files are dropped
  int clicks;
};

struct WindowClicks : ui::widgets::WindowFixture, testing::WithParamInterface<Walk> {
  WindowClicks() : WindowFixture(analyses::table()) {}

  int clicks = 0;

  bool settled() {
    return waitFor([this] {
      return workspace->files().pending() == 0 && workspace->runs().pending() == 0 &&
             workspace->jobs().active() == 0;
    });
  }
  /// The files of the demo that a user would have.
  QStringList files() {
    const auto row = std::ranges::find(analyses, std::string(GetParam().analysis), &Analysis::name);
    OptionValues options;
    for (const OptionInfo& option : row->demoOptions) options[option.name] = option.defaultValue;
    QStringList files;
    for (const auto& [slot, layer] : row->demo(options)) {
      if (!GetParam().dropped.contains(slot)) continue;
      const InputSlot& first = row->inputs.front();
      const std::string stem = first.many && slot == first.name ? layer->name : slot;
      files << folder.filePath(QString::fromStdString(stem + usualExtension(*layer)));
      io::saveLayer(*layer, files.back().toStdString());
    }
    return files;
  }
  void drop(const QStringList& paths) {
    QMimeData data;
    QList<QUrl> urls;
    for (const QString& path : paths) urls << QUrl::fromLocalFile(path);
    data.setUrls(urls);
    QDragEnterEvent enter(QPoint(200, 200), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(window.get(), &enter);
    QDropEvent event(QPointF(200, 200), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(window.get(), &event);
    ASSERT_TRUE(settled());
    QApplication::processEvents();  // the matching analysis is raised by an event of its own
  }
  QPushButton* button() {
    for (QPushButton* one : window->findChildren<QPushButton*>(QStringLiteral("run.cpu")))
      if (one->isVisible()) return one;
    return nullptr;
  }
  void bringToFront() {
    if (workspace->presenters().current()->analysis().name == GetParam().analysis) return;
    ++clicks;
    const QString title =
        QString::fromStdString(workspace->presenters().named(GetParam().analysis)->analysis().title);
    for (QTabBar* bar : window->findChildren<QTabBar*>())
      for (int tab = 0; tab < bar->count(); ++tab)
        if (bar->isVisible() && bar->tabText(tab) == title)
          QTest::mouseClick(bar, Qt::LeftButton, {}, bar->tabRect(tab).center());
  }
};

TEST_P(WindowClicks, FromDroppedFilesToAPicture) {
  open();
  window->resize(1440, 900);
  drop(files());
  bringToFront();
  ASSERT_EQ(workspace->presenters().current()->analysis().name, GetParam().analysis);
  QPushButton* run = button();
  ASSERT_TRUE(run);
  ASSERT_TRUE(run->isEnabled())
      << workspace->presenters().current()->whyNot(ui::model::RunChoice::cpu).toStdString();
  QTest::mouseClick(run, Qt::LeftButton);
  ++clicks;
  ASSERT_TRUE(settled());
  ASSERT_EQ(workspace->runs().runs().size(), 1u);
  const auto& shown = workspace->runs().runs().front()->layers;
  EXPECT_TRUE(std::ranges::any_of(shown, [this](ui::model::LayerId id) {
    const ui::model::LayerState* state = layers().find(id);
    return state->display.visible && isDrawn(*state->layer);
  })) << "nothing of the result is seen";
  EXPECT_EQ(clicks, GetParam().clicks);
  // The table in the help gives the same numbers.
  std::ifstream help("resources/help/window.md");
  std::ostringstream text;
  text << help.rdbuf();
  const std::string row = "| " + workspace->presenters().current()->analysis().title + " | ";
  const std::size_t at = text.str().find(row);
  ASSERT_NE(at, std::string::npos) << row;
  const std::string line = text.str().substr(at, text.str().find('\n', at) - at);
  EXPECT_TRUE(line.ends_with("| " + std::to_string(GetParam().clicks) + " |")) << line;
}

INSTANTIATE_TEST_SUITE_P(Each, WindowClicks,
                         testing::Values(Walk{"fibers", {"dwi"}, 1},
                                         Walk{"activation", {"bold", "design"}, 1},
                                         Walk{"registration", {"template", "reference"}, 1},
                                         Walk{"surface", {"mask"}, 1}, Walk{"template", {"images"}, 1},
                                         Walk{"group", {"maps", "people"}, 1}, Walk{"prepare", {"bold"}, 1},
                                         Walk{"tracts", {"fod", "seed-mask", "labels"}, 1}),
                         [](const auto& info) { return std::string(info.param.analysis); });

}  // namespace
}  // namespace sulcus::app
