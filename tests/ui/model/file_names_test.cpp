#include "ui/model/file_names.h"

#include "tests/ui/mesh_analysis.h"

#include <gtest/gtest.h>

namespace sulcus::ui::model {
namespace {

using test::volumeLayer;

TEST(FileNamesTest, MakeAStemOfAnyName) {
  EXPECT_EQ(fileStem("peaks (CPU)"), "peaks_CPU");
  EXPECT_EQ(fileStem("a/b: c-d"), "a_b_c-d");
  EXPECT_EQ(fileStem("(…)"), "layer");
}

TEST(FileNamesTest, OfferTheFormatsOfTheContent) {
  EXPECT_EQ(saveName(volumeLayer("image"), "image (GPU 2)"), "image_GPU_2.nii.gz");
  EXPECT_TRUE(saveFilters(volumeLayer("image")).startsWith("NIfTI"));
  EXPECT_TRUE(saveFilters(test::meshLayer("ball", test::ball(1, 0))).contains("*.vtp"));
  Layer table;
  table.content = TableLayer{};
  EXPECT_EQ(saveFilters(table), "Table (*.tsv *.csv)");
  EXPECT_TRUE(openFilters().front().contains("*.nii.gz"));
}

TEST(FileNamesTest, GetAnEndingWhereTheyHaveNone) {
  const QString filters = saveFilters(volumeLayer("image"));
  EXPECT_EQ(withEnding("a/brain", filters, "NRRD (*.nrrd)"), "a/brain.nrrd");
  EXPECT_EQ(withEnding("a/brain.v2", filters, "NIfTI (*.nii.gz *.nii)"), "a/brain.v2.nii.gz");
  EXPECT_EQ(withEnding("a/brain.mha", filters, "NRRD (*.nrrd)"), "a/brain.mha") << "what is typed decides";
  EXPECT_EQ(withEnding("a/brain.nii", filters, "NIfTI (*.nii.gz *.nii)"), "a/brain.nii");
}

}  // namespace
}  // namespace sulcus::ui::model
