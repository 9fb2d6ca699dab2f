// From images of people to the regions where groups differ, by mouse: a template, then Group with the log
// Jacobians that it produces. With SULCUS_KEEP_PICTURES, pictures are kept.
#include "app/analyses/table.h"
#include "core/image/layer.h"
#include "tests/ui/widgets/window/window_fixture.h"
#include "ui/widgets/panels/analysis_panel.h"
#include "ui/widgets/panels/layer_picker.h"
#include "ui/widgets/panels/plots_panel.h"

#include <QAbstractButton>
#include <QListWidget>
#include <QTabBar>
#include <algorithm>
#include <memory>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sulcus::app {
namespace {

struct WindowPeople : ui::widgets::WindowFixture {
  WindowPeople() : WindowFixture(analyses::table()) {}

  bool settle() {
    return waitFor([this] {
      return workspace->files().pending() == 0 && workspace->runs().pending() == 0 &&
             workspace->jobs().active() == 0;
    });
  }
  /// Four heads with few voxels, opened from files.
  void openHeads() {
    const auto row = std::ranges::find(analyses, std::string("template"), &Analysis::name);
    OptionValues options;
    for (const OptionInfo& option : row->demoOptions) options[option.name] = option.defaultValue;
    options["size"] = std::int64_t(32);
    for (const auto& [slot, layer] : row->demo(options))
      if (slot == "images") layers().add(layer);
  }
  void chooseTab(const char* title) {
    for (QTabBar* bar : window->findChildren<QTabBar*>())
      for (int tab = 0; tab < bar->count(); ++tab)
        if (bar->isVisible() && bar->tabText(tab) == QLatin1String(title))
          QTest::mouseClick(bar, Qt::LeftButton, {}, bar->tabRect(tab).center());
  }
  QAbstractButton* button(const char* name) {
    for (QAbstractButton* one : window->findChildren<QAbstractButton*>(QLatin1String(name)))
      if (one->isVisible()) return one;
    return nullptr;
  }
  /// The list of a slot with many layers, opened as by a click.
  QListWidget* listOf(const char* analysis, const char* slot) {
    ui::widgets::LayerPicker* picker = window->panel(QLatin1String(analysis))->manyPicker(slot);
    picker->showPopup();
    return picker->list();
  }
};

TEST_F(WindowPeople, FromImagesToWhereGroupsDiffer) {
  open();
  window->resize(1500, 940);
  openHeads();
  chooseTab("Template");
  ASSERT_EQ(workspace->current()->analysis().name, "template");
  auto& presenter = *workspace->current();
  EXPECT_EQ(presenter.inputsOf("images").size(), 4u) << "all are taken";
  presenter.setOptions({{"rounds", std::int64_t(3)}, {"iterations", std::string("30/20/10")}});
  QAbstractButton* run = button("run.cpu");
  ASSERT_TRUE(run && run->isEnabled()) << presenter.whyNot(ui::model::RunChoice::cpu).toStdString();
  keep("people-1-form");

  // Cancelled after the first picture of the average: no result remains.
  const std::size_t before = layers().layers().size();
  QTest::mouseClick(run, Qt::LeftButton);
  ASSERT_TRUE(waitFor([&] { return layers().layers().size() > before; })) << "the average is shown";
  keep("people-2-round");
  QAbstractButton* cancel = button("cancelRunning");
  ASSERT_TRUE(cancel);
  QTest::mouseClick(cancel, Qt::LeftButton);
  ASSERT_TRUE(settle());
  EXPECT_EQ(layers().layers().size(), before);
  EXPECT_TRUE(workspace->runs().runs().empty());

  QTest::mouseClick(run, Qt::LeftButton);
  ASSERT_TRUE(settle());
  ASSERT_EQ(workspace->runs().runs().size(), 1u);
  const auto& made = workspace->runs().runs().front()->layers;
  EXPECT_EQ(made.size(), 2u + 3 * 4 + 2);
  EXPECT_EQ(layers().current(), made.front());
  ASSERT_TRUE(waitUntilDrawn());
  keep("people-3-template");
  EXPECT_THAT(presenter.commandLine(ui::model::RunChoice::cpu).toStdString(),
              testing::HasSubstr("sulcus-cli template --images person-1.nii.gz --images person-2.nii.gz"));

  chooseTab("Group");
  ASSERT_EQ(workspace->current()->analysis().name, "group");
  workspace->current()->setInputs("maps", {});
  QListWidget* list = listOf("group", "maps");
  std::vector<int> rows;
  for (int row = 0; row < list->count(); ++row)
    if (list->item(row)->text().contains("logjac")) rows.push_back(row);
  ASSERT_EQ(rows.size(), 4u);
  ASSERT_EQ(rows.back() - rows.front(), 3) << "they lie together";
  const auto click = [&](int row, Qt::KeyboardModifiers keys) {
    list->scrollToItem(list->item(row));
    QTest::mouseClick(list->viewport(), Qt::LeftButton, keys, list->visualItemRect(list->item(row)).center());
  };
  click(rows.front(), {});
  click(rows.back(), Qt::ShiftModifier);
  keep("people-4-maps");
  list->window()->close();
  EXPECT_EQ(workspace->current()->inputsOf("maps").size(), 4u);
  run = button("run.cpu");
  ASSERT_TRUE(run && run->isEnabled())
      << workspace->current()->whyNot(ui::model::RunChoice::cpu).toStdString();
  QTest::mouseClick(run, Qt::LeftButton);
  ASSERT_TRUE(settle());
  EXPECT_EQ(workspace->runs().runs().size(), 2u);
  ASSERT_TRUE(waitUntilDrawn());
  keep("people-5-group");
}

}  // namespace
}  // namespace sulcus::app
