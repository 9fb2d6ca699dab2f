#include "core/tracts/line_weights.h"

#include "core/base/parallel/parallel_for.h"
#include "core/image/tracts/crossed_voxels.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>

namespace sulcus::tracts {
namespace {

constexpr std::int64_t kLinesOfBlock = 256;
constexpr float kNearestCosine = 0.70710678f;  // 45°
constexpr double kLeastFilled = 0.1;

/// The length of the lines in each fixel, in units.
void fill(const WeightProblem& problem, const std::vector<float>& weights, std::vector<std::uint64_t>& filled,
          const Progress& progress) {
  std::ranges::fill(filled, 0);
  parallelForBlocks(
      std::int64_t(problem.lines()), kLinesOfBlock, progress, [&](std::int64_t begin, std::int64_t end) {
        for (auto i = std::size_t(begin); i < std::size_t(end); ++i) {
          const float weight = weights.empty() ? 1 : weights[i];
          for (std::uint64_t e = problem.first[i]; e < problem.first[i + 1]; ++e)
            std::atomic_ref(filled[problem.fixels[e]])
                .fetch_add(unitsOfLength(weight * problem.lengths[e]), std::memory_order_relaxed);
        }
      });
}

/// The sums of a line, in the order of the lanes of a warp.
WeightSums sumsOf(const CrossingView& view, const std::uint64_t* filled, std::size_t line) {
  WeightSums lanes[kWeightLanes];
  const std::uint64_t begin = view.first[line], end = view.first[line + 1];
  for (std::uint64_t e = begin; e < end; ++e) lanes[(e - begin) % kWeightLanes].add(view, filled, e);
  for (int distance = kWeightLanes / 2; distance > 0; distance /= 2)
    for (int k = 0; k < distance; ++k) {
      lanes[k].wanted += lanes[k + distance].wanted;
      lanes[k].filled += lanes[k + distance].filled;
      lanes[k].mean += lanes[k + distance].mean;
    }
  return lanes[0];
}

/// Adds the segments of a line; consecutive ones in the same fixel are merged.
void addCrossings(std::span<const Vec3<float>> line, const TractPlan& plan, const Fixels& fixels,
                  const Affine& voxelFromWorld, WeightProblem& to) {
  const std::size_t before = to.fixels.size();
  for (std::size_t n = 1; n < line.size(); ++n) {
    const Vec3<float> step = line[n] - line[n - 1];
    const float length = squareRoot(dotOf(step, step));
    const Vec3<float> direction = unitOf(step);
    crossedVoxels(plan.grid, inVoxels(voxelFromWorld, line[n - 1]), inVoxels(voxelFromWorld, line[n]),
                  [&](std::int64_t voxel, double share) {
                    const auto row = std::size_t(plan.rowOf[voxel]);
                    float best = kNearestCosine;
                    std::uint32_t nearest = fixels.first[row + 1];
                    for (std::uint32_t f = fixels.first[row]; f < fixels.first[row + 1]; ++f)
                      if (const float cosine = magnitude(dotOf(direction, fixels.directions[f]));
                          cosine > best)
                        best = cosine, nearest = f;
                    if (nearest == fixels.first[row + 1]) return;
                    if (to.fixels.size() == before || to.fixels.back() != nearest) {
                      to.fixels.push_back(nearest);
                      to.lengths.push_back(0);
                    }
                    to.lengths.back() += float(share) * length;
                  });
  }
  to.first.push_back(to.fixels.size());
}

}  // namespace

WeightProblem weightProblemOf(const Tracts& tracts, const TractPlan& plan, const Fixels& fixels,
                              const Progress& progress) {
  const auto lines = std::int64_t(tracts.lines());
  const Affine voxelFromWorld = plan.grid.worldFromVoxel.inverse();
  std::vector<WeightProblem> blocks((lines + kLinesOfBlock - 1) / kLinesOfBlock);
  parallelForBlocks(lines, kLinesOfBlock, progress, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i)
      addCrossings(tracts.line(i), plan, fixels, voxelFromWorld, blocks[begin / kLinesOfBlock]);
  });
  WeightProblem problem;
  std::size_t entries = 0;
  for (const WeightProblem& block : blocks) entries += block.fixels.size();
  problem.first.reserve(tracts.lines() + 1);
  problem.fixels.reserve(entries), problem.lengths.reserve(entries);
  for (WeightProblem& block : blocks) {
    const std::uint64_t base = problem.first.back();
    for (std::size_t i = 1; i < block.first.size(); ++i) problem.first.push_back(base + block.first[i]);
    problem.fixels.insert(problem.fixels.end(), block.fixels.begin(), block.fixels.end());
    problem.lengths.insert(problem.lengths.end(), block.lengths.begin(), block.lengths.end());
    block = {};
  }
  std::vector<std::uint64_t> filled(fixels.densities.size());
  fill(problem, {}, filled, progress.part(1, 1, ""));
  double length = 0, density = 0;
  for (std::size_t f = 0; f < filled.size(); ++f) {
    problem.whole.push_back(lengthOfUnits(filled[f]));
    if (filled[f] > 0) length += double(problem.whole.back()), density += double(fixels.densities[f]);
  }
  for (std::size_t f = 0; f < filled.size(); ++f) {
    const double wanted = density > 0 ? double(fixels.densities[f]) * length / density : 0;
    const bool counts = double(problem.whole[f]) > kLeastFilled * wanted;
    problem.wanted.push_back(counts ? float(wanted) : -1.f);
  }
  return problem;
}

std::vector<float> fitWeights(const WeightProblem& problem, int rounds, const Progress& progress) {
  std::vector<float> weights(problem.lines(), 1.f);
  std::vector<std::uint64_t> filled(problem.wanted.size());
  const CrossingView view = problem.view();
  for (int round = 0; round < rounds; ++round) {
    fill(problem, weights, filled, progress.part(1, 1, ""));
    parallelFor(std::ssize(weights), {}, [&](std::int64_t i) {
      float& weight = weights[i];
      weight = nextWeight(weight, sumsOf(view, filled.data(), std::size_t(i)));
    });
    progress.update(double(round + 1) / rounds);
  }
  return weights;
}

double misfitOf(const WeightProblem& problem, const std::vector<float>& weights) {
  std::vector<std::uint64_t> filled(problem.wanted.size());
  fill(problem, weights, filled, {});
  double off = 0, all = 0;
  for (std::size_t f = 0; f < filled.size(); ++f) {
    if (problem.wanted[f] < 0) continue;
    const double wanted = double(problem.wanted[f]);
    off += std::pow(double(lengthOfUnits(filled[f])) - wanted, 2);
    all += wanted * wanted;
  }
  return all > 0 ? std::sqrt(off / all) : 0;
}

}  // namespace sulcus::tracts
