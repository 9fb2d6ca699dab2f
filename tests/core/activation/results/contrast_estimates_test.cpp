#include "core/activation/results/contrast_estimates.h"

#include "core/math/linear_algebra.h"
#include "tests/core/activation/activation_inputs.h"

namespace sulcus::activation {
namespace {

using test::optionsWith, test::wavesInput;

TEST(NormalFromT, HasTheTailOfT) {
  struct Case {
    double freedom, t, z;
  };
  // By scipy's norm.isf(t.sf(t, freedom)).
  for (const auto& [freedom, t, z] :
       {Case{5, 2, 1.6355229}, Case{5, 10, 3.7584817}, Case{10, 0.5, 0.4846937}, Case{10, 4.5, 3.2527090},
        Case{41, 10, 7.0775401}, Case{193, 2, 1.9871807}, Case{193, 10, 8.9650927}}) {
    EXPECT_NEAR(normalFromT(t, freedom), z, 1e-4) << freedom << ", " << t;
    EXPECT_EQ(normalFromT(-t, freedom), -normalFromT(t, freedom));
  }
  EXPECT_EQ(normalFromT(0, 10), 0);
}

TEST(ContrastEstimates, AreThoseOfARegressionOfEachVoxel) {
  const auto input = wavesInput({4, 3, 2}, 30, 3);
  const auto result = analyzeActivation(input, optionsWith(Response::raw, 60), {});
  const Eigen::Vector3d c(0, 1, -2);
  const auto estimates = estimateContrast(result, {c.data(), 3});
  EXPECT_EQ(estimates.freedom, std::vector<float>(24, 27.0f));
  const Eigen::MatrixXd& x = input.design.matrix;
  const Eigen::MatrixXd covariance = inverse(x.transpose() * x);
  for (std::size_t i = 0; i < 24; ++i) {
    Eigen::VectorXd y(30);
    for (int t = 0; t < 30; ++t) y(t) = input.bold->at(std::int64_t(i), t);
    const Eigen::VectorXd b = covariance * (x.transpose() * y);
    const double variance = (y - x * b).squaredNorm() / 27;
    EXPECT_NEAR(estimates.effect[i], c.dot(b), 1e-4);
    EXPECT_NEAR(estimates.error[i], std::sqrt(variance * c.dot(covariance * c)), 1e-5);
    EXPECT_NEAR(estimates.effect[i] / estimates.normalError(i), estimates.z(i), 1e-4);
  }
}

}  // namespace
}  // namespace sulcus::activation
