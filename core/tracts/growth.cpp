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
    for (LineBatch& batch : plan_.follow(seeds_, followed_, count, progress)) add(std::move(batch));
    secondsOfSeed_ = (clock.seconds() - begun) / double(count);
  }
}

void LineGrowth::add(LineBatch&& batch) {
  std::size_t tried = 0, points = 0;
  std::int64_t kept = std::int64_t(lines_.lines());
  for (const LineRecord& record : batch.records) {
    if (wanted_ > 0 && kept >= wanted_) break;
    ++tried;
    if (record.verdict != Verdict::kept) continue;
    ++kept;
    points += std::size_t(record.points);
  }
  batch.records.resize(tried);
  batch.points.resize(points);
  followed_ += std::int64_t(tried);
  addLines(batch, lines_);
}

}  // namespace sulcus::tracts
