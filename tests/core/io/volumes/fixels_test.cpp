#include "core/io/volumes/fixels.h"

#include "tests/core/io/io_test_support.h"

#include <gmock/gmock.h>

namespace sulcus::io {
namespace {

using namespace test;
using testing::HasSubstr;

/// Four voxels: the first has one fixel, the third two, and the others none.
class Fixels : public testing::Test {
 protected:
  Fixels() {
    write("index", {4, 1, 1, 2}, {1, 0, 2, 0, /* first ones */ 2, 0, 0, 0});
    write("directions", {3, 3, 1}, {1, 0, 0, /* y */ 0, 2, 0, /* z */ 0, 0, 1});
    write("afd", {3, 1, 1}, {0.5F, 0.25F, -3});
  }
  void write(const std::string& stem, const std::vector<int>& dim, const std::vector<float>& values) {
    std::string text = "mrtrix image\ndim: ", layout = "layout: ", vox = "vox: ";
    for (std::size_t i = 0; i < dim.size(); ++i) {
      text += (i ? "," : "") + std::to_string(dim[i]), layout += (i ? ",+" : "+") + std::to_string(i);
      vox += i ? ",2" : "2";
    }
    text += "\n" + vox + "\n" + layout +
            "\ndatatype: Float32LE\ntransform: 1,0,0,-9\ntransform: 0,1,0,0\ntransform: 0,0,1,0\n"
            "file: . 256\nEND\n";
    text.resize(256, '\0');
    text.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float));
    writeBytes(folder_ / (stem + ".mif"), text);
  }
  Layer open(const std::string& name) { return openVolume(folder_ / name); }
  static Vec3<float> direction(const Layer& layer, std::int64_t voxel, int peak) {
    const Series<float>& peaks = *std::get<PeaksLayer>(layer.content).peaks;
    return {peaks.at(voxel, 3 * peak), peaks.at(voxel, 3 * peak + 1), peaks.at(voxel, 3 * peak + 2)};
  }
  TemporaryFolder folder_;
};

TEST_F(Fixels, AreDirectionsAsLongAsTheNumbersOfTheFileSay) {
  const Layer layer = open("afd.mif");
  ASSERT_EQ(kindOf(layer), "peaks");
  EXPECT_EQ(layer.name, "afd");
  EXPECT_EQ(gridOf(layer)->size, (Vec3<int>{4, 1, 1}));
  EXPECT_EQ(gridOf(layer)->worldFromVoxel.t.x, -9);
  EXPECT_EQ(direction(layer, 0, 0), (Vec3<float>{0, 0, 3})) << "the third fixel, by its size";
  EXPECT_TRUE(std::isnan(direction(layer, 0, 1).x));
  EXPECT_TRUE(std::isnan(direction(layer, 1, 0).x));
  EXPECT_EQ(direction(layer, 2, 0), (Vec3<float>{0.5F, 0, 0}));
  EXPECT_EQ(direction(layer, 2, 1), (Vec3<float>{0, 0.25F, 0})) << "whatever the length in the file is";
  EXPECT_THAT(layer.notes, testing::Contains(HasSubstr("3 in 2 voxels, up to 2 in one")));
  EXPECT_THAT(layer.notes, testing::Contains(HasSubstr("Negative numbers")));
}

TEST_F(Fixels, HaveOneLengthWhereTheDirectionsAreOpened) {
  EXPECT_EQ(fixelDirectionsIn(folder_.path()), folder_ / "directions.mif");
  const Layer layer = open("directions.mif");
  EXPECT_EQ(direction(layer, 0, 0), (Vec3<float>{0, 0, 1}));
  EXPECT_EQ(direction(layer, 2, 1), (Vec3<float>{0, 1, 0}));
}

TEST_F(Fixels, LeaveOtherImagesOfTheFolderAsTheyAre) {
  EXPECT_EQ(kindOf(open("index.mif")), "series");
  write("total", {4, 1, 3}, std::vector<float>(12, 0.5F));
  EXPECT_EQ(kindOf(open("total.mif")), "volume");
  write("mask", {3, 1, 1}, {1, 0, 1});
  const Layer mask = open("mask.mif");
  EXPECT_EQ(kindOf(mask), "peaks") << "of fixels, not labels of voxels";
  EXPECT_TRUE(std::isnan(direction(mask, 2, 1).x));
  std::filesystem::remove(folder_ / "index.mif");
  EXPECT_EQ(kindOf(open("afd.mif")), "volume");
  EXPECT_TRUE(fixelDirectionsIn(folder_.path()).empty());
}

TEST_F(Fixels, AreRefusedWhereTheFilesDoNotFitTogether) {
  write("short", {2, 1, 1}, {1, 1});
  expectError([&] { open("short.mif"); }, {"short.mif", "2 numbers for 3 fixels"});
  for (const std::vector<float>& index : std::vector<std::vector<float>>{{1, 0, 2, 0, 2, 0, 2, 0},
                                                                         {1, 0, 2, 0, -1, 0, 0, 0},
                                                                         {1e9F, 0, 2, 0, 0, 0, 0, 0},
                                                                         {0, 0, 0, 0, 0, 0, 0, 0}}) {
    write("index", {4, 1, 1, 2}, index);
    expectError([&] { open("afd.mif"); }, {"index.mif", "does not fit"});
  }
  write("index", {4, 1, 1}, {1, 0, 2, 0});
  expectError([&] { open("afd.mif"); }, {"index.mif", "two volumes"});
  write("directions", {9, 1, 1}, {1, 0, 0, 0, 1, 0, 0, 0, 1});
  expectError([&] { open("afd.mif"); }, {"directions.mif", "n × 3 × 1"});
}

}  // namespace
}  // namespace sulcus::io
