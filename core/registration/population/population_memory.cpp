#include "core/registration/population/population_memory.h"

#include "core/registration/population/linear_average.h"

#include <cmath>

namespace sulcus::registration {

double populationHostBytes(const std::vector<Grid>& grids, const PopulationOptions& options) {
  if (grids.empty()) return 0;
  // Of each person the displacements of two rounds and what is delivered, 3 + 3 + 5 numbers a voxel; once a
  // registration with all of its channels, and averages.
  constexpr double kOfPerson = 44, kOnce = 250;
  double volume = 0;  // mm³
  for (const Grid& grid : grids) {
    const Vec3<double> s = grid.spacing();
    volume += s.x * s.y * s.z * double(grid.voxels());
  }
  const double people = double(grids.size());
  const double voxels = volume / people / std::pow(templateSpacing(grids, options), 3);
  return voxels * (kOfPerson * people + kOnce);
}

}  // namespace sulcus::registration
