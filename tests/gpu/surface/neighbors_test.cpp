#include "core/surface/neighbors.h"

#include "core/base/error.h"
#include "core/phantom/surface_phantom.h"
#include "gpu/runtime/batches.h"
#include "gpu/surface/neighbors.h"
#include "gpu/surface/search_job.h"
#include "gpu/surface/surface.h"
#include "tests/support/expect_error.h"
#include "tests/support/for_each_seed.h"
#include "tests/support/gpu.h"
#include "tests/support/neighbor_cases.h"

#include <chrono>
#include <stop_token>

namespace sulcus::surface {
namespace {

Band bandOfBall(int size, int side = 5) { return bandOf(quantized(test::noisyBall(size, 0.4), {}), 3, side); }

/// A tenth of its elements for brief tests.
Band briefly(const Band& band) { return test::firstOf(band, test::cases(int(band.count()))); }

/// Values −3…3 as integers, with ties like the distance to a mask.
Volume<float> coarsened(Volume<float> phi) {
  for (float& value : phi.values) value = std::clamp(std::round(value), -3.f, 3.f);
  return phi;
}

void expectThatOfTheCpu(const Band& band, int count) {
  test::expectTheSame(gpu::surface::findNeighbors(band, count, {}), findNeighbors(band, count, {}));
}

class GpuNeighborCase : public testing::TestWithParam<test::NeighborCase> {
  void SetUp() override { test::requireGpuOrSkip(); }
};

TEST_P(GpuNeighborCase, FindsWhatTheCpuFinds) {
  const auto& c = GetParam();
  expectThatOfTheCpu(bandOf(quantized(c.phi, {}), 2, c.side), c.count);
}

INSTANTIATE_TEST_SUITE_P(Cases, GpuNeighborCase, testing::ValuesIn(test::neighborCases()),
                         [](const auto& info) { return info.param.name; });

class GpuNeighbors : public test::NeedsGpu {};

TEST_F(GpuNeighbors, AreThoseOfTheCpuForAnyNumberOfElements) {
  const Band band = bandOfBall(26);
  ASSERT_GT(band.count(), 4100);
  for (const int elements : {1,   2,   3,   15,  16,  17,  31,   32,   33,   63,   64,   65,   127, 128,
                             129, 255, 256, 257, 511, 513, 1025, 2047, 2048, 2049, 4095, 4096, 4097}) {
    SCOPED_TRACE(elements);
    expectThatOfTheCpu(test::firstOf(band, elements), 96);
  }
}

TEST_F(GpuNeighbors, AreThoseOfTheCpuForAnyCount) {
  const Band band = briefly(bandOfBall(24));
  for (const int count : {1, 2, 31, 64, 127, 128, 129, 256, 300, 512, 1000, 1024}) {
    SCOPED_TRACE(count);
    expectThatOfTheCpu(band, count);
  }
}

TEST_F(GpuNeighbors, AreThoseOfTheCpuForAnyPatchAndCount) {
  for (const int side : {3, 5, 7})
    for (const int count : {1, 96, 300, 1024}) {
      SCOPED_TRACE(testing::Message() << side << ", " << count);
      expectThatOfTheCpu(bandOfBall(18, side), count);
    }
}

TEST_F(GpuNeighbors, AreThoseOfTheCpuWhereThousandsAreAlike) {
  for (const int count : {1, 96, 300}) {
    SCOPED_TRACE(count);
    expectThatOfTheCpu(briefly(bandOf(quantized(test::block(28), {}), 1, 3)), count);
    expectThatOfTheCpu(briefly(bandOf(quantized(coarsened(test::noisyBall(30, 0)), {}), 3, 5)), count);
    expectThatOfTheCpu(briefly(bandOf(quantized(coarsened(test::noisyBall(24, 0.4)), {}), 3, 3)), count);
  }
}

TEST_F(GpuNeighbors, AreThoseOfTheCpuOnLargeFlatFaces) {
  for (const int size : {22, 34, 42}) {  // blocks with one, two and four sub-tiles
    SCOPED_TRACE(size);
    Volume<float> phi = test::block(size);
    expectThatOfTheCpu(briefly(bandOf(quantized(phi, {}), 1, 5)), 96);
    for (auto& row : phi.grid.worldFromVoxel.m) row[1] *= 2.3;
    expectThatOfTheCpu(briefly(bandOf(quantized(phi, {}), 1, 5)), 96);
  }
}

TEST_F(GpuNeighbors, AreThoseOfTheCpuOnAnisotropicVoxels) {
  for (const Vec3<double> spacing : {Vec3<double>{0.4, 0.4, 1.2}, {1.1, 0.7, 0.3}}) {
    expectThatOfTheCpu(bandOf(quantized(test::noisyBall(24, 0.2, spacing), {}), 1, 5), 96);
    expectThatOfTheCpu(bandOf(quantized(coarsened(test::noisyBall(24, 0, spacing)), {}), 2, 3), 96);
  }
}

TEST_F(GpuNeighbors, AreThoseOfTheCpuWherePatchesReachFarthest) {
  Volume<float> phi = test::noisyBall(24, 0.4);
  for (std::size_t i = 0; i < phi.values.size(); i += 7) phi.values[i] *= 100;
  expectThatOfTheCpu(bandOf(quantized(phi, {}), 3, 5), 96);
}

TEST_F(GpuNeighbors, AreTheSameEveryTime) {
  const Band band = bandOfBall(32);
  test::expectTheSame(gpu::surface::findNeighbors(band, 96, {}), gpu::surface::findNeighbors(band, 96, {}));
}

TEST_F(GpuNeighbors, AreTheSameOnSeveralDevices) {
  for (const int size : {8, 32, 64}) {
    const Band band = briefly(bandOfBall(size));
    const PatchNeighbors alone = gpu::surface::findNeighbors(band, 96, {});
    for (const auto& devices : test::sharingDevices()) {
      SCOPED_TRACE(testing::Message() << size << " on " << devices[1]);
      const test::OnDevices shared(devices);
      test::expectTheSame(gpu::surface::findNeighbors(band, 96, {}), alone);
    }
  }
}

TEST_F(GpuNeighbors, AreThoseOfTheCpuOverSeveralLaunches) {
  phantom::SurfacePhantomOptions options;
  options.kind = phantom::SurfacePhantomKind::fold, options.size = 96;
  const Volume<float> phi = quantized(*phantom::makeSurfacePhantom(options).truth, {});
  const Band band = bandOf(phi, 3, 3);
  ASSERT_GT(band.count(), 70000);
  expectThatOfTheCpu(briefly(band), 8);
}

TEST_F(GpuNeighbors, SearchThePatchesOfTheCpu) {
  for (const int side : {3, 5, 7}) {
    const Band band =
        bandOf(quantized(test::noisyBall(16, 0.4), {}), 12, side);  // up to the borders of the grid
    const gpu::Stream stream;
    const auto phi = gpu::uploaded<float>(band.phi.values, stream);
    const auto voxels = gpu::uploaded<std::int64_t>(band.voxels, stream);
    gpu::Buffer<float> made(band.count() * band.patchSize(), stream);
    gpu::surface::gatherPatches(phi.data(), {band.grid().size, voxels.data(), band.count(), side},
                                made.data(), stream);
    std::vector<float> values(std::size_t(made.size()));
    made.download(values, stream);
    stream.synchronize();
    EXPECT_EQ(values, patchesOf(band, {}).values);
  }
}

TEST_F(GpuNeighbors, OfASingleElementAreNone) {
  EXPECT_EQ(gpu::surface::findNeighbors(test::firstOf(bandOfBall(12), 1), 96, {}).count, 0);
}

TEST_F(GpuNeighbors, CanBeStopped) {
  const Band band = bandOfBall(24);
  std::stop_source stop;
  stop.request_stop();
  const Progress progress(stop.get_token(), [](double, std::string_view) {});
  EXPECT_THROW(gpu::surface::findNeighbors(band, 96, progress), Cancelled);
  const test::OnDevices shared({0, 0});
  EXPECT_THROW(gpu::surface::findNeighbors(band, 96, progress), Cancelled);
}

TEST_F(GpuNeighbors, NeedNoMoreMemoryThanStated) {
  const Band band = briefly(bandOfBall(40));
  SurfaceOptions options;
  const gpu::Stream stream;
  for (const int count : {96, 1024}) {
    options.neighbors = count;
    const std::int64_t before = gpu::freeMemory();
    gpu::surface::DeviceSearch search(band, count, stream);
    search.prepare();
    gpu::WorkQueue rows(gpu::surface::DeviceSearch::rowBlocks(band));
    search.search(rows, {});
    const double used = double(before - gpu::freeMemory());
    EXPECT_LE(used, gpu::surface::surfaceDeviceBytes({double(band.count()), double(band.grid().voxels())},
                                                     options));
    EXPECT_GE(used,
              0.3 * double(gpu::surface::DeviceSearch::bytes(band.count(), band.grid().voxels(), 5, count)));
  }
}

TEST_F(GpuNeighbors, SayHowMuchMemoryIsMissing) {
  const Band band = bandOfBall(40);
  const gpu::Stream stream;
  SULCUS_CUDA(cudaDeviceSynchronize());  // releases what earlier runs freed
  const std::int64_t needed = gpu::surface::DeviceSearch::bytes(band.count(), band.grid().voxels(), 5, 96);
  const gpu::Buffer<char> taken(gpu::freeMemory() - needed * 3 / 4, stream);
  stream.synchronize();
  test::expectError([&] { gpu::surface::findNeighbors(band, 96, {}); }, {"are needed", "are free"},
                    ErrorKind::unavailable);
  const test::OnDevices shared({0, 0});
  test::expectError([&] { gpu::surface::findNeighbors(band, 96, {}); },
                    {"GPU 0 has too little", "are needed", "are free"}, ErrorKind::unavailable);
}

}  // namespace
}  // namespace sulcus::surface
