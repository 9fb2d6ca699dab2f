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

/// Adds the lines that were kept, in the order of their seeds.
inline void addLines(const LineBatch& batch, Tracts& tracts) {
  tracts.points.insert(tracts.points.end(), batch.points.begin(), batch.points.end());
  for (const LineRecord& record : batch.records)
    if (record.verdict == Verdict::kept)
      tracts.first.push_back(tracts.first.back() + std::uint64_t(record.points));
}

}  // namespace sulcus::tracts
