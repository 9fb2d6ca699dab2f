#include "core/base/about.h"

#include <gmock/gmock.h>

namespace sulcus {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

const std::vector<Component> kComponents{
    {"Sulcus", "1.2.3", "Apache-2.0"}, {"Eigen", "3.4.0", "MPL-2.0"}, {"Random123", "", "BSD-3-Clause"}};

TEST(AboutTest, NamesVersionsAndLicenses) {
  const std::string about = aboutText(kComponents, {{}, "no CUDA driver", ""});
  EXPECT_THAT(about, StartsWith("Sulcus 1.2.3\nLicense Apache-2.0, see LICENSE\n"));
  EXPECT_THAT(about, HasSubstr("\n  Eigen 3.4.0, MPL-2.0\n"));
  EXPECT_THAT(about, HasSubstr("\n  Random123, BSD-3-Clause\n"));
}

TEST(AboutTest, SaysWhatItWasBuiltFrom) {
  auto components = kComponents;
  components[0].build = "commit 0123abc, GNU 12.2.0, Release";
  EXPECT_THAT(aboutText(components, {{}, "no CUDA driver", ""}),
              StartsWith("Sulcus 1.2.3\nBuilt from commit 0123abc, GNU 12.2.0, Release\nLicense Apache-2.0"));
}

TEST(AboutTest, SaysWhyThereIsNoGpu) {
  const std::string about = aboutText(kComponents, {{}, "no CUDA driver", ""});
  EXPECT_THAT(about, HasSubstr("\n  none: no CUDA driver\n"));
  EXPECT_THAT(about, testing::Not(HasSubstr("CUDA driver 1")));
}

TEST(AboutTest, NamesTheGpusAndTheirDriver) {
  DeviceReport report;
  report.driver = "12.8";
  report.devices.push_back({0, "Card", 16e9, 8e9, "9.0", 132});
  const std::string about = aboutText(kComponents, report);
  EXPECT_THAT(about, HasSubstr("\n  CUDA driver 12.8\n  0: Card, compute capability 9.0\n"));
  EXPECT_THAT(about, testing::Not(HasSubstr("none")));
}

}  // namespace
}  // namespace sulcus
