#include "core/fibers/deconvolution/csd.h"

#include "core/base/error.h"
#include "core/fibers/peaks/starts.h"
#include "core/image/diffusion/spherical_harmonics.h"
#include "tests/support/for_each_seed.h"

#include <cmath>

#include <Eigen/Core>
#include <gtest/gtest.h>

namespace sulcus::fibers {
namespace {

using RowMajor = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

const std::vector<double> kResponse{0.844, -0.585, 0.28, -0.0919, 0.0229, -0.0047, 0.0008};  // b = 3000

Eigen::MatrixXd matrixOf(const std::vector<float>& values, int rows) {
  return Eigen::Map<const RowMajor>(values.data(), rows, Eigen::Index(values.size()) / rows).cast<double>();
}

struct Case {
  CsdPlan plan;
  int entries, stride;
  Eigen::MatrixXd normal, constraints;  // in double, without padding
};

Case makeCase(int order, int directions) {
  Case c;
  c.plan = planCsd(order, {kResponse.begin(), kResponse.begin() + order / 2 + 1}, evenDirections(directions));
  c.entries = tensorEntries(order), c.stride = csdStride(c.entries);
  c.normal = matrixOf(c.plan.normal, c.entries).leftCols(c.entries);
  c.constraints = matrixOf(c.plan.constraints, kCsdDirections).leftCols(c.entries);
  return c;
}

/// The fiber distribution for the signal of one voxel, starting from the plan's start or from `start`.
Eigen::VectorXd solve(const Case& c, const Eigen::VectorXd& signal, const Eigen::VectorXf* start = nullptr) {
  Eigen::VectorXf right = Eigen::VectorXf::Zero(c.stride), f = right;
  right.head(c.entries) = (matrixOf(c.plan.projection, c.entries) * signal).cast<float>();
  f.head(c.entries) =
      start ? *start : Eigen::VectorXf((matrixOf(c.plan.start, c.entries) * signal).cast<float>());
  solveCsd(c.plan, 1, right.data(), f.data());
  return f.head(c.entries).cast<double>();
}

/// The signals of one to three fibers with noise, and pure noise.
Eigen::VectorXd randomSignal(const Case& c, test::Rng& rng) {
  const auto n = Eigen::Index(c.plan.predict.size()) / c.entries;
  Eigen::VectorXd signal = Eigen::VectorXd::Zero(n);
  const auto predict = matrixOf(c.plan.predict, int(n));
  for (int fiber = rng.integer(0, 3); fiber > 0; --fiber) {
    const auto d = normalized(Vec3<double>{rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1)});
    signal += rng.uniform(0.3, 0.7) * predict * shMatrix(c.plan.order, std::span(&d, 1)).row(0).transpose();
  }
  for (auto& s : signal) s += rng.uniform(-0.06, 0.06);
  return signal;
}

TEST(Deconvolution, EndsWhereTheGradientOfTheObjectiveVanishes) {
  for (const auto& [order, directions] :
       {std::pair{2, 10}, {4, 20}, {6, 32}, {8, 64}, {8, 45}, {10, 64}, {12, 64}, {12, 120}}) {
    SCOPED_TRACE(testing::Message() << "order " << order);
    const auto c = makeCase(order, directions);
    test::forEachSeed(50, [&](test::Rng& rng) {
      const auto signal = randomSignal(c, rng);
      const auto f = solve(c, signal);
      const Eigen::VectorXd data = matrixOf(c.plan.projection, c.entries) * signal;
      const Eigen::VectorXd smooth = c.normal * f - data;
      const Eigen::VectorXd gradient = smooth + c.constraints.transpose() * (c.constraints * f).cwiseMin(0.0);
      EXPECT_LT(gradient.norm(), 2e-6 * data.norm());
    });
  }
}

TEST(Deconvolution, IsTheSameFromEveryStart) {
  for (const int order : {8, 12}) {
    const auto c = makeCase(order, 64);
    test::forEachSeed(30, [&](test::Rng& rng) {
      const auto signal = randomSignal(c, rng);
      const auto f = solve(c, signal);
      Eigen::VectorXf start(c.entries);
      for (auto& value : start) value = float(rng.uniform(-1, 1));
      EXPECT_LT((solve(c, signal, &start) - f).norm(), 1e-3 * f.norm());
    });
  }
}

TEST(Deconvolution, KeepsTheDistributionFromBeingNegative) {
  const auto c = makeCase(8, 64);
  const Vec3<double> d = normalized(Vec3<double>{0.3, -0.8, 0.5});
  const Eigen::VectorXd signal =
      matrixOf(c.plan.predict, 64) * shMatrix(8, std::span(&d, 1)).row(0).transpose();
  const auto f = solve(c, signal);
  const Eigen::VectorXd values = shMatrix(8, evenDirections(500)) * f;
  EXPECT_GT(values.minCoeff(), -0.06 * values.maxCoeff());  // the constraint is soft
  EXPECT_GT(shMatrix(8, std::span(&d, 1)).row(0).dot(f), 0.9 * values.maxCoeff());
  // A delta function truncated at degree 8, which explains the signal exactly, has negative side lobes.
  const Eigen::VectorXd delta =
      shMatrix(8, evenDirections(500)) * shMatrix(8, std::span(&d, 1)).row(0).transpose();
  EXPECT_LT(delta.minCoeff(), -0.1 * delta.maxCoeff());
}

TEST(Deconvolution, OfAScaledSignalIsScaled) {
  const auto c = makeCase(8, 64);
  test::forEachSeed(20, [&](test::Rng& rng) {
    const auto signal = randomSignal(c, rng);
    const auto f = solve(c, signal);
    EXPECT_LT((solve(c, 8 * signal) - 8 * f).norm(), 1e-5 * 8 * f.norm());
  });
}

TEST(Response, IsRecoveredFromSamplesAboutAnyAxis) {
  const auto directions = evenDirections(30);
  test::Rng rng(3);
  std::vector<ResponseSample> samples;
  for (int i = 0; i < 5; ++i) {
    ResponseSample sample;
    sample.axis = normalized(Vec3<double>{rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1)});
    for (const auto& g : directions) {
      const double z = dot(g, sample.axis);  // Y_20 = √(5/4π) (3z² − 1)/2
      sample.ratios.push_back(
          float(0.8 / std::sqrt(4 * M_PI) - 0.5 * std::sqrt(5 / (4 * M_PI)) * (1.5 * z * z - 0.5)));
    }
    samples.push_back(sample);
  }
  const auto response = fitResponse(4, directions, samples);
  ASSERT_EQ(response.size(), 3u);
  EXPECT_NEAR(response[0], 0.8, 1e-6);
  EXPECT_NEAR(response[1], -0.5, 1e-6);
  EXPECT_NEAR(response[2], 0, 1e-6);
}

TEST(Response, LooksAfterEverySampleWhetherItShouldStop) {
  const auto directions = evenDirections(10);
  const std::vector<ResponseSample> samples(20, {std::vector<float>(10, 0.5f), {0, 0, 1}});
  int looks = 0;
  std::stop_source stop;
  const Progress progress(stop.get_token(), [&](double, std::string_view) {
    if (++looks == 7) stop.request_stop();
  });
  EXPECT_THROW(fitResponse(2, directions, samples, progress), Cancelled);
  EXPECT_EQ(looks, 7);
}

}  // namespace
}  // namespace sulcus::fibers
