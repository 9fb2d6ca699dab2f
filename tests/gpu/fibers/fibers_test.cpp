#include "gpu/fibers/fibers.h"

#include "gpu/fibers/fibers_slabs.h"
#include "gpu/runtime/device.h"
#include "tests/support/device_memory.h"
#include "tests/support/expect_error.h"
#include "tests/support/fibers_parity.h"
#include "tests/support/for_each_seed.h"
#include "tests/support/gpu.h"

#include <algorithm>
#include <limits>
#include <mutex>
#include <stop_token>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sulcus::fibers {
namespace {

class GpuFibersParity : public test::FibersParity {
 protected:
  void SetUp() override { test::requireGpuOrSkip(); }
};

TEST_P(GpuFibersParity, WithTheCpu) { expectParity(gpu::fibers::findFibers); }

INSTANTIATE_TEST_SUITE_P(Fibers, GpuFibersParity, testing::ValuesIn(test::kFibersCases), test::nameOf);

class GpuFibers : public test::NeedsGpu {};

FiberOptions csd(int order) {
  FiberOptions options;
  options.model = FiberModel::csd, options.order = order;
  return options;
}

TEST_F(GpuFibers, AgreeWithTheCpuAtSizesAroundWarpsAndBlocks) {
  for (const int count : {31, 32, 33, 255, 256, 257}) {
    SCOPED_TRACE(count);
    const FiberInput input = test::fibersRow(count);

    const FiberMaps maps = gpu::fibers::findFibers(input, csd(6), {});

    // With fewer than 1000 peaks none may differ; in one voxel the number of peaks may.
    test::expectAgreement(maps, findFibers(input, csd(6), {}), 1 - 1.0 / count);
  }
}

TEST_F(GpuFibers, AgreeWithTheCpuAtNumbersOfStartsAroundWarpsAndSharedMemory) {
  const FiberInput input = test::fibersRow(test::cases(64));
  for (const int starts : {16, 17, 31, 33, 128, 129, 374, 375, 376, 377, 1024}) {
    SCOPED_TRACE(starts);
    FiberOptions options = csd(8);
    options.starts = starts;

    test::expectAgreement(gpu::fibers::findFibers(input, options, {}), findFibers(input, options, {}), 0.98);
  }
}

TEST_F(GpuFibers, OfOneVoxelAgreeWithTheCpu) {
  const FiberInput input = test::fibersRowAs(FiberModel::tensor, 6, 1);
  FiberOptions options;

  test::expectAgreement(gpu::fibers::findFibers(input, options, {}), findFibers(input, options, {}), 1);
}

TEST_F(GpuFibers, AgreeWithTheCpuOnTissuesAtEveryOrder) {
  FiberOptions options;
  options.model = FiberModel::msmt;
  for (const int order : {2, 4, 6, 8, 10, 12}) {
    SCOPED_TRACE(order);
    options.order = order;
    const FiberInput input = test::fibersRowAs(FiberModel::msmt, order, test::cases(24));

    const FiberMaps maps = gpu::fibers::findFibers(input, options, {}),
                    reference = findFibers(input, options, {});

    test::expectAgreement(maps, reference, 0.95);
    EXPECT_LT(test::relativeDifference(maps.volumes.values, reference.volumes.values), 1e-5);
  }
}

TEST_F(GpuFibers, OfNoVoxelAreRefusedAsOnTheCpu) {
  FiberInput input = test::fibersRow(10);
  input.mask = std::make_shared<const Mask>(input.mask->grid, std::uint8_t(0));

  const std::string onCpu = test::errorOf([&] { findFibers(input, {}, {}); });
  EXPECT_FALSE(onCpu.empty());
  EXPECT_EQ(test::errorOf([&] { gpu::fibers::findFibers(input, {}, {}); }), onCpu);
}

TEST_F(GpuFibers, DoNotDependOnTheSlabsBitForBit) {
  const int slab = test::cases(256);
  for (const int count : {1, slab - 1, slab, slab + 1, 2 * slab - 1, 2 * slab + 1}) {
    SCOPED_TRACE(count);
    const FiberInput input = test::fibersRow(count);

    test::expectSameBits(gpu::fibers::findFibersInSlabs(input, csd(8), {}, slab),
                         gpu::fibers::findFibersInSlabs(input, csd(8), {}, count));
  }
}

TEST_F(GpuFibers, AreTheSameBitForBitOnSeveralDevices) {
  for (const int count : {1, 7, test::cases(3000)}) {
    const FiberInput input = test::fibersRow(count);
    const FiberMaps alone = gpu::fibers::findFibers(input, csd(8), {});
    for (const auto& devices : test::sharingDevices()) {
      SCOPED_TRACE(testing::Message() << count << " on " << devices[1]);
      const test::OnDevices shared(devices);
      test::expectSameBits(gpu::fibers::findFibers(input, csd(8), {}), alone);
    }
  }
}

TEST_F(GpuFibers, TakeTheStatedDeviceMemory) {
  constexpr int count = 20'000;
  for (const FiberModel model :
       {FiberModel::csd, FiberModel::msmt, FiberModel::qball, FiberModel::sh, FiberModel::tensor})
    for (const int order : {4, 8}) {
      SCOPED_TRACE(testing::Message() << "model " << int(model) << ", order " << order);
      const FiberInput input = test::fibersRowAs(model, order, count);
      FiberOptions options;
      options.model = model, options.order = order;
      const FiberPlan plan = planFibers(input, options, {});
      const gpu::Stream stream;
      const std::int64_t before = test::deviceBytesInUse();

      const gpu::fibers::FiberSlab slab(count, plan, options, stream);

      const double used = double(test::deviceBytesInUse() - before);
      EXPECT_NEAR(used, gpu::fibers::fiberDeviceBytes(input, options), 0.03 * used);
    }
}

TEST(FiberDeviceBytes, AreThoseOfASlab) {
  const FiberInput input = test::fibersRow(1024);
  const double bytes = gpu::fibers::fiberDeviceBytes(input, csd(8));
  // 1.1 kB for each voxel with 70 volumes, and 150 kB of matrices.
  EXPECT_NEAR(bytes, 1024 * 1100 + 150e3, 1024 * 50);
  EXPECT_LT(gpu::fibers::fiberDeviceBytes(input, csd(4)), 0.7 * bytes);
}

TEST_F(GpuFibers, AreTheSameBitForBitEveryTime) {
  const FiberInput input = test::fibersRow(test::cases(1024));

  test::expectSameBits(gpu::fibers::findFibers(input, csd(8), {}),
                       gpu::fibers::findFibers(input, csd(8), {}));
}

TEST_F(GpuFibers, SkipVoxelsThatAreNotFiniteAndLeaveTheOthersAlone) {
  FiberInput input = test::fibersRow(100);
  const FiberMaps before = gpu::fibers::findFibers(input, csd(6), {});
  Series<float> dwi = *input.dwi;
  dwi.at(17, 3) = std::numeric_limits<float>::quiet_NaN();
  dwi.at(64, 40) = std::numeric_limits<float>::infinity();
  input.dwi = std::make_shared<const Series<float>>(std::move(dwi));

  const FiberMaps maps = gpu::fibers::findFibers(input, csd(6), {});

  EXPECT_EQ(maps.skippedNotFinite, 2);
  EXPECT_EQ(maps.voxels, 98);
  for (const int skipped : {17, 64}) {
    EXPECT_TRUE(std::isnan(maps.peaks.at(skipped, 0)));
    EXPECT_EQ(maps.count.values[skipped], 0);
    EXPECT_EQ(maps.tensor.at(skipped, 0), 0);
  }
  test::expectAgreement(maps, findFibers(input, csd(6), {}), 0.99);
  EXPECT_EQ(before.skippedNotFinite, 0);
}

TEST_F(GpuFibers, AreDegenerateWhereTheFormIsZeroOrIsotropic) {
  FiberInput input = test::fibersRowAs(FiberModel::tensor, 4, 40);
  Series<float> tensor = *input.tensor;
  for (int u = 0; u < tensor.count; ++u) tensor.at(3, u) = tensor.at(33, u) = 0;
  constexpr int isotropic = 12;  // (x² + y² + z²)²
  const auto classes = indexClasses<4>();
  for (int u = 0; u < tensor.count; ++u) {
    const auto& c = classes[std::size_t(u)];
    const bool fourth = c.i == 4 || c.j == 4 || c.k == 4,
               mixed = c.i % 2 == 0 && c.j % 2 == 0 && c.k % 2 == 0;
    tensor.at(isotropic, u) = fourth ? 1.0f : mixed ? 1.0f / 3 : 0.0f;
  }
  input.tensor = std::make_shared<const Series<float>>(std::move(tensor));

  const FiberMaps maps = gpu::fibers::findFibers(input, {}, {}), reference = findFibers(input, {}, {});

  EXPECT_EQ(maps.degenerate, reference.degenerate);
  for (const int voxel : {3, 33, isotropic}) EXPECT_EQ(maps.count.values[voxel], 0) << voxel;
  EXPECT_GT(maps.count.values[4], 0);
}

TEST_F(GpuFibers, KeepWhatLiesOutsideTheMaskEmpty) {
  FiberInput input = test::fibersRow(300);
  Mask mask(input.mask->grid);
  for (int i = 7; i < 300; i += 3) mask.values[i] = 1;
  input.mask = std::make_shared<const Mask>(mask);

  const FiberMaps maps = gpu::fibers::findFibers(input, csd(6), {}),
                  reference = findFibers(input, csd(6), {});

  test::expectAgreement(maps, reference, 0.99);
  for (int i = 0; i < 300; ++i)
    if (!mask.values[i]) {
      ASSERT_TRUE(std::isnan(maps.peaks.at(i, 0)) && maps.amplitude.values[i] == 0) << i;
    }
}

TEST_F(GpuFibers, ReportTheirStagesAndStopWhenAsked) {
  const FiberInput input = test::fibersRow(test::cases(1024));
  // The threads that estimate the response report concurrently, in no order.
  std::mutex reporting;
  double furthest = 0;
  const FiberMaps maps = gpu::fibers::findFibers(input, csd(8), Progress({}, [&](double f, std::string_view) {
                                                   const std::lock_guard lock(reporting);
                                                   furthest = std::max(furthest, f);
                                                 }));
  EXPECT_DOUBLE_EQ(furthest, 1);
  std::vector<std::string> names;
  for (const auto& stage : maps.stages) names.push_back(stage.name);
  EXPECT_THAT(names, testing::ElementsAre("Response", "Upload", "Fit", "Peaks", "Download"));

  const std::int64_t before = gpu::freeMemory();
  for (const char* at : {"Upload", "Fit", "Peaks", "Download"}) {
    std::stop_source stop;
    EXPECT_THROW(gpu::fibers::findFibersInSlabs(input, csd(8),
                                                Progress(stop.get_token(),
                                                         [&](double, std::string_view stage) {
                                                           if (stage == at) stop.request_stop();
                                                         }),
                                                100),
                 Cancelled)
        << at;
  }
  EXPECT_GE(gpu::freeMemory(), before - (64 << 20)) << "a cancelled run gives its memory back";
}

}  // namespace
}  // namespace sulcus::fibers
