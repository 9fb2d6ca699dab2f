#include "ui/model/layers/table_model.h"

#include <gtest/gtest.h>

namespace sulcus::ui::model {
namespace {

TEST(TableModel, HasPlainHeadingsOfWhatWasComputedAndTheFilesOwnOfOthers) {
  Layer layer;
  layer.content = TableLayer{{"label", "region_voxels", "volume_mm3", "x_mm"}, {{"1", "8", "64", "-3"}}};
  TableModel model;
  const auto headings = [&](const Layer& shown) {
    model.setLayer(std::make_shared<const Layer>(shown));
    QStringList all;
    for (int i = 0; i < model.columnCount(); ++i)
      all << model.headerData(i, Qt::Horizontal, Qt::DisplayRole).toString();
    return all;
  };
  EXPECT_EQ(headings(layer), (QStringList{"label", "region voxels", "volume (mm³)", "x (mm)"}));
  layer.source = "design.tsv";
  EXPECT_EQ(headings(layer)[1], "region_voxels") << "its names are those that contrasts ask for";
}

}  // namespace
}  // namespace sulcus::ui::model
