#include "core/analysis/plain_names.h"

#include <gtest/gtest.h>

namespace sulcus {
namespace {

TEST(PlainNames, SayWhatResultsAre) {
  EXPECT_EQ(plainName("ppm_visual"), "probability of visual");
  EXPECT_EQ(plainName("mean_a-b (CPU, γ 2)"), "mean of a-b (CPU, γ 2)");
  EXPECT_EQ(plainName("sigma2 (GPU)"), "noise variance σ² (GPU)");
  EXPECT_EQ(plainName("shown_visual"), "significant voxels of visual");
  EXPECT_EQ(plainName("f_any"), "F of any");
  EXPECT_EQ(plainName("shown"), "thresholds and voxels shown");
  EXPECT_EQ(plainName("true_surface"), "true surface");
  EXPECT_EQ(plainName("template_sd"), "s.d. between people");
  EXPECT_EQ(plainName("moving head_desc-preproc_bold (CPU)"), "prepared series (CPU)");
  EXPECT_EQ(plainName("desc-brain_mask"), "brain mask");
  EXPECT_EQ(plainName("sub-01_boldref"), "mean volume");
  EXPECT_EQ(plainName("person-4_displacement (CPU)"), "displacement of person-4 (CPU)");
}

TEST(PlainNames, LeaveWhatIsPlainOrUnknown) {
  for (const char* name : {"peaks (CPU)", "ppm_", "fans", "sub-01_bold", "", "("})
    EXPECT_EQ(plainName(name), name);
}

TEST(NamePartsTest, SeparateQuantityAndSource) {
  EXPECT_EQ(nameParts("ppm_visual (CPU)"), (NameParts{"probability", "visual"}));
  EXPECT_EQ(nameParts("interval_a - b"), (NameParts{"90 % interval", "a - b"}));
  EXPECT_EQ(nameParts("person-1_logjac"), (NameParts{"log Jacobian", "person-1"}));
  EXPECT_EQ(nameParts("norm_faces"), (NameParts{"length of response", "faces"}));
  EXPECT_EQ(nameParts("logjac (GPU, λ 1)"), (NameParts{"log Jacobian", ""}));
  EXPECT_EQ(nameParts("fiber peaks"), (NameParts{"fiber peaks", ""}));
}

}  // namespace
}  // namespace sulcus
