#include "gpu/preparation/motion.h"

#include "core/phantom/moved_head.h"
#include "tests/support/gpu.h"
#include "tests/support/same_bits.h"

#include <limits>

namespace sulcus::gpu::preparation {
namespace {

using namespace sulcus::preparation;

class GpuMotion : public test::NeedsGpu {};

std::vector<Motion> someMotion(int volumes) {
  std::vector<Motion> motion(static_cast<std::size_t>(volumes));
  for (std::size_t v = 1; v < motion.size(); ++v)
    motion[v] = {{0.4 * double(v % 5), -0.3 * double(v % 3), 0.2 * double(v % 7)},
                 {0.004 * double(v % 4), 0.002 * double(v % 5), -0.003 * double(v % 3)}};
  return motion;
}

void expectSame(const MotionInput& input) {
  const MotionResult here = sulcus::preparation::realignSeries(input, {}),
                     there = gpu::preparation::realignSeries(input, {});
  EXPECT_EQ(here.motion, there.motion);
  EXPECT_EQ(here.overlap, there.overlap);
  EXPECT_EQ(here.still, there.still);
  EXPECT_EQ(here.notes, there.notes);
  EXPECT_TRUE(test::sameBits(here.series->values, there.series->values));
  EXPECT_TRUE(test::sameBits(here.mean.values, there.mean.values));
}

TEST_F(GpuMotion, HasTheBitsOfTheCpu) {
  phantom::MovedHead head;
  head.noise = 1;
  expectSame({std::make_shared<const Series<float>>(head.scan(someMotion(12))), {}});
  head.size = {37, 51, 17};
  Series<float> holes = head.scan(someMotion(5));
  holes.at(1000, 2) = std::numeric_limits<float>::quiet_NaN();
  holes.at(20000, 3) = std::numeric_limits<float>::infinity();
  expectSame({std::make_shared<const Series<float>>(std::move(holes)), {1, 1, 0, 1, 1}});
}

TEST_F(GpuMotion, ReportsThatThereIsNoMotion) {
  phantom::MovedHead head;
  head.noise = 1;
  expectSame({std::make_shared<const Series<float>>(head.scan(std::vector<Motion>(6))), {}});
}

}  // namespace
}  // namespace sulcus::gpu::preparation
