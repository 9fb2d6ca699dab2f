#include "core/fibers/shells.h"

#include <gtest/gtest.h>

namespace sulcus::fibers {
namespace {

GradientTable tableOf(const std::vector<double>& bValues) {
  GradientTable table;
  for (const double b : bValues) table.rows.push_back({b, b > 0 ? Vec3<double>{1, 0, 0} : Vec3<double>{}});
  return table;
}

TEST(Shells, GatherWeightingsThatVaryALittle) {
  const auto found = shells(tableOf({0, 995, 1000, 1005, 5, 2010, 1990}));
  ASSERT_EQ(found.size(), 2u);
  EXPECT_DOUBLE_EQ(found[0].b, 1000);
  EXPECT_EQ(found[0].directions, 3);
  EXPECT_DOUBLE_EQ(found[1].b, 2000);
  EXPECT_EQ(found[1].directions, 2);
}

TEST(Shells, AreNoneWithoutWeighting) { EXPECT_TRUE(shells(tableOf({0, 0, 10})).empty()); }

}  // namespace
}  // namespace sulcus::fibers
