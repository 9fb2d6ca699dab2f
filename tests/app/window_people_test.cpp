// From images of people to the regions where groups differ, by mouse: a template, then Group with the log
// Jacobians that it produces. With SULCUS_KEEP_PICTURES, pictures are kept.
#include "app/analyses/table.h"
#include "core/image/layer.h"
#include "tests/ui/widgets/window/window_fixture.h"
#include "ui/widgets/controls/folding_tabs.h"
#include "ui/widgets/panels/analysis_panel.h"
#include "ui/widgets/panels/layer_picker.h"
#include "ui/widgets/panels/plots_panel.h"
#include "ui/widgets/views/chart_view.h"

#include <QAbstractButton>
#include <QListWidget>
#include <QTabBar>
#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

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
  /// Clicks on a point of the chart, found by its text under the pointer.
  void clickOnPoint(const QString& name) {
    ui::widgets::ChartView* chart = window->plotsPanel().chart();
    const auto find = [&]() -> std::optional<QPoint> {
      if (chart->screenshot().isNull()) return std::nullopt;
      for (int x = 0; x < chart->width(); x += 3)
        for (int y = 0; y < chart->height(); y += 3)
          if (chart->textAt(QPointF(x, y)).contains(name)) return QPoint(x, y);
      return std::nullopt;
    };
    std::optional<QPoint> at;
    ASSERT_TRUE(waitFor([&] { return (at = find()).has_value(); })) << name.toStdString();
    QTest::mouseClick(chart->focusProxy(), Qt::LeftButton, {}, *at);
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
  ASSERT_EQ(workspace->presenters().current()->analysis().name, "template");
  auto& presenter = *workspace->presenters().current();
  EXPECT_EQ(presenter.inputs().of("images").size(), 4u) << "all are taken";
  presenter.options().set({{"rounds", std::int64_t(3)}, {"iterations", std::string("30/20/10")}});
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
  ASSERT_EQ(workspace->presenters().current()->analysis().name, "group");
  workspace->presenters().current()->inputs().choose("maps", {});
  QListWidget* list = listOf("group", "maps");
  std::vector<int> rows;
  for (int row = 0; row < list->count(); ++row)
    if (list->item(row)->text().contains("log Jacobian of")) rows.push_back(row);
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
  EXPECT_EQ(workspace->presenters().current()->inputs().of("maps").size(), 4u);
  run = button("run.cpu");
  ASSERT_TRUE(run && run->isEnabled())
      << workspace->presenters().current()->whyNot(ui::model::RunChoice::cpu).toStdString();
  QTest::mouseClick(run, Qt::LeftButton);
  ASSERT_TRUE(settle());
  EXPECT_EQ(workspace->runs().runs().size(), 2u);
  ASSERT_TRUE(waitUntilDrawn());
  keep("people-5-group");

  // A click on a person's point shows that person's map alone; one that was closed is opened again.
  window->bottom().open(&window->plotsPanel());
  for (const char* plot : {"People", "Leave one out mean"}) {
    workspace->evaluation().plots.setCurrent(plot);
    for (const char* person : {"person-3", "person-2"}) {
      const std::string name = std::string("log Jacobian of ") + person;
      clickOnPoint(QString::fromLatin1(person));
      const ui::model::LayerState* shown = layers().find(layers().current());
      ASSERT_TRUE(shown);
      EXPECT_THAT(shown->name.toStdString(), testing::StartsWith(name)) << plot;
      EXPECT_TRUE(shown->display.visible);
      for (const auto& other : layers().layers()) {
        const bool isOfAnother = other.name.contains("log Jacobian of") && other.id != shown->id;
        EXPECT_FALSE(isOfAnother && other.display.visible) << other.name.toStdString();
      }
    }
  }
  ASSERT_TRUE(waitUntilDrawn());
  keep("people-6-one");
  const std::size_t all = layers().layers().size();
  const ui::model::LayerId closed = layers().current();
  layers().remove(closed);
  clickOnPoint("person-2");
  EXPECT_EQ(layers().layers().size(), all) << "it is open again";
  EXPECT_NE(layers().current(), closed);
  ASSERT_TRUE(window->trigger("edit.undo"));
  EXPECT_LT(layers().layers().size(), all);
}

/// What is said of a choice of inputs, before a run or by it; nothing is lost.
struct BadInputOfPeople : WindowPeople {
  void SetUp() override { open(); }
  /// Head 0…3 of the demo, 32 voxels a side.
  Layer head(std::size_t index) {
    const auto row = std::ranges::find(analyses, std::string("template"), &Analysis::name);
    OptionValues options;
    for (const OptionInfo& option : row->demoOptions) options[option.name] = option.defaultValue;
    options["size"] = std::int64_t(32);
    const AnalysisInputs inputs = row->demo(options);
    return *std::next(inputs.equal_range("images").first, std::ptrdiff_t(index))->second;
  }
  static Layer changed(Layer layer, const std::string& name,
                       const std::function<void(Series<float>&)>& change) {
    auto series = std::make_shared<Series<float>>(*std::get<VolumeLayer>(layer.content).series);
    change(*series);
    layer.content = VolumeLayer{series};
    layer.name = name;
    return layer;
  }
  Layer table(const std::vector<std::string>& columns, const std::vector<std::vector<std::string>>& rows) {
    return tableLayer("people", {columns, rows});
  }
  /// The sentence about these layers as inputs of an analysis: why it cannot be run, or why the run failed.
  std::string said(const char* analysis, const std::vector<Layer>& images, const OptionValues& options,
                   const std::optional<Layer>& people = {}) {
    layers().clear();
    auto& presenter = *workspace->presenters().named(analysis);
    workspace->presenters().choose(&presenter);
    std::vector<ui::model::LayerId> ids;
    for (const Layer& image : images) ids.push_back(add(image));
    const std::string slot = presenter.analysis().inputs.front().name;
    presenter.inputs().choose(slot, ids);
    if (presenter.analysis().name == "group")
      presenter.inputs().choose("people",
                                people ? std::vector{add(*people)} : std::vector<ui::model::LayerId>());
    presenter.options().reset();
    presenter.options().set(options);
    const std::size_t open = layers().layers().size();
    std::string sentence = presenter.whyNot(ui::model::RunChoice::cpu).toStdString();
    if (sentence.empty()) {
      // Without the dialog, which would wait for a click.
      QObject::disconnect(&workspace->runs(), &ui::model::RunController::failed, nullptr, nullptr);
      QSignalSpy told(&workspace->runs(), &ui::model::RunController::failed);
      EXPECT_TRUE(workspace->run(ui::model::RunChoice::cpu));
      EXPECT_TRUE(settle());
      if (told.count() > 0) sentence = told.front().back().toString().toStdString();
    }
    EXPECT_EQ(layers().layers().size(), open) << "nothing is lost, nothing half made stays: " << sentence;
    return sentence;
  }
};

TEST_F(BadInputOfPeople, OfTemplateIsRefusedBySentences) {
  const OptionValues quick{{"rounds", std::int64_t(1)}, {"iterations", std::string("2/2/2")}};
  const Layer one = head(0), other = head(1);
  const auto with = [&](const Layer& bad) { return said("template", {one, other, bad}, quick); };
  const auto changedHead = [&](const char* name, auto change) { return changed(head(2), name, change); };
  using testing::AllOf;
  using testing::HasSubstr;
  EXPECT_THAT(said("template", {one}, quick), HasSubstr("There is one image (a template is the middle of"));
  EXPECT_THAT(with(changed(one, "again", [](auto&) {})), HasSubstr("are the same image"));
  EXPECT_THAT(with(changedHead("flat", [](auto& s) { std::ranges::fill(s.values, 3.f); })),
              HasSubstr("'flat' shows nothing"));
  EXPECT_THAT(with(changedHead("nan", [](auto& s) { s.values[1000] = NAN; })),
              HasSubstr("'nan' holds 1 value that is not finite"));
  EXPECT_THAT(with(changedHead("plane",
                               [](auto& s) {
                                 s.grid.size.z = 1;
                                 s.values.resize(std::size_t(s.grid.voxels()));
                               })),
              HasSubstr("'plane' has 32 × 32 × 1 voxels"));
  EXPECT_THAT(with(changedHead("tiny",
                               [](auto& s) {
                                 for (auto& row : s.grid.worldFromVoxel.m)
                                   for (double& value : row) value *= 1e-3;
                               })),
              AllOf(HasSubstr("'tiny'"), HasSubstr("leave out, or repair")));
}

TEST_F(BadInputOfPeople, OfGroupIsRefusedBySentences) {
  using testing::HasSubstr;
  const OptionValues few{{"permutations", std::int64_t(10)}};
  std::vector<Layer> maps;
  for (std::size_t n = 0; n < 4; ++n)
    maps.push_back(changed(head(n), "sub-0" + std::to_string(n + 1), [](auto&) {}));
  const auto people = table({"participant_id", "sex", "age", "site"}, {{"sub-01", "f", "30", "x"},
                                                                       {"sub-02", "m", "30", "x"},
                                                                       {"sub-03", "f", "30", "x"},
                                                                       {"sub-04", "m", "30", "y"}});
  const auto by = [&](OptionValues options) {
    options.merge(OptionValues(few));
    return said("group", maps, options, people);
  };
  EXPECT_THAT(by({{"groups", std::string("site")}}), HasSubstr("The group 'y' has one person"));
  EXPECT_THAT(by({{"covariates", std::string("age")}}), HasSubstr("'age' is the same for all people"));
  EXPECT_THAT(by({{"groups", std::string("center")}}), HasSubstr("no column 'center'"));
  EXPECT_THAT(by({{"contrast", std::string("f - m")}}), testing::Not(testing::IsEmpty()));
  const auto with = [&](const Layer& bad) {
    std::vector<Layer> all = maps;
    all[3] = bad;
    return said("group", all, few, people);
  };
  EXPECT_THAT(with(changed(maps[3], "sub-04", [](auto& s) { s.grid.worldFromVoxel.t.x += 1; })),
              HasSubstr("'sub-04' has a different grid than 'sub-01'"));
  EXPECT_THAT(with(changed(maps[0], "sub-04", [](auto&) {})),
              HasSubstr("'sub-01' and 'sub-04' are the same"));
  EXPECT_THAT(with(changed(maps[3], "sub-04", [](auto& s) { std::ranges::fill(s.values, NAN); })),
              HasSubstr("The map 'sub-04' has no value"));
  EXPECT_THAT(said("group", {maps[0]}, few), HasSubstr("There is one map of people"));
  EXPECT_THAT(said("group", maps, few, table({"participant_id"}, {{"sub-01"}, {"sub-01"}, {"sub-02"}})),
              HasSubstr("has 2 rows for 'sub-01', but there is one map"));
}

}  // namespace
}  // namespace sulcus::app
