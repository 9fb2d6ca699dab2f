#include "core/tracts/fixels.h"

#include "core/base/parallel/parallel_for.h"

#include <cmath>
#include <numbers>

namespace sulcus::tracts {
namespace {

constexpr std::size_t kDirections = 400;  // on the half sphere, about 7° apart
constexpr double kNeighborCosine = 0.97;  // 14°

/// Directions spread evenly over half of the sphere, with their neighbors, also across its edge.
struct HalfSphere {
  std::vector<Vec3<float>> directions;
  std::vector<std::vector<std::uint32_t>> neighbors;

  HalfSphere() : directions(kDirections), neighbors(kDirections) {
    for (std::size_t i = 0; i < kDirections; ++i) {  // on a spiral that turns by the golden angle
      const double z = (double(i) + 0.5) / double(kDirections), r = std::sqrt(1 - z * z);
      const double turn = double(i) * std::numbers::pi * (3 - std::sqrt(5.0));
      directions[i] = {float(r * std::cos(turn)), float(r * std::sin(turn)), float(z)};
    }
    for (std::uint32_t i = 0; i < kDirections; ++i)
      for (std::uint32_t j = 0; j < kDirections; ++j)
        if (i != j && std::abs(dotOf(directions[i], directions[j])) > float(kNeighborCosine))
          neighbors[i].push_back(j);
  }
};

/// Adds the lobes of a function to `fixels`.
class LobeFinder {
 public:
  explicit LobeFinder(double cutoff) : cutoff_(float(cutoff)), values_(kDirections), top_(kDirections) {}

  template <int Order>
  void find(const float* form, Fixels& fixels) {
    for (std::size_t i = 0; i < kDirections; ++i) values_[i] = formValue<Order>(form, sphere().directions[i]);
    for (std::uint32_t i = 0; i < kDirections; ++i) {
      top_[i] = i;
      for (const std::uint32_t j : sphere().neighbors[i])
        if (values_[j] > values_[top_[i]]) top_[i] = j;
    }
    const std::size_t begin = fixels.directions.size();
    std::vector<std::uint32_t> tops;
    for (std::uint32_t i = 0; i < kDirections; ++i) {
      if (!(values_[i] > 0)) continue;
      std::uint32_t top = i;
      while (top_[top] != top) top = top_[top];
      if (!(values_[top] >= cutoff_)) continue;
      std::size_t n = 0;
      while (n < tops.size() && tops[n] != top) ++n;
      if (n == tops.size()) {
        tops.push_back(top);
        fixels.directions.push_back(sphere().directions[top]);
        fixels.densities.push_back(0);
      }
      fixels.densities[begin + n] += values_[i] * float(4 * std::numbers::pi / double(kDirections));
    }
  }

 private:
  static const HalfSphere& sphere() {
    static const HalfSphere made;
    return made;
  }
  float cutoff_;
  std::vector<float> values_;
  std::vector<std::uint32_t> top_;
};

void addPeaks(const float* row, int peaks, double cutoff, Fixels& fixels) {
  for (int n = 0; n < peaks; ++n, row += 4) {
    if (!(row[3] >= float(cutoff))) continue;
    fixels.directions.push_back({row[0], row[1], row[2]});
    fixels.densities.push_back(row[3]);
  }
}

}  // namespace

Fixels fixelsOf(const TractPlan& plan, const Progress& progress) {
  constexpr std::int64_t kRowsOfBlock = 1024;
  const auto rows = std::int64_t(plan.rows.size()) / plan.stride;
  struct Block {
    Fixels fixels;
    std::vector<std::uint32_t> counts;
  };
  std::vector<Block> blocks((rows + kRowsOfBlock - 1) / kRowsOfBlock);
  parallelForBlocks(rows, kRowsOfBlock, progress, [&](std::int64_t begin, std::int64_t end) {
    auto& [fixels, counts] = blocks[begin / kRowsOfBlock];
    LobeFinder lobes(plan.cutoff);
    for (std::int64_t row = begin; row < end; ++row) {
      const float* const numbers = plan.rows.data() + row * plan.stride;
      const std::size_t before = fixels.directions.size();
      if (row > 0 && plan.peaks) addPeaks(numbers, plan.peaks, plan.cutoff, fixels);
      if (row > 0 && !plan.peaks)
        withOrder(plan.order, [&](auto order) { lobes.find<order>(numbers, fixels); });
      counts.push_back(std::uint32_t(fixels.directions.size() - before));
    }
  });
  Fixels all;
  all.first.push_back(0);
  for (const auto& [fixels, counts] : blocks) {
    for (const std::uint32_t count : counts) all.first.push_back(all.first.back() + count);
    all.directions.insert(all.directions.end(), fixels.directions.begin(), fixels.directions.end());
    all.densities.insert(all.densities.end(), fixels.densities.begin(), fixels.densities.end());
  }
  return all;
}

}  // namespace sulcus::tracts
