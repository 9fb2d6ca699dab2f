#include "core/group/group.h"

#include "core/base/error.h"
#include "core/base/numbers.h"
#include "core/base/parallel/parallel_for.h"
#include "core/base/sanitized.h"
#include "core/base/sentence.h"
#include "core/base/stage_clock.h"
#include "core/group/component_sweep.h"
#include "core/group/exchanges.h"
#include "core/group/people_model.h"
#include "core/group/statistic_kernel.h"
#include "core/group/weighted_fit.h"
#include "core/image/grids/value_check.h"
#include "core/math/tails.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <mutex>
#include <numbers>

namespace sulcus::group {
namespace {

constexpr int kExchangesAtOnce = 8;  ///< exchanges that a thread computes together
constexpr int kLanes = 8;            ///< voxels that are computed side by side

using Pack = FloatPack<kLanes>;

/// Throws Error unless each map has a variance.
void requireVarianceOfEach(std::size_t maps, std::size_t variances) {
  if (variances != maps)
    throw Error(
        "There are " + std::to_string(variances) + " maps of variances for " + std::to_string(maps) + " maps",
        "each says how well one map is known", "give one for each map, or none");
}

void requireMaps(const GroupInput& input) {
  if (input.maps.empty())
    throw Error("There are no maps", "one is needed for each person", "give {maps}"_message);
  const Grid& grid = input.maps.front()->grid;
  const auto isElsewhere = [&](const auto& map) { return !sameGrid(map->grid, grid); };
  if (const auto first = std::ranges::find_if(input.maps, isElsewhere); first != input.maps.end()) {
    const auto others = std::count_if(first + 1, input.maps.end(), isElsewhere);
    const std::string more =
        others == 0 ? "" : " (and " + counted(others, "other map", "other maps") + ", too)";
    throw Error("The map " + inQuotes(input.names[first - input.maps.begin()]) +
                    " has a different grid than " + inQuotes(input.names[0]) + more,
                "people are compared voxel by voxel",
                "transform it with sulcus-cli apply, or use maps in one template space");
  }
  if (!input.variances.empty()) requireVarianceOfEach(input.maps.size(), input.variances.size());
  for (const auto& variance : input.variances)
    if (!sameGrid(variance.series->grid, grid))
      throw Error("The variances " + inQuotes(variance.name) + " have a different grid than " +
                      inQuotes(input.names[0]),
                  "they say how precise each voxel of a map is", "give those that belong to the maps");
  if (input.mask && !sameGrid(input.mask->grid, grid))
    throw Error("The mask has a different grid than the maps", "it says which voxels are compared",
                "give one on their grid");
}

/// Throws Error if two of the maps are the same.
void requireDifferentMaps(const GroupInput& input, const std::vector<std::size_t>& maps,
                          const std::vector<std::int64_t>& voxels) {
  for (std::size_t a = 0; a < maps.size(); ++a)
    for (std::size_t b = a + 1; b < maps.size(); ++b) {
      const bool areSame = std::all_of(voxels.begin(), voxels.end(), [&](std::int64_t v) {
        return input.at(maps[a], v) == input.at(maps[b], v);
      });
      if (areSame)
        throw Error("The maps " + inQuotes(input.names[maps[a]]) + " and " + inQuotes(input.names[maps[b]]) +
                        " are the same",
                    "one person would count twice", "exclude one of them");
    }
}

/// Whether a map has no value in a voxel.
bool lacksValue(const GroupInput& input, std::size_t map, std::int64_t voxel) {
  const float value = input.at(map, voxel);
  if (!isSound(value) || (!input.mask && value == 0)) return true;
  if (input.variances.empty()) return false;
  const float variance = input.variances[map].at(voxel);
  return !isSound(variance) || !(variance > 0);
}

/// Throws the Error that fits if there is no voxel in which all maps have a value.
///
/// @param having  the number of voxels in which each map has one
[[noreturn]] void refuseMapsApart(const GroupInput& input, const std::vector<std::size_t>& maps,
                                  const std::vector<std::int64_t>& having) {
  const auto empty = std::ranges::find(having, 0);
  if (empty != having.end())
    throw Error("The map " + inQuotes(input.names[maps[empty - having.begin()]]) + " has no value" +
                    (input.mask ? " in the mask" : ": all are 0 or not finite"),
                "voxels are compared in which all maps have one", "leave it out, or make it anew");
  throw Error("There is no voxel in which all " + std::to_string(maps.size()) + " maps have a value",
              "nothing can be compared",
              "check whether the maps cover the same brain, or give a {mask}"_message);
}

/// The voxels of the mask in which every map has a value, and a sentence about those where some map has none.
std::vector<std::int64_t> comparedVoxels(const GroupInput& input, const std::vector<std::size_t>& maps,
                                         Notes& notes) {
  std::vector<std::int64_t> voxels;
  std::vector<std::int64_t> lacking(maps.size()), having(maps.size());
  std::int64_t partly = 0;
  const std::int64_t count = input.maps.front()->grid.voxels();
  for (std::int64_t v = 0; v < count; ++v) {
    if (input.mask && input.mask->values[v] == 0) continue;
    const auto missing =
        std::ranges::count_if(maps, [&](std::size_t map) { return lacksValue(input, map, v); });
    if (missing == 0) voxels.push_back(v);
    if (missing == 0 || missing == std::ssize(maps)) continue;
    ++partly;
    for (std::size_t n = 0; n < maps.size(); ++n) ++(lacksValue(input, maps[n], v) ? lacking : having)[n];
  }
  if (voxels.empty()) refuseMapsApart(input, maps, having);
  if (partly > 0) {
    const auto most = std::size_t(std::max_element(lacking.begin(), lacking.end()) - lacking.begin());
    notes.push_back(
        Note::warning(std::to_string(partly) + " voxels are excluded, where some maps have no value (" +
                      std::to_string(voxels.size()) + " are compared); most are missing in " +
                      inQuotes(input.names[maps[most]]) + ": " + std::to_string(lacking[most]) + "."));
  }
  return voxels;
}

/// Adds a warning for each map with the same value in all voxels.
void noteConstantMaps(const GroupInput& input, const std::vector<std::size_t>& maps,
                      const std::vector<std::int64_t>& voxels, Notes& notes) {
  for (const std::size_t map : maps) {
    const float first = input.at(map, voxels.front());
    if (voxels.size() > 1 &&
        std::ranges::all_of(voxels, [&](std::int64_t v) { return input.at(map, v) == first; }))
      notes.push_back(Note::warning("The map " + inQuotes(input.names[map]) + " is " + numberText(first) +
                                        " in all voxels that are compared.",
                                    "Look at it."));
  }
}

/// The t, or for several rows √F, with the tail probability of the normal number z.
double thresholdOfDeviate(double z, std::size_t rows, double freedom) {
  const double tail = 0.5 * std::erfc(z / std::numbers::sqrt2);
  double low = 0, high = 1;
  const auto tailOf = [&](double t) {
    return (rows == 1 ? 0.5 : 1) * std::exp(logTailOfF(t * t, double(rows), freedom));
  };
  while (tailOf(high) > tail && high < 1e6) high *= 2;
  for (int step = 0; step < 60; ++step) {
    const double middle = 0.5 * (low + high);
    (tailOf(middle) > tail ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

/// Fills in the effect, and prepares the values of each voxel without the nuisance columns.
PreparedMaps prepareMaps(const GroupInput& input, const std::vector<std::size_t>& maps,
                         const std::vector<std::int64_t>& voxels, const ContrastModel& model,
                         std::vector<float>& effect) {
  PreparedMaps prepared{int(maps.size()), std::ssize(voxels), {}};
  prepared.values.resize(std::size_t(prepared.tiles() * PreparedMaps::kTile) * maps.size());
  effect.resize(voxels.size());
  parallelFor(prepared.voxels, 256, {}, [&](std::int64_t i) {
    Eigen::VectorXd y(prepared.people);
    for (int n = 0; n < prepared.people; ++n) y[n] = input.at(maps[n], voxels[i]);
    effect[i] = float(model.estimates.col(0).dot(y));
    const double before = y.norm();
    for (int pass = 0; pass < 2; ++pass) y -= model.nuisance * (model.nuisance.transpose() * y);
    const double length = y.norm();
    const double scale = length > 1e-10 * before ? 1 / length : 0;
    for (int n = 0; n < prepared.people; ++n) prepared.values[prepared.index(n, i)] = float(scale * y[n]);
  });
  return prepared;
}

/// Weights people by the variances of their maps; fills in the weighted statistics of a contrast and the s.d.
/// between people.
void weighPeople(const GroupInput& input, const GroupResult& result, const ContrastModel& model,
                 ContrastResult& made, std::vector<float>& between, const Progress& progress) {
  const Eigen::Index people = model.effect.rows();
  Eigen::MatrixXd x(people, model.effect.cols() + model.nuisance.cols());
  x << model.effect, model.nuisance;
  const Eigen::MatrixXd rows = model.estimates.transpose() * x;
  const std::size_t voxels = result.voxels.size();
  made.weightedEffect.resize(voxels);
  made.weightedT.resize(voxels);
  between.resize(voxels);
  parallelFor(std::int64_t(voxels), 64, progress, [&](std::int64_t i) {
    const std::int64_t voxel = result.voxels[i];
    Eigen::VectorXd y(people), variances(people);
    for (Eigen::Index n = 0; n < people; ++n) {
      const std::size_t map = result.mapOfRow[n];
      y[n] = input.at(map, voxel);
      variances[n] = input.variances[map].at(voxel);
    }
    const WeightedFit fit = weightedFit(x, y, variances);
    made.weightedEffect[i] = float(rows.row(0) * fit.beta);
    made.weightedT[i] = float(weightedStatistic(fit, rows));
    between[i] = float(std::sqrt(fit.between));
  });
}

/// Takes the statistics of exchanges, on any thread: keeps the largest of each image, and the maps of the
/// first one, which exchanges nobody.
class ExchangeTaker {
 public:
  ExchangeTaker(const GroupResult& result, const GroupOptions& options, ContrastResult& made)
      : result_(result),
        sweeping_{options.connectivity, options.extentPower, options.heightPower,
                  float(made.clusterThreshold)},
        twoSided_(options.twoSided && !made.contrast.isJoint()),
        made_(made) {
    for (auto* largest : {&made.largestT, &made.largestTfce, &made.largestExtent, &made.largestMass})
      largest->resize(std::size_t(made.exchanges));
  }

  void operator()(std::int64_t exchange, std::span<const float> t) {
    std::unique_ptr<ComponentSweep> sweep = takeIdle();
    LargestOfImage largest = sweep->largest(t, 1);
    if (twoSided_) {
      const LargestOfImage below = sweep->largest(t, -1);
      largest = {std::max(largest.value, below.value), std::max(largest.tfce, below.tfce),
                 std::max(largest.extent, below.extent), std::max(largest.mass, below.mass)};
    }
    made_.largestT[exchange] = largest.value;
    made_.largestTfce[exchange] = largest.tfce;
    made_.largestExtent[exchange] = largest.extent;
    made_.largestMass[exchange] = largest.mass;
    if (exchange == 0) keepMaps(t, *sweep);
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(sweep));
  }

 private:
  std::unique_ptr<ComponentSweep> takeIdle() {
    {
      const std::lock_guard lock(mutex_);
      if (!idle_.empty()) {
        auto sweep = std::move(idle_.back());
        idle_.pop_back();
        return sweep;
      }
    }
    return std::make_unique<ComponentSweep>(result_.grid.size, result_.voxels, sweeping_);
  }

  void keepMaps(std::span<const float> t, ComponentSweep& sweep) {
    made_.t.assign(t.begin(), t.end());
    for (auto* map : {&made_.tfce, &made_.extent, &made_.mass}) map->assign(t.size(), 0);
    sweep.addMaps(t, 1, made_.tfce, made_.extent, made_.mass);
    if (!made_.contrast.isJoint()) sweep.addMaps(t, -1, made_.tfce, made_.extent, made_.mass);
  }

  const GroupResult& result_;
  const SweepOptions sweeping_;
  const bool twoSided_;
  ContrastResult& made_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<ComponentSweep>> idle_;  ///< one for each thread, each with its own memory
};

/// Tests a contrast of the design of `result`, which receives the s.d. between people.
ContrastResult testContrast(const GroupBackend& backend, const GroupInput& input, const GroupOptions& options,
                            const GroupContrast& contrast, GroupResult& result, const Progress& progress) {
  const ContrastModel model = contrastModel(result.design, contrast);
  const Exchanges exchanges(result.design, model, options.exchange, options.permutations,
                            std::uint64_t(options.seed));
  ContrastResult made;
  made.contrast = contrast;
  made.exchange = exchanges.kind();
  made.exchanges = exchanges.count();
  made.possible = exchanges.possible();
  made.clusterThreshold = thresholdOfDeviate(options.clusterThreshold, contrast.rows.size(), result.freedom);
  if (!input.variances.empty())
    weighPeople(input, result, model, made, result.between, progress.part(0, 0.2, "weights"));
  const PreparedMaps maps = prepareMaps(input, result.mapOfRow, result.voxels, model, made.effect);
  ExchangeTaker taker(result, options, made);
  const double begin = input.variances.empty() ? 0 : 0.2;
  const double end = options.bayes ? 0.7 : 1;
  backend.statistics(
      maps, made.exchanges, float(model.freedom),
      [&](std::int64_t first, int count) { return exchanges.weights(first, count); }, std::ref(taker),
      progress.part(begin, end, "permutations"));
  if (options.bayes && !contrast.isJoint()) {
    const PeopleProblem problem =
        peopleProblem(input, result.mapOfRow, result.voxels, model, std::uint64_t(options.seed));
    made.posterior = std::make_shared<const PeoplePosterior>(
        samplePeople(backend.sampler, problem, options.draws, progress.part(0.7, 1, "posterior")));
  }
  return made;
}

Note exchangeNote(const ContrastResult& made, std::int64_t wanted) {
  const std::string what = made.exchange == Exchange::signs ? "signs" : "orders";
  if (made.possible > double(wanted)) return {};
  Note note = "There are " + numberText(made.possible) + " different " + what + " for '" +
              made.contrast.name + "', fewer than requested: each is used once, and no p is below " +
              numberText(1 / double(made.exchanges)) + ".";
  if (made.exchanges < 20) note.severity = Severity::warning;
  return note;
}

}  // namespace

void exchangeStatistics(const PreparedMaps& maps, std::int64_t exchanges, float freedom,
                        const WeightsOf& weightsOf, const TakeStatistic& take, const Progress& progress) {
  parallelForBlocks(exchanges, kExchangesAtOnce, progress, [&](std::int64_t begin, std::int64_t end) {
    // Always the same number, so that the last exchanges are computed alike; those beyond the end are
    // ignored.
    const ExchangeWeights weights = weightsOf(begin, kExchangesAtOnce);
    const std::int64_t stride = maps.tiles() * PreparedMaps::kTile;
    std::vector<float> t(kExchangesAtOnce * stride);
    for (std::int64_t v = 0; v < maps.voxels; v += kLanes) {
      const float* values = maps.values.data() + maps.index(0, v);
      Pack ofVoxels[kExchangesAtOnce]{};
      exchangedT([values](int n) { return load<Pack>(values + n * PreparedMaps::kTile); }, maps.people,
                 weights.values.data(), weights.columns, weights.effects, freedom, ofVoxels);
      for (int e = 0; e < kExchangesAtOnce; ++e) store(&t[e * stride + v], ofVoxels[e]);
    }
    for (std::int64_t e = begin; e < end; ++e)
      take(e, std::span<const float>(t).subspan((e - begin) * stride, maps.voxels));
  });
}

std::vector<MapVariance> inOrderOfMaps(const GroupInput& input, std::vector<MapVariance> variances) {
  if (variances.empty()) return {};
  requireVarianceOfEach(input.names.size(), variances.size());
  // "sub-01" in a name; "" if there is none.
  const auto personOf = [](const std::string& name) {
    const auto begin = name.find("sub-");
    return begin == name.npos ? "" : name.substr(begin, name.find_first_of("_. /", begin) - begin);
  };
  std::vector<MapVariance> ordered;
  for (const std::string& name : input.names) {
    const auto found = std::find_if(variances.begin(), variances.end(), [&](const MapVariance& variance) {
      return variance.series && personOf(variance.name) == personOf(name);
    });
    if (found == variances.end())
      throw Error("There is no variance for the map " + inQuotes(name), "they are matched by their names",
                  "name both by participant, such as sub-01");
    ordered.push_back(std::move(*found));
    found->series = nullptr;
  }
  return ordered;
}

GroupPlan planGroup(const GroupInput& input, const GroupOptions& options) {
  requireMaps(input);
  const MatchedPeople matched = matchPeople(input.people, input.names);
  GroupPlan plan;
  plan.notes = matched.notes;
  std::vector<std::size_t> kept;
  plan.design = makeGroupDesign(
      input.people, matched.rows,
      {options.groups, options.covariates, options.repeated, options.contrast, matched.idColumn}, plan.notes,
      kept);
  for (const std::size_t i : kept) {
    plan.mapOfRow.push_back(matched.maps[i]);
    const bool hasTable = !input.people.rows.empty();
    plan.people.push_back(hasTable ? input.people.rows[matched.rows[i]][matched.idColumn]
                                   : input.names[matched.maps[i]]);
  }
  return plan;
}

GroupResult findEffectsWith(const GroupBackend& backend, const GroupInput& input, const GroupOptions& options,
                            const Progress& progress) {
  StageClock clock;
  GroupResult result;
  static_cast<GroupPlan&>(result) = planGroup(input, options);
  result.grid = input.maps.front()->grid;
  result.voxels = comparedVoxels(input, result.mapOfRow, result.notes);
  requireDifferentMaps(input, result.mapOfRow, result.voxels);
  noteConstantMaps(input, result.mapOfRow, result.voxels, result.notes);
  result.freedom = contrastModel(result.design, result.design.contrasts.front()).freedom;
  clock.finish("Design");
  const double count = double(result.design.contrasts.size());
  for (const auto& contrast : result.design.contrasts) {
    const double done = double(result.contrasts.size());
    result.contrasts.push_back(testContrast(backend, input, options, contrast, result,
                                            progress.part(done / count, (done + 1) / count, "permutations")));
    if (auto note = exchangeNote(result.contrasts.back(), options.permutations); !note.text.empty())
      result.notes.push_back(std::move(note));
  }
  clock.finish("Exchanges");
  result.stages = clock.stages();
  return result;
}

GroupResult findEffects(const GroupInput& input, const GroupOptions& options, const Progress& progress) {
  return findEffectsWith({exchangeStatistics, makePeopleSampler}, input, options, progress);
}

double groupHostBytes(std::int64_t voxels, int maps, const GroupOptions& options) {
  const double ofThread = 4.0 * kExchangesAtOnce + 80;
  const double posterior = options.bayes ? posteriorBytes(maps) : 0;
  return double(voxels) * (4.0 * maps + 40 + ofThread * threadCount() + posterior);
}

}  // namespace sulcus::group
