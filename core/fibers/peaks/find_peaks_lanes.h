#pragma once

#include "core/fibers/peaks/eigenpairs_kernel.h"

// The searches of one voxel on the vector registers of the CPU. find_peaks_lanes8.cpp and
// find_peaks_lanes16.cpp include this file and are compiled for different processors; find_peaks.cpp includes
// it for the declarations. Therefore everything here that generates code is a template on the number of
// lanes, so that no function for one processor is linked into the code for another.

namespace sulcus::fibers {

/// Searches from `count` unit directions; `ends` receives the same number of ends. `entries` are those of a
/// tensor, scaled by tensorUnit().
using SearchVoxel = void(const float* entries, const SearchRules<float>& rules, const Vec3<float>* starts,
                         int count, SearchEnd* ends);

/// The search for order 2, 4, … 12 with AVX2 and with AVX-512.
SearchVoxel* searchOn8Lanes(int order);
SearchVoxel* searchOn16Lanes(int order);

/// Searches from a start in each lane. A lane that has finished takes the next start.
template <int N, int Order>
void searchOnLanes(const float* entries, const SearchRules<float>& rules, const Vec3<float>* starts,
                   int count, SearchEnd* ends) {
  using Real = FloatPack<N>;
  int start[N];
  int next = 0, running = 0;
  Vec3<Real> first;
  for (int lane = 0; lane < N; ++lane) {
    // Lanes without a start of their own repeat the last one; their results are discarded.
    const int from = next < count ? next : count - 1;
    start[lane] = next < count ? next : -1;
    running += next < count;
    ++next;
    first.x.v[lane] = starts[from].x;
    first.y.v[lane] = starts[from].y;
    first.z.v[lane] = starts[from].z;
  }
  Search<Real> s(first);
  while (running > 0) {
    const SearchStatus<Real> status = searchStep<Order>(entries, rules, s);
    for (unsigned todo = laneBits(status.finished); todo != 0; todo &= todo - 1) {
      const int lane = __builtin_ctz(todo);
      if (start[lane] < 0) continue;
      ends[start[lane]] = {{s.x.x.v[lane], s.x.y.v[lane], s.x.z.v[lane]},
                           s.value.v[lane],
                           s.startValue.v[lane],
                           int(s.iterations.v[lane]),
                           status.converged[lane],
                           status.maximum[lane]};
      start[lane] = next < count ? next : -1;
      if (next >= count) {
        --running;
        continue;
      }
      const Vec3<float> x = starts[next++];
      s.x.x.v[lane] = s.from.x.v[lane] = x.x;
      s.x.y.v[lane] = s.from.y.v[lane] = x.y;
      s.x.z.v[lane] = s.from.z.v[lane] = x.z;
      s.step.x.v[lane] = s.step.y.v[lane] = s.step.z.v[lane] = 0;
      s.value.v[lane] = -1e30f;
      s.iterations.v[lane] = 0;
    }
  }
}

template <int N>
SearchVoxel* searchOnLanes(int order) {
  return withOrder(order, [](auto m) -> SearchVoxel* { return &searchOnLanes<N, m>; });
}

}  // namespace sulcus::fibers
