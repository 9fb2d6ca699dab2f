#include "app/version.h"

#include "core/base/provenance.h"

#include <cctype>

#include <gmock/gmock.h>

namespace sulcus::app {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

TEST(VersionTest, NamesEveryLibraryWithItsLicense) {
  for (const Component& component : componentsWith({{"Qt", "6", "LGPL-3.0-only"}})) {
    EXPECT_FALSE(component.license.empty()) << component.name;
    EXPECT_TRUE(component.name == "Random123" || std::isdigit(component.version[0])) << component.name;
  }
  EXPECT_EQ(componentsWith({{"Qt", "6", "LGPL-3.0-only"}}).back().name, "Qt");
}

TEST(VersionTest, SaysAllOfItWithOrWithoutAGpu) {
  EXPECT_THAT(versionText({{"Qt", "6", "LGPL-3.0-only"}}),
              AllOf(StartsWith("Sulcus " + sulcusVersion() + "\nBuilt from "), HasSubstr(", Release"),
                    HasSubstr("  ITK "), HasSubstr("  zlib "), HasSubstr("  oneTBB "),
                    HasSubstr("  Qt 6, LGPL-3.0-only\n"), HasSubstr("GPUs\n")));
}

}  // namespace
}  // namespace sulcus::app
