#include "core/base/progress.h"

#include "core/base/error.h"

#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace sulcus {
namespace {

TEST(Progress, DefaultOneIsSilentAndNeverCancelled) {
  const Progress progress;
  EXPECT_NO_THROW(progress.update(0.5));
  EXPECT_FALSE(progress.stopRequested());
}

TEST(Progress, PartsMapIntoTheWholeAndCarryTheirName) {
  std::vector<std::pair<double, std::string>> reports;
  const Progress whole({}, [&](double f, std::string_view stage) { reports.emplace_back(f, stage); });

  whole.part(0.5, 1.0, "fit").part(0.0, 0.5, "").update(0.5);
  whole.update(7);

  ASSERT_EQ(reports.size(), 2u);
  EXPECT_DOUBLE_EQ(reports[0].first, 0.625);
  EXPECT_EQ(reports[0].second, "fit");
  EXPECT_DOUBLE_EQ(reports[1].first, 1.0);
}

TEST(Progress, UpdateThrowsOnceStopWasRequested) {
  std::stop_source stop;
  const Progress progress(stop.get_token(), {});
  EXPECT_NO_THROW(progress.update(0.1));

  stop.request_stop();

  EXPECT_THROW(progress.update(0.2), Cancelled);
  EXPECT_THROW(progress.part(0, 1, "x").throwIfCancelled(), Cancelled);
}

TEST(Error, IsOneSentenceWithWhatToDo) {
  const Error error("No gradients", "directions cannot be fitted", "put a .bval beside the scan");
  EXPECT_STREQ(error.what(), "No gradients (directions cannot be fitted): put a .bval beside the scan");
  EXPECT_EQ(error.kind(), ErrorKind::badInput);
}

}  // namespace
}  // namespace sulcus
