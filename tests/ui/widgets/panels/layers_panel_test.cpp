#include "ui/widgets/panels/layers_panel.h"

#include "tests/ui/fake_analysis.h"

#include <QComboBox>
#include <QFile>
#include <QListView>
#include <QTest>
#include <QWindow>
#include <set>

#include <gtest/gtest.h>

namespace sulcus::ui::widgets {
namespace {

using test::shared;
using test::volumeLayer;

TEST(LayersPanelTest, ClosesTheEyeThatIsClickedAndMakesClickedRowsCurrent) {
  model::LayerStack layers;
  LayersPanel panel(layers);
  panel.resize(260, 300);
  panel.show();
  const model::LayerId below = layers.add(shared(volumeLayer("below"))),
                       top = layers.add(shared(volumeLayer("top")));
  QWidget* view = panel.list()->viewport();
  const QRect row = panel.list()->visualRect(panel.list()->model()->index(1, 0));
  QTest::mouseClick(view, Qt::LeftButton, {}, QPoint(row.left() + 12, row.center().y()));
  EXPECT_FALSE(layers.find(below)->display.visible);
  EXPECT_TRUE(layers.find(top)->display.visible);
  QTest::mouseClick(view, Qt::LeftButton, {}, QPoint(row.left() + 100, row.center().y()));
  EXPECT_EQ(layers.current(), below);
  EXPECT_EQ(panel.selected(), std::vector<model::LayerId>{below});
}

TEST(LayersPanelTest, ShowsTheColorsOfALayerNextToItsName) {
  model::LayerStack layers;
  LayersPanel panel(layers);
  panel.resize(260, 300);
  const model::LayerId id = layers.add(shared(volumeLayer("map")));
  const auto reds = [&] {
    const QImage picture = panel.grab().toImage();
    int found = 0;
    for (int y = 0; y < picture.height(); ++y)
      for (int x = 0; x < picture.width(); ++x) {
        const QColor color = picture.pixelColor(x, y);
        found += color.red() > 150 && color.blue() < 60 && color.green() < 160;
      }
    return found;
  };
  EXPECT_EQ(reds(), 0);
  Display display = layers.find(id)->display;
  display.colormap = "heat";
  layers.setDisplay(id, display);
  EXPECT_GT(reds(), 20);
}

TEST(LayersPanelTest, HasADrawingForEachKindOfLayerAndItsWordInTheToolTip) {
  model::LayerStack layers;
  LayersPanel panel(layers);
  layers.add(shared(volumeLayer("scan")));
  const QModelIndex row = panel.list()->model()->index(0, 0);
  EXPECT_EQ(row.data(model::LayerListModel::iconRole).toString(), QStringLiteral("layer-volume"));
  EXPECT_EQ(row.data(Qt::AccessibleDescriptionRole).toString(), QStringLiteral("volume"));
  EXPECT_TRUE(row.data(Qt::ToolTipRole).toString().contains(QStringLiteral("volume")));

  const auto several = std::make_shared<const Series<float>>(Grid{{2, 2, 2}}, 3);
  const auto none = std::make_shared<const Series<float>>();
  VolumeLayer directed{several}, colored{several};
  directed.gradients.rows.resize(3);
  colored.colors = true;
  std::set<QString> drawings;
  for (const LayerContent& content :
       {LayerContent(VolumeLayer{several}), LayerContent(directed), LayerContent(colored),
        LayerContent(LabelsLayer{}), LayerContent(PeaksLayer{}), LayerContent(PeaksLayer{none, {}}),
        LayerContent(DisplacementLayer{}), LayerContent(MeshLayer{}), LayerContent(TableLayer{}),
        LayerContent(CurveLayer{}), LayerContent(TractsLayer{})}) {
    Layer layer;
    layer.content = content;
    const QString drawing = model::kindIcon(layer);
    EXPECT_TRUE(QFile::exists(QStringLiteral(":/sulcus/window/%1.svg").arg(drawing))) << qPrintable(drawing);
    EXPECT_TRUE(drawings.insert(drawing).second) << qPrintable(drawing) << ": each kind has its own";
  }
}

TEST(LayersPanelTest, SelectsTheCurrentRowAloneThoughCtrlIsHeldAsForUndo) {
  model::LayerStack layers;
  LayersPanel panel(layers);
  panel.show();
  ASSERT_TRUE(QTest::qWaitForWindowExposed(&panel));
  const model::LayerId below = layers.add(shared(volumeLayer("below")));
  layers.add(shared(volumeLayer("top")));
  QTest::keyPress(panel.windowHandle(), Qt::Key_Control, Qt::ControlModifier);
  layers.setCurrent(below);
  EXPECT_EQ(panel.selected(), std::vector<model::LayerId>{below});
  QTest::keyRelease(panel.windowHandle(), Qt::Key_Control);
}

TEST(LayersPanelTest, SelectsTheLayerThatIsCurrentWhenChangesThatBelongTogetherEnd) {
  model::LayerStack layers;
  LayersPanel panel(layers);
  panel.show();
  const model::LayerId scan = layers.add(shared(volumeLayer("scan")));
  {
    const model::LayerStack::BatchUpdate together(layers);
    layers.add(shared(volumeLayer("map")));
    layers.setCurrent(scan);
  }
  EXPECT_EQ(panel.selected(), std::vector<model::LayerId>{scan});
}

class FoldedLayers : public testing::Test {
 protected:
  FoldedLayers() {
    panel.resize(260, 400);
    panel.show();
    below = layers.add(shared(volumeLayer("scan")));
    for (const char* name : {"map 2", "map 1", "peaks"}) ids.insert(ids.begin(), add(name));
    panel.fold(ids);
  }
  model::LayerId add(const char* name) {
    Layer layer = volumeLayer(name);
    layer.display.visible = false;
    return layers.add(shared(std::move(layer)));
  }
  std::vector<bool> hidden() {
    std::vector<bool> rows;
    for (int row = 0; row < panel.list()->model()->rowCount(); ++row)
      rows.push_back(panel.list()->isRowHidden(row));
    return rows;
  }
  model::LayerStack layers;
  LayersPanel panel{layers};
  model::LayerId below = 0;
  std::vector<model::LayerId> ids;
};

TEST_F(FoldedLayers, AreHiddenUnderTheFirstUntilItsArrowIsClicked) {
  EXPECT_EQ(hidden(), (std::vector<bool>{false, true, true, false}));
  const QRect row = panel.list()->visualRect(panel.list()->model()->index(0, 0));
  const QPoint arrow(row.right() - 10, row.center().y());
  QTest::mouseClick(panel.list()->viewport(), Qt::LeftButton, {}, arrow);
  EXPECT_EQ(hidden(), (std::vector<bool>{false, false, false, false}));
  QTest::mouseClick(panel.list()->viewport(), Qt::LeftButton, {}, arrow);
  EXPECT_EQ(hidden(), (std::vector<bool>{false, true, true, false}));
}

TEST_F(FoldedLayers, OpenAndCloseByTheArrowKeys) {
  QTest::keyClick(panel.list(), Qt::Key_Right);
  EXPECT_FALSE(panel.list()->isRowHidden(1));
  layers.setCurrent(ids[2]);
  QTest::keyClick(panel.list(), Qt::Key_Left);
  EXPECT_TRUE(panel.list()->isRowHidden(1));
  EXPECT_EQ(layers.current(), ids[2]);
  EXPECT_FALSE(panel.list()->isRowHidden(2)) << "what is current stays in sight and stands for the others";
  EXPECT_TRUE(panel.list()->isRowHidden(0));
}

TEST_F(FoldedLayers, WhatIsSeenIsListed) {
  layers.setVisible(ids[0], true);
  layers.setVisible(ids[1], true);
  EXPECT_EQ(hidden(), (std::vector<bool>{false, false, true, false}));
  layers.setVisible(ids[1], false);
  EXPECT_EQ(hidden(), (std::vector<bool>{false, true, true, false}));
}

TEST(LayersPanelTest, ARunIsOneRowWithAChoiceOfEffectAndQuantity) {
  model::LayerStack layers;
  LayersPanel panel(layers);
  panel.resize(260, 400);
  panel.show();
  layers.add(shared(volumeLayer("scan")));
  std::vector<model::LayerId> run;
  for (const char* name : {"sigma2", "z_b", "mean_b", "ppm_b", "z_a", "mean_a", "ppm_a"}) {
    Layer layer = volumeLayer(std::string(name) + " (CPU)");
    layer.display.visible = std::string_view(name) == "ppm_a";
    run.insert(run.begin(), layers.add(shared(std::move(layer))));
  }
  panel.fold(run);
  layers.setCurrent(run[0]);
  int rows = 0;
  for (int row = 0; row < panel.list()->model()->rowCount(); ++row) rows += !panel.list()->isRowHidden(row);
  EXPECT_EQ(rows, 2) << "the scan and the run";
  auto* effect = panel.findChild<QComboBox*>(QStringLiteral("resultEffect"));
  auto* quantity = panel.findChild<QComboBox*>(QStringLiteral("resultQuantity"));
  ASSERT_TRUE(effect && quantity);
  EXPECT_TRUE(quantity->isVisible());
  EXPECT_EQ(effect->count(), 3) << "a, b and the whole model";
  EXPECT_EQ(effect->currentText(), QStringLiteral("a"));
  EXPECT_EQ(quantity->count(), 3);
  EXPECT_EQ(quantity->currentText(), QStringLiteral("probability"));
  const auto choose = [](QComboBox* box, int index) {
    box->setCurrentIndex(index);
    emit box->activated(index);
  };
  choose(quantity, 2);
  EXPECT_EQ(layers.current(), run[2]) << "z of a";
  EXPECT_TRUE(layers.find(run[2])->display.visible);
  EXPECT_FALSE(layers.find(run[0])->display.visible) << "in the place of what was shown";
  choose(effect, 1);
  EXPECT_EQ(layers.current(), run[5]) << "the same quantity of b";
  EXPECT_TRUE(layers.find(run[5])->display.visible);
  EXPECT_FALSE(layers.find(run[2])->display.visible);
  layers.setCurrent(layers.layers().front().id);
  EXPECT_FALSE(quantity->isVisible()) << "a scan has no such choice";
}

TEST_F(FoldedLayers, StayHiddenWhenTheListIsRebuilt) {
  layers.add(shared(volumeLayer("another")));
  EXPECT_EQ(hidden(), (std::vector<bool>{false, false, true, true, false}));
}

TEST_F(FoldedLayers, AreSelectedWithTheFirst) {
  EXPECT_EQ(panel.selected(), ids) << "removing a closed fold removes all of it";
}

TEST_F(FoldedLayers, FollowTheNextWithoutTheFirstAndTheFirstAgainAfterUndo) {
  const std::vector<model::LayerState> before = layers.layers();
  layers.remove(ids[0]);
  EXPECT_EQ(hidden(), (std::vector<bool>{false, true, false}));
  layers.restore(before, ids[0]);
  EXPECT_EQ(hidden(), (std::vector<bool>{false, true, true, false}));
}

}  // namespace
}  // namespace sulcus::ui::widgets
