#include "core/registration/results/overlap.h"

#include "core/base/error.h"

#include <cmath>

#include <gtest/gtest.h>

namespace sulcus::registration {
namespace {

Volume<Label> line(const std::vector<Label>& labels) {
  Grid grid;
  grid.size = {int(labels.size()), 1, 1};
  Volume<Label> volume(grid);
  volume.values = labels;
  return volume;
}

TEST(LabelOverlap, CountsEachLabelInBoth) {
  const auto labels = labelOverlap(line({1, 1, 1, 0, 7, 7, 0, -2}), line({0, 1, 1, 1, 7, 7, 1, 0}));
  ASSERT_EQ(labels.size(), 3u);
  EXPECT_EQ(labels[0].label, -2);
  EXPECT_EQ(labels[0].dice(), 0);
  EXPECT_EQ(labels[1].label, 1);
  EXPECT_EQ(labels[1].inFirst, 3);
  EXPECT_EQ(labels[1].inSecond, 4);
  EXPECT_EQ(labels[1].inBoth, 2);
  EXPECT_DOUBLE_EQ(labels[1].dice(), 4.0 / 7);
  EXPECT_EQ(labels[2].label, 7);
  EXPECT_EQ(labels[2].dice(), 1);
  EXPECT_DOUBLE_EQ(meanDice(labels), (0 + 4.0 / 7 + 1) / 3);
}

TEST(LabelOverlap, DoesNotDependOnTheOrder) {
  const auto a = line({1, 2, 2, 3, 0}), b = line({2, 2, 1, 3, 3});
  const auto ab = labelOverlap(a, b), ba = labelOverlap(b, a);
  ASSERT_EQ(ab.size(), ba.size());
  for (std::size_t i = 0; i < ab.size(); ++i) EXPECT_EQ(ab[i].dice(), ba[i].dice());
}

TEST(LabelOverlap, RefusesOtherGridsAndNoLabels) {
  EXPECT_THROW(labelOverlap(line({1, 2}), line({1, 2, 3})), Error);
  auto moved = line({1, 2});
  moved.grid.worldFromVoxel.t.x = 1;
  EXPECT_THROW(labelOverlap(line({1, 2}), moved), Error);
  EXPECT_THROW(labelOverlap(line({0, 0}), line({0, 0})), Error);
  EXPECT_TRUE(std::isnan(meanDice({})));
}

}  // namespace
}  // namespace sulcus::registration
