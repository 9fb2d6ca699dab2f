#pragma once

#include "core/tracts/tracts.h"

namespace sulcus::tracts {

/// Adds the result of a seed and, if its line is kept, the points from the end of its second half to the end
/// of its first.
///
/// @param points  as left by LineWalk
inline void addLine(const Vec3<float>* points, const LineRecord& record, LineBatch& batch) {
  batch.records.push_back(record);
  if (record.verdict != Verdict::kept) return;
  for (int n = record.points - 1; n > record.forward; --n) batch.points.push_back(points[n]);
  batch.points.insert(batch.points.end(), points, points + record.forward + 1);
}

/// The part of a batch up to the line that completes `wanted` kept lines, of which there are `kept` already;
/// all of it if `wanted` is 0.
inline LineBatchView upTo(std::int64_t wanted, std::int64_t kept, const LineBatchView& batch) {
  std::size_t tried = 0, points = 0;
  for (const LineRecord& record : batch.records) {
    if (wanted > 0 && kept >= wanted) break;
    ++tried;
    if (record.verdict != Verdict::kept) continue;
    ++kept;
    points += std::size_t(record.points);
  }
  return {batch.records.first(tried), batch.points.first(points)};
}

/// Adds the lines that were kept, in the order of their seeds.
inline void addLines(const LineBatchView& batch, Tracts& tracts) {
  tracts.points.insert(tracts.points.end(), batch.points.begin(), batch.points.end());
  for (const LineRecord& record : batch.records)
    if (record.verdict == Verdict::kept)
      tracts.first.push_back(tracts.first.back() + std::uint64_t(record.points));
}

}  // namespace sulcus::tracts
