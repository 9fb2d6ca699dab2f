#include "core/activation/design/design.h"
#include "core/activation/model/automatic_mask.h"
#include "core/io/files.h"
#include "core/math/statistics.h"
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

TEST(RealMask, FoundByItselfIsTheBrightBrain) {
  SULCUS_REAL_FILE(scan, "fmri/fmri_filtered_func_data.nii.gz");
  const Layer layer = io::openVolume(scan);
  const auto& volume = std::get<VolumeLayer>(layer.content);
  EXPECT_NEAR(repetitionTime(volume.secondsPerVolume, DesignOptions()), 3, 1e-6);
  const Mask found = automaticMask(*volume.series);
  // The mask of the data set extends into the dark around the head: a third of it is outside the brain.
  const Mask mask = maskOf(io::openVolume(test::testDataFolder() / "fmri/fmri_mask.nii.gz"));
  std::vector<float> inside;
  double ofSet = 0;
  for (std::size_t i = 0; i < mask.values.size(); ++i) {
    ofSet += mask.values[i] != 0;
    if (!found.values[i]) continue;
    EXPECT_TRUE(mask.values[i]);
    inside.push_back(volume.series->at(std::int64_t(i), 0));
  }
  EXPECT_GT(double(inside.size()) / ofSet, 0.65);
  EXPECT_LT(double(inside.size()) / ofSet, 0.75);
  const float typical = upperMedian(std::span(inside));
  double bright = 0, missed = 0;
  for (std::size_t i = 0; i < mask.values.size(); ++i)
    if (volume.series->at(std::int64_t(i), 0) > 0.6f * typical) ++bright, missed += !found.values[i];
  EXPECT_LT(missed / bright, 0.03);
  const auto dark = std::count_if(inside.begin(), inside.end(), [&](float x) { return x < 0.25f * typical; });
  EXPECT_LT(double(dark) / double(inside.size()), 0.03);
}

}  // namespace
}  // namespace sulcus::activation
