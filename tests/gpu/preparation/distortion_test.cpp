#include "gpu/preparation/distortion.h"

#include "gpu/preparation/motion.h"
#include "tests/support/distorted_head.h"
#include "tests/support/gpu.h"
#include "tests/support/same_bits.h"

namespace sulcus::gpu::preparation {
namespace {

using namespace sulcus::preparation;

class GpuDistortion : public test::NeedsGpu {};

TEST_F(GpuDistortion, HasTheBitsOfTheCpu) {
  test::DistortedHead head;
  for (const Vec3<int>& size : {Vec3<int>{48, 60, 20}, Vec3<int>{37, 51, 7}})
    for (const int axis : {0, 1}) {
      head.head.size = size;
      const EpiImage up = head.scan({axis, 1, 1}),
                     down = head.scan({axis, -1, 0.7}, {{1, 0, 0}, {0, 0.01, 0}});
      const DistortionField here = sulcus::preparation::findDistortion(up, down, {}),
                            there = gpu::preparation::findDistortion(up, down, {});
      EXPECT_TRUE(test::sameBits(here.hertz.values, there.hertz.values));
      EXPECT_EQ(here.notes, there.notes);
    }
}

TEST_F(GpuDistortion, IsCorrectedWithMotionToTheBitsOfTheCpu) {
  test::DistortedHead head;
  const auto series = std::make_shared<Series<float>>(head.grid(), 4);
  for (int v = 0; v < 4; ++v)
    std::ranges::copy(head.scan({1, 1, 1}, {{0.5 * v, 0, -0.3 * v}, {0, 0.004 * v, 0}}).image.values,
                      series->volume(v).data);
  MotionInput input{series, {}};
  const auto unwarp = std::make_shared<const Unwarp>(unwarpOf(head.field(), {1, 1, 1}));
  input.findUnwarp = [&](const Volume<float>&, const Progress&) { return unwarp; };
  const MotionResult here = sulcus::preparation::realignSeries(input, {}),
                     there = gpu::preparation::realignSeries(input, {});
  EXPECT_TRUE(test::sameBits(here.series->values, there.series->values));
}

}  // namespace
}  // namespace sulcus::gpu::preparation
