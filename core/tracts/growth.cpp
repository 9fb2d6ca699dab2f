#include "core/tracts/growth.h"

#include "core/base/stage_clock.h"
#include "core/tracts/line_batch.h"

#include <algorithm>

namespace sulcus::tracts {

void LineGrowth::growFor(double seconds, const Progress& progress) {
  const StageClock clock;
  while (!isComplete()) {
    const double left = seconds - clock.seconds();
    // Half of what would fit, since the time of a seed differs from place to place.
    const double fits = secondsOfSeed_ > 0 ? 0.5 * left / secondsOfSeed_ : 0;
    if (left <= 0 || (secondsOfSeed_ > 0 && 2 * fits < double(plan_.fewest))) break;
    const auto count = std::min(std::int64_t(std::clamp(fits, double(plan_.fewest), double(plan_.most))),
                                seeds_.count - followed_);
    const double begun = clock.seconds();
    for (const LineBatch& batch : plan_.follow(seeds_, followed_, count, progress)) add(batch);
    secondsOfSeed_ = (clock.seconds() - begun) / double(count);
  }
}

void LineGrowth::add(const LineBatchView& all) {
  const LineBatchView batch = upTo(wanted_, std::int64_t(lines_.lines()), all);
  followed_ += std::int64_t(batch.records.size());
  addLines(batch, lines_);
}

}  // namespace sulcus::tracts
