#include "core/registration/deformation/force.h"

#include "core/base/parallel/parallel_for.h"
#include "core/registration/deformation/registration_level.h"
#include "tests/core/registration/deformation/level_inputs.h"
#include "tests/core/registration/deformation/slope_of_level.h"

#include <gmock/gmock.h>

namespace sulcus::registration {
namespace {

using Level = LevelImages<double>;

/// Options under which the force is −∂E/∂u.
RegistrationOptions weighted(double lambda, double membrane, TemplateGradient gradient,
                             RegistrationForce force = RegistrationForce::paper) {
  RegistrationOptions options;
  options.lambda = lambda, options.membrane = membrane, options.gradient = gradient, options.force = force;
  return options;
}

/// The energy E as a sum over voxels.
double energy(const Level& images, const VectorField<double>& u, const RegistrationOptions& options) {
  VectorField<double> unused(images.size);
  const auto e = evaluate(images, samplesOf(images, {}), u, options, unused, {});
  return e.total(options.lambda) * double(images.reference.size());
}

/// The force −∂E/∂u as the engine computes it.
VectorField<double> force(const Level& images, const VectorField<double>& u,
                          const RegistrationOptions& options) {
  VectorField<double> f(images.size);
  evaluate(images, samplesOf(images, {}), u, options, f, {});
  addBiasForce<double>(u, images.spacing, options, f, {}, [](int, std::vector<double>&) {});
  return f;
}

/// The largest difference between the force and finite differences of E, divided by the largest force.
double worstAgainstDifferences(const Level& images, VectorField<double> u, const RegistrationOptions& options,
                               double e) {
  const auto f = force(images, u, options);
  const Interior xs = interior(images.size.x), ys = interior(images.size.y), zs = interior(images.size.z);
  double worst = 0, largest = 0;
  for (int z = zs.first; z <= zs.last; ++z)
    for (int y = ys.first; y <= ys.last; ++y)
      for (int x = xs.first; x <= xs.last; ++x)
        for (int i = 0; i < 3; ++i) {
          if (images.size[i] == 1) continue;
          double& value = *u.at(i, x, y, z);
          const double before = value;
          // The differences are of fourth order, so that steps can be long and rounding is negligible.
          const auto at = [&](double d) {
            value = before + d;
            return energy(images, u, options);
          };
          const double slope = (8 * (at(e) - at(-e)) - (at(2 * e) - at(-2 * e))) / (12 * e);
          value = before;
          worst = std::max(worst, std::abs(slope + *f.at(i, x, y, z)));
          largest = std::max(largest, std::abs(slope));
        }
  return worst / largest;
}

/// Images without a misfit, so that only the bias term acts.
Level blank(const Vec3<int>& size, const Vec3<double>& spacing) {
  const auto n = std::size_t(size.x * size.y * size.z);
  return {size, spacing, std::vector<double>(n, 0.0), std::vector<double>(n, 0.0)};
}

TEST(BiasForce, IsTheGradientOfTheBiasUpToTheBorder) {
  test::Rng rng(1);
  const Vec3<int> size{6, 7, 5};
  const Vec3<double> spacing{1, 1, 1};
  const auto u = test::displacementOf<double>(size, 0.3, 0.05, rng);
  for (const double membrane : {0.0, 2.0})
    EXPECT_LE(worstAgainstDifferences(blank(size, spacing), u,
                                      weighted(1, membrane, TemplateGradient::central), 1e-3),
              1e-8);
}

TEST(BiasForce, IsTheGradientWithVoxelsOfAnyShape) {
  test::Rng rng(2);
  const Vec3<int> size{5, 6, 6};
  const Vec3<double> spacing{0.8, 1.5, 3};
  const auto u = test::displacementOf<double>(size, 0.3, 0.05, rng);
  for (const double membrane : {0.0, 2.0})
    EXPECT_LE(worstAgainstDifferences(blank(size, spacing), u,
                                      weighted(1, membrane, TemplateGradient::central), 1e-3),
              1e-8);
}

TEST(BiasForce, IsTheGradientInAPlane) {
  test::Rng rng(3);
  for (const Vec3<int> size : {Vec3<int>{7, 6, 1}, Vec3<int>{1, 7, 6}, Vec3<int>{6, 1, 7}}) {
    const auto u = test::displacementOf<double>(size, 0.3, 0.05, rng);
    EXPECT_LE(
        worstAgainstDifferences(blank(size, {1, 2, 1.5}), u, weighted(1, 2, TemplateGradient::central), 1e-3),
        1e-8);
  }
}

TEST(ImageForce, ExactIsTheGradientOfTheMisfit) {
  test::Rng rng(4);
  const Vec3<int> size{6, 7, 5};
  const Vec3<double> spacing{1, 0.7, 2};
  const auto images = test::imagesOf<double>(size, spacing, rng);
  const auto u = test::displacementOf<double>(size, 0.3, 0.05, rng);
  // Within a cell the interpolant is cubic, so short steps cause only rounding errors.
  EXPECT_LE(worstAgainstDifferences(images, u, weighted(0, 0, TemplateGradient::exact), 1e-5), 1e-6);
}

TEST(Force, IsTheGradientOfTheWholeEnergy) {
  test::Rng rng(5);
  const Vec3<int> size{6, 6, 6};
  const auto images = test::imagesOf<double>(size, {1, 1, 1}, rng);
  const auto u = test::displacementOf<double>(size, 0.3, 0.05, rng);
  EXPECT_LE(worstAgainstDifferences(images, u, weighted(0.02, 1, TemplateGradient::exact), 1e-5), 1e-6);
}

TEST(ImageForce, CentralIsTheGradientOfASmoothMisfitWhereTheGradientOfTheWarpedImageIsNot) {
  const int n = 24;
  const Vec3<int> size{n, n, n};
  Level images{size, {1, 1, 1}, {}, {}};
  const auto t = [](double x, double y, double z) {
    return std::sin(0.5 * x) + std::cos(0.4 * y) + std::sin(0.45 * z);
  };
  for (int z = 0; z < n; ++z)
    for (int y = 0; y < n; ++y)
      for (int x = 0; x < n; ++x) images.moving.push_back(t(x, y, z)), images.reference.push_back(0);
  test::Rng rng(6);
  const auto u = test::displacementOf<double>(size, 0.6, 0, rng);
  const auto f = force(images, u, weighted(0, 0, TemplateGradient::central));
  const auto warped = [&](int x, int y, int z) {
    const auto d = u(x, y, z);
    return t(x - d.x, y - d.y, z - d.z);
  };
  double error = 0, otherError = 0, sum = 0;
  for (int z = 2; z < n - 2; ++z)
    for (int y = 2; y < n - 2; ++y)
      for (int x = 2; x < n - 2; ++x) {
        const double truth = warped(x, y, z) * 0.5 * std::cos(0.5 * (x - u(x, y, z).x));
        const double other = warped(x, y, z) * (warped(x + 1, y, z) - warped(x - 1, y, z)) / 2;
        error += std::pow(*f.at(0, x, y, z) - truth, 2), otherError += std::pow(other - truth, 2);
        sum += truth * truth;
      }
  EXPECT_LE(std::sqrt(error / sum), 0.08);      // the error is of second order in 0.5
  EXPECT_GE(std::sqrt(otherError / sum), 0.2);  // the derivative of another function
}

TEST(Force, AtTheBorderIsNone) {
  test::Rng rng(7);
  const Vec3<int> size{6, 7, 8};
  const auto images = test::imagesOf<double>(size, {1, 1, 1}, rng);
  const auto f = force(images, test::displacementOf<double>(size, 0.3, 0.05, rng),
                       weighted(0.02, 1, TemplateGradient::central, RegistrationForce::descent));
  double inside = 0;
  for (int z = 0; z < 8; ++z)
    for (int y = 0; y < 7; ++y)
      for (int x = 0; x < 6; ++x) {
        const bool border = x == 0 || x == 5 || y == 0 || y == 6 || z == 0 || z == 7;
        if (border) {
          EXPECT_EQ(norm(f(x, y, z)), 0);
        } else {
          inside += norm(f(x, y, z));
        }
      }
  EXPECT_GT(inside, 0);
}

TEST(Force, ThatIsPulledBackLowersTheEnergyWhateverTheDeformation) {
  // Far from the identity, a composition by a small step along v = G * Dhᵀ f has dE/dt = −⟨Dhᵀ f, v⟩.
  test::Rng rng(8);
  const Vec3<int> size{20, 20, 20};
  auto images = test::imagesOf<double>(size, {1, 1, 1}, rng);
  RegistrationOptions options;
  options.lambda = 0.02, options.gradient = TemplateGradient::exact;
  for (int trial = 0; trial < 5; ++trial) {
    const auto u = test::displacementOf<double>(size, 0.6, 0, rng);
    RegistrationLevel<double> level(images, u, options, {});
    const double before = level.start().total(options.lambda);
    const double speed = level.velocity(0).speed;
    const double after = level.attempt(1e-3 / speed).total(options.lambda);
    EXPECT_LT(after, before);
  }
}

TEST(Force, SlopeAlongTheLastVelocityIsTheDerivativeOfTheEnergy) {
  test::Rng rng(10);
  const Vec3<int> size{18, 20, 22};
  const auto images = test::imagesOf<double>(size, {1, 1.5, 2}, rng);
  RegistrationOptions options;
  options.similarity = Similarity::l2;
  options.lambda = 0.02, options.gradient = TemplateGradient::exact;
  RegistrationLevel<double> level(images, test::displacementOf<double>(size, 0.3, 0.05, rng), options, {});
  level.start();
  const double speed = level.velocity(0).speed;
  for (const double step : {0.05, 0.4}) {
    SCOPED_TRACE(step);
    test::expectSlopeIsTheDerivative(level, step / speed, speed, options.lambda);
  }
}

TEST(Force, DoesNotDependOnHowTheWorkIsCut) {
  test::Rng rng(9);
  const Vec3<int> size{9, 8, 40};
  const auto images = test::imagesOf<double>(size, {1, 1, 1}, rng);
  const auto u = test::displacementOf<double>(size, 0.3, 0.05, rng);
  VectorField<double> one, many;
  withThreads(1, [&] {
    one = force(images, u, weighted(0.02, 1, TemplateGradient::central, RegistrationForce::descent));
  });
  withThreads(2, [&] {
    many = force(images, u, weighted(0.02, 1, TemplateGradient::central, RegistrationForce::descent));
  });
  EXPECT_EQ(one.values, many.values);
}

}  // namespace
}  // namespace sulcus::registration
