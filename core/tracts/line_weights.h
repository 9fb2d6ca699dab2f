#pragma once

#include "core/base/progress.h"
#include "core/image/tracts.h"
#include "core/tracts/fixels.h"
#include "core/tracts/weight_kernel.h"

#include <cstdint>
#include <vector>

namespace sulcus::tracts {

/// Which fixels the lines cross, and the length that each fixel needs; see CrossingView.
struct WeightProblem {
  std::vector<std::uint64_t> first{0};
  std::vector<std::uint32_t> fixels;
  std::vector<float> lengths, wanted, whole;

  std::size_t lines() const { return first.size() - 1; }
  CrossingView view() const {
    return {first.data(), fixels.data(), lengths.data(), wanted.data(), whole.data()};
  }
};

/// Each segment of a line in a voxel is assigned to the fixel with the nearest direction there, if it is
/// within 45°. The fixels that lines cross need the length of all lines together, each in proportion to its
/// density; fixels that are filled to less than a tenth are ignored, since their few lines would get
/// unbounded weights.
WeightProblem weightProblemOf(const Tracts& tracts, const TractPlan& plan, const Fixels& fixels,
                              const Progress& progress = {});

inline constexpr int kWeightRounds = 100;
/// The weights of all lines after this many rounds, starting from 1. On the CPU.
FitWeights fitWeights;

/// √(Σ (T − D)² / Σ D²) over the fixels that count; if `weights` is empty, all are 1.
double misfitOf(const WeightProblem& problem, const std::vector<float>& weights);

}  // namespace sulcus::tracts
