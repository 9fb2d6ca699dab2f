#include "gpu/group/group.h"

#include "tests/core/group/group_inputs.h"
#include "tests/support/gpu.h"

#include <gtest/gtest.h>

namespace sulcus::group {
namespace {

GroupInput inputOf(int people, int size) {
  phantom::GroupPhantomOptions options;
  options.people = people, options.size = size;
  return phantomInput(options);
}

void expectTheBitsOfTheCpu(const GroupInput& input, const GroupOptions& options) {
  const GroupResult cpu = findEffects(input, options, {}), gpu = gpu::group::findEffects(input, options, {});
  ASSERT_EQ(cpu.contrasts.size(), gpu.contrasts.size());
  for (std::size_t c = 0; c < cpu.contrasts.size(); ++c) {
    EXPECT_EQ(cpu.contrasts[c].t, gpu.contrasts[c].t);
    EXPECT_EQ(cpu.contrasts[c].tfce, gpu.contrasts[c].tfce);
    EXPECT_EQ(cpu.contrasts[c].largestT, gpu.contrasts[c].largestT);
    EXPECT_EQ(cpu.contrasts[c].largestTfce, gpu.contrasts[c].largestTfce);
    EXPECT_EQ(cpu.contrasts[c].largestExtent, gpu.contrasts[c].largestExtent);
    EXPECT_EQ(cpu.contrasts[c].largestMass, gpu.contrasts[c].largestMass);
  }
}

struct GpuGroup : testing::Test {
  void SetUp() override { test::requireGpuOrSkip(); }
};

TEST_F(GpuGroup, HasTheBitsOfTheCpu) {
  GroupOptions options;
  options.groups = "group", options.covariates = "age", options.permutations = 150;
  expectTheBitsOfTheCpu(inputOf(15 * 2, 24), options);
  options = {};
  options.permutations = 65;
  expectTheBitsOfTheCpu(inputOf(8, 16), options);
}

}  // namespace
}  // namespace sulcus::group
