#include "core/fibers/response/response.h"

#include "core/image/diffusion/spherical_harmonics.h"
#include "tests/support/crossing_fibers.h"
#include "tests/support/expect_error.h"

#include <algorithm>

#include <gmock/gmock.h>

namespace sulcus::fibers {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

constexpr double kPi = std::numbers::pi;

FiberOptions csd(int order) {
  FiberOptions options;
  options.model = FiberModel::csd, options.order = order;
  return options;
}

/// The signal of one fiber of tests/support/crossing_fibers.h.
double trueSignal(double b, double angle) {
  const double cosine = std::cos(angle);
  return std::exp(-b * (0.2e-3 + 1.5e-3 * cosine * cosine));
}

TEST(Response, IsTheSignalOfTheSingleFibersAmongManyCrossings) {
  test::CrossingOptions crossing;
  crossing.single = 200, crossing.crossing = 1800, crossing.smallest = 30, crossing.largest = 60;
  const auto scan = test::crossingFibers(crossing);
  const auto maps = findFibers(scan.input, csd(8), {});
  ASSERT_EQ(maps.responseVoxels.size(), 200u);
  const auto single = std::count_if(maps.responseVoxels.begin(), maps.responseVoxels.end(),
                                    [&](std::int64_t voxel) { return voxel < crossing.single; });
  EXPECT_GE(single, 190);
  // The noise floor raises the low signal along the fiber by a few hundredths.
  for (const double angle : {0.0, 0.25 * kPi, 0.5 * kPi})
    EXPECT_NEAR(responseAt(maps.response, angle), trueSignal(crossing.b, angle), 0.04) << angle;
  EXPECT_THAT(maps.notes, ::testing::Not(Contains(HasSubstr("Warning"))));
}

TEST(Response, FromFewVoxelsOrOfLowAnisotropyIsWarnedOf) {
  test::CrossingOptions few;
  few.single = 30, few.crossing = 200;
  EXPECT_THAT(findFibers(test::crossingFibers(few).input, csd(8), {}).notes,
              Contains(::testing::AllOf(HasSubstr("Warning"), HasSubstr("from only 23 voxels"))));
  test::CrossingOptions crossings;
  crossings.single = 0, crossings.smallest = crossings.largest = 90, crossings.largestShare = 0.5;
  EXPECT_THAT(findFibers(test::crossingFibers(crossings).input, csd(8), {}).notes,
              Contains(::testing::AllOf(HasSubstr("Warning"), HasSubstr("have an FA below"))));
}

TEST(Response, OfLowAnisotropyIsThatOfSomeScans) {
  test::CrossingOptions newborn, strong;
  newborn.b = 1000, newborn.axial = 1.6e-3, newborn.radial = 1.0e-3;
  strong.b = 10000;
  for (const auto& scan : {newborn, strong})
    EXPECT_THAT(findFibers(test::crossingFibers(scan).input, csd(8), {}).notes,
                ::testing::Not(Contains(HasSubstr("FA below"))));
}

TEST(Response, AtAnAngleIsTheSumOfItsHarmonics) {
  const std::vector<double> zonal{1, -0.5, 0.2};
  const double z = std::cos(0.7);
  EXPECT_NEAR(responseAt(zonal, 0.7),
              zonalHarmonic(0, z) - 0.5 * zonalHarmonic(2, z) + 0.2 * zonalHarmonic(4, z), 1e-12);
}

TEST(Response, ThatIsFlatOrNoSignalIsRefused) {
  const auto complaint = [](const std::vector<double>& zonal) {
    return test::errorOf([&] { checkResponse(zonal, "It"); });
  };
  EXPECT_EQ(complaint({0.85, -0.5, 0.2}), "");
  EXPECT_THAT(complaint({0.85, -0.01}), HasSubstr("It is flat"));
  EXPECT_THAT(complaint({0.85, 0.5}), HasSubstr("It is flat"));
  EXPECT_THAT(complaint({0, -0.5}), HasSubstr("It is not a signal"));
  EXPECT_THAT(complaint({0.8, NAN}), HasSubstr("It is not a signal"));
  EXPECT_THAT(complaint({}), HasSubstr("It is not a signal"));
  EXPECT_THAT(complaint({1e300, -1e299}), HasSubstr("It is 2.82e+299 of S0"));
  EXPECT_THAT(complaint({1e30, -1e29}), HasSubstr("no scan has such a signal"));
  EXPECT_THAT(complaint({1e-30, -1e-31}), HasSubstr("no scan has such a signal"));
  EXPECT_THAT(complaint({0.85, -1e9}), HasSubstr("its term of order 2 is -1e+09"));
  EXPECT_THAT(complaint({0.85, -0.5, 0.2, 1e300}), HasSubstr("its term of order 6 is 1e+300"));
}

}  // namespace
}  // namespace sulcus::fibers
