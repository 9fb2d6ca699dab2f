#include "core/activation/model/jumps.h"

#include "core/math/linear_algebra.h"
#include "tests/core/activation/activation_inputs.h"

#include <gmock/gmock.h>

namespace sulcus::activation {
namespace {

using test::normal, test::Rng;
using ::testing::Contains, ::testing::ElementsAre, ::testing::HasSubstr, ::testing::IsEmpty, ::testing::Not;

/// Responses of 300 voxels with noise of s.d. 1, part of whose variance is one AR(1) series in all voxels.
SeriesRows noiseOf(std::uint64_t seed, int scans, double share, double memory) {
  Rng rng(seed);
  SeriesRows y(scans, 300);
  double common = normal(rng);
  for (int t = 0; t < scans; ++t) {
    common = memory * common + std::sqrt(1 - memory * memory) * normal(rng);
    for (auto& value : y.row(t)) value = std::sqrt(share) * common + std::sqrt(1 - share) * normal(rng);
  }
  return y;
}

Eigen::MatrixXd blocks(int scans) {
  Eigen::MatrixXd x = Eigen::MatrixXd::Ones(scans, 2);
  for (int t = 0; t < scans; ++t) x(t, 1) = t / 8 % 2;
  return thinQr(x).q;
}

TEST(Jumps, AreFoundInNoiseThatIsShared) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed)
    for (const double share : {0.0, 0.1})
      for (const double memory : {0.0, 0.4}) {
        SeriesRows y = noiseOf(seed, 150, share, memory);
        y.row(3).array() += 5, y.row(40).array() -= 5, y.row(149).array() += 5;
        y.middleRows(90, 5).array() += 5;  // a run between two steps
        EXPECT_THAT(jumpsIn(y, blocks(150), {{0, 150}}, Noise::automatic),
                    ElementsAre(3, 40, 90, 91, 92, 93, 94, 149))
            << seed << " " << share << " " << memory;
      }
}

TEST(Jumps, AreNotFoundInNoiseAlone) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed)
    for (const double share : {0.0, 0.1, 0.3})
      for (const double memory : {0.0, 0.8})
        EXPECT_THAT(jumpsIn(noiseOf(seed, 60 + 20 * int(seed), share, memory), blocks(60 + 20 * int(seed)),
                            {{0, 60 + 20 * int(seed)}}, Noise::automatic),
                    IsEmpty())
            << seed << " " << share << " " << memory;
}

TEST(Jumps, AreFoundWhereVoxelsSpreadAsOfMotion) {
  SeriesRows y = noiseOf(1, 100, 0.1, 0);
  for (Eigen::Index i = 0; i < y.cols(); ++i) y(57, i) += i % 2 ? 3 : -3;
  EXPECT_THAT(jumpsIn(y, blocks(100), {{0, 100}}, Noise::automatic), ElementsAre(57));
}

TEST(Jumps, AreTakenOutAndTold) {
  auto input = test::wavesInput({6, 6, 6}, 100, 3);
  const auto quick = test::optionsWith(Response::percent, 300);
  const auto steady = analyzeActivation(input, quick, {});
  EXPECT_THAT(steady.notes, Not(Contains(HasSubstr("jump"))));
  auto bold = std::make_shared<Series<float>>(*input.bold);
  for (const int scan : {20, 60, 61, 62})
    for (std::int64_t i = 0; i < bold->grid.voxels(); ++i) bold->at(i, scan) *= 1.2f;
  input.bold = bold;
  const auto jumped = analyzeActivation(input, quick, {});
  EXPECT_THAT(jumped.notes, Contains(HasSubstr("volumes 20, 60–62 (counted from 0)")));
  EXPECT_EQ(jumped.design.confoundNames,
            (std::vector<std::string>{"jump_20", "jump_60", "jump_61", "jump_62"}));
  double off = 0;  // mean square error of the waves' effects, which differ by 1 and have errors of 0.14
  const auto m = std::size_t(steady.count());
  for (std::size_t i = m; i < steady.mean.size(); ++i)
    off += std::pow(double(jumped.mean[i]) - steady.mean[i], 2) / double(2 * m);
  EXPECT_LT(std::sqrt(off), 0.08);
  auto kept = quick;
  kept.jumps = false;
  EXPECT_THAT(analyzeActivation(input, kept, {}).design.confoundNames, IsEmpty());
}

TEST(Jumps, StayInWhereAnEffectRestsOnThem) {
  auto input = test::wavesInput({6, 6, 6}, 60, 2);
  auto bold = std::make_shared<Series<float>>(*input.bold);
  for (int t = 0; t < 60; ++t) {
    input.design.matrix(t, 1) = t == 30 || t == 40;
    for (std::int64_t i = 0; i < bold->grid.voxels(); ++i)
      bold->at(i, t) = float(100 +
                             (t == 30   ? 9
                              : t == 40 ? -9
                                        : 0) +
                             std::sin(double(i * 7 + t * t * (i + 3))));
  }
  input.bold = bold;
  const auto result = analyzeActivation(input, test::optionsWith(Response::raw), {});
  EXPECT_THAT(result.design.confoundNames, IsEmpty());
  EXPECT_THAT(result.notes, Contains(HasSubstr("its effect depends on them")));
}

}  // namespace
}  // namespace sulcus::activation
