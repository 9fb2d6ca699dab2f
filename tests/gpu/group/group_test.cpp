#include "gpu/group/group.h"

#include "core/group/people_model.h"
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
    if (!options.bayes) continue;
    EXPECT_EQ(cpu.contrasts[c].posterior->histogram, gpu.contrasts[c].posterior->histogram);
    EXPECT_EQ(cpu.contrasts[c].posterior->mean, gpu.contrasts[c].posterior->mean);
    EXPECT_EQ(cpu.contrasts[c].posterior->share, gpu.contrasts[c].posterior->share);
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

TEST_F(GpuGroup, DrawsTheBitsOfTheCpuWithoutAndWithVariances) {
  GroupInput input = inputOf(15 * 2, 24);
  GroupOptions options;
  options.groups = "group", options.covariates = "age", options.permutations = 20;
  options.bayes = true, options.draws = 100;
  expectTheBitsOfTheCpu(input, options);
  auto variance = std::make_shared<Series<float>>(input.maps.front()->grid, 1, 0.3f);
  for (const auto& name : input.names) input.variances.push_back({name, variance, 0});
  expectTheBitsOfTheCpu(input, options);
}

}  // namespace
}  // namespace sulcus::group
