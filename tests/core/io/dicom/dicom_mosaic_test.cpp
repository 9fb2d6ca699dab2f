#include "tests/core/io/dicom/dicom_bytes.h"
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
    expectError([&] { open(file); }, {"scan.dcm", "mosaic", words, "export it again"});
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
  const std::string directions[] = {"0.0", "1.0", "-1.0"};
  for (int v = 0; v < 3; ++v)
    writeBytes(folder_ / std::to_string(v),
               mosaicFile(v + 1, csaHeader({{"NumberOfImagesInMosaic", {"3"}},
                                            {"SliceNormalVector", {"0.0", "0.0", "1.0"}},
                                            {"B_value", {v == 0 ? "0" : "1000"}},
                                            {"DiffusionGradientDirection", {"0.0", directions[v], "0.0"}}}))
                   .bytes());
  const Layer layer = io::openDicomSeries(io::findDicomSeries(folder_.path()).at(0));
  EXPECT_EQ(gridOf(layer)->size, (Vec3<int>{3, 2, 3}));
  const auto& rows = std::get<VolumeLayer>(layer.content).gradients.rows;
  ASSERT_EQ(rows.size(), 3u) << allNotes(layer);
  EXPECT_EQ(rows[0].b, 0);
  for (int v = 1; v < 3; ++v) {
    EXPECT_EQ(rows[v].b, 1000);
    EXPECT_NEAR(norm(rows[v].directionWorld - Vec3<double>{0, v == 1 ? -1.0 : 1.0, 0}), 0, 1e-6);
  }
}

TEST_F(DicomMosaic, WithoutWhatPlacesItsSlicesIsRefused) {
  expectRefused(mosaicFile(1, mosaicCsa("0")), "how many slices");
  expectRefused(mosaicFile(1, mosaicCsa("5")), "how many slices");
  expectRefused(mosaicFile(1, mosaicCsa()).remove(0x00291010), "how many slices");
  expectRefused(mosaicFile(1, mosaicCsa()).remove(0x00200037), "gives no orientation");
}

TEST_F(DicomMosaic, ThicknessReplacesTheDistanceOfSlices) {
  const Layer layer = open(mosaicFile(1, mosaicCsa()).remove(0x00180088));
  EXPECT_EQ(gridOf(layer)->spacing().z, 3);
  EXPECT_NE(allNotes(layer).find("Warning: the DICOM header gives no distance of slices"), std::string::npos);
}

}  // namespace
}  // namespace sulcus::io
