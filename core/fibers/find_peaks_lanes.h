#pragma once

#include "core/fibers/eigenpairs_body.h"

// The searches of one voxel on the vectors of the CPU. Included only by find_peaks_lanes8.cpp and ..16.cpp,
// which are compiled for different processors, and by find_peaks.cpp for the declarations: everything here
// that makes code is a template on the number of lanes, so that no function of one processor is linked into
// the other's.

namespace sulcus {

/// Searches from `count` directions; `ends` receives as many.
using SearchVoxel = void(const float* entries, const SearchRules<float>& rules, const Vec3<float>* starts,
                         int count, SearchEnd* ends);

/// For order 2, 4, 6 or 8, with AVX2 and with AVX-512.
SearchVoxel* searchOn8Lanes(int order);
SearchVoxel* searchOn16Lanes(int order);

/// Lanes whose start is done take the next one.
template <int N, int Order>
void searchOnLanes(const float* entries, const SearchRules<float>& rules, const Vec3<float>* starts,
                   int count, SearchEnd* ends) {
  using Real = FloatPack<N>;
  int start[N];
  int next = 0, running = 0;
  Vec3<Real> first;
  for (int lane = 0; lane < N; ++lane) {
    // Lanes without a start of their own repeat the last one; their end is not written.
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
  return order == 2   ? &searchOnLanes<N, 2>
         : order == 4 ? &searchOnLanes<N, 4>
         : order == 6 ? &searchOnLanes<N, 6>
                      : &searchOnLanes<N, 8>;
}

}  // namespace sulcus
