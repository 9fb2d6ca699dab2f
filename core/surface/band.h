#pragma once

#include "core/base/progress.h"
#include "core/image/volume.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace sulcus::surface {

/// φ is quantized in steps of the shortest edge of a voxel, rounded down to a power of two, over this number.
/// Every sum of squared differences of patches is then exact in double. So it does not depend on the order of
/// the sum or on the machine, and equal differences compare as equal.
inline constexpr double kStepsPerVoxel = 65536;

/// The voxels of a narrow band about the surface φ = 0, called its elements, and the patch of φ around each.
struct Band {
  Grid grid;
  int side = 0;                      ///< n, the edge of a patch in voxels
  std::vector<std::int64_t> voxels;  ///< the index in the grid of each element, ascending
  std::vector<float> patches;  ///< n³ values of each element, x fastest, mm; φ continues past the grid

  std::int64_t count() const { return std::int64_t(voxels.size()); }
  int patchSize() const { return side * side * side; }
  const float* patch(std::int64_t element) const { return patches.data() + element * patchSize(); }
};

/// φ in mm, rounded to the steps of kStepsPerVoxel and limited to ± levelset::kFarthest voxels.
Volume<float> quantized(const Volume<float>& phi, const Progress& progress);

/// The band of the voxels with |φ| ≤ delta.
///
/// @param phi    mm, as quantized() gives it
/// @param delta  mm
/// @param side   the edge of a patch in voxels, odd
/// @param count  called with the number of voxels before memory is taken for them; it may throw
/// @throws Error  when there is no such voxel
Band bandOf(const Volume<float>& phi, double delta, int side, const Progress& progress,
            const std::function<void(std::int64_t voxels)>& count = {});

}  // namespace sulcus::surface
