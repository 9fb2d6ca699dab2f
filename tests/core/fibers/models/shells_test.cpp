#include "core/fibers/models/shells.h"

#include "core/fibers/fibers.h"
#include "tests/support/expect_error.h"

#include <gmock/gmock.h>

namespace sulcus::fibers {
namespace {

using testing::HasSubstr;

GradientTable tableOf(const std::vector<double>& bValues) {
  GradientTable table;
  for (const double b : bValues) table.rows.push_back({b, b > 0 ? Vec3<double>{1, 0, 0} : Vec3<double>{}});
  return table;
}

TEST(Shells, GatherWeightingsThatVaryALittle) {
  const auto found = shells(tableOf({0, 995, 1000, 1005, 5, 2010, 1990}));
  ASSERT_EQ(found.size(), 2u);
  EXPECT_DOUBLE_EQ(found[0].b, 1000);
  EXPECT_EQ(found[0].volumes, (std::vector<int>{1, 2, 3}));
  EXPECT_DOUBLE_EQ(found[1].b, 2000);
  EXPECT_EQ(found[1].volumes, (std::vector<int>{5, 6}));
  EXPECT_EQ(shells(tableOf({0, 980, 1020, 2995, 3060, 9900, 10080})).size(), 3u);
}

TEST(Shells, AreNoneWithoutWeighting) { EXPECT_TRUE(shells(tableOf({0, 0, 10})).empty()); }

TEST(Shells, OfASeriesOfWeightingsAreParted) {
  std::vector<double> series{0};
  for (int i = 0; i < 75; ++i) series.push_back(80 * (1 + i / 3));
  const auto found = shells(tableOf(series));
  EXPECT_EQ(found.size(), 25u);
  EXPECT_TRUE(areOnGrid(found));
  EXPECT_FALSE(areOnGrid(shells(tableOf({0, 700, 1000, 1700, 2300}))));
}

TEST(Shells, CountBaselinesAsUnweightedWhereTheyAreEvidentlyTheLowest) {
  EXPECT_EQ(unweightedVolumes(tableOf({55, 1000, 65, 60, 2000})), (std::vector<int>{0, 2, 3}));
  EXPECT_EQ(unweightedVolumes(tableOf({45, 55, 65, 1000})).size(), 3u);
  EXPECT_EQ(unweightedVolumes(tableOf({0, 50, 1000})).size(), 1u) << "b = 50 was meant";
  EXPECT_EQ(unweightedVolumes(tableOf({0, 20, 40, 60, 80, 100, 200})).size(), 3u) << "as for perfusion";
  EXPECT_EQ(unweightedVolumes(tableOf({60, 150, 300})).size(), 0u);
}

TEST(ScanVolumes, AreTheRequestedOnes) {
  const auto table = tableOf({0, 1000, 1010, 2000, 2020, 3000, 0});
  FiberOptions options;
  options.shells = "1000, 2000", options.dropVolumes = "0,4";
  const ScanVolumes scan = scanVolumes(table, options);
  EXPECT_EQ(scan.weighted, (std::vector<int>{1, 2, 3}));
  EXPECT_EQ(scan.unweighted, (std::vector<int>{6}));
  EXPECT_EQ(scan.shells.size(), 2u);
  EXPECT_THAT(scan.note, HasSubstr("2 volumes of 7 left out"));

  options.shells = "1000,1500";
  EXPECT_THAT(test::errorOf([&] { scanVolumes(table, options); }),
              testing::AllOf(HasSubstr("no shell of b = 1500"), HasSubstr("3000 s/mm² (1 directions)")));
  options.shells = "high";
  EXPECT_THAT(test::errorOf([&] { scanVolumes(table, options); }),
              HasSubstr("'high' of --shells is not a number"));
  options.shells = "", options.dropVolumes = "7";
  EXPECT_THAT(test::errorOf([&] { scanVolumes(table, options); }), HasSubstr("volumes 0 to 6"));
}

}  // namespace
}  // namespace sulcus::fibers
