#pragma once

#include "core/group/exchanges.h"
#include "core/group/people_model.h"

#include <cmath>
#include <cstdint>
#include <memory>
#include <random>
#include <vector>

namespace sulcus::group {

/// The parameters of simulated people. Standard deviations are in the unit of the maps.
struct PeopleTruth {
  int people = 16;
  double share = 0.3;         ///< of voxels with an effect
  double effect = 2;          ///< s.d. of the effects that are not 0
  double typical = 1;         ///< between people: the variances are typical² × freedom / χ²
  double freedom = 8;         ///< of that χ²
  bool hasVariances = false;  ///< whether each value has its own noise of known variance
  double ofPerson = 0;        ///< s.d. of what all voxels of a person share
  double ofPlace = 0;         ///< s.d. of what all people share in a voxel
  double unit = 1;            ///< by which everything is multiplied
};

/// Maps drawn from the model: two groups and age; the contrast is the difference of the groups.
struct SimulatedPeople {
  GroupInput input;
  GroupDesign design;
  std::vector<std::size_t> maps;
  std::vector<std::int64_t> voxels;
  std::vector<double> effect, deviation;  ///< the true values

  SimulatedPeople(int count, const PeopleTruth& truth, unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<double> normal;
    std::uniform_real_distribution<double> uniform;
    std::chi_squared_distribution<double> chiSquare(truth.freedom);
    Grid grid;
    grid.size = {count, 1, 1};
    design.names = {"patients", "controls", "age"};
    std::vector<std::shared_ptr<Series<float>>> values, variances;
    std::vector<double> common;
    for (int n = 0; n < truth.people; ++n) {
      design.rows.push_back({n % 2 ? 0. : 1., n % 2 ? 1. : 0., normal(random)});
      input.maps.push_back(values.emplace_back(std::make_shared<Series<float>>(grid, 1)));
      input.names.push_back("map " + std::to_string(n));
      maps.push_back(std::size_t(n));
      if (truth.hasVariances)
        input.variances.push_back({"", variances.emplace_back(std::make_shared<Series<float>>(grid, 1)), 0});
      if (truth.ofPerson > 0) common.push_back(truth.ofPerson * normal(random));
    }
    input.volumes.assign(std::size_t(truth.people), 0);
    design.contrasts = {{"difference", {{1, -1, 0}}}};
    for (int v = 0; v < count; ++v) {
      voxels.push_back(v);
      const double people = truth.typical * std::sqrt(truth.freedom / chiSquare(random));  // τ
      const double difference = uniform(random) < truth.share ? truth.effect * normal(random) : 0;
      const double place = truth.ofPlace > 0 ? truth.ofPlace * normal(random) : 0;
      effect.push_back(difference * truth.unit), deviation.push_back(people * truth.unit);
      for (std::size_t n = 0; n < maps.size(); ++n) {
        const auto& row = design.rows[n];
        const double own = truth.hasVariances ? 0.2 + uniform(random) : 0;
        const double value = row[0] * difference + 0.3 * row[2] + 2 + place + people * normal(random) +
                             std::sqrt(own) * normal(random) + (common.empty() ? 0 : common[n]);
        values[n]->values[std::size_t(v)] = float(value * truth.unit);
        if (truth.hasVariances) variances[n]->values[std::size_t(v)] = float(own * truth.unit * truth.unit);
      }
    }
  }

  PeoplePosterior posterior(int draws, MakePeopleSampler& make = makePeopleSampler) const {
    const ContrastModel model = contrastModel(design, design.contrasts.front());
    return samplePeople(make, peopleProblem(input, maps, voxels, model, 1), draws, {});
  }
};

}  // namespace sulcus::group
