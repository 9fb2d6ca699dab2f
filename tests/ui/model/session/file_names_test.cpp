#include "ui/model/session/file_names.h"

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
  EXPECT_EQ(saveName(volumeLayer("ppm_a (CPU)"), "probability of a (CPU)"), "ppm_a_CPU.nii.gz");
  EXPECT_TRUE(saveFilters(volumeLayer("image")).startsWith("NIfTI"));
  EXPECT_TRUE(saveFilters(test::meshLayer("ball", test::ball(1, 0))).contains("*.vtp"));
  Layer table;
  table.content = TableLayer{};
  EXPECT_EQ(saveFilters(table), "Table (*.tsv *.csv)");
  for (const char* name : {"*.nii.gz", "*.gii", "*.tsv", "*.trx", "*.tck", "*.trk.gz", "*.tt.gz"})
    EXPECT_TRUE(openFilters().front().contains(name)) << name;
}

TEST(FileNamesTest, GetAnEndingWhereTheyHaveNone) {
  const QString filters = saveFilters(volumeLayer("image"));
  EXPECT_EQ(withEnding("a/brain", filters, "NRRD (*.nrrd)"), "a/brain.nrrd");
  EXPECT_EQ(withEnding("a/brain.v2", filters, "NIfTI (*.nii.gz *.nii)"), "a/brain.v2.nii.gz");
  EXPECT_EQ(withEnding("a/brain.mha", filters, "NRRD (*.nrrd)"), "a/brain.mha") << "what is typed decides";
  EXPECT_EQ(withEnding("a/brain.nii", filters, "NIfTI (*.nii.gz *.nii)"), "a/brain.nii");
}

TEST(FileNamesTest, KeepWhatDistinguishesThemWhereThereIsLittleRoom) {
  const QStringList all{"sub-01_task-nback_run-1_bold",
                        "sub-01_task-nback_run-1_contrast-faces_stat-z_statmap",
                        "sub-01_task-nback_run-1_contrast-places_stat-z_statmap"};
  const auto shown = [&](const QString& name, int letters) {
    return ShortNames(all)(name, [&](const QString& text) { return text.size() <= letters; });
  };
  EXPECT_EQ(shown(all[1], 60), all[1]) << "there is room";
  EXPECT_EQ(shown(all[1], 32), "…contrast-faces_stat-z_statmap");
  EXPECT_EQ(shown(all[1], 25), "…contrast-faces…statmap");
  EXPECT_EQ(shown(all[2], 16), "…contrast-places…");
  EXPECT_EQ(shown(all[0], 10), "…bold");
  EXPECT_EQ(shown("a_name_alone", 3), "a_name_alone") << "nothing is shared";
  const QStringList maps{"sub-01_space-reference_desc-logjac_xfmmap",
                         "sub-01_from-T1w_to-reference_mode-image_xfm", "reference"};
  for (int letters = 40; letters > 8; --letters)
    for (const QString& name : maps)
      EXPECT_FALSE(ShortNames(maps)(name, [&](const QString& text) { return text.size() <= letters; })
                       .contains(QStringLiteral("……")))
          << letters << " letters of " << name.toStdString();
  const QStringList results{QStringLiteral("probability (CPU, ν_e 45)"),
                            QStringLiteral("probability (CPU, ν_e 3)"),
                            QStringLiteral("difference (ν_e 3 − CPU, ν_e 45)")};
  EXPECT_EQ(model::ShortNames(results)(results[0], [](const QString&) { return false; }), results[0])
      << "words are no keys of a file";
  const auto shownOf = [&](const QString& name, int letters) {
    return ShortNames(results)(name, [&](const QString& text) { return text.size() <= letters; });
  };
  EXPECT_TRUE(shownOf(results[0], 16).endsWith(QStringLiteral("45)"))) << "what differs stays";
  EXPECT_TRUE(shownOf(results[0], 16).startsWith(QStringLiteral("prob"))) << "as does what there is room for";
  EXPECT_TRUE(shownOf(results[1], 16).endsWith(QStringLiteral("3)")));
  EXPECT_LE(shownOf(results[1], 16).size(), 16);
  const QStringList twins{QStringLiteral("mean_map"), QStringLiteral("map_mean")};
  EXPECT_EQ(model::ShortNames(twins)(twins[0], [](const QString&) { return false; }), twins[0])
      << "something is left to read";
}

}  // namespace
}  // namespace sulcus::ui::model
