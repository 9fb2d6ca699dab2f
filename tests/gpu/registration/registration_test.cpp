#include "gpu/registration/registration.h"

#include "core/base/error.h"
#include "core/base/parallel/parallel_for.h"
#include "core/phantom/registration_phantom.h"
#include "gpu/runtime/buffer.h"
#include "tests/support/expect_error.h"
#include "tests/support/for_each_seed.h"
#include "tests/support/gpu.h"

#include <atomic>
#include <cmath>
#include <stop_token>
#include <utility>

#include <gmock/gmock.h>

namespace sulcus::registration {
namespace {

class GpuRegistration : public test::NeedsGpu {
 protected:
  static RegistrationInput phantom(phantom::RegistrationPhantomKind kind, int size) {
    phantom::RegistrationPhantomOptions options;
    options.kind = kind, options.size = size;
    const phantom::RegistrationPhantom made = phantom::makeRegistrationPhantom(options);
    RegistrationInput input;
    input.templateImage = made.templateImage, input.reference = made.reference;
    return input;
  }
  /// A whole run; for brief tests one with as few iterations as reach the same kernels.
  static RegistrationOptions wholeRun() {
    RegistrationOptions options;
    if (test::briefly()) options.iterations = "2/2/2";
    return options;
  }
};

double largestDifference(const std::vector<float>& a, const std::vector<float>& b) {
  EXPECT_EQ(a.size(), b.size());
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double difference = std::abs(double(a[i]) - double(b[i]));
    largest = std::isnan(difference) ? INFINITY : std::max(largest, difference);
  }
  return largest;
}

void expectTheSame(const RegistrationResult& a, const RegistrationResult& b) {
  ASSERT_EQ(a.iterations.size(), b.iterations.size());
  for (std::size_t i = 0; i < a.iterations.size(); ++i) {
    EXPECT_EQ(a.iterations[i].step, b.iterations[i].step) << "iteration " << i;
    EXPECT_EQ(a.iterations[i].retries, b.iterations[i].retries) << "iteration " << i;
    EXPECT_EQ(a.iterations[i].held, b.iterations[i].held) << "iteration " << i;
    EXPECT_NEAR(a.iterations[i].energy, b.iterations[i].energy, 1e-11 * b.iterations[i].energy);
  }
  EXPECT_EQ(largestDifference(a.displacement.values, b.displacement.values), 0) << "mm";
  EXPECT_EQ(largestDifference(a.warped.values, b.warped.values), 0);
  EXPECT_EQ(largestDifference(a.logJacobian.values, b.logJacobian.values), 0);
  EXPECT_EQ(largestDifference(a.inverse.values, b.inverse.values), 0) << "mm";
  EXPECT_EQ(largestDifference(a.inverseResidual.values, b.inverseResidual.values), 0) << "voxels";
  EXPECT_EQ(largestDifference(a.aligned.values, b.aligned.values), 0);
  EXPECT_EQ(largestDifference(a.localCorrelation.values, b.localCorrelation.values), 0);
  EXPECT_EQ(largestDifference(a.warpedReference.values, b.warpedReference.values), 0);
  EXPECT_EQ(a.folds.values, b.folds.values);
  EXPECT_EQ(a.foldedCells, b.foldedCells);
  for (const auto figure :
       {&RegistrationResult::smallestJ, &RegistrationResult::smallestCornerJ, &RegistrationResult::meanLogJ,
        &RegistrationResult::sdLogJ, &RegistrationResult::largestDisplacement,
        &RegistrationResult::largestInverseResidual})
    EXPECT_EQ(a.*figure, b.*figure);
  EXPECT_EQ(a.after.correlation, b.after.correlation);
  EXPECT_EQ(a.notes, b.notes);
}

/// Registers on both processors, expects equal results, and returns both: the CPU's first.
std::pair<RegistrationResult, RegistrationResult> onBoth(const RegistrationInput& input,
                                                         const RegistrationOptions& options) {
  std::pair<RegistrationResult, RegistrationResult> results{
      registerImages(input, options, {}), gpu::registration::registerImages(input, options, {})};
  expectTheSame(results.second, results.first);
  return results;
}

/// onBoth() with each similarity, one-sided and symmetric; check(here, there) tests the results further.
template <class Check>
void onBothByEach(const RegistrationInput& input, RegistrationOptions options, const Check& check) {
  for (const auto similarity : {Similarity::lcc, Similarity::mi, Similarity::l2})
    for (const bool symmetric : {false, true}) {
      SCOPED_TRACE(testing::Message() << int(similarity) << (symmetric ? ", symmetric" : ""));
      options.similarity = similarity, options.symmetric = symmetric;
      const auto [here, there] = onBoth(input, options);
      EXPECT_GT(here.iterations.size(), std::size_t(test::cases(20)));
      check(here, there);
    }
}

TEST_F(GpuRegistration, OfAWarpedBrainIsThatOfTheCpuBitForBit) {
  const RegistrationInput input = phantom(phantom::RegistrationPhantomKind::brain, test::briefly() ? 24 : 48);
  for (const auto similarity : {Similarity::automatic, Similarity::lcc, Similarity::mi, Similarity::l2}) {
    SCOPED_TRACE(int(similarity));
    RegistrationOptions options = wholeRun();
    options.similarity = similarity;

    const auto [here, there] = onBoth(input, options);

    EXPECT_GT(here.iterations.size(), std::size_t(test::cases(20)));
    EXPECT_EQ(largestDifference(there.localCorrelation.values, here.localCorrelation.values), 0);
  }
}

TEST_F(GpuRegistration, ToTheMiddleIsThatOfTheCpuBitForBit) {
  const RegistrationInput input = phantom(phantom::RegistrationPhantomKind::brain, 40);
  for (const auto similarity : {Similarity::lcc, Similarity::mi, Similarity::l2}) {
    SCOPED_TRACE(int(similarity));
    RegistrationOptions options = wholeRun();
    options.similarity = similarity, options.symmetric = true;

    const auto [here, there] = onBoth(input, options);

    EXPECT_GT(here.iterations.size(), std::size_t(test::cases(20)));
  }
}

TEST_F(GpuRegistration, PulledByLandmarksIsThatOfTheCpuBitForBit) {
  RegistrationInput input = phantom(phantom::RegistrationPhantomKind::brain, 40);
  for (const Vec3<int> v : {Vec3<int>{12, 20, 18}, {13, 20, 18}, {26, 17, 22}}) {
    const Vec3<double> p = input.reference->grid.worldFromVoxel.point({v.x + 0.3, v.y + 0.6, double(v.z)});
    input.landmarks.push_back({"", p + Vec3<double>{2, -3, 1}, p});
  }
  onBothByEach(input, wholeRun(), [](const RegistrationResult& here, const RegistrationResult& there) {
    EXPECT_GT(here.iterations.back().landmarks, 0);
    for (std::size_t k = 0; k < here.landmarks.size(); ++k)
      EXPECT_EQ(there.landmarks[k].deformed, here.landmarks[k].deformed);
  });
}

TEST_F(GpuRegistration, OfSeveralChannelsIsThatOfTheCpuBitForBit) {
  RegistrationInput input = phantom(phantom::RegistrationPhantomKind::brain, 40);
  const RegistrationInput other = phantom(phantom::RegistrationPhantomKind::c, 32);
  input.further = {{input.reference, input.templateImage}, {other.templateImage, other.reference}};
  RegistrationOptions options = wholeRun();
  options.channelWeights = "1 0.3 0.4";
  onBothByEach(input, options, [](const RegistrationResult&, const RegistrationResult&) {});
}

TEST_F(GpuRegistration, WithWeightsIsThatOfTheCpuBitForBit) {
  RegistrationInput input = phantom(phantom::RegistrationPhantomKind::brain, 40);
  Volume<float> weights(input.reference->grid);
  for (std::int64_t i = 0; i < weights.grid.voxels(); ++i) weights.values[std::size_t(i)] = float(i % 17) / 5;
  input.weights = std::make_shared<const Volume<float>>(weights);
  onBothByEach(input, wholeRun(), [](const RegistrationResult&, const RegistrationResult&) {});
}

TEST_F(GpuRegistration, OfALargeDeformationIsThatOfTheCpuBitForBit) {
  const RegistrationInput input = phantom(phantom::RegistrationPhantomKind::c, test::briefly() ? 32 : 48);
  for (const auto force : {RegistrationForce::descent, RegistrationForce::paper})
    for (const auto gradient : {TemplateGradient::central, TemplateGradient::exact}) {
      RegistrationOptions options;
      options.similarity = Similarity::l2;
      options.force = force, options.gradient = gradient, options.sigma = 1.5, options.iterations = "60";

      const auto [here, there] = onBoth(input, options);

      EXPECT_GT(here.largestDisplacement, 2) << "mm";
    }
}

TEST_F(GpuRegistration, WithVoxelsAtTheSmallestVolumeIsThatOfTheCpuBitForBit) {
  RegistrationInput input = phantom(phantom::RegistrationPhantomKind::c, 32);
  std::swap(input.templateImage, input.reference);
  RegistrationOptions options;
  options.similarity = Similarity::l2, options.lambda = 1e-3;

  const auto [here, there] = onBoth(input, options);

  int held = 0;
  for (const auto& i : here.iterations) held += i.held;
  EXPECT_GT(held, 0);
}

TEST_F(GpuRegistration, IsTheSameBitForBitEveryTime) {
  const RegistrationInput input = phantom(phantom::RegistrationPhantomKind::brain, test::briefly() ? 32 : 64);
  const RegistrationOptions options = wholeRun();
  const RegistrationResult once = gpu::registration::registerImages(input, options, {}),
                           again = gpu::registration::registerImages(input, options, {});

  ASSERT_EQ(once.iterations.size(), again.iterations.size());
  for (std::size_t i = 0; i < once.iterations.size(); ++i)
    EXPECT_EQ(once.iterations[i].energy, again.iterations[i].energy);
  EXPECT_EQ(once.displacement.values, again.displacement.values);
}

TEST_F(GpuRegistration, IsTheSameBitForBitOnSeveralDevices) {
  const RegistrationInput input = phantom(phantom::RegistrationPhantomKind::brain, 160);
  RegistrationOptions options;
  options.levels = test::cases(2), options.iterations = std::to_string(test::cases(15));
  for (const auto similarity : {Similarity::l2, Similarity::lcc}) {
    options.similarity = similarity;
    const RegistrationResult alone = gpu::registration::registerImages(input, options, {});
    for (const auto& devices : test::sharingDevices()) {
      SCOPED_TRACE(testing::Message() << int(similarity) << " on " << devices[1]);
      const test::OnDevices shared(devices);
      const RegistrationResult together = gpu::registration::registerImages(input, options, {});
      expectTheSame(together, alone);
      ASSERT_EQ(together.iterations.size(), alone.iterations.size());
      for (std::size_t i = 0; i < alone.iterations.size(); ++i)
        EXPECT_EQ(together.iterations[i].energy, alone.iterations[i].energy);
      EXPECT_EQ(together.notes, alone.notes);
    }
  }
}

TEST_F(GpuRegistration, SaysWhereOneOfSeveralDevicesDoesAll) {
  const RegistrationInput input = phantom(phantom::RegistrationPhantomKind::brain, 24);
  const test::OnDevices shared({0, 0});
  EXPECT_THAT(gpu::registration::registerImages(input, {}, {}).notes,
              testing::Contains(testing::HasSubstr("Only one GPU was used")));
}

TEST_F(GpuRegistration, StopsWhenAskedAndGivesItsMemoryBack) {
  const RegistrationInput input = phantom(phantom::RegistrationPhantomKind::brain, test::briefly() ? 48 : 96);
  RegistrationOptions options;
  if (test::briefly()) options.iterations = "2/2/8";
  (void)gpu::registration::registerImages(input, options, {});
  const std::int64_t before = gpu::freeMemory();
  std::stop_source stop;
  std::atomic<int> updates = 0;

  EXPECT_THROW(gpu::registration::registerImages(input, options,
                                                 Progress(stop.get_token(),
                                                          [&](double fraction, std::string_view stage) {
                                                            if (stage != "Level 3 of 3") return;
                                                            EXPECT_GT(fraction, 0.2);
                                                            if (++updates == 5) stop.request_stop();
                                                          })),
               Cancelled);

  EXPECT_LT(updates, 5 + threadCount()) << "it stops before the next iteration is told; what other threads "
                                           "were telling meanwhile may still come";
  EXPECT_GE(gpu::freeMemory(), before - (16 << 20));
}

TEST_F(GpuRegistration, ShowsTheDeformationWhileItRuns) {
  RegistrationInput input = phantom(phantom::RegistrationPhantomKind::brain, test::briefly() ? 160 : 224);
  std::stop_source stop;
  std::size_t iterations = 0;
  double largest = 0;
  input.preview = [&](const RegistrationPreview& preview) {
    iterations = preview.iterations.size();
    for (const float v : preview.displacement.values) largest = std::max(largest, std::abs(double(v)));
    EXPECT_EQ(preview.warped.grid.voxels(), std::int64_t(preview.displacement.values.size()) / 3);
    if (iterations > 1 && largest > 0) stop.request_stop();
  };
  RegistrationOptions options;  // for a run much longer than the interval between previews
  options.iterations = "100000", options.tolerance = 0, options.levels = 1, options.sigma = 16;
  if (test::briefly()) options.maxStep = 0.01;

  EXPECT_THROW(gpu::registration::registerImages(input, options, Progress(stop.get_token(), {})), Cancelled);

  EXPECT_GT(iterations, 1u);
  EXPECT_GT(largest, test::briefly() ? 0 : 0.1) << "mm";
}

TEST_F(GpuRegistration, ThatDoesNotFitIsRefusedWithBothFigures) {
  // More than the memory of any device; refused before anything is read.
  auto image = std::make_shared<Series<float>>();
  image->grid.size = {4000, 4000, 4000}, image->count = 1;
  RegistrationInput input;
  input.templateImage = input.reference = image;

  test::expectError([&] { (void)gpu::registration::registerImages(input, {}, {}); }, {"are needed"},
                    ErrorKind::unavailable);
}

TEST_F(GpuRegistration, RefusesTheInputThatTheCpuRefuses) {
  RegistrationInput input = phantom(phantom::RegistrationPhantomKind::brain, 32);
  auto bad = std::make_shared<Series<float>>(*input.reference);
  bad->values[5] = NAN;
  input.reference = bad;

  EXPECT_THROW(gpu::registration::registerImages(input, {}, {}), Error);
}

}  // namespace
}  // namespace sulcus::registration
