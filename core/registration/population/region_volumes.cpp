#include "core/registration/population/region_volumes.h"

#include "core/image/grids/value_check.h"

#include <cmath>

namespace sulcus::registration {

std::map<Label, double> regionVolumes(const Volume<float>& logJacobian, const Volume<Label>& atlas) {
  const double voxel = std::abs(atlas.grid.worldFromVoxel.determinant());
  std::map<Label, double> volumes;
  for (std::size_t i = 0; i < atlas.values.size(); ++i)
    if (atlas.values[i] != 0) {
      double& volume = volumes[atlas.values[i]];
      if (isSound(logJacobian.values[i])) volume += voxel * std::exp(double(logJacobian.values[i]));
    }
  return volumes;
}

}  // namespace sulcus::registration
