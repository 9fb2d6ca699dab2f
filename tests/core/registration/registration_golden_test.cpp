#include "core/registration/registration.h"
#include "tests/support/checksum.h"

#include <cstdint>
#include <cstdlib>

#include <gtest/gtest.h>

// Checksums of displacements. A change of these changes every result that users compare with older ones. They
// hold for any x86-64 machine and for the GPU: only additions, multiplications, divisions and square roots
// lead to a displacement, each rounded separately.
namespace sulcus::registration {
namespace {

using test::checksum;

/// An ellipsoid that darkens outwards, with a texture, in integers. `half` are its half axes.
std::shared_ptr<const Series<float>> ellipsoid(const Vec3<int>& half) {
  Grid grid;
  grid.size = {32, 36, 30};
  grid.worldFromVoxel.m = {{{-2, 0, 0}, {0, 2, 0}, {0, 0, 3}}};
  auto image = std::make_shared<Series<float>>(grid, 1);
  for (std::int64_t i = 0; i < grid.voxels(); ++i) {
    const Vec3<int> v = grid.voxel(i);
    int distance = 0, texture = 0;  // the first from 0 at the center to 1000 on the surface
    for (int axis = 0; axis < 3; ++axis) {
      const int at = 100 * (2 * v[axis] - grid.size[axis]) / (2 * half[axis]);
      distance += at * at / 10;
      texture += std::abs((at + 300) % 60 - 30);
    }
    image->values[std::size_t(i)] = distance < 1000 ? float(1200 - distance + 5 * texture) : 0;
  }
  return image;
}

struct Golden {
  std::uint64_t displacement, inverse;
  std::size_t iterations;
};

void expectGolden(RegistrationOptions options, const Golden& golden) {
  options.affine = LinearAlignment::none, options.match = IntensityMatch::off;
  RegistrationInput input;
  input.templateImage = ellipsoid({11, 13, 10}), input.reference = ellipsoid({12, 12, 11});
  const RegistrationResult result = registerImages(input, options, {});
  EXPECT_EQ(checksum(result.displacement.values), golden.displacement);
  EXPECT_EQ(checksum(result.inverse.values), golden.inverse);
  EXPECT_EQ(result.iterations.size(), golden.iterations);
}

/// As the preset paper; its bits, also from level to level, are those of the first version that had it.
RegistrationOptions paper() {
  RegistrationOptions options;
  options.similarity = Similarity::l2, options.lambda = 0.02, options.membrane = 0;
  options.levels = 1, options.iterations = "100", options.tolerance = 1e-4;
  options.momentum = 0, options.force = RegistrationForce::paper;
  return options;
}

TEST(GoldenRegistration, AsPublished) {
  expectGolden(paper(), {0x51602df00c061b60, 0xd42b03ba32ca75c9, 101});
}

TEST(GoldenRegistration, AsPublishedFromCoarseToFine) {
  RegistrationOptions options = paper();
  options.levels = 3, options.gradient = TemplateGradient::exact;
  expectGolden(options, {0x77f0924570331df2, 0xf62e7fbe29c783ab, 303});
}

TEST(GoldenRegistration, BySquaredDifferences) {
  RegistrationOptions options;
  options.membrane = 0;
  options.similarity = Similarity::l2;
  expectGolden(options, {0xfec247479cd04d96, 0x39768794594c5b22, 151});
}

TEST(GoldenRegistration, ByLocalCorrelation) {
  RegistrationOptions options;
  options.membrane = 0;
  options.similarity = Similarity::lcc;
  expectGolden(options, {0x91955b02d704f866, 0x985132c4f0c749b7, 107});
}

TEST(GoldenRegistration, ByMutualInformation) {
  RegistrationOptions options;
  options.membrane = 0;
  options.similarity = Similarity::mi;
  expectGolden(options, {0x9ec183aecfd394d3, 0x82c3664299cc62e6, 81});
}

TEST(GoldenRegistration, ByTheInterpolantsGradientWithoutMomentum) {
  RegistrationOptions options;
  options.membrane = 0;
  options.similarity = Similarity::lcc, options.momentum = 0, options.gradient = TemplateGradient::exact;
  expectGolden(options, {0xff2d9ea61e324ca2, 0x4de74593cf0eb4bc, 127});
}

TEST(GoldenRegistration, BetweenPeople) {
  RegistrationOptions options;
  options.similarity = Similarity::lcc, options.membrane = 1;
  expectGolden(options, {0x9a59936b6ac098cf, 0x4a45a7945f4980c0, 83});
}

TEST(GoldenRegistration, ToTheMiddle) {
  RegistrationOptions options;
  options.membrane = 0;
  options.similarity = Similarity::l2, options.lambda = 5e-4, options.symmetric = true;
  expectGolden(options, {0xee78bb5a173090a4, 0x5b4bd1086693df63, 121});
}

}  // namespace
}  // namespace sulcus::registration
