#include "core/fibers/response/response_file.h"

#include "core/fibers/fibers.h"
#include "tests/core/fibers/fiber_inputs.h"
#include "tests/support/expect_error.h"
#include "tests/support/same_bits.h"

#include <sstream>

#include <gmock/gmock.h>

namespace sulcus::fibers {
namespace {

using ::testing::HasSubstr;
using Rows = std::vector<std::vector<double>>;

Layer tableOf(const std::string& text) {
  TableLayer table;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with('#')) continue;
    std::istringstream cells(line);
    auto& row = table.rows.emplace_back();
    for (std::string cell; cells >> cell;) row.push_back(cell);
  }
  Layer layer;
  layer.name = "wm", layer.content = table;
  return layer;
}

TEST(ResponseFile, GivesBackWhatWasWrittenToTheLastBit) {
  const std::vector<double> zonal{0.84444444444444444, -1.0 / 3, 0.1 + 0.2};
  const std::string text = responseText(zonal, 2995);
  EXPECT_THAT(text, HasSubstr("# Shells: 2995\n"));
  EXPECT_EQ(responseOfShell(responseRows(tableOf(text)), 1, 0, 900, 4), zonal);
}

TEST(ResponseFile, OfMrtrixIsScaledByItsUnweightedRowOrByTheScan) {
  const double unit = std::sqrt(4 * M_PI);
  // Rows for b = 0 and for one shell, for an unweighted signal of 700.
  const auto both = responseOfShell(Rows{{700 * unit, 0, 0}, {350, -200, 70}}, 1, 0, 999, 4);
  EXPECT_NEAR(both[0], 0.5, 1e-12);
  EXPECT_NEAR(both[2], 0.1, 1e-12);
  // The row of the shell alone: the unit is the scan's own signal.
  EXPECT_NEAR(responseOfShell(Rows{{350, -200, 70}}, 1, 0, 1000, 4)[0], 0.35, 1e-12);
  // Of several shells, the last one is the highest.
  EXPECT_NEAR(responseOfShell(Rows{{700 * unit, 0, 0}, {600, -100, 9}, {350, -200, 70}}, 2, 1, 999, 4)[0],
              0.5, 1e-12);
  EXPECT_NEAR(responseOfShell(Rows{{0.9, -0.1}, {0.8, -0.4}}, 2, 1, 999, 2)[1], -0.4, 1e-12);
}

TEST(ResponseFile, HasTheTermsOfTheOrder) {
  EXPECT_EQ(responseOfShell(Rows{{0.8, -0.4, 0.1}}, 1, 0, 1, 2), (std::vector<double>{0.8, -0.4}));
  EXPECT_EQ(responseOfShell(Rows{{0.8, -0.4}}, 1, 0, 1, 6), (std::vector<double>{0.8, -0.4, 0, 0}));
}

TEST(ResponseFile, ThatCannotBeUsedIsRefused) {
  EXPECT_THAT(test::errorOf([] {
                responseOfShell(Rows(4, {0.8, -0.4}), 2, 1, 1, 4);
              }),
              HasSubstr("The response has 4 rows, the scan has 2 shells besides b = 0"));
  EXPECT_THAT(test::errorOf([] {
                responseOfShell(Rows{{0.8, 0.4}}, 1, 0, 1, 4);
              }),
              HasSubstr("The given response is flat"));
  EXPECT_THAT(test::errorOf([] {
                responseOfShell(Rows{{0, 0}, {0.8, -0.4}}, 1, 0, 1, 4);
              }),
              HasSubstr("The given response is not a signal"));
  EXPECT_THAT(test::errorOf([] { responseRows(tableOf("0.8 x")); }),
              HasSubstr("'x' in 'wm' is not a number"));
  Layer mesh;
  mesh.content = MeshLayer{};
  EXPECT_THAT(test::errorOf([&] { responseRows(mesh); }), HasSubstr("cannot be used as response"));
}

TEST(ResponseFile, OfARunGivesTheSameBitsAgain) {
  auto input = test::inputOf(test::noisyPhantom());
  const auto first = findFibers(input, test::optionsFor(FiberModel::csd, 8), {});
  input.response = responseRows(tableOf(responseText(first.response, first.b)));
  const auto again = findFibers(input, test::optionsFor(FiberModel::csd, 8), {});
  EXPECT_TRUE(test::sameBits(first.peaks.values, again.peaks.values));
  EXPECT_TRUE(again.responseVoxels.empty());
  // Any unit gives the same directions.
  for (double& r : input.response[0]) r *= 300;
  const auto scaled = findFibers(input, test::optionsFor(FiberModel::csd, 8), {});
  for (std::size_t i = 0; i < first.count.values.size(); ++i)
    EXPECT_EQ(scaled.count.values[i], first.count.values[i]) << i;
}

}  // namespace
}  // namespace sulcus::fibers
