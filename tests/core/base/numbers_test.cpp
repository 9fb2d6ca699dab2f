#include "core/base/numbers.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace sulcus {
namespace {

TEST(Numbers, AreReadWholeOrNotAtAll) {
  EXPECT_EQ(numberIn("-1.5e3"), -1500);
  EXPECT_EQ(numberIn("+2"), 2);
  EXPECT_TRUE(std::isnan(numberIn("nan").value()));
  for (const char* const none : {"", "++2", "1,5", "1.5 ", " 1", "0x10", "1e999", "two"})
    EXPECT_FALSE(numberIn(none)) << none;
}

TEST(Numbers, AreWrittenInSixDigitsForSentencesAndInNineForTables) {
  EXPECT_EQ(numberText(1.0 / 3), "0.333333");
  EXPECT_EQ(numberText(1e7), "1e+07");
  EXPECT_EQ(nineDigits(1.0 / 3), "0.333333333");
  EXPECT_EQ(nineDigits(4), "4");
  EXPECT_EQ(nineDigits(std::numeric_limits<double>::quiet_NaN()), "nan");
  const float value = 0.1f, next = std::nextafter(value, 1.f);
  EXPECT_EQ(float(numberIn(nineDigits(value)).value()), value);
  EXPECT_NE(nineDigits(value), nineDigits(next));
}

}  // namespace
}  // namespace sulcus
