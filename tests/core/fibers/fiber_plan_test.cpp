#include "core/fibers/fiber_plan.h"

#include "tests/core/fibers/fiber_inputs.h"
#include "tests/support/expect_error.h"
#include "tests/support/fibers_parity.h"
#include "tests/support/grid.h"
#include "tests/support/tissue_phantom.h"

#include <cmath>

#include <gmock/gmock.h>

namespace sulcus::fibers {
namespace {

using test::inputOf, test::noisyPhantom, test::optionsFor, test::withFewerVolumes;
using ::testing::HasSubstr;

/// The message of the error that a run throws; "" if it throws none.
std::string complaint(const FiberInput& input, const FiberOptions& options = {}) {
  return test::errorOf([&] { findFibers(input, options, {}); });
}

TEST(FiberPlan, TakesTheHighestOrderThatTheDirectionsAllow) {
  const auto plan = [](int weighted) {
    const auto p = planFibers(withFewerVolumes(weighted), {}, {});
    return std::pair{p.model, p.order};
  };
  EXPECT_EQ(plan(64), (std::pair{FiberModel::csd, 10}));  // the constraint determines what they do not
  EXPECT_EQ(plan(28), (std::pair{FiberModel::csd, 10}));
  EXPECT_EQ(plan(27), (std::pair{FiberModel::csd, 4}));
  EXPECT_EQ(plan(14), (std::pair{FiberModel::adc, 2}));
  EXPECT_EQ(planFibers(withFewerVolumes(64), optionsFor(FiberModel::automatic, 2), {}).model,
            FiberModel::adc);
  EXPECT_THAT(validateFibers(withFewerVolumes(27), {}), HasSubstr("order 10 would need 28"));
  EXPECT_THAT(validateFibers(withFewerVolumes(14), {}), HasSubstr("do not point along fibers"));
  EXPECT_EQ(validateFibers({}, {}), "");
}

TEST(FiberPlan, UsesTheHighestShellForDeconvolutionAndAllForAdc) {
  auto input = inputOf(noisyPhantom());
  for (int v = 6; v < 16; ++v) input.gradients.rows[std::size_t(v)].b = 1000;
  for (int v = 16; v < 30; ++v) input.gradients.rows[std::size_t(v)].b = 2950;
  const auto plan = planFibers(input, {}, {});
  EXPECT_EQ(plan.weighted.size(), 54u);
  EXPECT_EQ(plan.weighted.front(), 16);
  EXPECT_THAT(plan.notes.front(), HasSubstr("the other 10 weighted volumes are not used"));
  EXPECT_EQ(planFibers(input, optionsFor(FiberModel::adc, 4), {}).weighted.size(), 64u);
}

TEST(FiberPlan, WithoutAMaskTakesTheVoxelsWithSignal) {
  auto input = inputOf(noisyPhantom());
  input.mask = nullptr;
  auto dwi = std::make_shared<Series<float>>(*input.dwi);
  for (int v = 0; v < dwi->count; ++v)
    for (std::int64_t voxel = 0; voxel < 100; ++voxel) dwi->at(voxel, v) *= 0.01f;
  input.dwi = dwi;
  const auto plan = planFibers(input, {}, {});
  EXPECT_EQ(plan.voxels.size(), 924u);
  EXPECT_EQ(plan.voxels.front(), 100);
}

TEST(FiberPlan, SaysWhatAnImageHasNothingOf) {
  FiberInput input;
  const auto& mask = noisyPhantom().mask;
  auto sh = std::make_shared<Series<float>>(mask->grid, 45, 1.0f);
  for (int v = 0; v < 45; ++v) sh->at(3, v) = 0;
  input.sh = sh, input.mask = mask;
  EXPECT_THAT(planFibers(input, {}, {}).notes,
              ::testing::Contains(HasSubstr("1 voxels of the mask are all 0 and were skipped")));
}

TEST(FiberPlan, KnowsItsSizesBeforehand) {
  for (const FiberModel model : {FiberModel::automatic, FiberModel::adc, FiberModel::qball}) {
    const FiberSizes sizes = fiberSizes(inputOf(noisyPhantom()), optionsFor(model, 4)),
                     planned = planFibers(inputOf(noisyPhantom()), optionsFor(model, 4), {}).sizes();

    EXPECT_EQ(sizes.model, planned.model);
    EXPECT_EQ(sizes.order, planned.order);
    EXPECT_EQ(sizes.unweighted, planned.unweighted);
    EXPECT_EQ(sizes.weighted, planned.weighted);
  }
}

TEST(FiberPlan, RefusesWhatCannotBeWorkedOn) {
  const auto good = inputOf(noisyPhantom());
  EXPECT_EQ(complaint(good, optionsFor(FiberModel::adc, 2)), "");

  EXPECT_THAT(complaint({}), HasSubstr("No image was given"));
  auto two = good;
  two.sh = good.dwi;
  EXPECT_THAT(complaint(two), HasSubstr("2 images were given"));

  auto none = good;
  none.gradients.rows.clear();
  EXPECT_THAT(complaint(none), HasSubstr("no gradients"));
  auto count = good;
  count.gradients.rows.pop_back();
  EXPECT_THAT(complaint(count), HasSubstr("69 rows, the diffusion series 70 volumes"));
  auto onlyB0 = good;
  for (auto& row : onlyB0.gradients.rows) row.b = 0;
  EXPECT_THAT(complaint(onlyB0), HasSubstr("All volumes have b = 0"));
  auto noB0 = good;
  for (auto& row : noB0.gradients.rows) row = good.gradients.rows.back();
  EXPECT_THAT(complaint(noB0), HasSubstr("No volume has b = 0"));
  auto broken = good;
  broken.gradients.rows[20].directionWorld = {NAN, 0, 0};
  EXPECT_THAT(complaint(broken), HasSubstr("no direction of length 1"));

  EXPECT_THAT(complaint(withFewerVolumes(24), optionsFor(FiberModel::csd, 8)),
              HasSubstr("Order 8 needs 28 different directions, the series has 24"));
  EXPECT_THAT(complaint(withFewerVolumes(24), optionsFor(FiberModel::csd, 10)),
              HasSubstr("Order 10 needs 28 different directions, the series has 24"));
  EXPECT_THAT(complaint(good, optionsFor(FiberModel::qball, 10)),
              HasSubstr("Order 10 needs 66 different directions, the series has 64"));
  EXPECT_THAT(complaint(withFewerVolumes(5)),
              HasSubstr("Order 2 needs 6 different directions, the series has 5"));
  auto ring = good;
  for (int v = 6; v < 70; ++v)
    ring.gradients.rows[std::size_t(v)].directionWorld = {std::cos(0.04 * v), std::sin(0.04 * v), 0};
  EXPECT_THAT(complaint(ring), HasSubstr("do not determine a function of order 2"));

  auto remote = good;
  auto mask = std::make_shared<Mask>(*good.mask);
  mask->grid.worldFromVoxel.t.x += 1;
  remote.mask = mask;
  EXPECT_THAT(complaint(remote), HasSubstr("a different grid"));
  auto empty = good;
  empty.mask = std::make_shared<Mask>(good.dwi->grid);
  EXPECT_THAT(complaint(empty), HasSubstr("The mask is empty"));
  auto nothing = good;
  nothing.dwi = std::make_shared<Series<float>>(good.dwi->grid, 70, NAN);
  EXPECT_THAT(complaint(nothing), HasSubstr("No voxel can be analyzed"));

  FiberInput image;
  image.sh = std::make_shared<Series<float>>(good.dwi->grid, 44, 1.0f);
  EXPECT_THAT(complaint(image), HasSubstr("44 volumes"));
  image.sh = nullptr;
  image.tensor = std::make_shared<Series<float>>(good.dwi->grid, 1, 1.0f);
  EXPECT_THAT(complaint(image), HasSubstr("The tensor image has 1 volumes"));
  image.tensor = std::make_shared<Series<float>>(good.dwi->grid, 15, 1.0f);
  EXPECT_THAT(complaint(image, optionsFor(FiberModel::automatic, 6)),
              HasSubstr("The image is of order 4, asked for is 6"));
  EXPECT_THAT(complaint(image, optionsFor(FiberModel::csd)), HasSubstr("Model csd was asked for"));
  EXPECT_THAT(complaint(good, optionsFor(FiberModel::sh)), HasSubstr("what was given is a diffusion series"));
  EXPECT_THAT(complaint(good, optionsFor(FiberModel::csd, 3)), HasSubstr("even order"));
}

TEST(FiberPlan, HasTheSameBitsByAGroundworkThatWasFoundUnderOtherThresholds) {
  const auto noisy = inputOf(noisyPhantom());
  const auto tissues = test::tissuePhantom(test::gridOf({24, 12, 4}, {2, 2, 2}), 30, 1).input;
  for (const auto& [image, model, order] : {std::tuple{&noisy, FiberModel::csd, 0},
                                            {&noisy, FiberModel::csd, 6},
                                            {&noisy, FiberModel::adc, 4},
                                            {&tissues, FiberModel::msmt, 6}}) {
    SCOPED_TRACE(testing::Message() << int(model) << ", order " << order);
    FiberOptions options = optionsFor(model, order), others = options;
    others.falsePeaks = 0.2, others.relativeThreshold = 0.6, others.absoluteThreshold = 0.9;
    others.starts = 8, others.maxPeaks = 1, others.seed = 7, others.shift = ShiftRule::safe;
    FiberInput prepared = *image;
    prepared.preparedModel = std::make_shared<const PreparedFiberModel>(prepareFibers(*image, others, {}));
    for (const double falsePeaks : {0.001, 0.1, 1.0}) {
      options.falsePeaks = falsePeaks;
      if (falsePeaks == 1)  // then no trial is needed
        prepared.preparedModel =
            std::make_shared<const PreparedFiberModel>(prepareFibers(*image, options, {}));
      const FiberMaps alone = findFibers(*image, options, {}), after = findFibers(prepared, options, {});
      test::expectSameBits(alone, after);
      EXPECT_EQ(alone.response, after.response);
      EXPECT_EQ(alone.tissueResponses, after.tissueResponses);
      EXPECT_EQ(alone.notes, after.notes);
    }
  }
}

}  // namespace
}  // namespace sulcus::fibers
