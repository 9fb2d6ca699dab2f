#pragma once

#include "core/base/note.h"
#include "core/base/options.h"
#include "core/base/progress.h"
#include "core/base/provenance.h"
#include "core/group/group_design.h"
#include "core/group/null_tail.h"
#include "core/image/volume.h"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace sulcus::group {

/// By what a place is shown: its TFCE value, its t, the extent or the mass of its cluster, each held against
/// the largest of the whole image over all exchanges; or its t alone, without correction.
enum class Correction { tfce, voxel, extent, mass, none };
/// How people are exchanged to learn what chance does: by the sign of their maps, by their order, or the one
/// that fits the contrast.
enum class Exchange { automatic, signs, order };

/// Neighbors of a voxel: those that share a face, also an edge, also a corner.
enum class Neighbors { faces, edges, corners };

/// Options of the statistics across people (resources/design/engines.md).
struct GroupOptions {
  std::string groups;
  std::string covariates;
  std::string repeated;
  std::string contrast;
  int permutations = 5000;
  Correction correction = Correction::tfce;
  double alpha = 0.05;
  bool twoSided = true;
  Tails tails = Tails::automatic;
  Exchange exchange = Exchange::automatic;
  double clusterThreshold = 3.1;
  Neighbors connectivity = Neighbors::corners;
  double extentPower = 0.5;
  double heightPower = 2;
  bool bayes = false;
  int draws = 2000;
  double gamma = 0;
  std::int64_t seed = 1;

  template <class Visit>
  void describe(Visit&& visit) {
    visit(groups, textOption("groups", "Groups",
                             "Column of the table by which people are grouped, such as "
                             "diagnosis; empty: all are one group."));
    visit(covariates, wordsOption("covariates", "Covariates",
                                  "Columns of numbers that are taken into account, such as age; each is "
                                  "centered on its mean."));
    visit(contrast, contrastOption());
    visit(permutations,
          advanced(numberOption(
              "permutations", "Permutations", "", 1, 1000000, 1000,
              "Random exchanges of people that show what chance does; the smallest p is one over "
              "their number.")));
    visit(correction,
          adjustable(choiceOption("correction", "Corrected by", {"tfce", "voxel", "extent", "mass", "none"},
                                  "What is held against the largest of the image: tfce, cluster support "
                                  "without a threshold; voxel, t; extent or mass of the cluster; none: t "
                                  "alone, where one place in twenty is false at 0.05.")));
    visit(alpha, adjustable(numberOption("alpha", "Significance", "", 0.0001, 1, 0.01,
                                         "Shown is where p is at most this.")));
    visit(twoSided, toggleOption("two-sided", "Two-sided", "Effects below 0 count, too."));
    visit(bayes,
          toggleOption("bayes", "Posterior",
                       "Also the posterior of each effect across people, by a hierarchical model: how many "
                       "places have none and how much people differ is learned from all of them."));
    visit(gamma,
          adjustable(advanced(numberOption("gamma", "γ: effect", "", 0, 1e6, 0.05,
                                           "Of the posterior: effects up to this size are none. In the unit "
                                           "of the maps."))));
    visit(tails,
          adjustable(advanced(choiceOption(
              "tails", "Tails", {"auto", "count", "pareto"},
              "count: p is the share of exchanges. pareto: beyond the upper quarter of their largest by a "
              "generalized Pareto distribution, which tells small p by few permutations. auto: pareto for "
              "100 to 999 permutations of many."))));
    visit(repeated, advanced(textOption("repeated", "Repeated by",
                                        "Column that tells who was measured several times, such as "
                                        "participant_id: maps are exchanged within a person alone.")));
    visit(exchange, advanced(choiceOption("exchange", "Exchange", {"auto", "signs", "order"},
                                          "signs: of whole maps, for a mean; order: of people, for groups "
                                          "and covariates; auto: what fits the contrast.")));
    visit(clusterThreshold,
          advanced(numberOption("cluster-threshold", "Cluster threshold", "z", 0.5, 20, 0.1,
                                "Clusters of extent and mass are what lies beyond it, turned into t.")));
    visit(connectivity, advanced(connectivityOption()));
    visit(extentPower, advanced(numberOption("tfce-extent", "TFCE power of extent", "", 0.1, 3, 0.1,
                                             "E of Smith & Nichols 2009.")));
    visit(heightPower, advanced(numberOption("tfce-height", "TFCE power of height", "", 0.1, 5, 0.1,
                                             "H of Smith & Nichols 2009.")));
    visit(draws, advanced(numberOption("draws", "Draws", "", 20, 20000, 100,
                                       "Of each of two chains of the posterior; a quarter is not kept.")));
    visit(seed,
          advanced(numberOption("seed", "Seed", "", 0, 9007199254740991, 1, "Of the exchanges and draws.")));
  }

 private:
  static OptionInfo contrastOption() {
    OptionInfo info = textOption("contrast", "Contrasts",
                                 "Sums of the columns of the design by name, e.g. \"patients - controls\"; "
                                 "empty: the mean, or all pairs of groups, and each covariate.");
    info.list = true;
    return info;
  }
  static OptionInfo connectivityOption() {
    return choiceOption("connectivity", "Connectivity", {"6", "18", "26"},
                        "Neighbors of a voxel: those that share a face, also an edge, also a corner.");
  }
};

/// How well a map is known: the variance of its values, in the square of their unit.
struct MapVariance {
  std::string name;  ///< as its file has it
  std::shared_ptr<const Series<float>> series;
  int volume = 0;
};

/// One map a person, on one grid.
struct GroupInput {
  std::vector<std::shared_ptr<const Series<float>>> maps;
  std::vector<int> volumes;            ///< which volume of each
  std::vector<std::string> names;      ///< of the maps, as files have them
  PeopleTable people;                  ///< rows in any order; none: people are known by their maps alone
  std::vector<MapVariance> variances;  ///< of each map, in their order; or none
  std::shared_ptr<const Mask> mask;    ///< null: where all maps have values other than 0
};

/// Variances in the order of the maps of an input: each belongs to the map of the same person, and of several
/// of a person to that of the same place among them; where neither names have a person, they go together in
/// order. Throws Error where they do not go together.
std::vector<MapVariance> inOrderOfMaps(const GroupInput& input, std::vector<MapVariance> variances);

struct PeoplePosterior;

/// What one contrast gives, one value for each voxel of GroupResult::voxels. p are in 1/permutations.
struct ContrastResult {
  GroupContrast contrast;
  Exchange exchange = Exchange::signs;
  std::int64_t exchanges = 0;       ///< that were made, the given one included
  double possible = 0;              ///< how many there are
  double clusterThreshold = 0;      ///< as t
  std::vector<float> effect;        ///< c'β, in the unit of the maps
  std::vector<float> t;             ///< with `freedom` degrees; of a joint contrast √F
  std::vector<float> tfce;          ///< signed
  std::vector<float> extent, mass;  ///< of the cluster beyond the threshold, signed; 0 outside
  /// With the maps' variances: effect and t (√F) of people weighted by 1 / (variance + between²).
  std::vector<float> weightedEffect, weightedT;
  /// The largest of the image in each exchange, the given one first.
  std::vector<float> largestT, largestTfce, largestExtent, largestMass;
  std::shared_ptr<const PeoplePosterior> posterior;  ///< with the option `bayes`, of one row; else null
};

struct GroupResult {
  Grid grid;
  std::vector<std::int64_t> voxels;  ///< that were worked on, ascending
  GroupDesign design;
  std::vector<std::size_t> mapOfRow;  ///< for each row of the design the index of its map
  double freedom = 0;
  std::vector<ContrastResult> contrasts;
  /// With the maps' variances: the s.d. across people beyond these, in each voxel.
  std::vector<float> between;
  Notes notes;
  std::vector<StageTime> stages;
};

/// The people who are compared, and the question.
struct GroupPlan {
  GroupDesign design;
  std::vector<std::size_t> mapOfRow;  ///< for each row of the design the index of its map
  Notes notes;                        ///< who was left out
};

/// Finds the people of the maps and makes the design; needs no values. Throws Error as matchPeople() and
/// makeGroupDesign() do.
GroupPlan planGroup(const GroupInput& input, const GroupOptions& options);

/// Maps as the exchanges need them: of each person the values of all voxels, taken free of what the contrast
/// does not ask for, of length 1 in each voxel. They lie in tiles of voxels, person after person in each;
/// what is left of the last tile is 0.
struct PreparedMaps {
  static constexpr int kTile = 32;

  int people = 0;
  std::int64_t voxels = 0;
  std::vector<float> values;

  std::int64_t tiles() const { return (voxels + kTile - 1) / kTile; }
  std::size_t index(int person, std::int64_t voxel) const {
    return std::size_t((voxel / kTile * people + person) * kTile + voxel % kTile);
  }
};

/// The weights of some exchanges: `count` × `columns` × people, the `effects` columns of the contrast first,
/// then those of what it does not ask for.
struct ExchangeWeights {
  int count = 0, columns = 0, effects = 1;
  std::vector<float> values;
};

/// Hands the t of all voxels for each of the exchanges to `take(exchange, t)`, on any thread and in any
/// order. `weightsOf(first, count)` makes the weights of exchanges.
using TakeStatistic = std::function<void(std::int64_t exchange, std::span<const float> t)>;
using WeightsOf = std::function<ExchangeWeights(std::int64_t first, int count)>;
using ExchangeStatistics = void(const PreparedMaps& maps, std::int64_t exchanges, float freedom,
                                const WeightsOf& weightsOf, const TakeStatistic& take,
                                const Progress& progress);
/// On the CPU.
ExchangeStatistics exchangeStatistics;

struct PeopleProblem;
class PeopleSampler;
/// Makes what draws from the posterior of people_model.h.
using MakePeopleSampler = std::unique_ptr<PeopleSampler>(const PeopleProblem& problem, int chains);

/// A function that finds where people differ or agree. It throws Error for input that cannot be worked on,
/// and Cancelled.
using FindEffects = GroupResult(const GroupInput&, const GroupOptions&, const Progress&);
/// On the CPU, on all threads of the withThreads() scope.
FindEffects findEffects;

/// What a processor does of a run.
struct GroupBackend {
  ExchangeStatistics& statistics;
  MakePeopleSampler& sampler;
};
/// By the backend that it is given.
GroupResult findEffectsWith(const GroupBackend& backend, const GroupInput& input, const GroupOptions& options,
                            const Progress& progress);

/// Bytes of this computer that a run takes, about.
double groupHostBytes(std::int64_t voxels, int maps, const GroupOptions& options);

}  // namespace sulcus::group
