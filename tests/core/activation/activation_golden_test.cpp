#include "core/activation/activation.h"
#include "core/base/parallel/parallel_for.h"
#include "tests/core/activation/activation_inputs.h"
#include "tests/support/checksum.h"

#include <gtest/gtest.h>

// Checksums of posterior means and covariances. A change of these changes every result that users compare
// with older ones, and must be noted in CHANGELOG.md. They hold for the compiler and the C library with which
// the packages are made.
namespace sulcus::activation {
namespace {

using test::checksum, test::wavesInput;

struct Golden {
  std::uint64_t mean, covariance;
};

void expectGolden(OptionValues values, const Golden& golden) {
  values["draws"] = std::int64_t(200);
  const auto options = optionsFrom<ActivationOptions>(values);
  for (const int threads : {1, 2, 7})
    withThreads(threads, [&] {
      const ActivationResult result = analyzeActivation(wavesInput({9, 8, 2}, 60, 3), options, {});
      EXPECT_EQ(checksum(result.mean), golden.mean) << threads << " threads";
      EXPECT_EQ(checksum(result.covariance), golden.covariance) << threads << " threads";
    });
}

TEST(GoldenActivation, ByDefault) { expectGolden({}, {0xd88a83adc46e3e9d, 0xeb8c0011c6611ebe}); }

TEST(GoldenActivation, AsPublished) {
  expectGolden(paperActivation(), {0x35c5a229f85cf59c, 0xa0799c94dc359c1e});
}

TEST(GoldenActivation, InPercentWithMemory) {
  expectGolden({{"response", std::string("percent")}, {"noise", std::string("ar2")}},
               {0xf7af7801c4c59605, 0x0338b06bc295d845});
}

}  // namespace
}  // namespace sulcus::activation
