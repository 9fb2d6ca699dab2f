#include "core/preparation/distortion/anatomy.h"

#include "core/preparation/distortion/distortion_steps.h"
#include "core/preparation/distortion/series_field.h"
#include "tests/support/distorted_head.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sulcus::preparation {
namespace {

using test::DistortedHead;
using test::errorsOf;

/// The head with another contrast, darker in white matter than in gray, in voxels of 2 mm and another
/// position.
Volume<float> anatomyOf(const DistortedHead& head) {
  constexpr double kGray = 620, kFluid = 400;
  phantom::MovedHead fine = head.head;
  fine.size = {90, 108, 80};
  fine.spacing = {2, 2, 2};
  Volume<float> anatomy(fine.grid());
  const Affine rest = volumeFromRest({{4, -3, 2}, {0.03, 0.02, -0.04}}, anatomy.grid.center()).inverse();
  std::mt19937_64 random(7);
  std::normal_distribution<double> normal(0, 15);
  for (std::int64_t i = 0; i < anatomy.grid.voxels(); ++i) {
    const Vec3<int> v = anatomy.grid.voxel(i);
    const Vec3<double> p = anatomy.grid.worldFromVoxel.point({double(v.x), double(v.y), double(v.z)});
    const double value = fine.at(rest.point(p), 0);
    double shown = 1.4 * value;
    if (value > kGray)
      shown = 900 - 1.2 * (value - kGray);
    else if (value > kFluid)
      shown = 560 + 340 * (value - kFluid) / (kGray - kFluid);
    anatomy.values[std::size_t(i)] = float(shown + normal(random));
  }
  return anatomy;
}

/// The field with the homogeneous part of the truth, which looks like a shift of the head.
Volume<float> withEvenPart(Volume<float> found, const DistortedHead& head, const EpiImage& scan) {
  const float even = medianInHead(head.field(), scan.image) - medianInHead(found, scan.image);
  for (float& value : found.values) value += even;
  return found;
}

TEST(DistortionByAnatomy, IsFoundInAnotherContrastAndPlace) {
  for (const double largest : {1.0, 3.0}) {
    DistortedHead head;
    head.largestShift = largest;
    const EpiImage scan = head.scan({1, 1, 1});
    const DistortionField found = findDistortionByAnatomy(scan, anatomyOf(head), findDistortion, {});
    const auto errors = errorsOf(head, withEvenPart(found.hertz, head, scan), scan);
    EXPECT_LE(errors.shift, 0.3) << largest;
    EXPECT_LE(errors.brightness, 8) << largest;
  }
}

TEST(DistortionByAnatomy, ReplacesFieldMapScans) {
  const DistortedHead head;
  const EpiImage scan = head.scan({1, -1, 1});
  FieldScans scans;
  scans.anatomy = anatomyOf(head);
  EXPECT_FALSE(scans.empty());
  const SeriesField unsaid = fieldOfSeries(scans, scan.image, findDistortion, {});
  EXPECT_FALSE(unsaid.hertz);
  EXPECT_THAT(unsaid.notes, testing::Contains(testing::HasSubstr("does not say how it was encoded")));
  scans.series = scan.encoding;
  const SeriesField found = fieldOfSeries(scans, scan.image, findDistortion, {});
  ASSERT_TRUE(found.hertz);
  EXPECT_LE(errorsOf(head, withEvenPart(*found.hertz, head, scan), scan).shift, 0.3);
  EXPECT_THAT(found.notes, testing::Contains(testing::HasSubstr("with the anatomy alone")));
  EXPECT_THAT(found.notes, testing::Contains(testing::HasSubstr("The anatomy explains")));
}

}  // namespace
}  // namespace sulcus::preparation
