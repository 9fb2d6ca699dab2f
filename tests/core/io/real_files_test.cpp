#include "tests/core/io/io_test_support.h"

#include <numeric>

// The numbers were computed by nibabel 5.4 and numpy from the same files.
namespace sulcus::io {
namespace {

using namespace test;

double meanOf(const std::vector<float>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / double(values.size());
}

TEST(RealFiles, SmallDiffusionSeriesAsNibabelSeesIt) {
  SULCUS_REAL_FILE(file, "dwi/small_64D.nii");
  const Layer layer = io::openVolume(file);
  const auto& volume = std::get<VolumeLayer>(layer.content);
  EXPECT_EQ(volume.series->grid.size, (Vec3<int>{10, 10, 10}));
  ASSERT_EQ(volume.series->count, 65);
  const double affine[3][4] = {{0, -2, 0, 20},
                               {-1.939743995666504, 0, -0.487230509519577, 25.170543670654297},
                               {-0.48723000288009644, 0, 1.9397438764572144, 12.320494651794434}};
  expectAffine(volume.series->grid.worldFromVoxel, affine, 1e-9);
  EXPECT_EQ(volume.series->values[0], 89);
  EXPECT_EQ(volume.series->volume(32)(5, 5, 5), 135);
  EXPECT_NEAR(meanOf(volume.series->values), 91.80041538461539, 1e-9);

  ASSERT_EQ(volume.gradients.rows.size(), 65u);
  EXPECT_EQ(volume.gradients.rows[0].b, 0);
  EXPECT_NEAR(volume.gradients.rows[1].b, 992.8797843126392, 1e-9);
  EXPECT_EQ(unweightedVolumes(volume.gradients), std::vector<int>{0});
  const Vec3<double> expected[] = {{-0.9999827048187633, -0.00302606907856457, -0.005043110179363969},
                                   {0.0009949625405048536, -0.9999870724001894, -0.004998574284499592},
                                   {-0.5044848155988272, -0.846627278656329, 0.1694623033970576},
                                   {0.265335778380491, -0.95989554649546, -0.09054025048419363}};
  const int volumes[] = {1, 2, 10, 64};
  for (int i = 0; i < 4; ++i)
    EXPECT_NEAR(norm(volume.gradients.rows[volumes[i]].directionWorld - expected[i]), 0, 1e-6) << volumes[i];
  EXPECT_NE(volume.gradients.source.find("one direction per line"), std::string::npos);
  EXPECT_NE(volume.gradients.source.find("nan"), std::string::npos);
}

TEST(RealFiles, FunctionalSeriesWithoutOrientation) {
  SULCUS_REAL_FILE(file, "fmri/fmri_filtered_func_data.nii.gz");
  const Layer layer = io::openVolume(file);
  const auto& volume = std::get<VolumeLayer>(layer.content);
  EXPECT_EQ(volume.series->grid.size, (Vec3<int>{64, 64, 5}));
  EXPECT_EQ(volume.series->count, 45);
  EXPECT_EQ(volume.secondsPerVolume, 3);
  EXPECT_EQ(volume.series->grid.spacing(), (Vec3<double>{4, 4, 6}));
  EXPECT_EQ(orientationCode(volume.series->grid), "LAS");  // as read by FSL, which wrote it
  EXPECT_NEAR(meanOf(volume.series->values), 2826.2752681231723, 1e-6);
  EXPECT_EQ(volume.series->volume(22)(32, 32, 2), 13540.3359375f);
  EXPECT_NE(allNotes(layer).find("Left and right are an assumption"), std::string::npos);
}

TEST(RealFiles, AnatomiesInTheirSpaces) {
  const struct {
    const char* name;
    Vec3<int> size;
    double spacing, mean, middle;
  } scans[] = {{"t1/avg152T1.nii", {91, 109, 91}, 2, 0.27396804758172605, 0.4745098319835961},
               {"t1/MNI152_T1_2mm.nii.gz", {91, 109, 91}, 2, 2752.5885651801573, 5391},
               {"fmri/swrfM_gry.nii.gz", {53, 63, 46}, 3, 0.1645116234971391, 0.31756678223609924}};
  for (const auto& scan : scans) {
    SULCUS_REAL_FILE(file, scan.name);
    const Layer layer = io::openVolume(file);
    const auto& series = seriesOf(layer);
    EXPECT_EQ(series.grid.size, scan.size) << scan.name;
    EXPECT_NEAR(norm(series.grid.spacing() - Vec3<double>{scan.spacing, scan.spacing, scan.spacing}), 0,
                1e-9);
    EXPECT_EQ(orientationCode(series.grid), "LAS") << scan.name;
    EXPECT_NEAR(meanOf(series.values), scan.mean, 1e-6 * scan.mean) << scan.name;
    EXPECT_NEAR(series.volume(0)(scan.size.x / 2, scan.size.y / 2, scan.size.z / 2), scan.middle,
                1e-6 * scan.middle);
  }
}

TEST(RealFiles, MaskAndSeriesLieOnOneGrid) {
  SULCUS_REAL_FILE(mask, "fmri/fmri_mask.nii.gz");
  SULCUS_REAL_FILE(series, "fmri/fmri_filtered_func_data.nii.gz");
  EXPECT_TRUE(sameGrid(*gridOf(io::openVolume(mask)), *gridOf(io::openVolume(series))));
}

TEST(RealFiles, EveryFormatKeepsARealScan) {
  SULCUS_REAL_FILE(file, "dwi/small_64D.nii");
  TemporaryFolder folder;
  const Layer layer = io::openVolume(file);
  for (const char* name : {"a.nii", "b.nii.gz", "c.nrrd", "d.mha"}) {
    io::saveLayer(layer, folder / name);
    const Layer again = io::openVolume(folder / name);
    EXPECT_TRUE(sameGrid(*gridOf(again), *gridOf(layer))) << name;
    EXPECT_EQ(seriesOf(again).values, seriesOf(layer).values) << name;
    EXPECT_EQ(std::get<VolumeLayer>(again.content).gradients.rows.size(), 65u) << name;
  }
}

}  // namespace
}  // namespace sulcus::io
