#include "ui/widgets/panels/label_list.h"

#include "tests/ui/widgets/window/window_fixture.h"

#include <QAction>
#include <QApplication>
#include <QLineEdit>
#include <QListView>
#include <QTreeWidget>
#include <string>

#include <gtest/gtest.h>

namespace sulcus::ui::widgets {
namespace {

/// A label at each voxel of a row, from `first` on.
Layer atlas(const std::string& name, int count, int first = 1) {
  Grid grid;
  grid.size = {count, 1, 1};
  auto labels = std::make_shared<Volume<sulcus::Label>>(grid);
  auto names = std::make_shared<LabelTable>();
  for (int i = 0; i < count; ++i) {
    labels->values[std::size_t(i)] = first + i;
    (*names)[first + i].name = (i % 2 ? "Right-Région" : "Left-Région") + std::to_string(first + i);
  }
  (*names)[5000].name = "Nowhere";
  Layer layer;
  layer.name = name;
  layer.content = LabelsLayer{labels, names};
  return layer;
}

struct LabelListWindow : WindowFixture {
  QTreeWidget* list() { return child<QTreeWidget>("labels"); }
  QLineEdit* field() { return child<QLineEdit>("labelFilter"); }
  /// Adds a layer and waits for the list of its labels.
  model::LayerId addListed(Layer layer) {
    QSignalSpy listed(&workspace->evaluation().labelLists, &model::LabelLists::listed);
    const model::LayerId id = add(std::move(layer));
    EXPECT_TRUE(listed.count() > 0 || listed.wait(kWait));
    return id;
  }
  QStringList shown() {
    QStringList names;
    for (int row = 0; row < list()->topLevelItemCount(); ++row)
      if (!list()->topLevelItem(row)->isHidden()) names << list()->topLevelItem(row)->text(0);
    return names;
  }
};

TEST_F(LabelListWindow, FiltersALongListAndLeadsToTheFirstThatIsLeft) {
  open();
  addListed(atlas("atlas", 120));
  ASSERT_TRUE(field()->isVisibleTo(window.get()));
  EXPECT_EQ(shown().size(), 120);
  const int height = list()->height();
  QTest::keyClicks(field(), "right REGION11");
  EXPECT_EQ(shown(), (QStringList{"110 Right-Région110", "112 Right-Région112", "114 Right-Région114",
                                  "116 Right-Région116", "118 Right-Région118"}));
  EXPECT_EQ(list()->height(), height) << "what lies below stays where it is";
  keep("label_filter");
  QTest::keyClick(field(), Qt::Key_Return);
  EXPECT_EQ(list()->currentItem()->text(0), "110 Right-Région110");
  EXPECT_EQ(view().crosshair(), (Vec3<double>{109, 0, 0}));
  ASSERT_TRUE(waitForFocus(*window));
  field()->setFocus();
  QTest::keyClick(field(), Qt::Key_Down);
  EXPECT_EQ(QApplication::focusWidget(), list());
  QTest::keyClick(list(), Qt::Key_Down);
  EXPECT_EQ(list()->currentItem()->text(0), "112 Right-Région112");
  field()->clear();
  EXPECT_EQ(shown().size(), 120);
}

TEST_F(LabelListWindow, MergesTheChosenLabelsAndUndoTakesItBack) {
  open();
  const model::LayerId id = addListed(atlas("atlas", 4));
  ASSERT_TRUE(waitFor([&] { return workspace->session().undoText() == "opening of atlas"; }));
  const auto click = [&](int row, Qt::MouseButton button, Qt::KeyboardModifiers keys = {}) {
    QTest::mouseClick(list()->viewport(), button, keys,
                      list()->visualItemRect(list()->topLevelItem(row)).center());
  };
  click(1, Qt::LeftButton);
  click(3, Qt::LeftButton, Qt::ControlModifier);
  EXPECT_EQ(list()->selectedItems().size(), 2);
  emit list()->customContextMenuRequested(list()->visualItemRect(list()->topLevelItem(3)).center());
  auto* merge = window->findChild<QAction*>(QStringLiteral("mergeLabels"));
  ASSERT_TRUE(merge && merge->isEnabled());
  EXPECT_EQ(merge->text(), "Merge 2 labels into 4 Right-Région4");
  merge->trigger();
  const auto values = [&] { return std::get<LabelsLayer>(layers().find(id)->layer->content).labels->values; };
  ASSERT_TRUE(waitFor([&] { return values() == std::vector<sulcus::Label>{1, 4, 3, 4}; }));
  ASSERT_TRUE(waitFor([&] {
    return shown() == QStringList{"1 Left-Région1", "3 Left-Région3", "4 Right-Région4"};
  }));
  ASSERT_TRUE(window->trigger("edit.undo"));
  EXPECT_EQ(values(), (std::vector<sulcus::Label>{1, 2, 3, 4}));
}

TEST_F(LabelListWindow, AsksForNoFilterWhereAllLabelsAreSeen) {
  open();
  addListed(atlas("atlas", 9));
  EXPECT_FALSE(field()->isVisibleTo(window.get()));
  addListed(atlas("more", 10));
  EXPECT_TRUE(field()->isVisibleTo(window.get()));
}

TEST_F(LabelListWindow, IsSearchedByThePaletteInAllLayers) {
  open();
  const model::LayerId id = addListed(atlas("atlas", 120));
  add(test::volumeLayer("image"));
  ASSERT_NE(layers().current(), id);
  ASSERT_TRUE(waitForFocus(*window));
  const auto search = [this](const QString& typed) {
    ASSERT_TRUE(window->trigger("edit.search"));
    QTest::keyClicks(child<QLineEdit>("paletteQuery"), typed);
  };
  search("nowhere");
  EXPECT_EQ(child<QListView>("paletteEntries")->model()->rowCount(), 0)
      << "a name whose label does not occur";
  search("region77");
  keep("label_palette");
  QTest::keyClick(child<QLineEdit>("paletteQuery"), Qt::Key_Return);
  EXPECT_EQ(layers().current(), id);
  EXPECT_EQ(list()->currentItem()->text(0), "77 Left-Région77");
  EXPECT_EQ(view().crosshair(), (Vec3<double>{76, 0, 0}));
  QTest::keyClicks(field(), "right");
  search("region79");
  QTest::keyClick(child<QLineEdit>("paletteQuery"), Qt::Key_Return);
  EXPECT_EQ(list()->currentItem()->text(0), "79 Left-Région79") << "though it was filtered away";
  EXPECT_FALSE(list()->currentItem()->isHidden());
}

}  // namespace
}  // namespace sulcus::ui::widgets
