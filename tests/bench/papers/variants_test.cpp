#include "tests/bench/papers/ballard_papers.h"
#include "tests/bench/papers/device_facts.h"
#include "tests/bench/papers/force_variants.h"
#include "tests/bench/papers/neighboring_streams.h"
#include "tests/bench/papers/patch_variants.h"
#include "tests/bench/papers/power_method_gpu.h"
#include "tests/bench/papers/power_method_kernel.h"
#include "tests/bench/surface/surface_data.h"
#include "tests/support/gpu.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

namespace sulcus::bench {
namespace {

TEST(UnrolledKernel, IsThatOfFigure61) {
  const std::vector<std::string> published{"Avals[0] * x1 * x1 * x1",     "Avals[1] * 3 * x1 * x1 * x2",
                                           "Avals[2] * 3 * x1 * x1 * x3", "Avals[3] * 3 * x1 * x2 * x2",
                                           "Avals[4] * 6 * x1 * x2 * x3", "Avals[5] * 3 * x1 * x3 * x3",
                                           "Avals[6] * x2 * x2 * x2",     "Avals[7] * 3 * x2 * x2 * x3",
                                           "Avals[8] * 3 * x2 * x3 * x3", "Avals[9] * x3 * x3 * x3"};
  EXPECT_EQ(unrolledLines(4, 3, 0), published);
}

TEST(PaperFlops, AreThoseOfThePaper) {
  EXPECT_EQ(paperFlops(4, 3), 140);
  EXPECT_EQ(indexClassCount(4, 3), 15);
  EXPECT_EQ(indexClassCount(3, 4), 20);
}

/// Starts on the axes; entries without symmetry between axes, of norm 1, so that with the shift m − 1 every
/// step increases and rounding stays small.
PowerMethodWork smallWork(int m, int n) {
  PowerMethodWork work{m, n, 3, float(m - 1), 25, {}, {}};
  for (int t = 0; t < work.tensors; ++t) {
    std::vector<double> entries;
    double square = 0;
    int index[fibers::kLargestGeneralOrder] = {};
    do {
      entries.push_back(std::sin(1 + 0.7 * double(entries.size()) + t));
      square += double(fibers::multiplicityWithout(index, m, -1, -1)) * entries.back() * entries.back();
    } while (fibers::nextIndexClass(index, m, n));
    for (const double entry : entries) work.entries.push_back(float(entry / std::sqrt(square)));
  }
  for (int s = 0; s < n; ++s)
    for (int i = 0; i < n; ++i) work.starts.push_back(i == s ? 1.f : 0.f);
  return work;
}

void expectSameEnds(const PowerMethodEnds& a, const PowerMethodEnds& b) {
  ASSERT_EQ(a.values.size(), b.values.size());
  for (std::size_t i = 0; i < a.values.size(); ++i) EXPECT_NEAR(a.values[i], b.values[i], 2e-4) << i;
  for (std::size_t i = 0; i < a.vectors.size(); ++i) EXPECT_NEAR(a.vectors[i], b.vectors[i], 1e-3) << i;
}

class PowerMethodOf : public testing::TestWithParam<std::pair<int, int>> {};

TEST_P(PowerMethodOf, IsTheSameUnrolled) {
  const auto [m, n] = GetParam();
  const auto work = smallWork(m, n);
  if (!withUnrolled(m, n, [](auto, auto) {})) {
    EXPECT_EQ(indexClassCount(m, n), 462) << "the one that is left to the loops";
    return;
  }
  expectSameEnds(powerMethodOnCpu(work, true), powerMethodOnCpu(work, false));
}

TEST_P(PowerMethodOf, IsTheSameOnAGpu) {
  test::requireGpuOrSkip();
  if (IsSkipped() || HasFatalFailure()) return;
  const auto [m, n] = GetParam();
  const auto work = smallWork(m, n);
  const auto known = powerMethodOnCpu(work, false);
  expectSameEnds(powerMethodOnGpu(work, false), known);
  if (withUnrolled(m, n, [](auto, auto) {})) expectSameEnds(powerMethodOnGpu(work, true), known);
}

INSTANTIATE_TEST_SUITE_P(Sizes, PowerMethodOf,
                         testing::Values(std::pair{3, 2}, std::pair{8, 2}, std::pair{3, 3}, std::pair{4, 3},
                                         std::pair{8, 3}, std::pair{4, 4}, std::pair{6, 6}));

TEST(PowerMethodWork, BeginsAlikeForAnyNumberOfTensors) {
  const auto few = powerMethodWork(6, 3, 2, 8, 10), many = powerMethodWork(6, 3, 70, 8, 10);
  EXPECT_EQ(few.starts, many.starts);
  ASSERT_EQ(few.entries.size(), 2u * 28);
  EXPECT_TRUE(std::equal(few.entries.begin(), few.entries.end(), many.entries.begin()));
}

TEST(PowerMethod, FindsAKnownEigenpair) {
  PowerMethodWork work{4, 3, 1, 2, 400, {}, {0.6672f, 0.2471f, -0.7027f}};
  for (const double entry : publishedTensors()[0].entries) work.entries.push_back(float(entry));
  EXPECT_NEAR(powerMethodOnCpu(work, true).values[0], 0.8893, 6e-5);
}

class ForceVariants : public test::NeedsGpu {};
TEST_F(ForceVariants, AgreeWithTheEngine) {
  // Sizes below, at and above tiles of 28 × 12 voxels.
  for (const Vec3<int> size : {Vec3<int>{28, 12, 7}, {29, 13, 3}, {61, 27, 9}, {5, 40, 20}}) {
    const ForceWork work = forceWork(size);
    registration::VectorField<float> known(work.size);
    forceOnCpu(work, known);
    float largest = 0;
    for (const auto& component : known.values)
      for (const float f : component) largest = std::max(largest, std::abs(f));
    ASSERT_GT(largest, 0);
    for (const auto variant : {ForceVariant::recompute, ForceVariant::recomputeLocal, ForceVariant::reuse})
      for (int blocks = 1; blocks <= 3; ++blocks) {
        const ForceRun run = forceOnGpu(variant, blocks, work);
        if (run.blocks == 0) continue;  // too many to fit
        EXPECT_EQ(run.blocks, blocks);
        for (std::size_t c = 0; c < 3; ++c)
          for (std::size_t i = 0; i < known.values[c].size(); ++i)
            ASSERT_NEAR(run.force.values[c][i], known.values[c][i], 1e-5f * largest)
                << nameOf(variant) << " of " << size.x << " × " << size.y << " × " << size.z << " at " << i;
      }
    EXPECT_EQ(forceOnGpu(ForceVariant::reuse, 1, work).blocks, 1);
  }
}

TEST_F(ForceVariants, AreComparedWithTheKernelOfTheEngine) {
  const ForceRun engine = engineForceOnGpu(forceWork({61, 27, 9}));
  EXPECT_EQ(engine.threads, engine.tileX * engine.tileY);
  EXPECT_GE(engine.blocks, 4);  // as requested by its launch bounds
  EXPECT_LE(engine.registers * engine.threads * engine.blocks, int(deviceFacts().registers));
  EXPECT_GT(engine.sharedBytes, 0);
  EXPECT_GT(engine.seconds, 0);
}

class PatchVariants : public test::NeedsGpu {};
TEST_F(PatchVariants, FindTheNeighborsOfTheEngine) {
  for (const int elements : {131, 1000}) {
    Volume<float> phi;
    const surface::Band band = bandOfSize(SurfaceData::gray, elements, kPaperSide, phi);
    const auto known = surface::findNeighbors(band, kPaperNeighbors, {});
    for (const auto memory : {PatchMemory::global, PatchMemory::constant, PatchMemory::texture})
      for (const PatchLayout layout : {PatchLayout{6, 6}, fullLayout(6), fullLayout(2)}) {
        const auto found = searchByPasses(band, memory, layout).found;
        std::int64_t same = 0;
        for (std::size_t i = 0; i < known.distance.size(); ++i) {
          ASSERT_NEAR(found.distance[i], known.distance[i], 1e-5f * known.distance[i] + 1e-6f)
              << nameOf(memory) << " at " << i;
          same += found.index[i] == known.index[i];
        }
        EXPECT_GE(double(same), 0.999 * double(known.index.size())) << nameOf(memory);
      }
  }
}

TEST(NeighboringStreams, AreCorrelatedInThePackageAlone) {
  // The first words of neighboring threads differ by 36969 · 2¹⁶ + 18000 (mod 2³²), a share s = 0.564 of the
  // range: the correlation of a uniform number with itself shifted cyclically by s is 1 − 6 s (1 − s).
  const double share = std::fmod(36969.0 * 65536 + 18000, 4294967296.0) / 4294967296.0;
  const StreamCorrelation package = packageCorrelation();
  const double first = 1 - 6 * share * (1 - share);
  EXPECT_LE(package.lowest, first + 0.02);
  EXPECT_GE(package.highest, first - 0.02);
  EXPECT_GT(package.highest - package.lowest, 0.3);
  for (const auto generator :
       {Generator::philox, Generator::multicarry, Generator::xorgens, Generator::mersenneTwister}) {
    const StreamCorrelation own = seededCorrelation(generator);
    EXPECT_LT(own.highest, 0.03);  // four standard errors of 20 000 sweeps
    EXPECT_GT(own.lowest, -0.03);
  }
}

}  // namespace
}  // namespace sulcus::bench
