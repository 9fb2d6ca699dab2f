#pragma once

#include "core/surface/neighbors.h"
#include "tests/core/surface/surface_inputs.h"

#include <ostream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

// Bands on which every search for similar patches must be correct.

namespace sulcus::test {

struct NeighborCase {
  std::string name;
  Volume<float> phi;
  int side, count;
};
inline std::ostream& operator<<(std::ostream& out, const NeighborCase& c) { return out << c.name; }

inline std::vector<NeighborCase> neighborCases() {
  return {{"noisyBall", noisyBall(20, 0.4), 5, 96},
          {"cleanBall", noisyBall(20, 0), 5, 96},
          {"smallPatch", noisyBall(18, 0.4), 3, 17},
          {"largePatch", noisyBall(16, 0.4), 7, 96},
          {"anisotropic", noisyBall(18, 0.4, {1, 1.5, 0.7}), 5, 40},
          {"blockWithTies", block(14), 3, 96},
          {"blockOfOneNeighbour", block(10), 5, 1},
          {"moreThanThereAre", noisyBall(6, 0.4), 5, 5000}};
}

inline void expectTheSame(const surface::PatchNeighbors& a, const surface::PatchNeighbors& b) {
  ASSERT_EQ(a.count, b.count);
  EXPECT_EQ(a.distance, b.distance);
  EXPECT_EQ(a.index, b.index);
}

/// Only the first `elements` of it.
inline surface::Band firstOf(surface::Band band, std::int64_t elements) {
  band.voxels.resize(std::size_t(elements));
  return band;
}

}  // namespace sulcus::test
