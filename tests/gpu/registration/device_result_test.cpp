#include "gpu/registration/device_result.h"

#include "core/registration/results/registration_result.h"
#include "tests/core/registration/deformation/level_inputs.h"
#include "tests/support/device_memory.h"
#include "tests/support/gpu.h"
#include "tests/support/grid.h"

#include <memory>
#include <vector>

#include <gmock/gmock.h>

namespace sulcus::registration {
namespace {

using test::gridOf;

std::shared_ptr<const Series<float>> imageOn(const Grid& grid, test::Rng& rng) {
  auto image = std::make_shared<Series<float>>(grid, 1);
  image->values = test::imagesOf<float>(grid.size, grid.spacing(), rng).moving;
  return image;
}

/// Two images on different oblique grids, or planes.
RegistrationInput imagesFor(bool planes, test::Rng& rng) {
  Grid reference = gridOf({31, 36, planes ? 1 : 29}, {1, 1.2, 1.5}, {-15, -20, -20});
  Grid moving = gridOf({34, 30, planes ? 1 : 33}, {1.1, 1.3, 1.4}, {-18, -19, -20});
  if (!planes) moving.worldFromVoxel.m[0][1] = 0.1, reference.worldFromVoxel.m[1][0] = -0.05;
  RegistrationInput input;
  input.templateImage = imageOn(moving, rng), input.reference = imageOn(reference, rng);
  if (!planes)
    input.initial = Affine{{{{1.02, 0.05, 0}, {-0.04, 0.97, 0.02}, {0, 0.01, 1.03}}}, {0.4, -0.7, 1}};
  return input;
}

class GpuRegistrationResult : public test::NeedsGpu {
 protected:
  /// Makes the result of one displacement on both processors and expects the same bits. Returns that of the
  /// CPU.
  static RegistrationResult onBoth(const RegistrationInput& input, Similarity similarity, double largest,
                                   double rough, test::Rng& rng) {
    RegistrationOptions options;
    options.affine = LinearAlignment::none, options.similarity = similarity, options.iterations = "1";
    options.symmetric = true;  // so that the reference is also deformed
    const RegistrationPlan plan = planRegistration(input, options, {}, PlanUse::results);
    const auto u = test::displacementOf<float>(input.reference->grid.size, largest, rough, rng);

    const RegistrationResult here = resultOf(input, plan, u, {}),
                             there = gpu::registration::resultOf(input, plan, u, gpu::Stream(), {});

    EXPECT_EQ(there.displacement.values, here.displacement.values);
    EXPECT_EQ(there.warped.values, here.warped.values);
    EXPECT_EQ(there.aligned.values, here.aligned.values);
    EXPECT_EQ(there.logJacobian.values, here.logJacobian.values);
    EXPECT_EQ(there.localCorrelation.values, here.localCorrelation.values);
    EXPECT_EQ(there.inverse.values, here.inverse.values);
    EXPECT_EQ(there.inverseResidual.values, here.inverseResidual.values);
    EXPECT_EQ(there.warpedReference.values, here.warpedReference.values);
    EXPECT_EQ(there.folds.values, here.folds.values);
    for (const auto figure :
         {&RegistrationResult::smallestJ, &RegistrationResult::smallestCornerJ, &RegistrationResult::meanLogJ,
          &RegistrationResult::sdLogJ, &RegistrationResult::largestDisplacement,
          &RegistrationResult::largestInverseResidual})
      EXPECT_EQ(there.*figure, here.*figure);
    EXPECT_EQ(there.before.correlation, here.before.correlation);
    EXPECT_EQ(there.after.nmse, here.after.nmse);
    EXPECT_EQ(there.notes, here.notes);
    return here;
  }
};

TEST_F(GpuRegistrationResult, OfASmoothDisplacementIsThatOfTheCpuBitForBit) {
  test::Rng rng(1);
  for (const bool planes : {false, true})
    for (const auto similarity : {Similarity::l2, Similarity::lcc}) {
      SCOPED_TRACE(testing::Message() << planes << ' ' << int(similarity));
      const auto result = onBoth(imagesFor(planes, rng), similarity, 0.5, 0, rng);
      EXPECT_GT(result.sdLogJ, 0.01);
      EXPECT_THAT(result.notes, testing::IsEmpty());
    }
}

TEST_F(GpuRegistrationResult, OfAFoldedDisplacementIsThatOfTheCpuBitForBit) {
  test::Rng rng(2);
  const auto result = onBoth(imagesFor(false, rng), Similarity::lcc, 0.8, 0.4, rng);
  EXPECT_THAT(result.notes, testing::Contains(testing::HasSubstr("folded between voxels")));
}

TEST_F(GpuRegistrationResult, TakesNoMoreMemoryThanIsSaid) {
  test::Rng rng(4);
  RegistrationInput input;
  input.templateImage = imageOn(gridOf({120, 110, 130}, {1, 1, 1}), rng);
  input.reference = imageOn(gridOf({128, 120, 100}, {1, 1, 1}), rng);
  RegistrationOptions options;
  options.affine = LinearAlignment::none, options.similarity = Similarity::lcc, options.iterations = "1";
  const RegistrationPlan plan = planRegistration(input, options, {}, PlanUse::results);
  const auto u = test::displacementOf<float>(input.reference->grid.size, 0.5, 0, rng);
  const gpu::Stream stream;

  const double taken =
      double(test::mostDeviceMemory([&] { (void)gpu::registration::resultOf(input, plan, u, stream, {}); }));

  const double said = double(
      gpu::registration::resultBytes(input.reference->grid.size, input.templateImage->grid.size, options));
  EXPECT_LE(taken, said * 1.02);
  EXPECT_GE(taken, said * 0.9);
}

}  // namespace
}  // namespace sulcus::registration
