#include "core/activation/design/scan_times.h"

#include "core/activation/design/hemodynamics.h"
#include "tests/core/activation/tables.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sulcus::activation {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::string notesOf(const ScanTimes& times) {
  std::string all;
  for (const auto& note : times.notes) all += note.line() + "\n";
  return all;
}

TEST(ScanTimes, AreInTheMiddleOfTheRepetitionTime) {
  const ScanTimes times = scanTimes(2, 3, {}, {});
  EXPECT_THAT(times.at, ElementsAre(1, 3, 5));
  EXPECT_EQ(times.end, 6);
  EXPECT_TRUE(times.atShare);
  EXPECT_THAT(times.notes, IsEmpty());
}

TEST(ScanTimes, OfSparseSamplingAreInTheMiddleOfWhatIsAcquired) {
  ScanTiming timing;
  timing.delay = 6;
  const ScanTimes times = scanTimes(8, 3, {}, timing);
  EXPECT_THAT(times.at, ElementsAre(1, 9, 17));
  EXPECT_THAT(notesOf(times), HasSubstr("acquired in 2 s (DelayTime)"));
  timing = {};
  timing.acquisition = 2;
  EXPECT_THAT(scanTimes(8, 3, {}, timing).at, ElementsAre(1, 9, 17));
  timing = {};
  for (int slice = 19; slice >= 0; --slice) timing.slices.push_back(0.1 * slice);
  EXPECT_THAT(scanTimes(8, 2, {}, timing).at, ElementsAre(DoubleNear(1, 1e-9), DoubleNear(9, 1e-9)));
  // Slices that fill the repetition time leave no pause.
  EXPECT_THAT(scanTimes(2, 2, {}, timing).at, ElementsAre(1, 3));
}

TEST(ScanTimes, AreThoseOfTheVolumes) {
  ScanTiming timing;
  timing.volumes = {10, 13, 18};
  timing.acquisition = 2;
  const ScanTimes times = scanTimes(0, 3, {}, timing);
  EXPECT_THAT(times.at, ElementsAre(1, 4, 9));
  EXPECT_EQ(times.tr, 4);
  EXPECT_TRUE(times.irregular);
  timing.volumes = {0, 3};
  EXPECT_THAT(notesOf(scanTimes(2, 3, {}, timing)), HasSubstr("Warning: VolumeTiming (2 times for 3 scans)"));
}

TEST(ScanTimes, StandForTheReferenceOfSliceTimingCorrection) {
  ScanTiming timing;
  timing.reference = 0.25;
  EXPECT_THAT(scanTimes(2, 2, {}, timing).at, ElementsAre(0.25, 2.25));
  DesignOptions options;
  options.sliceTime = 0;
  const ScanTimes given = scanTimes(2, 2, options, timing);
  EXPECT_THAT(given.at, ElementsAre(0, 2));
  EXPECT_THAT(notesOf(given), HasSubstr("ignored, since another time was given (--slice-time)"));
}

TEST(ScanTimes, ReportWhatIsIgnored) {
  ScanTiming timing;
  timing.slices = {0, 500, 1000};  // ms
  EXPECT_THAT(notesOf(scanTimes(2, 2, {}, timing)), HasSubstr("Warning: SliceTiming extends to 1000 s"));
  timing = {};
  timing.delay = 6;
  DesignOptions options;
  options.tr = 3;
  const ScanTimes other = scanTimes(8, 2, options, timing);
  EXPECT_THAT(other.at, ElementsAre(1.5, 4.5));
  EXPECT_THAT(notesOf(other),
              HasSubstr("belong to a repetition time other than the given one and are ignored (--tr)"));
}

TEST(ScanTimes, PlaceTheResponseToEvents) {
  const Layer events = test::tableOf({"onset", "duration", "trial_type"}, {{"4", "0", "tone"}});
  ScanTiming timing;
  timing.delay = 6;
  const Design sparse = designFromEvents(events, nullptr, 8, 6, {}, timing);
  for (int scan = 0; scan < 6; ++scan)
    EXPECT_NEAR(sparse.matrix(scan, 1), responsePart(ResponsePart::canonical, 8 * scan + 1 - 4), 1e-12)
        << scan;
}

TEST(ScanTimes, OfSlicesAreUsedWhereTheyFitTheSeries) {
  ScanTiming timing;
  timing.slices = {0, 1, 0.5, 1.5};
  EXPECT_TRUE(checkSliceTimes(2, 4, {}, timing).isUsable);
  EXPECT_THAT(checkSliceTimes(2, 5, {}, timing).why, HasSubstr("4 times for 5 slices"));
  EXPECT_THAT(checkSliceTimes(1, 4, {}, timing).why, HasSubstr("beyond a scan of 1 s"));
  DesignOptions options;
  options.sliceTime = 0;
  EXPECT_THAT(checkSliceTimes(2, 4, options, timing).why, HasSubstr("was chosen"));
  options = {};
  options.tr = 3;
  EXPECT_THAT(checkSliceTimes(2, 4, options, timing).why, HasSubstr("another repetition time"));
  timing.reference = 1;
  EXPECT_THAT(checkSliceTimes(2, 4, {}, timing).why, HasSubstr("StartTime"));
  timing.reference = -1;
  timing.sliceAxis = 0;
  EXPECT_THAT(checkSliceTimes(2, 4, {}, timing).why, HasSubstr("another axis"));
  timing.sliceAxis = 2;
  timing.slices = {0.5, 0.5, 0.5, 0.5};
  EXPECT_FALSE(checkSliceTimes(2, 4, {}, timing).isUsable);
  EXPECT_THAT(checkSliceTimes(2, 4, {}, timing).why, IsEmpty());
}

}  // namespace
}  // namespace sulcus::activation
