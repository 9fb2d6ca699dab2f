#include "core/io/dicom_mosaic.h"

#include "tests/core/io/dicom_bytes.h"
#include "tests/core/io/io_test_support.h"

namespace sulcus::io {
namespace {

using namespace test;

class DicomMosaic : public testing::Test {
 protected:
  Layer open(const DicomFile& file) {
    writeBytes(folder_ / "scan.dcm", file.bytes());
    return io::openVolume(folder_ / "scan.dcm");
  }
  void expectRefused(const DicomFile& file, const std::string& words) {
    expectError([&] { open(file); }, {"scan.dcm", "Siemens mosaic", words, "dcm2niix"});
  }
  TemporaryFolder folder_;
};

TEST_F(DicomMosaic, IsUnfolded) {
  const Layer layer = open(mosaicFile(1, mosaicCsa()));
  const auto& series = seriesOf(layer);
  ASSERT_EQ(series.grid.size, (Vec3<int>{3, 2, 3}));
  const double affine[3][4] = {{-2, 0, 0, -10}, {0, -1.5, 0, -20}, {0, 0, 4, 30}};
  expectAffine(series.grid.worldFromVoxel, affine, 1e-5);
  for (int s = 0; s < 3; ++s)
    for (int y = 0; y < 2; ++y)
      for (int x = 0; x < 3; ++x) EXPECT_EQ(series.volume(0)(x, y, s), 100 * s + 10 * y + x);
  EXPECT_NE(allNotes(layer).find("mosaic"), std::string::npos);
}

TEST_F(DicomMosaic, SlicesFollowTheNormalOfSiemens) {
  const Layer layer = open(mosaicFile(1, mosaicCsa("3", "-1")));
  const double affine[3][4] = {{-2, 0, 0, -10}, {0, -1.5, 0, -20}, {0, 0, -4, 30}};
  expectAffine(gridOf(layer)->worldFromVoxel, affine, 1e-5);
}

TEST_F(DicomMosaic, SeveralAreASeriesWithGradients) {
  for (int v = 0; v < 2; ++v) {
    DicomFile file = mosaicFile(v + 1, mosaicCsa());
    // The private elements are used before the CSA header.
    if (v == 0) file.set(0x00190010, "LO", "SIEMENS MR HEADER").set(0x0019100c, "IS", "0");
    writeBytes(folder_ / std::to_string(v), file.bytes());
  }
  const Layer layer = io::openDicomSeries(io::findDicomSeries(folder_.path()).at(0));
  EXPECT_EQ(gridOf(layer)->size, (Vec3<int>{3, 2, 3}));
  const auto& rows = std::get<VolumeLayer>(layer.content).gradients.rows;
  ASSERT_EQ(rows.size(), 2u) << allNotes(layer);
  EXPECT_EQ(rows[0].b, 0);
  EXPECT_EQ(rows[1].b, 1000);
  EXPECT_NEAR(norm(rows[1].directionWorld - Vec3<double>{0, -1, 0}), 0, 1e-12);
}

TEST_F(DicomMosaic, WithoutWhatPlacesItsSlicesIsRefused) {
  expectRefused(mosaicFile(1, mosaicCsa("0")), "of how many slices");
  expectRefused(mosaicFile(1, mosaicCsa("2.5")), "of how many slices");
  expectRefused(mosaicFile(1, mosaicCsa("5")), "do not share evenly");
  expectRefused(mosaicFile(1, mosaicCsa("3", "0")), "in which direction");
  expectRefused(mosaicFile(1, mosaicCsa("3", "0.5")), "in which direction");
  expectRefused(mosaicFile(1, mosaicCsa()).remove(0x00180088), "how far its slices are apart");
  expectRefused(mosaicFile(1, mosaicCsa()).remove(0x00291010), "of how many slices");
  expectRefused(mosaicFile(1, mosaicCsa()).remove(0x00290010), "of how many slices");
  expectRefused(mosaicFile(1, mosaicCsa()).remove(0x00200037), "without orientation");
}

TEST_F(DicomMosaic, NumberOfSlicesStandsInTheOtherHeaderToo) {
  const std::string normalOnly = csaHeader({{"SliceNormalVector", {"0", "0", "1"}}});
  const DicomFile file =
      mosaicFile(1, normalOnly).set(0x00190010, "LO", "SIEMENS MR HEADER").set(0x0019100a, "US", us(3));
  EXPECT_EQ(gridOf(open(file))->size, (Vec3<int>{3, 2, 3}));
}

TEST(CsaHeader, ThatIsCutIsNone) {
  const std::string whole = mosaicCsa();
  const auto header = [](const std::string& bytes) {
    DicomSet set;
    set.elements[0x00290010].bytes = "SIEMENS CSA HEADER";
    set.elements[0x00291010].bytes = bytes;
    return csaHeaderOf(set);
  };
  EXPECT_EQ(header(whole).numbers("SliceNormalVector"), (std::vector<double>{0, 0, 1}));
  for (std::size_t size = 0; size < whole.size(); ++size)
    EXPECT_TRUE(header(whole.substr(0, size)).empty()) << size;
}

}  // namespace
}  // namespace sulcus::io
