#include "core/activation/activation.h"
#include "core/base/parallel_for.h"
#include "tests/core/activation/activation_inputs.h"
#include "tests/support/checksum.h"

#include <gtest/gtest.h>

// Checksums of posterior means and covariances: whoever changes them changes every result that users compare
// with older ones, and names it in CHANGELOG.md. They are those of the compiler and of the C library that the
// packages are made with.
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

TEST(GoldenActivation, ByDefault) { expectGolden({}, {0x6677a2a10f093120, 0xe059eda69ed91871}); }

TEST(GoldenActivation, AsPublished) {
  expectGolden(paperActivation(), {0x35c5a229f85cf59c, 0xa0799c94dc359c1e});
}

TEST(GoldenActivation, InPercentWithMemory) {
  expectGolden({{"response", std::string("percent")}, {"noise", std::string("ar2")}},
               {0x873fd2b021460f41, 0x7b84c0442592144e});
}

}  // namespace
}  // namespace sulcus::activation
