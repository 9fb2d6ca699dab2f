#include "core/io/tables/label_tables.h"

#include "core/io/companions.h"
#include "tests/core/io/io_test_support.h"

namespace sulcus::io {
namespace {

using namespace test;
using testing::HasSubstr;
using Color = std::array<std::uint8_t, 3>;

class LabelTables : public testing::Test {
 protected:
  LabelTable tableOf(const std::string& text, const std::string& name = "names.txt") {
    io::writeFile(folder_ / name, text, true);
    return openLabelNames(folder_ / name);
  }
  TemporaryFolder folder_;
};

TEST_F(LabelTables, OfFreeSurfer) {
  const auto names = tableOf(
      "#$Id: a comment\n\n0   Unknown                     0   0   0   0\n"
      "17  Left-Hippocampus            220 216 20  0\n");
  EXPECT_EQ(names.at(17), (LabelEntry{"Left-Hippocampus", Color{220, 216, 20}}));
}

TEST_F(LabelTables, OfItkSnap) {
  const auto names = tableOf(
      "# IDX   -R-  -G-  -B-  -A--  VIS MSH  LABEL\n"
      "    0     0    0    0        0  0  0    \"Clear Label\"\n"
      "    3   205   62   78        1  1  1    \"Left Cerebral Cortex\"\n");
  EXPECT_EQ(names.at(3), (LabelEntry{"Left Cerebral Cortex", Color{205, 62, 78}}));
}

TEST_F(LabelTables, OfMrtrix) {
  EXPECT_EQ(tableOf("1 L.BSTS ctx-lh-bankssts 25 100 40 255\n").at(1),
            (LabelEntry{"ctx-lh-bankssts", Color{25, 100, 40}}));
}

TEST_F(LabelTables, OfAal) {
  EXPECT_EQ(tableOf("FAG Precentral_L 2001\nFAD Precentral_R 2002\n").at(2002).name, "Precentral_R");
  EXPECT_EQ(tableOf("1 Precentral_L 2001\n2 Precentral_R 2002\n").at(2).name, "Precentral_R");
}

TEST_F(LabelTables, OfNumbersAndNames) {
  EXPECT_EQ(tableOf("1 Frontal Pole\n2 Insular Cortex\n").at(2),
            (LabelEntry{"Insular Cortex", std::nullopt}));
}

TEST_F(LabelTables, OfOtherSystems) {
  const auto names = tableOf(
      "\xef\xbb\xbf"
      "1 Precentral_L 2001\r\n2 Precentral_R 2002\r\n\r\n");
  EXPECT_EQ(names.size(), 2u);
  EXPECT_EQ(names.at(1).name, "Precentral_L");
}

TEST_F(LabelTables, OfBids) {
  const auto names =
      tableOf("index\tname\tabbreviation\tcolor\n1\tGray Matter\tGM\t#ff53bb\n2\tWhite Matter\tWM\tn/a\n",
              "names.tsv");
  EXPECT_EQ(names.at(1), (LabelEntry{"Gray Matter", Color{255, 83, 187}}));
  EXPECT_EQ(names.at(2), (LabelEntry{"White Matter", std::nullopt}));
}

TEST_F(LabelTables, AreRefusedWhereThereIsNoName) {
  EXPECT_THAT(test::errorOf([&] { tableOf("hello\nworld\n"); }), HasSubstr("names no labels"));
  EXPECT_THAT(test::errorOf([&] { tableOf("time\tvalue\n0\t1\n", "names.tsv"); }),
              HasSubstr("names no labels"));
  EXPECT_THAT(test::errorOf([&] { tableOf(""); }), HasSubstr("is empty"));
  EXPECT_THAT(test::errorOf([&] { tableOf("99999999999999999999 too-large\n"); }),
              HasSubstr("names no labels"));
  EXPECT_THAT(test::errorOf([&] { tableOf("1 \"never closed\n"); }), HasSubstr("quot"));
}

/// Two regions, saved as a volume of integers without a sidecar, as other programs write them.
void saveRegions(const std::filesystem::path& file, std::int32_t second = 17) {
  Volume<Label> labels(Grid{{16, 6, 4}, {}});
  for (std::size_t i = 0; i < labels.values.size(); ++i)
    labels.values[i] = i % 16 < 3 ? 0 : i % 16 < 8 ? 3 : second;
  Layer layer;
  layer.content = LabelsLayer{std::make_shared<const Volume<Label>>(std::move(labels))};
  saveLayer(layer, file);
  std::filesystem::remove(beside(file, ".json"));
}

TEST_F(LabelTables, BesideAnImageAreItsNames) {
  saveRegions(folder_ / "atlas.nii.gz");
  io::writeFile(folder_ / "atlas.txt", "3 Cortex\n17 Hippocampus\n");
  const Layer layer = openVolume(folder_ / "atlas.nii.gz");
  const auto& labels = std::get<LabelsLayer>(layer.content);
  ASSERT_TRUE(labels.names);
  EXPECT_EQ(labels.names->at(17).name, "Hippocampus");
  EXPECT_THAT(layer.notes, testing::Contains(HasSubstr("Names of labels from")));
  EXPECT_FALSE(layer.display.interpolate);
}

TEST_F(LabelTables, OfFreeSurferNeedNoFile) {
  saveRegions(folder_ / "aseg.nii.gz");
  const Layer layer = openVolume(folder_ / "aseg.nii.gz");
  ASSERT_TRUE(std::get<LabelsLayer>(layer.content).names);
  EXPECT_EQ(std::get<LabelsLayer>(layer.content).names->at(17).name, "Left-Hippocampus");
}

TEST_F(LabelTables, ThatAreDamagedDoNotRefuseTheImage) {
  saveRegions(folder_ / "atlas.nii.gz");
  io::writeFile(folder_ / "atlas.txt", "3 \"Cortex\n");
  const Layer layer = openVolume(folder_ / "atlas.nii.gz");
  EXPECT_FALSE(std::get<LabelsLayer>(layer.content).names);
  EXPECT_THAT(layer.notes,
              testing::Contains(testing::StartsWith("Warning: the names of the labels are not read")));
}

TEST_F(LabelTables, AreSavedBesideTheImageAndFoundAgain) {
  saveRegions(folder_ / "atlas.nii.gz");
  Layer layer = openVolume(folder_ / "atlas.nii.gz");
  LabelTable names{{3, {"Cortex, \"left\"", Color{1, 2, 255}}}, {17, {"Hippocampus", std::nullopt}}};
  std::get<LabelsLayer>(layer.content).names = std::make_shared<const LabelTable>(names);
  saveLayer(layer, folder_ / "named.nii.gz");
  const Layer opened = openVolume(folder_ / "named.nii.gz");
  ASSERT_TRUE(std::get<LabelsLayer>(opened.content).names);
  EXPECT_EQ(*std::get<LabelsLayer>(opened.content).names, names);
}

TEST_F(LabelTables, LargeLabelsStayExact) {
  saveRegions(folder_ / "allen.nii.gz", 614454277);
  const Layer layer = openVolume(folder_ / "allen.nii.gz");
  EXPECT_EQ(std::get<LabelsLayer>(layer.content).labels->values.back(), 614454277);
}

TEST(FreeSurferLabels, HaveBothSides) {
  const LabelTable& names = freeSurferLabels();
  EXPECT_EQ(names.at(53).name, "Right-Hippocampus");
  EXPECT_EQ(names.at(53).color, names.at(17).color);
  EXPECT_EQ(names.at(16).name, "Brain-Stem");
  EXPECT_EQ(names.at(1024).name, "ctx-lh-precentral");
  EXPECT_EQ(names.at(2035).name, "ctx-rh-insula");
}

}  // namespace
}  // namespace sulcus::io
