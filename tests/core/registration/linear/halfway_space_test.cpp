#include "core/registration/linear/halfway_space.h"

#include "core/base/error.h"
#include "core/image/grids/interpolate.h"
#include "core/phantom/registration_phantom.h"
#include "core/registration/deformation/symmetric_level.h"
#include "core/registration/registration.h"
#include "tests/core/registration/deformation/level_inputs.h"
#include "tests/core/registration/deformation/slope_of_level.h"
#include "tests/support/grid.h"

#include <cmath>

#include <gmock/gmock.h>

namespace sulcus::registration {
namespace {

using test::gridOf;

Affine turnAboutZ(double angle, const Vec3<double>& shift) {
  Affine map;
  map.m[0] = {std::cos(angle), -std::sin(angle), 0}, map.m[1] = {std::sin(angle), std::cos(angle), 0};
  map.t = shift;
  return map;
}

TEST(HalfwaySpace, OfImagesOnOneGridHasThatGrid) {
  const Grid grid = gridOf({20, 21, 22}, {1, 2, 1.5}, {-7, 3, 9});
  EXPECT_TRUE(sameGrid(halfwaySpaceOf(grid, grid, {}).grid, grid));
}

TEST(HalfwaySpace, LiesHalfwayWhereBothImagesAre) {
  const Grid a = gridOf({30, 20, 10}, {2, 2, 3}, {5, 0, 0}),
             b = gridOf({20, 30, 16}, {1.5, 2, 2}, {0, -9, 4});
  const Affine map = turnAboutZ(0.4, {3, -8, 2});
  const HalfwaySpace middle = halfwaySpaceOf(a, b, map);
  const Vec3<double> p{4, 5, 6};
  EXPECT_LT(norm((middle.templateFromMiddle * middle.referenceFromMiddle.inverse()).point(p) - map.point(p)),
            1e-9);
  EXPECT_GT(middle.grid.voxels(), 1000);
  for (const auto& [image, map] :
       {std::pair(a, middle.templateFromMiddle), std::pair(b, middle.referenceFromMiddle)}) {
    const Vec3<double> v = (image.worldFromVoxel.inverse() * map).point(middle.grid.center());
    for (int i = 0; i < 3; ++i) {
      EXPECT_GT(v[i], 0);
      EXPECT_LT(v[i], image.size[i] - 1);
    }
  }
  EXPECT_THAT(middle.grid.spacing().x, testing::DoubleNear(1.5, 1e-9));
}

TEST(HalfwaySpace, IsExpectedWhereALinearRegistrationBringsTheImages) {
  const auto of = [](const Grid& grid) {
    auto image = std::make_shared<Series<float>>(grid, 1);
    return image;
  };
  RegistrationInput input;
  input.templateImage = of(gridOf({12, 10, 8}, {1, 1, 1}, {500, 0, 0}));
  input.reference = of(gridOf({12, 10, 8}, {1, 1, 1}));
  RegistrationOptions options;
  options.symmetric = true, options.affine = LinearAlignment::rigid;
  EXPECT_EQ(gridOfFlow(input, options).size, (Vec3<int>{12, 10, 8}));
  options.affine = LinearAlignment::none;
  EXPECT_THROW(gridOfFlow(input, options), Error);
  input.initial.emplace();
  input.initial->t = {498, 0, 0};
  EXPECT_EQ(gridOfFlow(input, options).size, (Vec3<int>{10, 10, 8}));
}

TEST(HalfwaySpace, OfAMirroredImageOrOfImagesFarApartIsRefused) {
  const Grid grid = gridOf({8, 8, 8}, {1, 1, 1});
  Affine mirror, shift;
  mirror.m[0][0] = -1, shift.t = {6, 0, 0};
  EXPECT_THROW(halfwaySpaceOf(grid, grid, mirror), Error);
  EXPECT_THROW(halfwaySpaceOf(grid, grid, shift), Error);
}

/// A smooth displacement, 0 on the border, mm.
VectorField<float> waves(const Vec3<int>& size, double phase) {
  VectorField<float> u(size);
  for (int z = 1; z < size.z - 1; ++z)
    for (int y = 1; y < size.y - 1; ++y)
      for (int x = 1; x < size.x - 1; ++x) {
        const double fade = std::sin(M_PI * x / (size.x - 1)) * std::sin(M_PI * y / (size.y - 1)) *
                            std::sin(M_PI * z / (size.z - 1));
        for (int a = 0; a < 3; ++a)
          *u.at(a, x, y, z) = float(0.8 * fade * std::cos(0.15 * (x + y - z) + phase + a));
      }
  return u;
}

TEST(HalfwaySpace, JoinsBothHalvesThroughIt) {
  const Grid reference = gridOf({30, 28, 26}, {1, 1.5, 2}, {-3, 0, 2});
  const Grid templateGrid = gridOf({26, 30, 28}, {1, 1.5, 2}, {-2, 1, 2});
  const HalfwaySpace middle = halfwaySpaceOf(templateGrid, reference, turnAboutZ(0.1, {1, -1, 0.5}));
  const HalfDisplacements halves{waves(middle.grid.size, 0), waves(middle.grid.size, 2)};
  const VectorField<float> u = joined(halves, middle, reference, {});

  const Affine voxelFromMiddle = (middle.templateFromMiddle * reference.worldFromVoxel).inverse();
  const auto displaced = [&](const VectorField<float>& field, const Vec3<int>& m) {
    Vec3<double> p{double(m.x), double(m.y), double(m.z)};
    for (int a = 0; a < 3; ++a) p[a] -= *field.at(a, m.x, m.y, m.z) / middle.grid.spacing()[a];
    return middle.grid.worldFromVoxel.point(p);
  };
  int compared = 0;
  for (std::int64_t i = 0; i < middle.grid.voxels(); i += 7) {
    const Vec3<int> m = middle.grid.voxel(i);
    const Vec3<double> x = middle.referenceFromMiddle.point(displaced(halves.ofReference, m));
    const Vec3<double> v = reference.worldFromVoxel.inverse().point(x);
    bool inside = true;
    for (int a = 0; a < 3; ++a) inside &= v[a] > 2 && v[a] < reference.size[a] - 3;
    if (!inside) continue;
    const Vec3<double> expected = voxelFromMiddle.point(displaced(halves.ofTemplate, m));
    const Cell<double> cell = cellInField(u, cellAt(reference.size, v.x, v.y, v.z));
    for (int a = 0; a < 3; ++a) {
      const double found =
          v[a] - interpolated(u.values[std::size_t(a)].data(), cell) / reference.spacing()[a];
      EXPECT_NEAR(found, expected[a], 0.03) << "voxels";
    }
    ++compared;
  }
  EXPECT_GT(compared, 200);
}

/// The mean distance inside the object between one map and the inverse of the other, mm.
double inconsistency(const RegistrationResult& forth, const RegistrationResult& back, const Mask& object) {
  const Grid& grid = forth.displacement.grid;
  const Affine voxelFromWorld = grid.worldFromVoxel.inverse();
  double sum = 0, n = 0;
  for (std::int64_t i = 0; i < grid.voxels(); ++i) {
    if (!object.values[std::size_t(i)]) continue;
    const Vec3<int> at = grid.voxel(i);
    Vec3<double> p = grid.worldFromVoxel.point({double(at.x), double(at.y), double(at.z)});
    const Vec3<double> start = p;
    for (int a = 0; a < 3; ++a) p[a] += forth.displacement.at(i, a);
    const Vec3<double> v = voxelFromWorld.point(p);
    const Cell<double> cell = cellAt(grid.size, v.x, v.y, v.z);
    for (int a = 0; a < 3; ++a)
      p[a] += interpolated(back.displacement.values.data() + a * grid.voxels(), cell);
    sum += norm(p - start), ++n;
  }
  return sum / n;
}

class SymmetricRegistration : public testing::TestWithParam<Similarity> {};

TEST_P(SymmetricRegistration, FindsTheTruthAndSwappedItsInverse) {
  phantom::RegistrationPhantomOptions made;
  made.size = 48, made.displacement = 3, made.noise = 2;
  const auto phantom = phantom::makeRegistrationPhantom(made);
  RegistrationInput input, swapped;
  input.templateImage = swapped.reference = phantom.templateImage;
  input.reference = swapped.templateImage = phantom.reference;
  RegistrationOptions options;
  options.similarity = GetParam(), options.symmetric = true;

  const auto forth = registerImages(input, options, {}), back = registerImages(swapped, options, {});

  EXPECT_GT(forth.smallestJ, 0);
  EXPECT_EQ(forth.foldedCells, 0);
  EXPECT_LE(forth.largestInverseResidual, 0.01);
  EXPECT_LE(inconsistency(forth, back, *phantom.object), 0.2) << "mm";
  double error = 0, n = 0;
  for (std::int64_t i = 0; i < phantom.object->grid.voxels(); ++i) {
    if (!phantom.object->values[std::size_t(i)]) continue;
    Vec3<double> d;
    for (int a = 0; a < 3; ++a) d[a] = forth.displacement.at(i, a) - phantom.truth->at(i, a);
    error += norm(d), ++n;
  }
  EXPECT_LE(error / n, 0.9) << "mm";
}

INSTANTIATE_TEST_SUITE_P(Each, SymmetricRegistration,
                         testing::Values(Similarity::l2, Similarity::lcc, Similarity::mi));

TEST(SymmetricLevel, SlopeAlongTheLastVelocityIsTheDerivativeOfTheEnergy) {
  test::Rng rng(10);
  const Vec3<int> size{14, 15, 16};
  const auto images = test::imagesOf<double>(size, {1, 1.5, 2}, rng);
  auto exchanged = images;
  exchanged.moving = images.reference, exchanged.reference = images.moving;
  for (std::size_t i = 0; i < images.reference.size(); ++i)
    if (!(images.reference[i] == images.reference[i])) exchanged.moving[i] = 0, exchanged.reference[i] = NAN;
  for (const Similarity similarity : {Similarity::l2, Similarity::lcc, Similarity::mi}) {
    SCOPED_TRACE(int(similarity));
    RegistrationOptions options;
    options.similarity = similarity, options.symmetric = true;
    options.lambda = 0.02, options.gradient = TemplateGradient::exact;
    const auto half = [&](const LevelImages<double>& input, double phase) {
      return [&, phase] {
        auto u = waves(size, phase);
        VectorField<double> start(size);
        for (std::size_t a = 0; a < 3; ++a)
          std::transform(u.values[a].begin(), u.values[a].end(), start.values[a].begin(),
                         [](float v) { return 0.3 * double(v); });
        return RegistrationLevel<double>(input, std::move(start), symmetricHalf(options), {});
      };
    };
    SymmetricLevel<RegistrationLevel<double>> level(half(images, 0), half(exchanged, 2));
    level.start();
    const double speed = level.velocity(0).speed;
    test::expectSlopeIsTheDerivative(level, 0.1 / speed, speed, options.lambda);
  }
}

}  // namespace
}  // namespace sulcus::registration
