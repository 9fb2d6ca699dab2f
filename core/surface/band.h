#pragma once

#include "core/base/progress.h"
#include "core/image/volume.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace sulcus::surface {

/// φ is quantized in steps of the shortest edge of a voxel, rounded down to a power of two, divided by this
/// number. Every sum of squared differences of patches is then exact in double, so it depends neither on the
/// order of summation nor on the machine, and equal differences compare as equal.
inline constexpr double kStepsPerVoxel = 65536;

/// The voxels of a narrow band around the surface φ = 0, called its elements. Each has a patch, which is φ in
/// the cube of voxels around it.
struct Band {
  Volume<float> phi;                 ///< mm, from quantized()
  int side = 0;                      ///< n, the edge of a patch in voxels
  std::vector<std::int64_t> voxels;  ///< the index in the grid of each element, ascending

  const Grid& grid() const { return phi.grid; }
  std::int64_t count() const { return std::int64_t(voxels.size()); }
  int patchSize() const { return side * side * side; }
};

/// The patches of the elements of a band, stored consecutively.
struct Patches {
  int size = 0;               ///< values of a patch
  std::vector<float> values;  ///< mm; of a patch x fastest

  const float* of(std::int64_t element) const { return values.data() + element * size; }
};

/// φ in mm, rounded to the steps of kStepsPerVoxel and limited to ± levelset::kFarthest voxels.
Volume<float> quantized(const Volume<float>& phi, const Progress& progress);

/// The band of the voxels with |φ| ≤ delta.
///
/// @param phi    mm, from quantized()
/// @param delta  mm
/// @param side   the edge of a patch in voxels, odd
/// @param count  called with the number of voxels before memory is allocated for them; may throw
/// @throws Error  if there is no such voxel
Band bandOf(Volume<float> phi, double delta, int side,
            const std::function<void(std::int64_t voxels)>& count = {});

/// The element of each voxel of the grid, −1 outside the band.
std::vector<std::int32_t> elementsOf(const Band& band);

/// φ of each element of a band, mm.
std::vector<float> onBand(const Volume<float>& phi, const Band& band);

/// φ on the whole grid with other values of the elements, mm.
Volume<float> withBand(const Band& band, const std::vector<float>& values);

/// The patches of a band. Beyond the grid, φ is extended by its border values.
Patches patchesOf(const Band& band, const Progress& progress);

}  // namespace sulcus::surface
