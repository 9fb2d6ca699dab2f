#include "core/group/group.h"

#include "core/base/error.h"
#include "core/base/numbers.h"
#include "core/base/parallel/parallel_for.h"
#include "core/base/sanitized.h"
#include "core/base/stage_clock.h"
#include "core/group/component_sweep.h"
#include "core/group/exchanges.h"
#include "core/group/statistic_kernel.h"
#include "core/image/grids/value_check.h"
#include "core/math/tails.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <mutex>
#include <numbers>

namespace sulcus::group {
namespace {

constexpr int kExchangesAtOnce = 8;  ///< of one thread
constexpr int kLanes = 8;            ///< voxels that are computed side by side

using Pack = FloatPack<kLanes>;

Pack loaded(const float* values) {
  Pack pack;
  std::memcpy(&pack, values, sizeof pack);
  return pack;
}

float valueAt(const GroupInput& input, std::size_t map, std::int64_t voxel) {
  return input.maps[map]->at(voxel, input.volumes[map]);
}

void requireMaps(const GroupInput& input) {
  if (input.maps.empty()) throw Error("There are no maps", "one is needed of each person", "give --maps");
  const Grid& grid = input.maps.front()->grid;
  for (std::size_t m = 1; m < input.maps.size(); ++m)
    if (!sameGrid(input.maps[m]->grid, grid))
      throw Error("The map '" + sanitizedForDisplay(input.names[m], 60) + "' lies on another grid than '" +
                      sanitizedForDisplay(input.names[0], 60) + "'",
                  "places of people are compared voxel by voxel",
                  "bring it along with sulcus-cli apply, or take maps in one template space");
  if (input.mask && !sameGrid(input.mask->grid, grid))
    throw Error("The mask lies on another grid than the maps", "it says which voxels are compared",
                "give one on their grid");
}

/// Throws Error where two of the maps are the same.
void requireDifferentMaps(const GroupInput& input, const std::vector<std::size_t>& maps,
                          const std::vector<std::int64_t>& voxels) {
  for (std::size_t a = 0; a < maps.size(); ++a)
    for (std::size_t b = a + 1; b < maps.size(); ++b) {
      const bool areSame = std::all_of(voxels.begin(), voxels.end(), [&](std::int64_t v) {
        return valueAt(input, maps[a], v) == valueAt(input, maps[b], v);
      });
      if (areSame)
        throw Error("The maps '" + sanitizedForDisplay(input.names[maps[a]], 60) + "' and '" +
                        sanitizedForDisplay(input.names[maps[b]], 60) + "' are the same",
                    "one person would count twice", "leave one of them out");
    }
}

/// The voxels of the mask in which every map has a value, and a sentence about those where some have none.
std::vector<std::int64_t> comparedVoxels(const GroupInput& input, const std::vector<std::size_t>& maps,
                                         Notes& notes) {
  std::vector<std::int64_t> voxels;
  std::vector<std::int64_t> lacking(maps.size());
  std::int64_t partly = 0;
  const std::int64_t count = input.maps.front()->grid.voxels();
  for (std::int64_t v = 0; v < count; ++v) {
    if (input.mask && input.mask->values[std::size_t(v)] == 0) continue;
    const auto lacks = [&](std::size_t map) {
      const float value = valueAt(input, map, v);
      return !isSound(value) || (!input.mask && value == 0);
    };
    const auto missing = std::count_if(maps.begin(), maps.end(), lacks);
    if (missing == 0) {
      voxels.push_back(v);
    } else if (missing < std::ssize(maps)) {
      ++partly;
      for (std::size_t n = 0; n < maps.size(); ++n) lacking[n] += lacks(maps[n]);
    }
  }
  if (voxels.empty())
    throw Error("There is no voxel in which all " + std::to_string(maps.size()) + " maps have a value",
                "nothing can be compared", "check whether the maps cover the same brain, or give a --mask");
  if (partly > 0) {
    const auto most = std::size_t(std::max_element(lacking.begin(), lacking.end()) - lacking.begin());
    notes.push_back(Note::warning(
        std::to_string(partly) + " voxels are left out, where some maps have no value (" +
        std::to_string(voxels.size()) + " are compared); most are missing in '" +
        sanitizedForDisplay(input.names[maps[most]], 60) + "': " + std::to_string(lacking[most]) + "."));
  }
  return voxels;
}

/// The t that is exceeded as rarely as the normal z.
double tOfDeviate(double z, double freedom) {
  const double tail = 0.5 * std::erfc(z / std::numbers::sqrt2);
  double low = 0, high = 1;
  const auto tailOfT = [&](double t) { return 0.5 * std::exp(logTailOfF(t * t, 1, freedom)); };
  while (tailOfT(high) > tail && high < 1e6) high *= 2;
  for (int step = 0; step < 60; ++step) {
    const double middle = 0.5 * (low + high);
    (tailOfT(middle) > tail ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

/// Fills in the effect, and the values of each voxel free of what the contrast does not ask for.
PreparedMaps prepareMaps(const GroupInput& input, const std::vector<std::size_t>& maps,
                         const std::vector<std::int64_t>& voxels, const ContrastModel& model,
                         std::vector<float>& effect) {
  PreparedMaps prepared{int(maps.size()), std::ssize(voxels), {}};
  prepared.values.resize(std::size_t(prepared.tiles() * PreparedMaps::kTile) * maps.size());
  effect.resize(voxels.size());
  parallelFor(prepared.voxels, {}, [&](std::int64_t i) {
    Eigen::VectorXd y(prepared.people);
    for (int n = 0; n < prepared.people; ++n)
      y[n] = valueAt(input, maps[std::size_t(n)], voxels[std::size_t(i)]);
    effect[std::size_t(i)] = float(model.estimate.dot(y));
    const double before = y.norm();
    for (int pass = 0; pass < 2; ++pass) y -= model.nuisance * (model.nuisance.transpose() * y);
    const double length = y.norm();
    const double scale = length > 1e-10 * before ? 1 / length : 0;
    for (int n = 0; n < prepared.people; ++n) prepared.values[prepared.index(n, i)] = float(scale * y[n]);
  });
  return prepared;
}

ContrastResult testContrast(ExchangeStatistics& statistics, const GroupInput& input,
                            const GroupResult& result, const activation::Contrast& contrast,
                            const GroupOptions& options, const Progress& progress) {
  const ContrastModel model = contrastModel(result.design, contrast);
  const Exchanges exchanges(result.design, model, options.exchange, options.permutations,
                            std::uint64_t(options.seed));
  ContrastResult made;
  made.contrast = contrast;
  made.exchange = exchanges.kind();
  made.exchanges = exchanges.count();
  made.possible = exchanges.possible();
  const PreparedMaps maps = prepareMaps(input, result.mapOfRow, result.voxels, model, made.effect);
  for (auto* largest : {&made.largestT, &made.largestTfce, &made.largestExtent, &made.largestMass})
    largest->resize(std::size_t(made.exchanges));

  SweepOptions sweeping;
  constexpr Connectivity kConnectivities[] = {Connectivity::faces, Connectivity::edges,
                                              Connectivity::corners};
  sweeping.connectivity = kConnectivities[int(options.connectivity)];
  sweeping.extentPower = options.extentPower;
  sweeping.heightPower = options.heightPower;
  sweeping.threshold = float(result.clusterT);
  std::mutex mutex;
  std::vector<std::unique_ptr<ComponentSweep>> idle;  // those of threads, each with its own memory
  const auto take = [&](std::int64_t exchange, std::span<const float> t) {
    std::unique_ptr<ComponentSweep> sweep;
    {
      const std::lock_guard lock(mutex);
      if (!idle.empty()) {
        sweep = std::move(idle.back());
        idle.pop_back();
      }
    }
    if (!sweep) sweep = std::make_unique<ComponentSweep>(result.grid.size, result.voxels, sweeping);
    LargestOfImage largest = sweep->largest(t, 1);
    if (options.twoSided) {
      const LargestOfImage below = sweep->largest(t, -1);
      largest = {std::max(largest.value, below.value), std::max(largest.tfce, below.tfce),
                 std::max(largest.extent, below.extent), std::max(largest.mass, below.mass)};
    }
    const auto e = std::size_t(exchange);
    made.largestT[e] = largest.value;
    made.largestTfce[e] = largest.tfce;
    made.largestExtent[e] = largest.extent;
    made.largestMass[e] = largest.mass;
    if (exchange == 0) {
      made.t.assign(t.begin(), t.end());
      for (auto* map : {&made.tfce, &made.extent, &made.mass}) map->assign(t.size(), 0);
      sweep->addMaps(t, 1, made.tfce, made.extent, made.mass);
      sweep->addMaps(t, -1, made.tfce, made.extent, made.mass);
    }
    const std::lock_guard lock(mutex);
    idle.push_back(std::move(sweep));
  };
  statistics(
      maps, made.exchanges, float(model.freedom),
      [&](std::int64_t first, int count) { return exchanges.weights(first, count); }, take, progress);
  return made;
}

Note exchangeNote(const ContrastResult& made, std::int64_t wanted) {
  const std::string what = made.exchange == Exchange::signs ? "signs" : "orders";
  if (made.possible > double(wanted)) return {};
  Note note = "There are " + numberText(made.possible) + " different " + what + " for '" +
              made.contrast.name + "', fewer than were asked for: each is taken once, and no p is below " +
              numberText(1 / double(made.exchanges)) + ".";
  if (made.exchanges < 20) note.severity = Severity::warning;
  return note;
}

}  // namespace

void exchangeStatistics(const PreparedMaps& maps, std::int64_t exchanges, float freedom,
                        const WeightsOf& weightsOf, const TakeStatistic& take, const Progress& progress) {
  parallelForBlocks(exchanges, kExchangesAtOnce, progress, [&](std::int64_t begin, std::int64_t end) {
    // Always as many, so that the last ones are computed alike; what is beyond the end is not taken.
    const ExchangeWeights weights = weightsOf(begin, kExchangesAtOnce);
    const std::int64_t stride = maps.tiles() * PreparedMaps::kTile;
    std::vector<float> t(std::size_t(kExchangesAtOnce * stride));
    for (std::int64_t v = 0; v < maps.voxels; v += kLanes) {
      const float* values = maps.values.data() + maps.index(0, v);
      Pack ofVoxels[kExchangesAtOnce];
      exchangedT([values](int n) { return loaded(values + n * PreparedMaps::kTile); }, maps.people,
                 weights.values.data(), weights.columns, freedom, ofVoxels);
      for (int e = 0; e < kExchangesAtOnce; ++e)
        std::memcpy(&t[std::size_t(e * stride + v)], &ofVoxels[e], sizeof(Pack));
    }
    for (std::int64_t e = begin; e < end; ++e)
      take(e, std::span<const float>(t).subspan(std::size_t((e - begin) * stride), std::size_t(maps.voxels)));
  });
}

GroupPlan planGroup(const GroupInput& input, const GroupOptions& options) {
  const MatchedPeople matched = matchPeople(input.people, input.names);
  GroupPlan plan;
  plan.notes = matched.notes;
  std::vector<std::size_t> kept;
  plan.design = makeGroupDesign(input.people, matched.rows,
                                {options.groups, options.covariates, options.repeated, options.contrast},
                                plan.notes, kept);
  for (const std::size_t i : kept) plan.mapOfRow.push_back(matched.maps[i]);
  return plan;
}

GroupResult findEffectsWith(ExchangeStatistics& statistics, const GroupInput& input,
                            const GroupOptions& options, const Progress& progress) {
  StageClock clock;
  requireMaps(input);
  GroupResult result;
  result.grid = input.maps.front()->grid;
  GroupPlan plan = planGroup(input, options);
  result.design = std::move(plan.design);
  result.mapOfRow = std::move(plan.mapOfRow);
  result.notes = std::move(plan.notes);
  result.voxels = comparedVoxels(input, result.mapOfRow, result.notes);
  requireDifferentMaps(input, result.mapOfRow, result.voxels);
  result.freedom = contrastModel(result.design, result.design.contrasts.front()).freedom;
  result.clusterT = tOfDeviate(options.clusterThreshold, result.freedom);
  clock.finish("Design");
  const double count = double(result.design.contrasts.size());
  for (const auto& contrast : result.design.contrasts) {
    const double done = double(result.contrasts.size());
    result.contrasts.push_back(testContrast(statistics, input, result, contrast, options,
                                            progress.part(done / count, (done + 1) / count, "exchanges")));
    if (auto note = exchangeNote(result.contrasts.back(), options.permutations); !note.text.empty())
      result.notes.push_back(std::move(note));
  }
  clock.finish("Exchanges");
  result.stages = clock.stages();
  return result;
}

GroupResult findEffects(const GroupInput& input, const GroupOptions& options, const Progress& progress) {
  return findEffectsWith(exchangeStatistics, input, options, progress);
}

double groupHostBytes(std::int64_t voxels, int maps) {
  const double ofThread = 4.0 * kExchangesAtOnce + 80;
  return double(voxels) * (4.0 * maps + 40 + ofThread * threadCount());
}

double familywiseP(float value, std::span<const float> ascending) {
  const auto below = std::lower_bound(ascending.begin(), ascending.end(), value) - ascending.begin();
  return double(std::ssize(ascending) - below) / double(std::ssize(ascending));
}

}  // namespace sulcus::group
