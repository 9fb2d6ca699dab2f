#include "core/image/diffusion/spherical_harmonics.h"

#include "tests/support/for_each_seed.h"
#include "tests/support/form_matrix.h"

#include <array>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

namespace sulcus {
namespace {

const std::array<Vec3<double>, 3> kOblique{normalized(Vec3<double>{0.3, -0.5, 0.8}),
                                           normalized(Vec3<double>{-0.7, 0.2, 0.4}),
                                           normalized(Vec3<double>{0.9, 0.35, -0.2})};

/// The coefficients described in tests/golden/fibers/MADE.md.
Eigen::VectorXd goldenCoefficients(int order) {
  Eigen::VectorXd c(tensorEntries(order));
  for (Eigen::Index i = 0; i < c.size(); ++i)
    c[i] = std::round(1000 * std::cos(1.7 * double(i) + 0.3) / (1 + 0.1 * double(i))) / 1000;
  return c;
}

struct Golden {
  const char* made;
  ShBasis basis;
  int order;
  std::array<double, 3> values;
  double tolerance;
};

TEST(SphericalHarmonics, HaveTheValuesOfMrtrixAndDipyAtObliqueDirections) {
  const Golden golden[] = {
      {"sh2amp", ShBasis::tournier07, 4, {-0.434493840, -0.107974067, -0.304526806}, 5e-7},
      {"sh2amp", ShBasis::tournier07, 8, {-0.608312845, 0.195927978, -0.107621022}, 5e-7},
      {"dipy", ShBasis::tournier07, 8, {-0.608312847154, 0.195927986292, -0.107621051379}, 1e-11},
      {"dipy", ShBasis::tournier07Legacy, 4, {-0.185655805096, -0.011870505218, -0.175322300643}, 1e-11},
      {"dipy", ShBasis::tournier07Legacy, 8, {-0.304661745137, 0.196849395447, -0.035977681099}, 1e-11},
      {"dipy", ShBasis::descoteaux07, 4, {0.523834048671, 0.190764267170, -0.355169733978}, 1e-11},
      {"dipy", ShBasis::descoteaux07, 8, {0.206878148836, 0.247943746869, -0.169964627724}, 1e-11},
      {"dipy", ShBasis::descoteaux07Legacy, 4, {1.492048503909, 0.377789138038, -0.126124995724}, 1e-11},
      {"dipy", ShBasis::descoteaux07Legacy, 8, {1.740767002940, -0.043483779413, -0.220650863431}, 1e-11},
  };
  for (const auto& g : golden) {
    const Eigen::VectorXd values = shMatrix(g.order, kOblique, g.basis) * goldenCoefficients(g.order);
    for (int i = 0; i < 3; ++i)
      EXPECT_NEAR(values[i], g.values[std::size_t(i)], g.tolerance)
          << g.made << ", basis " << int(g.basis) << ", order " << g.order << ", direction " << i;
  }
}

TEST(SphericalHarmonics, AreOrthonormal) {
  // A fine midpoint rule in z and φ is accurate enough to distinguish 0 from 1.
  constexpr int kRings = 400, kAround = 40;
  std::vector<Vec3<double>> g;
  for (int i = 0; i < kRings; ++i)
    for (int j = 0; j < kAround; ++j) {
      const double z = -1 + 2 * (i + 0.5) / kRings, r = std::sqrt(1 - z * z),
                   phi = 2 * std::numbers::pi * j / kAround;
      g.push_back({r * std::cos(phi), r * std::sin(phi), z});
    }
  const Eigen::MatrixXd y = shMatrix(8, g);
  const Eigen::MatrixXd gram = 4 * std::numbers::pi / double(g.size()) * y.transpose() * y;
  EXPECT_LT((gram - Eigen::MatrixXd::Identity(45, 45)).cwiseAbs().maxCoeff(), 2e-3);
}

TEST(SphericalHarmonics, AndTensorsAreTheSameFunctionInEveryBasisAndOrder) {
  test::forEachSeed(20, [](test::Rng& rng) {
    for (const int order : {2, 4, 6, 8, 10, 12})
      for (const auto basis : {ShBasis::tournier07, ShBasis::descoteaux07, ShBasis::descoteaux07Legacy,
                               ShBasis::tournier07Legacy}) {
        Eigen::VectorXd c(tensorEntries(order));
        for (auto& value : c) value = rng.uniform(-1, 1);
        const Eigen::VectorXd a = tensorFromSh(order, basis) * c;
        const Eigen::VectorXd difference =
            shMatrix(order, kOblique, basis) * c - test::formMatrix(order, kOblique) * a;
        EXPECT_LT(difference.cwiseAbs().maxCoeff(), 1e-12) << "order " << order << ", basis " << int(basis);
      }
  });
}

TEST(SphericalHarmonics, ComeBackFromTheTensor) {
  for (const int order : {2, 4, 6, 8, 10, 12})
    for (const auto basis : {ShBasis::tournier07, ShBasis::descoteaux07, ShBasis::descoteaux07Legacy,
                             ShBasis::tournier07Legacy}) {
      const auto there = tensorFromSh(order, basis), back = shFromTensor(order, basis);
      const auto identity = Eigen::MatrixXd::Identity(there.rows(), there.cols());
      EXPECT_LT((back * there - identity).cwiseAbs().maxCoeff(), 1e-12);
      EXPECT_LT((there * back - identity).cwiseAbs().maxCoeff(), 1e-12);
    }
}

TEST(SphericalHarmonics, OfOneTensorEntryAreTheProductsByHand) {
  // f = 3 x² + 2·0.5 xy + 2 z²: entries xx, xy, xz, yy, yz, zz.
  Eigen::VectorXd a(6);
  a << 3, 0.5, 0, 0, 0, 2;
  const auto& g = kOblique[1];
  EXPECT_NEAR((test::formMatrix(2, kOblique) * a)[1], 3 * g.x * g.x + g.x * g.y + 2 * g.z * g.z, 1e-15);
  const Eigen::VectorXd c = shFromTensor(2) * a;
  EXPECT_NEAR(c[0], (3 + 0 + 2) / 3.0 * std::sqrt(4 * std::numbers::pi), 1e-14);  // mean over the sphere
}

TEST(SphericalHarmonics, ImagesHaveAnEvenOrder) {
  EXPECT_EQ(shOrder(1), 0);
  EXPECT_EQ(shOrder(6), 2);
  EXPECT_EQ(shOrder(15), 4);
  EXPECT_EQ(shOrder(28), 6);
  EXPECT_EQ(shOrder(45), 8);
  EXPECT_EQ(shOrder(66), 10);
  EXPECT_EQ(shOrder(91), 12);
  for (const int count : {0, 2, 7, 16, 44, 46, 65, 120}) EXPECT_EQ(shOrder(count), -1) << count;
}

TEST(SphericalHarmonics, LegendreAtZeroAreTheFunkRadonFactors) {
  EXPECT_DOUBLE_EQ(legendreAtZero(0), 1);
  EXPECT_DOUBLE_EQ(legendreAtZero(2), -1 / 2.0);
  EXPECT_DOUBLE_EQ(legendreAtZero(4), 3 / 8.0);
  EXPECT_DOUBLE_EQ(legendreAtZero(6), -5 / 16.0);
  EXPECT_DOUBLE_EQ(legendreAtZero(8), 35 / 128.0);
}

}  // namespace
}  // namespace sulcus
