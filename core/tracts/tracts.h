#pragma once

#include "core/base/note.h"
#include "core/base/options.h"
#include "core/base/progress.h"
#include "core/base/provenance.h"
#include "core/image/diffusion/diffusion_tensor.h"
#include "core/image/tracts.h"
#include "core/image/volume.h"
#include "core/tracts/walk_kernel.h"

#include <array>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace sulcus::tracts {

/// How lines are guided: along peaks; along the nearest maximum of a function; at random by the function; or
/// at random, smoothly and with a look ahead.
enum class TractMethod { automatic, peaks, fod, probable, transport };

/// Options of the tracts, described by describe().
struct TractOptions {
  TractMethod method = TractMethod::automatic;
  double step = 0;
  double angle = 45;
  double radius = 0;
  double cutoff = 0;
  double minLength = 20;
  double maxLength = 250;
  int seedsPerVoxel = 1;
  std::int64_t seedCount = 0;
  std::int64_t lines = 0;
  bool bothEnds = false;
  bool seedsAtCortex = false;
  bool weights = false;
  std::string seedRegions, includeRegions, excludeRegions, stopRegions, endRegions;
  double endRadius = 4;
  double mapVoxel = 0;
  TensorOrder tensorOrder = TensorOrder::mrtrix;
  std::int64_t seed = 1;

  template <class Visit>
  void describe(Visit&& visit) {
    visit(method,
          choiceOption("method", "Method", {"auto", "peaks", "fod", "probable", "transport"},
                       "peaks: along the peaks nearest to the current direction. fod: along the nearest "
                       "maximum of the function. probable: at random by the function (iFOD2), which also "
                       "shows alternatives. transport: at random and smooth, with a look ahead (PTT). auto: "
                       "probable for functions, peaks for peaks and tensors."));
    visit(
        step,
        advanced(withLowest(
            "auto",
            numberOption("step", "Step", "mm", {0, 10, 0.1},
                         "Between the points of a line. 0 (auto): half a voxel, a quarter for transport."))));
    visit(angle, advanced(unless("radius", numberOption("angle", "Largest turn", "°", {1, 90, 5},
                                                        "A line that turns by more in one step ends."))));
    visit(radius, advanced(withLowest(
                      "by angle",
                      numberOption("radius", "Smallest radius", "mm", {0, 100, 0.5},
                                   "A line that curves more tightly ends, whatever the step; 0: the largest "
                                   "turn in a step applies; for transport the size of a voxel."))));
    visit(cutoff,
          withLowest("auto", numberOption("cutoff", "Cut-off", "", {0, 1e6, 0.05},
                                          "A line ends where the amplitude along it is smaller. 0 (auto): a "
                                          "fifth of the typical amplitude of the strongest voxels.")));
    visit(minLength,
          advanced(numberOption("min-length", "Shortest", "mm", {0, 1000, 5}, "Shorter lines are dropped.")));
    visit(maxLength,
          advanced(numberOption("max-length", "Longest", "mm", {1, 2000, 10}, "Lines end at this length.")));
    visit(seedsPerVoxel,
          advanced(numberOption("seeds-per-voxel", "Seeds per voxel", "", {1, 10000, 1},
                                "Lines begin at this many random positions in each seed voxel.")));
    visit(seedCount,
          advanced(withLowest("per voxel", numberOption("seeds", "Seeds in total", "", {0, 1e10, 10000},
                                                        "Instead: this many random positions in total."))));
    visit(lines, withLowest("all", numberOption("lines", "Lines", "", {0, 1e9, 10000},
                                                "Stops when this many lines are kept; seeds are at random "
                                                "positions. 0: when all seeds have been followed.")));
    visit(bothEnds,
          advanced(toggleOption("both-ends", "Both ends in regions",
                                "Both ends of a line must be in the end regions; otherwise each of these "
                                "regions must contain an end.")));
    visit(seedsAtCortex,
          advanced(toggleOption("seeds-at-cortex", "Seeds at the cortex",
                                "Lines begin where white matter touches the cortex according to the tissues; "
                                "otherwise long bundles have more seeds than short ones.")));
    visit(weights,
          advanced(toggleOption(
              "weights", "Weights",
              "A weight for each line, so that the density of all lines matches the fiber density of "
              "the scan in each voxel (SIFT2); density and connectome also have sums of weights.")));
    const auto regions = [](const char* name, const char* former, const char* label, const char* help) {
      OptionInfo info = formerly(former, advanced(textOption(name, label, help)));
      info.list = true;
      return info;
    };
    visit(seedRegions, regions("seed-regions", "seed-spheres", "Seeds in regions",
                               "sphere:x,y,z,radius or box:x,y,z,dx,dy,dz, mm (RAS+), with full edge "
                               "lengths; several are separated by ';'."));
    visit(includeRegions, regions("include-regions", "include-spheres", "Enter regions",
                                  "Lines must enter each of these spheres and boxes."));
    visit(excludeRegions, regions("exclude-regions", "exclude-spheres", "Avoid regions",
                                  "Lines that enter one are dropped."));
    visit(stopRegions,
          regions("stop-regions", "stop-spheres", "Stop in regions", "Lines end where they enter one."));
    visit(endRegions, regions("end-regions", "end-spheres", "End in regions",
                              "Each must contain an end of a line, unless both ends are asked for."));
    visit(endRadius, advanced(numberOption("end-radius", "Search at ends", "mm", {0, 20, 1},
                                           "Connectome: an end belongs to the nearest label within this "
                                           "distance.")));
    visit(mapVoxel,
          advanced(withLowest("as the field",
                              numberOption("map-voxel", "Voxels of maps", "mm", {0, 10, 0.5},
                                           "Of the maps of density and ends; may be finer than the scan."))));
    visit(tensorOrder,
          advanced(choiceOption("tensor-order", "Tensor order", {"fsl", "mrtrix", "ants", "dipy"},
                                "Order and axes of the six volumes of the tensors.")));
    visit(seed, advanced(numberOption("seed", "Random seed", "", {0, 9007199254740991, 1},
                                      "For random seed positions and directions.")));
  }
};

/// A region as an image, with its name for messages.
struct Region {
  std::string name;
  std::shared_ptr<const Mask> image;
};

/// Receives lines that are too many to keep in memory.
struct LineOverflow {
  std::size_t points = 0;  ///< that are kept in memory at most
  /// Called with one part of the lines after another, in the order of their seeds, once there are more; then
  /// all lines are handed over. Empty: all are kept.
  std::function<void(const Tracts& part)> take;
};

/// The field to follow, either functions or peaks, and the regions of the rules, which share one grid.
struct TractInput {
  /// Entries of symmetric tensors of even order, in the order of tensor_index.h, world axes.
  std::shared_ptr<const Series<float>> functions;
  /// 3 volumes each: unit direction (world) × amplitude; NaN or 0 for none.
  std::shared_ptr<const Series<float>> peaks;
  /// Shares of cortex, deep gray matter, white matter, fluid and pathological tissue: an image 5tt; may be
  /// null.
  std::shared_ptr<const Series<float>> tissues;
  std::shared_ptr<const Mask> seeds;    ///< null: every voxel with data
  std::vector<Vec3<float>> seedPoints;  ///< mm RAS+, instead of the mask
  std::vector<Region> mask, include, exclude, stop, ends;
  LineOverflow overflow;
};

/// The name of line weights among the numbers per line.
inline constexpr const char* kWeightName = "weight";
struct WeightProblem;
/// Weights of lines; see core/tracts/line_weights.h.
using FitWeights = std::vector<float>(const WeightProblem& problem, int rounds, const Progress& progress);

/// How many lines were dropped and why, and why lines end.
struct TractCounts {
  std::int64_t seeds = 0;                          ///< that were tried
  std::array<std::int64_t, kVerdicts> verdicts{};  ///< of seeds, by Verdict
  std::array<std::int64_t, kEndings> endings{};    ///< for both ends of the lines that were kept, by Ending
  std::int64_t kept() const { return verdicts[std::size_t(Verdict::kept)]; }
};

struct TractResult {
  /// In the order of their seeds; null if LineOverflow received them. If weights were requested, they are the
  /// first numbers per line.
  std::shared_ptr<Tracts> tracts;
  TractCounts counts;
  TractMethod method = TractMethod::peaks;   ///< the chosen one
  double step = 0, cutoff = 0, angle = 0;    ///< the values used: mm, amplitude, °
  double misfitBefore = 0, misfitAfter = 0;  ///< of the weights, see misfitOf()
  Grid grid;                                 ///< of the field
  std::vector<StageTime> stages;
};

struct TractPlan;

/// The results of consecutive seeds, in memory of someone else.
struct LineBatchView {
  std::span<const LineRecord> records;  ///< one for each seed
  std::span<const Vec3<float>>
      points;  ///< of the lines that were kept, from end to end, one line after another
};

/// The results of consecutive seeds.
struct LineBatch {
  std::vector<LineRecord> records;
  std::vector<Vec3<float>> points;
  operator LineBatchView() const { return {records, points}; }
};

/// Follows all seeds of a plan and hands over batches in the order of the seeds until `take` returns false. A
/// batch is valid during the call. The lines do not depend on how seeds are divided into batches.
using TakeBatch = std::function<bool(const LineBatchView&)>;
using FollowSeeds = void(const TractPlan& plan, const TakeBatch& take, const Progress& progress);
/// On the CPU.
FollowSeeds followSeeds;

/// Finds lines. Throws Error for unusable input (before any work), and Cancelled.
using FindTracts = TractResult(const TractInput&, const TractOptions&, const Progress&);
/// On the CPU, on all threads of the withThreads() scope.
FindTracts findTracts;
/// With the given functions to follow seeds and to fit weights.
TractResult findTractsWith(FollowSeeds& follow, FitWeights& fit, const TractInput& input,
                           const TractOptions& options, const Progress& progress);

}  // namespace sulcus::tracts
