#include "core/activation/automatic_mask.h"
#include "core/activation/design.h"
#include "core/io/files.h"
#include "tests/support/test_data.h"

#include <gtest/gtest.h>

namespace sulcus::activation {
namespace {

TEST(RealDesign, OfTheAudioVisualSetHasAnInterceptAndFourRegressors) {
  SULCUS_REAL_FILE(scan, "fmri/fmri_filtered_func_data.nii.gz");
  const auto beside = io::findTablesBeside(scan);
  ASSERT_EQ(beside.design.filename(), "fmri_design.mat");
  const Layer table = io::openLayer(beside.design);
  const Design design = makeDesign(table, nullptr, 3, 45, DesignOptions());
  EXPECT_EQ(design.names, (std::vector<std::string>{"intercept", "reg1", "reg2", "reg3", "reg4"}));
  EXPECT_EQ(design.matrix(0, 0), 1);
  EXPECT_NEAR(design.matrix(0, 1), 8.273322e-02, 1e-12);
  EXPECT_NEAR(design.matrix(2, 3), 5.278266e-02, 1e-12);
}

TEST(RealMask, FoundByItselfIsThatOfTheSet) {
  SULCUS_REAL_FILE(scan, "fmri/fmri_filtered_func_data.nii.gz");
  const Layer layer = io::openVolume(scan);
  const auto& volume = std::get<VolumeLayer>(layer.content);
  EXPECT_NEAR(repetitionTime(volume.secondsPerVolume, DesignOptions()), 3, 1e-6);
  const Mask found = automaticMask(*volume.series);
  const Mask mask = maskOf(io::openVolume(test::testDataFolder() / "fmri/fmri_mask.nii.gz"));
  double both = 0, sum = 0;
  for (std::size_t i = 0; i < mask.values.size(); ++i)
    both += found.values[i] && mask.values[i], sum += (found.values[i] != 0) + (mask.values[i] != 0);
  EXPECT_GE(2 * both / sum, 0.99);
}

}  // namespace
}  // namespace sulcus::activation
