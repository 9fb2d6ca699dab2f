#include "core/phantom/preparation_phantom.h"

#include <gtest/gtest.h>

namespace sulcus::phantom {
namespace {

TEST(PreparationPhantom, HasAVolumeForEachPlaceOfTheHead) {
  PreparationPhantomOptions options;
  options.volumes = 4;
  const PreparationPhantom phantom = makePreparationPhantom(options);
  EXPECT_EQ(phantom.bold->count, 4);
  ASSERT_EQ(phantom.motion.size(), 4u);
  EXPECT_NE(phantom.motion.back(), phantom.motion.front());
  EXPECT_EQ(makePreparationPhantom(options).bold->values, phantom.bold->values) << "the seed decides";
}

}  // namespace
}  // namespace sulcus::phantom
