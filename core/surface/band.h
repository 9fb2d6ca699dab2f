#pragma once

#include "core/base/progress.h"
#include "core/image/volume.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace sulcus {

/// φ is worked with in steps of a voxel's shortest edge (rounded down to a power of two) over this, so that
/// every sum of squared differences of patches is exact in double: whatever the order of the sum and the
/// machine, and patches that are alike tie exactly.
inline constexpr double kStepsPerVoxel = 65536;
/// In the same unit: φ beyond it counts as this far.
inline constexpr double kFarthest = 32;

/// The elements of a narrow band about the surface φ = 0, and the patch of φ around each.
struct Band {
  Grid grid;
  int side = 0;                      ///< n: a patch has n³ values
  std::vector<std::int64_t> voxels;  ///< of each element, its index in the grid; ascending
  std::vector<float> patches;        ///< n³ of each element, x fastest, mm; past the grid its nearest voxel

  std::int64_t count() const { return std::int64_t(voxels.size()); }
  int patchSize() const { return side * side * side; }
  const float* patch(std::int64_t element) const { return patches.data() + element * patchSize(); }
};

/// φ on the steps of kStepsPerVoxel, within ± kFarthest.
Volume<float> onSteps(const Volume<float>& phi, const Progress& progress);

/// Voxels with |φ| ≤ delta (mm). `phi` as onSteps() gives it. `count` is told how many they are before
/// memory is taken for them, and may throw.
///
/// @throws Error  when there is no such voxel
Band bandOf(const Volume<float>& phi, double delta, int side, const Progress& progress,
            const std::function<void(std::int64_t voxels)>& count = {});

}  // namespace sulcus
