#include "gpu/runtime/buffer.h"
#include "tests/gpu/runtime/kernels.h"
#include "tests/support/gpu.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

namespace sulcus::gpu {
namespace {

class Warp : public test::NeedsGpu {};

TEST_F(Warp, KnowsWhatItsLanesHave) {
  std::vector<float> values;
  for (int lane = 0; lane < 32; ++lane) values.push_back(float(3 * (lane * 7 % 32) - 40));
  std::vector<test::WarpAnswer> answers(values.size());
  const Stream stream;
  const auto given = uploaded<float>(values, stream);
  Buffer<test::WarpAnswer> asked(32, stream);

  test::askWarp(given.data(), asked.data(), stream);
  asked.download(answers, stream);
  stream.synchronize();

  int positive = 0;
  for (std::size_t lane = 0; lane < values.size(); ++lane) {
    SCOPED_TRACE(lane);
    const auto eight = values.begin() + std::ptrdiff_t(lane / 8 * 8);
    EXPECT_EQ(answers[lane].sum, std::accumulate(values.begin(), values.end(), 0.0f));
    EXPECT_EQ(answers[lane].largest, 53);
    EXPECT_EQ(answers[lane].smallest, -40);
    EXPECT_EQ(answers[lane].sumOfEight, std::accumulate(eight, eight + 8, 0.0f));
    EXPECT_EQ(answers[lane].positiveBelow, positive);
    EXPECT_EQ(answers[lane].throughBits, values[lane]);
    EXPECT_EQ(answers[lane].raised, 53);
    positive += values[lane] > 0;
    for (std::size_t other = 0; other < values.size(); ++other)
      EXPECT_EQ(answers[lane].bits < answers[other].bits, values[lane] < values[other]) << other;
  }
}

}  // namespace
}  // namespace sulcus::gpu
