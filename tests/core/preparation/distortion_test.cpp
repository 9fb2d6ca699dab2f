#include "core/preparation/distortion/distortion.h"

#include "core/base/parallel/parallel_for.h"
#include "core/preparation/distortion/series_field.h"
#include "core/preparation/distortion/unwarp.h"
#include "core/preparation/motion.h"
#include "tests/support/distorted_head.h"
#include "tests/support/expect_error.h"
#include "tests/support/same_bits.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sulcus::preparation {
namespace {

using test::DistortedHead;
using test::errorsOf;
using test::FieldErrors;

void expectFound(const DistortedHead& head, const Volume<float>& found, const EpiImage& scan,
                 double mostBrightness = 4) {
  const FieldErrors errors = errorsOf(head, found, scan);
  EXPECT_LE(errors.shift, 0.1);
  EXPECT_LE(errors.largestShift, 1);
  EXPECT_LE(errors.brightness, mostBrightness);
}

TEST(Distortion, IsFoundByTwoPolarities) {
  for (const double largest : {0.0, 1.0, 3.0, 5.0}) {
    DistortedHead head;
    head.largestShift = largest;
    const EpiImage up = head.scan({1, 1, 1}), down = head.scan({1, -1, 1});
    const Volume<float> found = findDistortion(up, down, {}).hertz;
    expectFound(head, found, up);
    expectFound(head, found, down);
  }
}

TEST(Distortion, IsFoundAlongAnyAxisWithAnyReadoutAndBrightness) {
  DistortedHead head;
  for (const PhaseEncoding& encoding :
       {PhaseEncoding{0, 1, 0.8}, PhaseEncoding{0, -1, 1}, PhaseEncoding{1, -1, 1}}) {
    const EpiImage one = head.scan(encoding),
                   other = head.scan({encoding.axis, -encoding.sign, 0.6}, {}, 1.4);
    expectFound(head, findDistortion(one, other, {}).hertz, one);
  }
  const EpiImage whole = head.scan({1, 1, 1}), half = head.scan({1, 1, 0.25});
  EXPECT_LE(errorsOf(head, findDistortion(whole, half, {}).hertz, whole).shift, 0.25)
      << "the same direction with another readout time says less, but something";
}

TEST(Distortion, IsFoundInNoise) {
  DistortedHead head;
  head.head.noise = 5;
  const EpiImage up = head.scan({1, 1, 1}), down = head.scan({1, -1, 1});
  expectFound(head, findDistortion(up, down, {}).hertz, up, 9);
}

TEST(Distortion, IsFoundWhereTheHeadMovedBetween) {
  DistortedHead head;
  const EpiImage up = head.scan({1, 1, 1}),
                 down = head.scan({1, -1, 1}, {{1.5, -1, 0.8}, {0.02, -0.01, 0.015}});
  const DistortionField found = findDistortion(up, down, {});
  EXPECT_LE(errorsOf(head, found.hertz, up).shift, 0.2);
  ASSERT_EQ(found.notes.size(), 1u);
  EXPECT_THAT(found.notes[0], testing::HasSubstr("The head moved by"));
}

TEST(Distortion, IsTheSameForAnyNumberOfThreads) {
  const DistortedHead head;
  const EpiImage up = head.scan({1, 1, 1}), down = head.scan({1, -1, 1});
  Volume<float> one, many;
  withThreads(1, [&] { one = findDistortion(up, down, {}).hertz; });
  withThreads(5, [&] { many = findDistortion(up, down, {}).hertz; });
  EXPECT_TRUE(test::sameBits(one.values, many.values));
}

TEST(Distortion, RefusesWhatSaysNothing) {
  const DistortedHead head;
  const EpiImage up = head.scan({1, 1, 1});
  test::expectError([&] { findDistortion(up, head.scan({0, 1, 1}), {}); }, {"along different axes"});
  test::expectError([&] { findDistortion(up, up, {}); }, {"the same phase encoding"});
  EpiImage empty = head.scan({1, -1, 1});
  std::ranges::fill(empty.image.values, 0.f);
  test::expectError([&] { findDistortion(up, empty, {}); }, {"no signal"});
  EpiImage other = head.scan({1, -1, 1});
  other.image.grid.worldFromVoxel.t.x += 2;
  test::expectError([&] { findDistortion(up, other, {}); }, {"different grids"});
}

/// A field map, and its images with another position and contrast, for the mean of a series.
TEST(SeriesField, IsBroughtToTheSeries) {
  DistortedHead head;
  FieldScans scans;
  scans.series = PhaseEncoding{1, -1, 0.9};
  const EpiImage mean = head.scan(*scans.series);
  scans.hertz = head.field();
  expectFound(head, *fieldOfSeries(scans, mean.image, findDistortion, {}).hertz, mean);

  scans.hertz.reset();
  scans.epi = {head.scan({1, 1, 1})};
  expectFound(head, *fieldOfSeries(scans, mean.image, findDistortion, {}).hertz, mean);

  const Motion moved{{2, 1, -1.5}, {0.02, 0.01, -0.02}};
  scans.epi = {head.scan({1, 1, 1}, moved), head.scan({1, -1, 1}, moved)};
  for (EpiImage& epi : scans.epi)  // another contrast
    for (float& value : epi.image.values) value = 10 * std::sqrt(std::max(0.f, value));
  const SeriesField field = fieldOfSeries(scans, mean.image, findDistortion, {});
  EXPECT_LE(errorsOf(head, *field.hertz, mean).shift, 0.2);
  ASSERT_FALSE(field.notes.empty());
  EXPECT_THAT(field.notes.back(), testing::HasSubstr("with images of opposite phase encoding"));
}

TEST(SeriesField, SaysWhyDistortionWasLeftIn) {
  const DistortedHead head;
  const EpiImage mean = head.scan({1, 1, 1});
  const auto noteOf = [&](const FieldScans& scans) {
    const SeriesField field = fieldOfSeries(scans, mean.image, findDistortion, {});
    EXPECT_FALSE(field.unwarp);
    return field.notes.empty() ? "" : field.notes.front();
  };
  EXPECT_THAT(noteOf({}), testing::HasSubstr("an image of opposite phase encoding"));
  FieldScans scans;
  scans.epi = {head.scan({1, -1, 1})};
  EXPECT_THAT(noteOf(scans), testing::HasSubstr("does not say how it was encoded"));
  scans.series = PhaseEncoding{1, -1, 1};
  EXPECT_THAT(noteOf(scans), testing::HasSubstr("opposite to that of the series"));
  scans.problem = "'a' cannot be used.";
  EXPECT_EQ(noteOf(scans), Note::warning("Distortion was not corrected. 'a' cannot be used."));
}

TEST(SeriesField, RefusesAFieldMapThatShowsNothingOfTheHead) {
  const DistortedHead head;
  const EpiImage mean = head.scan({1, 1, 1});
  FieldScans scans;
  scans.series = mean.encoding;
  scans.hertz = head.field();
  scans.hertz->grid.worldFromVoxel.t.x += 300;
  const auto note = [&] { return fieldOfSeries(scans, mean.image, findDistortion, {}).notes.front(); };
  EXPECT_THAT(note(), testing::HasSubstr("The field map covers 0 % of the head"));
  scans.hertz = Volume<float>(mean.image.grid);
  EXPECT_THAT(note(), testing::HasSubstr("The field map is 0 in all of the head"));
}

TEST(SeriesField, IsCorrectedTogetherWithMotion) {
  DistortedHead head;
  head.head.size = {40, 48, 16};
  head.head.spacing = {4.4, 4.4, 6};
  head.head.noise = 0.3;
  constexpr int kVolumes = 8;
  const PhaseEncoding encoding{1, 1, 1};
  const auto series = std::make_shared<Series<float>>(head.grid(), kVolumes);
  for (int v = 0; v < kVolumes; ++v) {
    const double t = v - 0.5 * (kVolumes - 1);
    const EpiImage one = head.scan(encoding, {{0.3 * t, -0.2 * t, 0.1 * t}, {0.004 * t, 0, 0.003 * t}});
    std::ranges::copy(one.image.values, series->volume(v).data);
  }
  FieldScans scans;
  scans.series = encoding;
  scans.epi = {head.scan({1, -1, 1})};
  MotionInput input{series, {}};
  SeriesField field;
  input.findUnwarp = [&](const Volume<float>& mean, const Progress& progress) {
    field = fieldOfSeries(scans, mean, findDistortion, progress);
    return field.unwarp;
  };
  const MotionResult result = realignSeries(input, {}), without = realignSeries({series, {}}, {});
  ASSERT_TRUE(field.unwarp);
  const Volume<float> straight = head.scan({1, 1, 0}).image;
  const auto error = [&](const Series<float>& s) {
    double sum = 0, count = 0;
    for (std::int64_t i = 0; i < s.grid.voxels(); ++i)
      if (const float last = s.at(i, kVolumes - 1); std::isfinite(last))
        sum += std::fabs(last - straight.values[std::size_t(i)]), ++count;
    return sum / count;
  };
  EXPECT_LE(error(*result.series), 0.3 * error(*without.series));
}

}  // namespace
}  // namespace sulcus::preparation
