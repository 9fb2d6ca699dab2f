#pragma once

#include "core/registration/linear/linear_measure.h"
#include "core/registration/similarity/mutual_information.h"
#include "tests/support/for_each_seed.h"

#include <string>

#include <gtest/gtest.h>

namespace sulcus::test {

inline constexpr registration::LinearSimilarity kLinearSimilarities[] = {registration::LinearSimilarity::mi,
                                                                         registration::LinearSimilarity::cr};

/// The name of a test by one of them.
inline std::string similarityName(const testing::TestParamInfo<registration::LinearSimilarity>& info) {
  return info.param == registration::LinearSimilarity::mi ? "MutualInformation" : "CorrelationRatio";
}

/// A level of smooth noise, with sample positions everywhere in it.
///
/// @param masked  whether a part of it is not compared
inline registration::AlignLevel noisyLevel(const Vec3<int>& size, std::int64_t samples, bool masked,
                                           Rng& rng) {
  registration::AlignLevel level;
  level.grid.size = size;
  float value = 0.5f;
  for (std::int64_t i = 0; i < level.grid.voxels(); ++i) {
    value = 0.7f * value + 0.3f * float(rng.uniform());
    level.values.push_back(value);
    if (masked) level.compared.push_back(rng.uniform() > 0.1 && level.grid.voxel(i).x > size.x / 5 ? 1 : 0);
  }
  level.range = registration::templateRange(level.values);
  std::vector<float> ofSamples;
  for (std::int64_t i = 0; i < samples; ++i) {
    Vec3<float> p;
    for (int axis = 0; axis < 3; ++axis)
      if (size[axis] > 1) p[axis] = float(rng.uniform(-0.4, size[axis] - 0.6));
    level.samples.push_back({p.x, p.y, p.z, 0});
    ofSamples.push_back(interpolated(level.values.data(), cellAt(size, p.x, p.y, p.z)));
  }
  const auto bins = registration::referenceBins(ofSamples);
  for (std::size_t i = 0; i < bins.size(); ++i) level.samples[i].bin = bins[i];
  return level;
}

/// Maps between voxels that bring some of the samples of either level into the other one; the last one brings
/// none.
inline std::vector<registration::OfDirections<registration::VoxelMap>> mapsBetween(
    const registration::AlignLevel& a, const registration::AlignLevel& b, int count, Rng& rng) {
  const auto mapInto = [&](const Vec3<int>& size, bool far) {
    registration::VoxelMap map;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) map.rows[i][j] = float((i == j ? 1 : 0) + rng.uniform(-0.2, 0.2));
      map.rows[i][3] = float(far ? 1000 : rng.uniform(-0.2, 0.2) * size[i]);
    }
    for (int i = 0; i < 3; ++i)  // planes stay within themselves
      if (size[i] == 1 && !far) map.rows[i][0] = map.rows[i][1] = map.rows[i][2] = map.rows[i][3] = 0;
    return map;
  };
  std::vector<registration::OfDirections<registration::VoxelMap>> maps;
  for (int i = 0; i < count; ++i)
    maps.push_back({mapInto(a.grid.size, i + 1 == count), mapInto(b.grid.size, i + 1 == count)});
  return maps;
}

}  // namespace sulcus::test
