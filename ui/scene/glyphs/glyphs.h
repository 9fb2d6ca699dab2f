#pragma once

#include "core/image/layer.h"

#include <cstdint>
#include <vector>

// Geometry of glyphs, without VTK.

namespace sulcus::ui::scene {

/// Color of a direction: |L–R| red, |A–P| green, |S–I| blue; the sign does not matter. `direction` is a unit
/// vector.
std::array<std::uint8_t, 3> directionColor(const Vec3<float>& direction);

/// The voxels whose center is within half a voxel of a plane: one for each line of voxels along the voxel
/// axis nearest to the plane's normal.
std::vector<std::int64_t> voxelsOnPlane(const Grid& grid, const Vec3<double>& point,
                                        const Vec3<double>& normal);

/// The voxels that are kept when 1 in `oneIn` is shown, in order: a regular pattern in space, always the
/// same. The time depends only on their number.
std::vector<std::int64_t> allVoxels(const Grid& grid, int oneIn = 1);
/// Keeps 1 in `oneIn` voxels.
std::vector<std::int64_t> thinned(const Grid& grid, std::vector<std::int64_t> voxels, int oneIn);

/// Lines: two points each, mm RAS+; RGB colors for each point.
struct Sticks {
  std::vector<float> points;
  std::vector<std::uint8_t> colors;
  std::int64_t count() const { return std::int64_t(points.size()) / 6; }
};

/// The amplitude that is drawn with the length of a voxel: the 90th percentile of the largest peaks in a
/// sample of the voxels, so that a few outliers do not shrink the rest. 0 without peaks.
double referenceAmplitude(const Series<float>& peaks);

/// Adds the peaks of some voxels, centered in the voxel, at most `scale` voxels long.
void appendSticks(const Series<float>& peaks, const std::vector<std::int64_t>& voxels,
                  double referenceAmplitude, double scale, Sticks& sticks);

}  // namespace sulcus::ui::scene
