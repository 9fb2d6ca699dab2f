#pragma once

#include "core/base/progress.h"
#include "core/image/tracts.h"
#include "core/tracts/fixels.h"
#include "core/tracts/weight_kernel.h"

#include <cstdint>
#include <vector>

namespace sulcus::tracts {

/// Which fixels lines cross, and what these ask for; see CrossingView.
struct WeightProblem {
  std::vector<std::uint64_t> first{0};
  std::vector<std::uint32_t> fixels;
  std::vector<float> lengths, wanted, whole;

  std::size_t lines() const { return first.size() - 1; }
  CrossingView view() const {
    return {first.data(), fixels.data(), lengths.data(), wanted.data(), whole.data()};
  }
};

/// Each piece of a line in a voxel belongs to the fixel there that is nearest to its direction, if it is
/// within 45°. All fixels that lines cross ask together for the length of all lines, each in proportion to
/// its density; those of which less than a tenth is filled are not counted, since their few lines would get
/// weights without bounds.
WeightProblem weightProblemOf(const Tracts& tracts, const TractPlan& plan, const Fixels& fixels,
                              const Progress& progress = {});

inline constexpr int kWeightRounds = 100;
/// The weights of all lines after so many rounds, from 1. On the CPU.
FitWeights fitWeights;

/// √(Σ (T − D)² / Σ D²) over the fixels that count; with weights of 1 where there are none.
double misfitOf(const WeightProblem& problem, const std::vector<float>& weights);

}  // namespace sulcus::tracts
