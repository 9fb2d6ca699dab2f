#include "core/math/reproducible_log.h"

#include "tests/support/for_each_seed.h"

#include <cmath>

namespace sulcus {
namespace {

/// In units in the last place of the logarithm.
double errorAt(double x) {
  const long double truth = std::log(static_cast<long double>(x));
  const double ulp = std::abs(double(truth)) * 0x1p-52;
  return ulp > 0 ? std::abs(double(reproducibleLog(x) - truth)) / ulp : std::abs(reproducibleLog(x));
}

TEST(ReproducibleLog, IsRightToTheLastDigits) {
  EXPECT_EQ(reproducibleLog(1), 0);
  for (const double x : {0x1p-1022, 1e-300, std::sqrt(0.5), std::nextafter(std::sqrt(0.5), 0.0), 0.5,
                         std::nextafter(1.0, 0.0), std::nextafter(1.0, 2.0), std::sqrt(2.0), 2.0, 1e300})
    EXPECT_LE(errorAt(x), 2) << x;
  test::forEachSeed(20, [](test::Rng& rng) {
    for (int i = 0; i < 10'000; ++i) {
      const double x = std::exp(rng.uniform(-40, 40)), near = 1 + rng.uniform(-1e-3, 1e-3);
      ASSERT_LE(errorAt(x), 2) << x;
      ASSERT_LE(errorAt(near), 2) << near;
    }
  });
}

/// On any machine and on the GPU.
TEST(ReproducibleLog, HasTheSameBitsEverywhere) {
  EXPECT_EQ(reproducibleLog(3), 0x1.193ea7aad030ap+0);
  EXPECT_EQ(reproducibleLog(0.1), -0x1.26bb1bbb55515p+1);
  EXPECT_EQ(reproducibleLog(52428800000), 0x1.8aec6dcb5e793p+4);
}

}  // namespace
}  // namespace sulcus
