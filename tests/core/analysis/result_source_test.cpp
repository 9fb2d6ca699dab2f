#include "core/analysis/result_source.h"

#include <gtest/gtest.h>

namespace sulcus {
namespace {

TEST(ResultSource, KnowsTheTypeThatItHolds) {
  EXPECT_FALSE(ResultSource().holds<int>());
  const ResultSource source = std::make_shared<const int>(3);
  EXPECT_TRUE(source.holds<int>());
  EXPECT_FALSE(source.holds<double>());
  EXPECT_EQ(source.as<int>(), 3);
}

}  // namespace
}  // namespace sulcus
