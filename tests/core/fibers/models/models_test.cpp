#include "core/fibers/models/models.h"

#include "core/fibers/peaks/starts.h"
#include "core/image/diffusion/spherical_harmonics.h"
#include "tests/support/for_each_seed.h"
#include "tests/support/form_matrix.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

namespace sulcus::fibers {
namespace {

constexpr double kPi = std::numbers::pi;

/// A smooth signal: S/S0 of two crossing fibers at b = 2000 s/mm².
double exampleRatio(const Vec3<double>& g) {
  const auto d1 = normalized(Vec3<double>{1, 0.4, 0.2}), d2 = normalized(Vec3<double>{-0.3, 1, 0.5});
  const auto fiber = [&](const Vec3<double>& d) {
    return std::exp(-2000 * (2e-4 + 1.5e-3 * dot(d, g) * dot(d, g)));
  };
  return 0.6 * fiber(d1) + 0.4 * fiber(d2);
}

/// The coefficients fitted by the model to the example signal.
Eigen::VectorXd fitted(const LinearModel& model, std::span<const Vec3<double>> directions, double b) {
  Eigen::VectorXd t(directions.size());
  for (Eigen::Index i = 0; i < t.size(); ++i)
    t[i] = transformRatio(model.transform, float(exampleRatio(directions[std::size_t(i)])), float(b));
  return model.fit * t;
}

/// The mean of f over the great circle around `pole`.
template <class F>
double circleMean(const Vec3<double>& pole, F f) {
  const auto e1 =
      normalized(cross(pole, std::abs(pole.x) < 0.6 ? Vec3<double>{1, 0, 0} : Vec3<double>{0, 1, 0}));
  const auto e2 = cross(pole, e1);
  double sum = 0;
  constexpr int kSteps = 64;  // exact for degrees below this
  for (int i = 0; i < kSteps; ++i)
    sum += f(std::cos(2 * kPi * i / kSteps) * e1 + std::sin(2 * kPi * i / kSteps) * e2);
  return sum / kSteps;
}

double functionValue(const Eigen::VectorXd& c, int order, const Vec3<double>& g) {
  return shMatrix(order, std::span(&g, 1)).row(0).dot(c);
}
double formValue(const Eigen::VectorXd& a, int order, const Vec3<double>& g) {
  return test::formMatrix(order, std::span(&g, 1)).row(0).dot(a);
}

TEST(LinearModels, AdcRecoversADiffusionTensorInEveryOrder) {
  const auto directions = evenDirections(64);
  Eigen::VectorXd d(6);  // xx, xy, xz, yy, yz, zz in mm²/s
  d << 1.4e-3, 2e-4, -1e-4, 6e-4, 5e-5, 3e-4;
  const Eigen::VectorXd adc = test::formMatrix(2, directions) * d;
  for (const int order : {2, 4, 6, 8}) {
    const auto model = linearModel(FiberModel::adc, order, directions);
    const Eigen::VectorXd a = model.tensorFromCoefficients * (model.fit * adc) + model.offset;
    for (const auto& g : evenDirections(7)) EXPECT_NEAR(formValue(a, order, g), formValue(d, 2, g), 1e-15);
    if (order == 2) {
      EXPECT_LT((a - d).cwiseAbs().maxCoeff(), 1e-15);
    }
  }
}

TEST(LinearModels, AdcTransformIsLogOverB) {
  EXPECT_FLOAT_EQ(transformRatio(SignalTransform::adc, std::exp(-1.5f), 1000), 1.5e-3f);
  EXPECT_FLOAT_EQ(transformRatio(SignalTransform::adc, -0.2f, 1000), -std::log(1e-3f) / 1000);
  for (const auto transform : {SignalTransform::ratio, SignalTransform::adc, SignalTransform::csa})
    EXPECT_NEAR(ratioFromTransformed(transform, transformRatio(transform, 0.37f, 2000), 2000), 0.37f, 1e-6f);
}

TEST(LinearModels, QballIsTheIntegralOverTheGreatCircle) {
  const auto directions = evenDirections(64);
  for (const int order : {4, 6, 8}) {
    const auto model = linearModel(FiberModel::qball, order, directions);
    const auto c = fitted(model, directions, 2000);
    const Eigen::VectorXd a = model.tensorFromCoefficients * c + model.offset;
    for (const auto& u : evenDirections(9))
      EXPECT_NEAR(formValue(a, order, u),
                  2 * kPi * circleMean(u, [&](const auto& g) { return functionValue(c, order, g); }), 1e-10);
  }
}

TEST(LinearModels, CsaIsTheIntegralOfTheLaplacianOverTheGreatCircle) {
  const auto directions = evenDirections(64);
  constexpr int kOrder = 6;
  const auto model = linearModel(FiberModel::csa, kOrder, directions);
  const auto c = fitted(model, directions, 2000);
  const Eigen::VectorXd a = model.tensorFromCoefficients * c + model.offset;
  const auto laplacian =
      [&](const Vec3<double>& g) {  // of the function extended constantly along rays, at |g| = 1
        const double h = 1e-3, middle = functionValue(c, kOrder, g);
        double sum = 0;
        for (int i = 0; i < 3; ++i) {
          auto plus = g, minus = g;
          plus[i] += h, minus[i] -= h;
          sum += functionValue(c, kOrder, normalized(plus)) + functionValue(c, kOrder, normalized(minus)) -
                 2 * middle;
        }
        return sum / (h * h);
      };
  for (const auto& u : evenDirections(9))
    EXPECT_NEAR(formValue(a, kOrder, u),
                1 / (4 * kPi) + 2 * kPi * circleMean(u, laplacian) / (16 * kPi * kPi), 1e-4);
  EXPECT_NEAR((shFromTensor(kOrder) * a)[0], 1 / std::sqrt(4 * kPi), 1e-12);  // integrates to 1
}

TEST(LinearModels, PredictWhatWasFitted) {
  const auto directions = evenDirections(45);
  const auto model = linearModel(FiberModel::qball, 4, directions);
  const auto c = fitted(model, directions, 2000);
  const Eigen::VectorXd predicted = model.predict * c;
  for (int i = 0; i < 45; ++i)
    EXPECT_NEAR(predicted[i], functionValue(c, 4, directions[std::size_t(i)]), 1e-13);
}

TEST(Directions, AreCountedUpToTheirSign) {
  const auto g = normalized(Vec3<double>{1, 2, 3});
  const std::vector<Vec3<double>> directions{
      g, -g, {1, 0, 0}, normalized(Vec3<double>{1, 0.001, 0}), {0, 1, 0}};
  EXPECT_EQ(distinctDirections(directions), 3);
}

TEST(Directions, OnACircleDetermineNoOrder) {
  std::vector<Vec3<double>> ring;
  for (int i = 0; i < 30; ++i) ring.push_back({std::cos(0.1 * i), std::sin(0.1 * i), 0});
  EXPECT_EQ(distinctDirections(ring), 30);
  EXPECT_FALSE(determinesOrder(2, ring));
  EXPECT_TRUE(determinesOrder(6, evenDirections(30)));
  EXPECT_FALSE(determinesOrder(8, evenDirections(30)));
}

TEST(SignalRatios, DivideByTheMeanUnweightedSignal) {
  Grid grid;
  grid.size = {3, 1, 1};
  Series<float> dwi(grid, 4);
  dwi.values = {100, 10, 1, 40, 20, 2, 200, 30, 3, 80, 40, 6};
  const std::vector<int> unweighted{0, 2}, weighted{3, 1};
  const std::vector<std::int64_t> voxels{0, 2};
  const auto ratios = signalRatios(dwi, unweighted, weighted, voxels);
  ASSERT_EQ(ratios.rows(), 2);
  ASSERT_EQ(ratios.cols(), 2);
  EXPECT_FLOAT_EQ(ratios(0, 0), 80 / 150.0f);
  EXPECT_FLOAT_EQ(ratios(1, 0), 40 / 150.0f);
  EXPECT_FLOAT_EQ(ratios(0, 1), 6 / 2.0f);
  EXPECT_FLOAT_EQ(ratios(1, 1), 2 / 2.0f);
}

TEST(WhiteMatterShare, IsAllButWhereThereIsHardlyAny) {
  EXPECT_EQ(whiteMatterShare(1), 1);
  EXPECT_EQ(whiteMatterShare(kLeastWhiteMatter), 1);
  EXPECT_FLOAT_EQ(whiteMatterShare(0.25f * kLeastWhiteMatter), 0.25f);
  EXPECT_EQ(whiteMatterShare(0), 0);
  EXPECT_EQ(whiteMatterShare(-0.1f), 0);
}

}  // namespace
}  // namespace sulcus::fibers
