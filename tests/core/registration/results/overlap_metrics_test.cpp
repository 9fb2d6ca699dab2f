#include "core/registration/results/overlap_metrics.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace sulcus::registration {
namespace {

const std::vector<std::uint8_t> kAll(4, 1);

TEST(FitOf, TwoImagesIsTheirCorrelation) {
  const RegistrationFit fit = fitOf({1, 2, 3, 4}, {2, 4, 6, 8}, kAll);
  EXPECT_NEAR(fit.correlation, 1, 1e-12);
  EXPECT_NEAR(fit.nmse, 30. / 20, 1e-12);
}

TEST(FitOf, AConstantImageIsNotDefined) {
  const float x = 0.1F, y = std::nextafter(x, 1.F);
  for (const auto& [moving, reference] :
       {std::pair<std::vector<float>, std::vector<float>>{{1, 1, 1, 1}, {1, 1, 1, 1}},
        {{x, x, x, y}, {x, y, x, x}},
        {{0, 0, 0, 0}, {0, 0, 0, 0}}}) {
    const RegistrationFit fit = fitOf(moving, reference, kAll);
    EXPECT_TRUE(std::isnan(fit.correlation)) << fit.correlation;
    EXPECT_TRUE(std::isnan(fit.nmse)) << fit.nmse;
  }
  EXPECT_TRUE(std::isnan(fitOf({1, 1, 1, 1}, {1, 2, 3, 4}, kAll).correlation));
  EXPECT_NEAR(fitOf({1, 1, 1, 1}, {1, 2, 3, 4}, kAll).nmse, 14. / 5, 1e-12);
  EXPECT_TRUE(std::isnan(fitOf({1, 2, 3, 4}, {1, 2, 3, 4}, {0, 0, 0, 0}).correlation));
}

TEST(RankCorrelation, OfNothingToRankIsZero) {
  EXPECT_EQ(rankCorrelation({1, 1, 1, 1}, {1, 2, 3, 4}, kAll), 0);
  EXPECT_EQ(rankCorrelation({1, 2, 3, 4}, {1, 2, 3, 4}, {0, 0, 0, 0}), 0);
}

}  // namespace
}  // namespace sulcus::registration
