#include "core/base/components.h"

#include "core/base/provenance.h"

#include <fstream>
#include <sstream>

#include <gmock/gmock.h>

namespace sulcus {
namespace {

TEST(ComponentsTest, BeginsWithSulcusInTheVersionOfTheProject) {
  const Component sulcus = coreComponents().at(0);
  EXPECT_EQ(sulcus.name, "Sulcus");
  EXPECT_EQ(sulcus.version, sulcusVersion());
  std::stringstream project;
  project << std::ifstream("CMakeLists.txt").rdbuf();
  EXPECT_THAT(project.str(), testing::HasSubstr("project(sulcus VERSION " + sulcusVersion() + " "));
}

TEST(ComponentsTest, GivesEachALicense) {
  for (const Component& component : coreComponents()) {
    EXPECT_FALSE(component.name.empty());
    EXPECT_FALSE(component.license.empty()) << component.name;
  }
}

}  // namespace
}  // namespace sulcus
