#include "core/io/files.h"
#include "core/registration/linear/linear_alignment.h"
#include "core/registration/preparation/bias_field.h"
#include "core/registration/preparation/intensity.h"
#include "core/registration/preparation/resample.h"
#include "core/registration/registration.h"
#include "core/registration/results/overlap_metrics.h"
#include "core/toolkits/bias_field.h"
#include "tests/support/bias_field.h"
#include "tests/support/test_data.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

namespace sulcus::registration {
namespace {

std::shared_ptr<const Series<float>> opened(const std::filesystem::path& file) {
  return std::get<VolumeLayer>(io::openVolume(file).content).series;
}

/// The voxels in which a map of shares is above 0.05.
std::vector<std::uint8_t> regionOf(const Series<float>& shares) {
  std::vector<std::uint8_t> region(shares.values.size());
  for (std::size_t i = 0; i < region.size(); ++i) region[i] = shares.values[i] > 0.05f;
  return region;
}

TEST(RegistrationOfASubject, ToTheAverageOfManyByDefaultIsClosestInTheBrain) {
  SULCUS_REAL_FILE(subject, "t1/single_subj_T1.nii");
  SULCUS_REAL_FILE(average, "t1/avg152T1.nii");
  SULCUS_REAL_FILE(white, "t1/white.nii");
  RegistrationInput input;
  input.templateImage = opened(subject), input.reference = opened(average);
  input.alignLinearly = alignLinearly;
  const auto result = registerImages(input, {}, {});
  const auto brain = regionOf(*opened(white));

  EXPECT_EQ(result.similarity, Similarity::lcc);
  // Interpolated linearly, which makes a head more similar to an average of many than the maps are.
  const Volume<float> aligned =
      resampled({input.templateImage->grid, input.templateImage->volume(0)}, input.reference->grid,
                result.templateFromReference, {Interpolation::linear, 0.F}, nullptr, {});
  const Series<float> warped =
      displaced(*input.templateImage, result.displacement, Interpolation::linear, 0, {});
  EXPECT_GE(fitOf(aligned.values, input.reference->values, brain).correlation, 0.8);
  EXPECT_GE(fitOf(warped.values, input.reference->values, brain).correlation, 0.915);
  EXPECT_GT(result.smallestJ, 0);
  EXPECT_LE(result.sdLogJ, 0.3);
  EXPECT_EQ(result.foldedCells, 0);
  EXPECT_LE(result.largestInverseResidual, 0.05);
}

TEST(PrealignmentOfASubject, IsUndoneWhenTheImagesAreExchanged) {
  SULCUS_REAL_FILE(subject, "t1/single_subj_T1.nii");
  SULCUS_REAL_FILE(average, "t1/avg152T1.nii");
  const auto a = opened(subject), b = opened(average);
  for (const auto kind : {LinearAlignment::rigid, LinearAlignment::affine}) {
    const Affine there = alignLinearly(*a, *b, nullptr, kind, {}, {}),
                 back = alignLinearly(*b, *a, nullptr, kind, {}, {});
    for (const double x : {-60.0, 60.0})
      for (const double y : {-90.0, 60.0})
        for (const double z : {-40.0, 70.0})
          EXPECT_LT(norm((there * back).point({x, y, z}) - Vec3<double>{x, y, z}), 0.2)  // mm
              << x << ' ' << y << ' ' << z;
  }
}

TEST(RegistrationOfASubject, ToTheAverageOfManyIsCloseSmoothAndInvertible) {
  SULCUS_REAL_FILE(subject, "t1/single_subj_T1.nii");
  SULCUS_REAL_FILE(average, "t1/avg152T1.nii");
  RegistrationInput input;
  input.templateImage = opened(subject), input.reference = opened(average);
  input.alignLinearly = alignLinearly;
  RegistrationOptions options;
  options.similarity = Similarity::l2, options.lambda = 0.02, options.membrane = 0;
  const auto result = registerImages(input, options, {});

  EXPECT_GE(result.before.correlation, 0.55);
  // For the whole head, interpolated linearly and so blurred like the average; the brain alone has 0.90.
  const auto& reference = input.reference->values;
  const double mean = std::accumulate(reference.begin(), reference.end(), 0.0) / double(reference.size());
  std::vector<std::uint8_t> head(reference.size());
  std::ranges::transform(reference, head.begin(), [&](float v) { return v > mean; });
  const Series<float> warped =
      displaced(*input.templateImage, result.displacement, Interpolation::linear, 0, {});
  EXPECT_GE(fitOf(warped.values, reference, head).correlation, 0.81);
  EXPECT_LE(result.after.nmse,
            0.4);  // by the spline; interpolated linearly, so blurred like the average, 0.35
  EXPECT_GT(result.smallestJ, 0);
  EXPECT_LE(result.sdLogJ, 0.25);
  EXPECT_EQ(result.foldedCells, 0);
  EXPECT_GT(result.smallestCornerJ, 0);
  EXPECT_LE(result.largestInverseResidual, 0.05);
  for (std::size_t i = 1; i < result.iterations.size(); ++i)
    if (result.iterations[i].level == result.iterations[i - 1].level) {
      EXPECT_LT(result.iterations[i].energy, result.iterations[i - 1].energy);
    }

  // Points go there and back by the written displacement, interpolated trilinearly.
  const Grid& grid = result.displacement.grid;
  const Affine voxelFromWorld = grid.worldFromVoxel.inverse();
  double worst = 0;
  for (std::int64_t i = 0; i < result.inverse.grid.voxels(); ++i) {
    const Vec3<int> v = result.inverse.grid.voxel(i);
    const Vec3<double> z = result.inverse.grid.worldFromVoxel.point({double(v.x), double(v.y), double(v.z)});
    const Vec3<double> x =
        z + Vec3<double>{result.inverse.at(i, 0), result.inverse.at(i, 1), result.inverse.at(i, 2)};
    const Vec3<double> p = voxelFromWorld.point(x);
    Vec3<int> low;
    bool inside = true;
    for (int a = 0; a < 3; ++a) {
      low[a] = int(std::floor(p[a]));
      inside &= low[a] >= 0 && low[a] < grid.size[a] - 1;
    }
    if (!inside) continue;
    Vec3<double> d;
    for (int corner = 0; corner < 8; ++corner) {
      Vec3<int> at = low;
      double weight = 1;
      for (int a = 0; a < 3; ++a) {
        const int up = corner >> a & 1;
        at[a] += up;
        weight *= up ? p[a] - low[a] : 1 - (p[a] - low[a]);
      }
      const std::int64_t n = grid.index(at.x, at.y, at.z);
      for (int a = 0; a < 3; ++a) d[a] += weight * result.displacement.at(n, a);
    }
    worst = std::max(worst, norm(x + d - z) / 2);  // voxels of 2 mm
  }
  EXPECT_LE(worst, 0.05);
}

/// The change that a known field causes in an estimated field: real images have a field of their own.
double error(const Volume<float>& without, Volume<float> with, const Volume<float>& truth,
             const Mask& object) {
  for (std::size_t i = 0; i < with.values.size(); ++i) with.values[i] /= without.values[i];
  return test::logError(with, truth, object);
}

Mask objectOf(const Series<float>& image) {
  Mask object(image.grid, 1);
  const double dark = foregroundThreshold(image.values, object.values);
  for (std::size_t i = 0; i < object.values.size(); ++i) object.values[i] = image.values[i] > dark;
  return object;
}

TEST(BiasFieldOfASubject, IsRecoveredByN4) {
  SULCUS_REAL_FILE(file, "t1/single_subj_T1.nii");
  const auto subject = opened(file);
  const auto truth = test::smoothField(subject->grid);
  EXPECT_LT(
      error(toolkits::n4BiasField(*subject, nullptr, {}),
            toolkits::n4BiasField(test::times(*subject, truth), nullptr, {}), truth, objectOf(*subject)),
      0.04);
}

TEST(BiasFieldOfASubject, IsRecoveredAgainstAnAverage) {
  SULCUS_REAL_FILE(file, "t1/single_subj_T1.nii");
  SULCUS_REAL_FILE(other, "t1/avg152T1.nii");
  const auto subject = opened(file), average = opened(other);
  const Affine map = alignLinearly(*subject, *average, nullptr, LinearAlignment::affine, {}, {});
  const auto aligned = resampled({subject->grid, subject->volume(0)}, average->grid, map,
                                 {Interpolation::linear}, nullptr, {});
  const std::vector<std::uint8_t> all(average->values.size(), 1);
  const auto fitted = [&](const Series<float>& reference) {
    return fittedBiasField(aligned.values, reference.values, all, reference.grid, IntensityMatch::histogram,
                           {});
  };
  const auto truth = test::smoothField(average->grid);
  EXPECT_LT(error(fitted(*average), fitted(test::times(*average, truth)), truth, objectOf(*average)), 0.03);
}

}  // namespace
}  // namespace sulcus::registration
