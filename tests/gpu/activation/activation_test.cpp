#include "gpu/activation/activation.h"

#include "core/base/error.h"
#include "core/phantom/activation_phantom.h"
#include "gpu/activation/gibbs_run.h"
#include "gpu/runtime/device.h"
#include "tests/support/activation_parity.h"
#include "tests/support/device_memory.h"
#include "tests/support/expect_error.h"
#include "tests/support/for_each_seed.h"
#include "tests/support/gpu.h"

#include <numeric>
#include <stop_token>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sulcus::activation {
namespace {

class GpuGibbsParity : public test::GibbsParity {
 protected:
  void SetUp() override { test::requireGpuOrSkip(); }
};

TEST_P(GpuGibbsParity, OfTheFirstTenIterations) { expectTheSameTenIterations(gpu::activation::sampleGibbs); }
TEST_P(GpuGibbsParity, OfThePosterior) { expectTheSamePosterior(gpu::activation::sampleGibbs); }
TEST_P(GpuGibbsParity, OfVoxelsDrawnAgain) { expectThatVoxelsCanBeDrawnAgain(gpu::activation::sampleGibbs); }

INSTANTIATE_TEST_SUITE_P(Gibbs, GpuGibbsParity, testing::ValuesIn(test::gibbsCases()), test::nameOfGibbsCase);

class GpuGibbs : public test::NeedsGpu {};

TEST_F(GpuGibbs, TakesTheStatedMemory) {
  const GibbsProblem problem = test::makeGibbsProblem({.voxels = 50'000, .covariates = 2, .groups = 3});
  GibbsOptions options;
  options.draws = 400, options.burnIn = 40;
  const gpu::Stream stream;
  const std::int64_t before = test::deviceBytesInUse();

  const gpu::activation::GibbsRun run(problem, options, stream);

  const double used = double(test::deviceBytesInUse() - before);
  EXPECT_NEAR(used, gpu::activation::gibbsDeviceBytes(problem, options), 0.03 * used);
}

TEST_F(GpuGibbs, IsTheSameBitForBitEveryTime) {
  for (const int regressors : {3, 9}) {  // by the specialized kernel and by the general one
    const GibbsProblem problem =
        test::makeGibbsProblem({.voxels = 9000, .regressors = regressors, .groups = 2});
    GibbsOptions options;
    options.draws = 200, options.burnIn = 20;

    test::expectSameBits(gpu::activation::sampleGibbs(problem, options, {}, {}),
                         gpu::activation::sampleGibbs(problem, options, {}, {}));
  }
}

TEST_F(GpuGibbs, IsTheSameBitForBitOnSeveralDevices) {
  for (const int count : {1, 2, 3}) {
    const GibbsProblem problem = test::makeGibbsProblem({.voxels = 9000, .groups = 2});
    GibbsOptions options;
    options.draws = 200, options.burnIn = 20, options.chains = count;
    const GibbsResult alone = gpu::activation::sampleGibbs(problem, options, {}, {});
    for (const auto& devices : test::sharingDevices()) {
      SCOPED_TRACE(testing::Message() << count << " chains on " << devices[1]);
      const test::OnDevices shared(devices);
      test::expectSameBits(gpu::activation::sampleGibbs(problem, options, {}, {}), alone);
    }
  }
}

TEST_F(GpuGibbs, DoesNotDependOnTheLaunchesBitForBit) {
  const GibbsProblem problem = test::makeGibbsProblem({.voxels = 3000});
  GibbsOptions options;
  options.draws = 60, options.burnIn = 6, options.thinning = 2;
  const gpu::Stream stream;
  gpu::activation::GibbsRun run(problem, options, stream);
  run.start();
  run.run(-1, 60);
  const GibbsResult atOnce = run.result();
  run.start();
  for (int t = -1; t < 60; t += t < 0 ? 8 : 1) run.run(t, t < 0 ? 7 : t + 1);

  test::expectSameBits(run.result(), atOnce);
}

TEST_F(GpuGibbs, OfGroupsTooLargeForSharedMemoryAgreesWithTheCpu) {
  // Seven groups for each of up to 140 multiprocessors, the largest far larger than fits in one.
  GibbsProblem problem = test::makeGibbsProblem({.voxels = 40'000, .regressors = 5, .groups = 1000});
  for (std::size_t g = 1; g < problem.groups.size(); ++g) {
    const std::int64_t begin = 30'000 + 10'000 * std::int64_t(g - 1) / 999;
    problem.groups[g].begin = problem.groups[g - 1].end = begin;
    problem.groups[g].zz = {double(30'000 + 10'000 * std::int64_t(g) / 999 - begin)};
  }
  problem.groups[0].zz = {30'000};
  GibbsOptions options;
  options.draws = 10, options.burnIn = 0, options.thinning = 1, options.chains = 1;

  const GibbsResult result = gpu::activation::sampleGibbs(problem, options, {}, {}),
                    reference = sampleGibbs(problem, options, {}, {});

  EXPECT_LE(test::largestDifference(result.delta, reference.delta), 1e-4);
  EXPECT_LE(test::largestDifference(result.moments.mean, reference.moments.mean), 1e-4);
}

TEST_F(GpuGibbs, StopsWhenAskedAndGivesItsMemoryBack) {
  const GibbsProblem problem = test::makeGibbsProblem({.voxels = test::cases(50'000)});
  GibbsOptions options;
  options.draws = 100'000, options.burnIn = 10;
  (void)gpu::activation::sampleGibbs(problem, GibbsOptions{.draws = 100, .burnIn = 0}, {}, {});
  const std::int64_t before = gpu::freeMemory();
  std::stop_source stop;
  int updates = 0;

  EXPECT_THROW(gpu::activation::sampleGibbs(problem, options, {},
                                            Progress(stop.get_token(),
                                                     [&](double, std::string_view) {
                                                       if (++updates == 3) stop.request_stop();
                                                     })),
               Cancelled);

  EXPECT_EQ(updates, 3);
  EXPECT_GE(gpu::freeMemory(), before - (64 << 20));
}

TEST_F(GpuGibbs, ShowsTheMomentsSoFarWhileItRuns) {
  const GibbsProblem problem = test::makeGibbsProblem({.voxels = test::cases(2000)});
  GibbsOptions options;  // for a run much longer than the interval between two previews
  options.draws = 200'000, options.burnIn = test::cases(1000), options.thinning = 10;
  std::stop_source stop;
  std::vector<double> shares;
  GibbsMoments last;

  EXPECT_THROW(gpu::activation::sampleGibbs(
                   problem, options,
                   [&](const GibbsMoments& moments, double done) {
                     shares.push_back(done);
                     last = moments;
                     EXPECT_TRUE(std::isnan(moments.rhat.at(0))) << "known at the end only";
                     if (shares.size() == 2) stop.request_stop();
                   },
                   Progress(stop.get_token(), {})),
               Cancelled);

  ASSERT_EQ(shares.size(), 2u);
  EXPECT_GT(shares[0], 0);
  EXPECT_GT(shares[1], shares[0]);
  EXPECT_LT(shares[1], 1);
  const GibbsMoments longRun = sampleGibbs(problem, GibbsOptions{.draws = 4000}, {}, {}).moments;
  ASSERT_EQ(last.mean.size(), longRun.mean.size());
  double furthest = 0;
  for (std::size_t i = 0; i < last.mean.size(); ++i)
    furthest = std::max(furthest, std::abs(double(last.mean[i]) - longRun.mean[i]));
  EXPECT_GT(furthest, 0);
  EXPECT_LT(furthest, test::briefly() ? 1 : 0.1)
      << "the mean of conditional means; under a sanitizer of a few draws";
}

TEST_F(GpuGibbs, SaysWhatMemoryItWouldNeed) {
  const GibbsProblem problem = test::makeGibbsProblem({});
  GibbsOptions options;
  options.draws = 2'000'000'000, options.chains = 16;

  test::expectError([&] { (void)gpu::activation::sampleGibbs(problem, options, {}, {}); },
                    {"too little free memory for the activation"}, ErrorKind::unavailable);
}

TEST_F(GpuGibbs, RefusesWhatTheCpuRefuses) {
  const GibbsProblem problem = test::makeGibbsProblem({});
  GibbsOptions options;
  options.draws = options.burnIn = 10;

  EXPECT_THROW(gpu::activation::sampleGibbs(problem, options, {}, {}), Error);
}

TEST_F(GpuGibbs, RefusesMoreRegressorsThanFit) {
  const GibbsProblem problem = test::makeGibbsProblem({.voxels = 10, .regressors = 500, .scans = 600});
  GibbsOptions options;
  options.draws = 10, options.burnIn = 0;

  EXPECT_THAT(test::errorOf([&] { (void)gpu::activation::sampleGibbs(problem, options, {}, {}); }),
              testing::HasSubstr("500 regressors are too many"));
}

TEST(GibbsBlocks, CoverEveryVoxelOfEveryChainOnce) {
  for (const int groups : {1, 3, 46, 500})
    for (const int chains : {1, 2, 4})
      for (const std::int64_t voxels : {500, 1525, 2049, 200'000}) {
        SCOPED_TRACE(testing::Message() << groups << " groups, " << chains << " chains, " << voxels);
        std::vector<GibbsGroup> list;
        for (int g = 0; g < groups; ++g)
          list.push_back({voxels * g / groups, voxels * (g + 1) / groups, {}, {}});

        const auto blocks = gpu::activation::planBlocks(list, chains, 132);

        EXPECT_LE(blocks.size(), std::max<std::size_t>(132, std::size_t(groups * chains)));
        std::int64_t at = 0;
        for (std::size_t i = 0; i < blocks.size(); ++i) {
          const auto& block = blocks[i];
          if (at == voxels) at = 0;
          EXPECT_EQ(block.first, at);
          EXPECT_EQ(block.rank, int(i) - block.leader);
          EXPECT_LT(block.rank, block.size);
          EXPECT_GE(block.first, list[std::size_t(block.group)].begin);
          EXPECT_LE(block.first + block.voxels, list[std::size_t(block.group)].end);
          at += block.voxels;
        }
        EXPECT_EQ(at, voxels);
        EXPECT_EQ(blocks.back().chain, chains - 1);
      }
}

TEST_F(GpuGibbs, AnalyzesTheActivationPhantomAsTheCpuDoes) {
  phantom::ActivationPhantomOptions phantomOptions;
  const phantom::ActivationPhantom phantom = phantom::makeActivationPhantom(phantomOptions);
  ActivationInput input;
  input.bold = phantom.bold, input.mask = phantom.mask, input.design = phantom.design;
  input.tissue = phantom.tissue, input.tissueNames = phantom.tissueNames;
  ActivationOptions options;
  options.draws = 500;

  const ActivationResult result = gpu::activation::analyzeActivation(input, options, {}),
                         reference = analyzeActivation(input, options, {});

  EXPECT_EQ(result.voxels, reference.voxels);
  EXPECT_LE(test::largestDifference(result.mean, reference.mean), 1e-3);
  EXPECT_LE(test::largestDifference(result.covariance, reference.covariance), 1e-2);
}

}  // namespace
}  // namespace sulcus::activation
