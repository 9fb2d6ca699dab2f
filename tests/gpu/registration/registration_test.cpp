#include "gpu/registration/registration.h"

#include "core/base/error.h"
#include "core/phantom/registration_phantom.h"
#include "gpu/runtime/buffer.h"
#include "tests/support/gpu.h"

#include <cmath>
#include <stop_token>

#include <gmock/gmock.h>

namespace sulcus {
namespace {

class GpuRegistration : public test::NeedsGpu {
 protected:
  static RegistrationInput phantom(RegistrationPhantomKind kind, int size) {
    RegistrationPhantomOptions options;
    options.kind = kind, options.size = size;
    const RegistrationPhantom made = makeRegistrationPhantom(options);
    RegistrationInput input;
    input.templateImage = made.templateImage, input.reference = made.reference;
    return input;
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
    EXPECT_NEAR(a.iterations[i].energy, b.iterations[i].energy, 1e-11 * b.iterations[i].energy);
  }
  EXPECT_EQ(largestDifference(a.displacement.values, b.displacement.values), 0) << "mm";
  EXPECT_EQ(largestDifference(a.warped.values, b.warped.values), 0);
  EXPECT_EQ(largestDifference(a.logJacobian.values, b.logJacobian.values), 0);
  EXPECT_EQ(largestDifference(a.inverse.values, b.inverse.values), 0) << "mm";
}

TEST_F(GpuRegistration, OfAWarpedBrainIsThatOfTheCpuBitForBit) {
  const RegistrationInput input = phantom(RegistrationPhantomKind::brain, 48);

  const RegistrationResult here = registerImages(input, {}, {}), there = gpu::registerImages(input, {}, {});

  EXPECT_GT(here.iterations.size(), 30u);
  expectTheSame(there, here);
}

TEST_F(GpuRegistration, OfALargeDeformationIsThatOfTheCpuBitForBit) {
  const RegistrationInput input = phantom(RegistrationPhantomKind::c, 48);
  for (const auto force : {RegistrationForce::descent, RegistrationForce::paper})
    for (const auto gradient : {TemplateGradient::central, TemplateGradient::exact}) {
      RegistrationOptions options;
      options.force = force, options.gradient = gradient, options.sigma = 1.5, options.iterations = "60";

      const RegistrationResult here = registerImages(input, options, {}),
                               there = gpu::registerImages(input, options, {});

      EXPECT_GT(here.largestDisplacement, 2) << "mm";
      expectTheSame(there, here);
    }
}

TEST_F(GpuRegistration, IsTheSameBitForBitEveryTime) {
  const RegistrationInput input = phantom(RegistrationPhantomKind::brain, 64);

  const RegistrationResult once = gpu::registerImages(input, {}, {}),
                           again = gpu::registerImages(input, {}, {});

  ASSERT_EQ(once.iterations.size(), again.iterations.size());
  for (std::size_t i = 0; i < once.iterations.size(); ++i)
    EXPECT_EQ(once.iterations[i].energy, again.iterations[i].energy);
  EXPECT_EQ(once.displacement.values, again.displacement.values);
}

TEST_F(GpuRegistration, StopsWhenAskedAndGivesItsMemoryBack) {
  const RegistrationInput input = phantom(RegistrationPhantomKind::brain, 96);
  RegistrationOptions options;
  options.iterations = "100000", options.tolerance = 0, options.levels = 1;
  const std::int64_t before = gpu::freeMemory();
  std::stop_source stop;
  RegistrationInput watched = input;
  int previews = 0;
  watched.preview = [&](const RegistrationPreview&) {
    if (++previews == 2) stop.request_stop();
  };

  EXPECT_THROW(gpu::registerImages(watched, options, Progress(stop.get_token(), {})), Cancelled);

  EXPECT_EQ(previews, 2);
  EXPECT_GE(gpu::freeMemory(), before - (64 << 20));
}

TEST_F(GpuRegistration, ShowsTheDeformationWhileItRuns) {
  RegistrationInput input = phantom(RegistrationPhantomKind::brain, 96);
  std::vector<std::size_t> iterations;
  std::vector<double> largest;
  std::stop_source stop;
  input.preview = [&](const RegistrationPreview& preview) {
    iterations.push_back(preview.iterations.size());
    largest.push_back(0);
    for (const float v : preview.displacement.values)
      largest.back() = std::max(largest.back(), std::abs(double(v)));
    EXPECT_EQ(preview.warped.grid.voxels(), std::int64_t(preview.displacement.values.size()) / 3);
    if (iterations.size() == 3) stop.request_stop();
  };
  RegistrationOptions options;
  options.iterations = "100000", options.tolerance = 0, options.levels = 1;

  EXPECT_THROW(gpu::registerImages(input, options, Progress(stop.get_token(), {})), Cancelled);

  ASSERT_EQ(iterations.size(), 3u);
  EXPECT_LT(iterations.front(), iterations.back());
  EXPECT_GT(largest.front(), 0.1);
}

TEST_F(GpuRegistration, ThatDoesNotFitIsRefusedWithBothFigures) {
  const RegistrationInput input = phantom(RegistrationPhantomKind::brain, 64);
  const gpu::Stream stream;
  const gpu::Buffer<char> filler(gpu::freeMemory() - (24 << 20), stream);
  stream.synchronize();

  try {
    (void)gpu::registerImages(input, {}, {});
    ADD_FAILURE() << "it ran";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::unavailable);
    EXPECT_THAT(error.what(), testing::HasSubstr("are needed"));
  }
}

TEST_F(GpuRegistration, RefusesTheInputThatTheCpuRefuses) {
  RegistrationInput input = phantom(RegistrationPhantomKind::brain, 32);
  auto bad = std::make_shared<Series<float>>(*input.reference);
  bad->values[5] = NAN;
  input.reference = bad;

  EXPECT_THROW(gpu::registerImages(input, {}, {}), Error);
}

}  // namespace
}  // namespace sulcus
