#pragma once

#include "core/base/note.h"
#include "core/base/options.h"
#include "core/base/progress.h"
#include "core/base/provenance.h"
#include "core/group/group_design.h"
#include "core/group/null_tail.h"
#include "core/image/grids/neighbors.h"
#include "core/image/volume.h"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace sulcus::group {

/// The statistic that decides what is shown: TFCE, t, or the extent or mass of clusters, each compared with
/// the largest of the whole image over all exchanges; or t alone, uncorrected.
enum class Correction { tfce, voxel, extent, mass, none };
/// How people are exchanged to find what arises by chance: by the signs of their maps, by their order, or
/// whichever fits the contrast.
enum class Exchange { automatic, signs, order };

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
  Connectivity connectivity = Connectivity::corners;
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
    visit(covariates,
          wordsOption("covariates", "Covariates",
                      "Columns of numbers to adjust for, such as age; each is centered on its mean."));
    visit(contrast, contrastOption());
    visit(permutations,
          advanced(numberOption("permutations", "Permutations", "", {1, 1000000, 1000},
                                "Random permutations of people, which show what arises by chance; the "
                                "smallest p is one over their number.")));
    visit(correction,
          adjustable(choiceOption("correction", "Corrected by", {"tfce", "voxel", "extent", "mass", "none"},
                                  "The statistic that is compared with the largest of the image: tfce, "
                                  "cluster support without a threshold; voxel, t; extent or mass of the "
                                  "cluster; none: t alone, where one voxel in twenty is false at 0.05.")));
    visit(alpha, adjustable(numberOption("alpha", "Significance", "", {0.0001, 1, 0.01},
                                         "Voxels are shown where p is at most this.")));
    visit(twoSided, toggleOption("two-sided", "Two-sided", "Effects below 0 are also tested."));
    visit(bayes,
          toggleOption("bayes", "Posterior",
                       "Also the posterior of each effect across people, by a hierarchical model, which "
                       "learns from all voxels how many have no effect and how much people differ."));
    visit(gamma, adjustable(advanced(numberOption(
                     "gamma", "γ: effect", "", {0, 1e6, 0.05},
                     "For the posterior: effects up to this size count as none. In the unit of the maps."))));
    visit(tails, adjustable(advanced(choiceOption(
                     "tails", "Tails", {"auto", "count", "pareto"},
                     "count: p is the share of the permutations. pareto: above the upper quartile of their "
                     "largest values, p is from a generalized Pareto distribution, which gives small p with "
                     "few permutations. auto: pareto for 100 to 999 permutations of many."))));
    visit(repeated, advanced(textOption("repeated", "Repeated by",
                                        "Column that identifies people who were measured several times, such "
                                        "as participant_id: maps are permuted only within a person.")));
    visit(exchange, advanced(choiceOption("exchange", "Exchange", {"auto", "signs", "order"},
                                          "signs: of whole maps, for a mean; order: of people, for groups "
                                          "and covariates; auto: whichever fits the contrast.")));
    visit(clusterThreshold,
          advanced(numberOption(
              "cluster-threshold", "Cluster threshold", "z", {0.5, 20, 0.1},
              "For extent and mass, clusters are regions above this threshold, converted to t.")));
    visit(connectivity, advanced(connectivityOption()));
    visit(extentPower, advanced(numberOption("tfce-extent", "TFCE power of extent", "", {0.1, 3, 0.1},
                                             "E of Smith & Nichols 2009.")));
    visit(heightPower, advanced(numberOption("tfce-height", "TFCE power of height", "", {0.1, 5, 0.1},
                                             "H of Smith & Nichols 2009.")));
    visit(draws, advanced(numberOption("draws", "Draws", "", {20, 20000, 100},
                                       "In each of two chains of the posterior; a quarter is discarded.")));
    visit(seed, advanced(numberOption("seed", "Seed", "", {0, 9007199254740991, 1},
                                      "For permutations and draws.")));
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

/// The variance of the values of a map, in the square of their unit.
struct MapVariance {
  std::string name;  ///< as in its file
  std::shared_ptr<const Series<float>> series;
  int volume = 0;

  float at(std::int64_t voxel) const { return series->at(voxel, volume); }
};

/// One map for each person, all on one grid.
struct GroupInput {
  std::vector<std::shared_ptr<const Series<float>>> maps;
  std::vector<int> volumes;            ///< which volume of each map
  std::vector<std::string> names;      ///< of the maps, as in their files
  PeopleTable people;                  ///< rows in any order; empty: people are known by their maps alone
  std::vector<MapVariance> variances;  ///< one for each map, in the same order; or none
  std::shared_ptr<const Mask> mask;    ///< null: where no map is 0

  float at(std::size_t map, std::int64_t voxel) const { return maps[map]->at(voxel, volumes[map]); }
};

/// Variances in the order of the maps of an input: each belongs to the map of the same person, and if a
/// person has several, to the one at the same position among them. If no name contains a person, they are
/// matched by position. Throws Error if they cannot be matched.
std::vector<MapVariance> inOrderOfMaps(const GroupInput& input, std::vector<MapVariance> variances);

struct PeoplePosterior;

/// The result of one contrast: one value for each voxel of GroupResult::voxels.
struct ContrastResult {
  GroupContrast contrast;
  Exchange exchange = Exchange::signs;
  std::int64_t exchanges = 0;       ///< that were made, the given order included
  double possible = 0;              ///< how many are possible
  double clusterThreshold = 0;      ///< as t
  std::vector<float> effect;        ///< c'β, in the unit of the maps
  std::vector<float> t;             ///< with `freedom` degrees of freedom; √F for a joint contrast
  std::vector<float> tfce;          ///< signed
  std::vector<float> extent, mass;  ///< of the cluster above the threshold, signed; 0 outside
  /// With the variances of the maps: effect and t (√F) with people weighted by 1 / (variance + between²).
  std::vector<float> weightedEffect, weightedT;
  /// The largest of the image in each exchange, the given order first.
  std::vector<float> largestT, largestTfce, largestExtent, largestMass;
  std::shared_ptr<const PeoplePosterior>
      posterior;  ///< with the option `bayes`, for a contrast of one row; else null
};

/// The people who are compared, and the design.
struct GroupPlan {
  GroupDesign design;
  std::vector<std::size_t> mapOfRow;  ///< for each row of the design the index of its map
  std::vector<std::string> people;    ///< of each row: the participant_id, or without a table the map's name
  Notes notes;                        ///< who was excluded
};

/// The effects across the people of a plan; `notes` has also those of the maps.
struct GroupResult : GroupPlan {
  Grid grid;
  std::vector<std::int64_t> voxels;  ///< that were analyzed, ascending
  double freedom = 0;
  std::vector<ContrastResult> contrasts;
  /// With the variances of the maps: the s.d. between people beyond these, in each voxel.
  std::vector<float> between;
  std::vector<StageTime> stages;
};

/// Finds the people of the maps and makes the design; needs no voxel values. Throws Error as matchPeople()
/// and makeGroupDesign() do, and for inputs on different grids.
GroupPlan planGroup(const GroupInput& input, const GroupOptions& options);

/// Maps as the exchanges need them: for each person the values of all voxels, without the nuisance columns
/// and scaled to length 1 in each voxel. They are stored in tiles of voxels, one person after another in each
/// tile; the unused rest of the last tile is 0.
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

/// The weights of some exchanges: `count` × `columns` × people, first the `effects` columns of the contrast,
/// then the nuisance columns.
struct ExchangeWeights {
  int count = 0, columns = 0, effects = 1;
  std::vector<float> values;
};

/// Calls `take(exchange, t)` with the t of all voxels for each exchange, on any thread and in any order.
/// `weightsOf(first, count)` makes the weights of exchanges.
using TakeStatistic = std::function<void(std::int64_t exchange, std::span<const float> t)>;
using WeightsOf = std::function<ExchangeWeights(std::int64_t first, int count)>;
using ExchangeStatistics = void(const PreparedMaps& maps, std::int64_t exchanges, float freedom,
                                const WeightsOf& weightsOf, const TakeStatistic& take,
                                const Progress& progress);
/// On the CPU.
ExchangeStatistics exchangeStatistics;

struct PeopleProblem;
class PeopleSampler;
/// Makes the sampler for the posterior of people_model.h.
using MakePeopleSampler = std::unique_ptr<PeopleSampler>(const PeopleProblem& problem, int chains);

/// Finds where people differ or agree. Throws Error for unusable input, and Cancelled.
using FindEffects = GroupResult(const GroupInput&, const GroupOptions&, const Progress&);
/// On the CPU, on all threads of the withThreads() scope.
FindEffects findEffects;

/// The steps of a run that depend on the processor.
struct GroupBackend {
  ExchangeStatistics& statistics;
  MakePeopleSampler& sampler;
};
/// On the given backend.
GroupResult findEffectsWith(const GroupBackend& backend, const GroupInput& input, const GroupOptions& options,
                            const Progress& progress);

/// The memory of this computer that a run needs, about, in bytes.
double groupHostBytes(std::int64_t voxels, int maps, const GroupOptions& options);

}  // namespace sulcus::group
