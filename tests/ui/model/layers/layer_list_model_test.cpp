#include "ui/model/layers/layer_list_model.h"

#include "tests/ui/fake_analysis.h"

#include <QAbstractItemModelTester>
#include <QMimeData>

#include <gtest/gtest.h>

namespace sulcus::ui::model {
namespace {

using test::shared;
using test::volumeLayer;

struct LayerListModelTest : testing::Test {
  LayerStack stack;
  LayerListModel model{stack};
  QAbstractItemModelTester tester{&model, QAbstractItemModelTester::FailureReportingMode::Fatal};
  LayerId a = stack.add(shared(volumeLayer("a"))), b = stack.add(shared(volumeLayer("b"))),
          c = stack.add(shared(volumeLayer("c")));

  QString order() const {
    QString names;
    for (int row = 0; row < model.rowCount(); ++row) names += model.index(row).data().toString();
    return names;
  }
  void drag(LayerId id, int toRow) {
    const std::unique_ptr<QMimeData> data(model.mimeData({model.indexOf(id)}));
    model.dropMimeData(data.get(), Qt::MoveAction, toRow, 0, {});
  }
};

TEST_F(LayerListModelTest, ListsTheTopLayerFirst) { EXPECT_EQ(order(), "cba"); }

TEST_F(LayerListModelTest, MovesADraggedLayerBetweenItsNewNeighbors) {
  drag(c, 2);
  EXPECT_EQ(order(), "bca");
  drag(a, 0);
  EXPECT_EQ(order(), "abc");
  drag(a, 3);
  EXPECT_EQ(order(), "bca");
}

TEST_F(LayerListModelTest, EditsVisibilityAndName) {
  ASSERT_TRUE(model.setData(model.indexOf(b), Qt::Unchecked, Qt::CheckStateRole));
  EXPECT_FALSE(stack.find(b)->display.visible);
  ASSERT_TRUE(model.setData(model.indexOf(b), "renamed", Qt::EditRole));
  EXPECT_EQ(stack.find(b)->name, "renamed");
}

TEST_F(LayerListModelTest, WhatNoViewShowsHasNoEye) {
  Layer table;
  table.name = "table";
  table.content = TableLayer{{"region", "value"}, {}};
  const LayerId plain = stack.add(shared(table));
  table.content = TableLayer{{"landmark", "x_mm", "y_mm", "z_mm"}, {}};
  const LayerId landmarks = stack.add(shared(table));
  EXPECT_FALSE(model.indexOf(plain).data(Qt::CheckStateRole).isValid());
  EXPECT_EQ(model.indexOf(landmarks).data(Qt::CheckStateRole).toInt(), Qt::Checked) << "views show them";
}

TEST_F(LayerListModelTest, WarningsStayVisible) {
  Layer layer = volumeLayer("picture");
  layer.notes = {"Stored as int16.", Note::warning("its orientation is not known.")};
  const QModelIndex index = model.indexOf(stack.add(shared(std::move(layer))));
  EXPECT_EQ(index.data().toString(), "⚠ picture");
  EXPECT_EQ(index.data(Qt::EditRole).toString(), "picture");
  EXPECT_TRUE(index.data(Qt::ToolTipRole).toString().contains("its orientation is not known"));
  EXPECT_FALSE(index.data(Qt::ToolTipRole).toString().contains("int16"));
  EXPECT_FALSE(model.indexOf(a).data().toString().contains("⚠"));
}

TEST(NameForEye, HasTheBackendOnlyWhereThereAreTwo) {
  LayerStack stack;
  const auto addResult = [&stack](const char* name) {
    stack.rename(stack.add(shared(volumeLayer("result")), Origin::computed), name);
  };
  stack.add(shared(volumeLayer("scan (T1)")));
  addResult("peaks (CPU)");
  EXPECT_EQ(nameForEye(stack, "peaks (CPU)"), "peaks");
  EXPECT_EQ(nameForEye(stack, "scan (T1)"), "scan (T1)");
  addResult("peaks (GPU)");
  EXPECT_EQ(nameForEye(stack, "peaks (CPU)"), "peaks (CPU)");
  EXPECT_EQ(nameForEye(stack, "peaks (GPU)"), "peaks (GPU)");
}

}  // namespace
}  // namespace sulcus::ui::model
