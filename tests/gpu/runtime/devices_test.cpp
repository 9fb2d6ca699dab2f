#include "gpu/runtime/devices.h"

#include "core/base/error.h"
#include "gpu/runtime/batches.h"
#include "gpu/runtime/buffer.h"
#include "tests/support/gpu.h"

#include <numeric>

#include <gtest/gtest.h>

namespace sulcus::gpu {
namespace {

TEST(WorkQueue, IsTakenOnceAndWhole) {
  for (const std::int64_t count : {0, 1, 7, 100, 1000})
    for (const int workers : {1, 2, 3}) {
      WorkQueue left(count, workers);
      std::int64_t next = 0;
      for (auto range = left.take(64); range.begin < range.end; range = left.take(64)) {
        EXPECT_EQ(range.begin, next);
        EXPECT_LE(range.end - range.begin, 64);
        next = range.end;
      }
      EXPECT_EQ(next, count);
    }
}

TEST(WorkQueue, LeavesSomeToTheOthers) {
  WorkQueue left(100, 2);
  EXPECT_EQ(left.take(100).end, 50);
  EXPECT_EQ(left.take(100).end, 75);
  EXPECT_EQ(left.take(100).end, 88);
  EXPECT_EQ(left.take(100).end, 100) << "an eighth of what was asked for, at least";
}

class Devices : public test::NeedsGpu {};

TEST_F(Devices, WorkEachOnAThreadOfTheirOwn) {
  for (const auto& devices : test::sharingDevices()) {
    std::vector<int> current(devices.size(), -1);
    onEachDevice(devices, [&](int i) { SULCUS_CUDA(cudaGetDevice(&current[std::size_t(i)])); });
    EXPECT_EQ(current, devices);
  }
}

TEST_F(Devices, ReportWhatOneOfThemThrew) {
  EXPECT_THROW(onEachDevice({0, 0},
                            [](int i) {
                              if (i == 1) throw Error("no", "a test", "nothing");
                            }),
               Error);
}

TEST_F(Devices, ReadEachOthersMemory) {
  std::vector<int> values(1000);
  std::iota(values.begin(), values.end(), 0);
  for (const auto& devices : test::sharingDevices()) {
    joinDevices(devices);
    const Stream stream;
    const auto from = uploaded<int>(values, stream);
    stream.synchronize();
    std::vector<int> arrived(values.size());
    const OnDevice there(devices[1]);
    const Stream other;
    Buffer<int> to(std::int64_t(values.size()), other);
    SULCUS_CUDA(cudaMemcpyPeerAsync(to.data(), devices[1], from.data(), devices[0], std::size_t(to.bytes()),
                                    other.get()));
    to.download(arrived, other);
    other.synchronize();
    EXPECT_EQ(arrived, values);
  }
}

}  // namespace
}  // namespace sulcus::gpu
