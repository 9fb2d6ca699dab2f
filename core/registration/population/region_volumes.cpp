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

std::map<Label, RegionChange> regionChanges(const std::vector<std::map<Label, double>>& volumes,
                                            const std::map<Label, double>& atlas) {
  constexpr double kQuantiles = 1.959964 + 0.841621;  // quantiles of 0.975 and 0.8
  constexpr double kSlowing = 0.25;
  const double people = double(volumes.size());
  std::map<Label, RegionChange> changes;
  for (const auto& [label, own] : atlas) {
    RegionChange& change = changes[label];
    double squares = 0;
    for (const auto& person : volumes) change.mean += 100 * (person.at(label) / own - 1) / people;
    for (const auto& person : volumes) {
      const double difference = 100 * (person.at(label) / own - 1) - change.mean;
      squares += difference * difference;
    }
    change.deviation = std::sqrt(squares / (people - 1));
    const double ratio = kQuantiles * change.deviation / (kSlowing * change.mean);
    change.sampleSize = 2 * ratio * ratio;
  }
  return changes;
}

}  // namespace sulcus::registration
