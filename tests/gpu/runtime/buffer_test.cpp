#include "gpu/runtime/buffer.h"

#include "core/base/error.h"
#include "tests/gpu/runtime/kernels.h"
#include "tests/support/expect_error.h"
#include "tests/support/gpu.h"

#include <numeric>
#include <stop_token>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sulcus::gpu {
namespace {

using testing::HasSubstr;

/// Sizes near warps, blocks and the first batch of parallelFor.
const std::int64_t kEdges[] = {
    0, 1, 15, 16, 17, 31, 32, 33, 255, 256, 257, 4097, 1000, 9999, (1 << 20) - 1, 1 << 20, (1 << 20) + 1};

class GpuBuffer : public test::NeedsGpu {};
class GpuStream : public test::NeedsGpu {};
class GpuParallelFor : public test::NeedsGpu {};
class GpuCheck : public test::NeedsGpu {};

std::vector<std::int64_t> counted(std::int64_t count, std::int64_t from) {
  std::vector<std::int64_t> values(count);
  std::iota(values.begin(), values.end(), from);
  return values;
}

std::vector<std::int64_t> downloaded(const Buffer<std::int64_t>& buffer, const Stream& stream) {
  std::vector<std::int64_t> values(buffer.size(), -1);
  buffer.download(values, stream);
  stream.synchronize();
  return values;
}

TEST_F(GpuBuffer, ReturnsWhatWasUploadedAtEverySize) {
  Stream stream;
  for (const std::int64_t count : kEdges) {
    const auto values = counted(count, 7);

    const auto buffer = uploaded<std::int64_t>(values, stream);

    EXPECT_EQ(downloaded(buffer, stream), values) << count;
  }
}

TEST_F(GpuBuffer, MovesItsMemoryAndLeavesNothingBehind) {
  Stream stream;
  const auto values = counted(100, 3);
  auto first = uploaded<std::int64_t>(values, stream);

  Buffer<std::int64_t> second = std::move(first);
  Buffer<std::int64_t> third;
  third = std::move(second);

  EXPECT_EQ(first.size(), 0);
  EXPECT_EQ(first.data(), nullptr);
  EXPECT_EQ(second.data(), nullptr);
  EXPECT_EQ(downloaded(third, stream), values);
}

TEST_F(GpuBuffer, GivesItsMemoryBack) {
  Stream stream;
  const std::int64_t before = freeMemory();
  {
    Buffer<char> buffer(std::int64_t(256) << 20, stream);
    EXPECT_LE(freeMemory(), before - (std::int64_t(255) << 20));
  }
  stream.synchronize();

  EXPECT_GE(freeMemory(), before - (std::int64_t(8) << 20));
}

TEST_F(GpuBuffer, LeavesItsMemoryToTheNextOne) {
  const Stream stream;
  { const Buffer<char> buffer(std::int64_t(256) << 20, stream); }
  stream.synchronize();

  cudaMemPool_t pool{};
  std::uint64_t kept = 0;
  SULCUS_CUDA(cudaDeviceGetDefaultMemPool(&pool, chosenDevices().front()));
  SULCUS_CUDA(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemCurrent, &kept));
  EXPECT_GE(kept, std::uint64_t(256) << 20);
}

TEST_F(GpuBuffer, RefusesWhatDoesNotFitBeforeAllocating) {
  Stream stream;
  for (const std::int64_t count : {std::int64_t(1) << 50, std::int64_t(1) << 61}) {
    SCOPED_TRACE(count);
    test::expectError([&] { Buffer<double> buffer(count, stream, "a test"); }, {"a test"},
                      ErrorKind::unavailable);
  }
  EXPECT_NO_THROW(Buffer<double>(10, stream));
}

TEST_F(GpuBuffer, IsFilledByteByByte) {
  Stream stream;
  Buffer<std::int64_t> buffer(33, stream);

  buffer.fillBytes(0xff, stream);

  EXPECT_THAT(downloaded(buffer, stream), testing::Each(-1));
}

TEST_F(GpuBuffer, IsCopiedThroughPinnedMemory) {
  Stream stream;
  PinnedBuffer<std::int64_t> pinned(1000), back(1000);
  std::iota(pinned.data(), pinned.data() + 1000, 5);
  Buffer<std::int64_t> buffer(1000, stream);

  buffer.upload(pinned.first(1000), stream);
  buffer.download(back.first(1000), stream);
  stream.synchronize();

  EXPECT_TRUE(std::equal(pinned.data(), pinned.data() + 1000, back.data()));
}

TEST_F(GpuStream, TimesItsWork) {
  Stream stream;
  Event start, end;
  Buffer<char> buffer(64 << 20, stream);
  start.record(stream);
  buffer.fillBytes(1, stream);
  end.record(stream);

  stream.synchronize();

  EXPECT_GT(end.secondsSince(start), 0);
}

TEST_F(GpuParallelFor, CallsItsBodyOnceForEveryIndex) {
  Stream stream;
  for (const std::int64_t count : kEdges) {
    const auto zeros = std::vector<std::int64_t>(count, 1);
    auto buffer = uploaded<std::int64_t>(zeros, stream);

    test::addIndex(buffer.data(), count, stream, {});

    EXPECT_EQ(downloaded(buffer, stream), counted(count, 1)) << count;
  }
}

TEST_F(GpuParallelFor, ReportsAnEndAndStopsBetweenBatches) {
  Stream stream;
  const std::int64_t count = std::int64_t(1) << 22;
  Buffer<std::int64_t> buffer(count, stream);
  buffer.fillBytes(0, stream);
  std::stop_source stop;
  double last = 0;

  EXPECT_THROW(test::addIndex(buffer.data(), count, stream,
                              Progress(stop.get_token(),
                                       [&](double fraction, std::string_view) {
                                         last = fraction;
                                         stop.request_stop();
                                       })),
               Cancelled);
  EXPECT_GT(last, 0);
  EXPECT_LT(last, 1);
  const auto values = downloaded(buffer, stream);
  EXPECT_EQ(values[1], 1) << "the first batch ran";
  EXPECT_EQ(values[count - 1], 0) << "the last one did not";

  test::addIndex(buffer.data(), count, stream,
                 Progress({}, [&](double fraction, std::string_view) { last = fraction; }));
  EXPECT_EQ(last, 1);
}

TEST_F(GpuCheck, NamesTheCallTheReasonAndThePlace) {
  try {
    SULCUS_CUDA(cudaSetDevice(-1));
    FAIL() << "device -1 was set";
  } catch (const CudaError& error) {
    EXPECT_THAT(error.what(), HasSubstr("cudaSetDevice(-1)"));
    EXPECT_THAT(error.what(), HasSubstr("invalid device ordinal"));
    EXPECT_THAT(error.what(), HasSubstr("buffer_test.cpp:"));
  }
  EXPECT_EQ(cudaGetLastError(), cudaSuccess) << "the error is not left for the next call";
}

TEST_F(GpuCheck, SeesALaunchThatFailed) {
  Stream stream;

  EXPECT_THROW(test::launchTooLargeABlock(stream), CudaError);
  EXPECT_NO_THROW(stream.synchronize());
}

}  // namespace
}  // namespace sulcus::gpu
