#pragma once

#include "core/base/note.h"
#include "core/base/options.h"
#include "core/base/progress.h"
#include "core/base/provenance.h"
#include "core/image/diffusion/gradients.h"
#include "core/image/diffusion/sh_basis.h"
#include "core/image/volume.h"

#include <memory>
#include <string>
#include <vector>

namespace sulcus::fibers {

/// What the symmetric tensor of a voxel represents; `automatic` chooses msmt for several shells and csd for
/// one, if the directions suffice, otherwise adc.
enum class FiberModel { automatic, adc, qball, csa, csd, msmt, sh, tensor };
/// Axes of a spherical-harmonic image: the scanner's, the image's (those of FSL's b-vectors), or `automatic`:
/// the scanner's for the tournier07 bases (MRtrix), the image's for the descoteaux07 ones (dipy).
enum class ShFrame { automatic, scanner, image };
/// Shift of the power method: from the Hessian of each step, an a-priori bound, or a given number.
enum class ShiftRule { adaptive, safe, fixed };
/// Starting directions: evenly spaced on the half sphere, or random.
enum class StartSet { sphere, random };
/// How the peaks are searched: power steps followed by Newton steps; power steps with index classes known at
/// compile time; or power steps with the loops of the paper for any order and dimension.
enum class PeakSearch { newton, unrolled, general };

/// Options of the fiber analysis, documented by describe().
struct FiberOptions {
  FiberModel model = FiberModel::automatic;
  int order = 0;  ///< 0: the highest that the directions determine
  ShBasis shBasis = ShBasis::tournier07;
  ShFrame shFrame = ShFrame::automatic;
  PeakSearch search = PeakSearch::newton;
  ShiftRule shift = ShiftRule::adaptive;
  double alpha = 0;
  int starts = 64;
  StartSet startSet = StartSet::sphere;
  double tolerance = 1e-6;
  int maxIterations = 200;
  double mergeAngle = 1;
  double relativeThreshold = 0.25;
  double falsePeaks = 0.001;
  double absoluteThreshold = 0;
  int maxPeaks = 3;
  int seed = 1;
  std::string shells;       ///< b-values separated by commas; "": all that are useful for the model
  double b0Threshold = 0;   ///< s/mm²; 0: as in core/image/diffusion/gradients.h
  std::string dropVolumes;  ///< indices from 0, separated by commas

  template <class Visit>
  void describe(Visit&& visit) {
    visit(model,
          choiceOption("model", "Model", {"auto", "adc", "qball", "csa", "csd", "msmt", "sh", "tensor"},
                       "What the fitted function is. csd finds crossing fibers best, msmt, with several "
                       "shells, next to gray matter and CSF; maxima of adc do not point along fibers where "
                       "they cross. auto takes msmt or csd where shells and directions suffice."));
    visit(order,
          withLowest("auto",
                     numberOption("order", "Order", "", {0, 12, 2},
                                  "Degree of the function: 2, 4, 6, 8, 10 or 12. Higher separates closer "
                                  "fibers and needs more directions (6, 15, 28, 45, 66, 91) and less noise. "
                                  "0 (auto) takes the highest the scan carries.")));
    visit(shBasis,
          advanced(choiceOption(
              "sh-basis", "SH basis",
              {"tournier07", "descoteaux07", "descoteaux07-legacy", "tournier07-legacy"},
              "Convention of an opened spherical-harmonic image: tournier07 is MRtrix, descoteaux07 dipy.")));
    visit(shFrame, advanced(choiceOption(
                       "sh-frame", "SH frame", {"auto", "scanner", "image"},
                       "Axes of an opened spherical-harmonic image: scanner is MRtrix, image dipy (those "
                       "of FSL's b-vectors). auto goes by the basis.")));
    visit(search,
          advanced(choiceOption("search", "Search", {"newton", "unrolled", "general"},
                                "newton finishes with Newton steps (fastest); unrolled and general are the "
                                "published power method, with and without compile-time tensors.")));
    visit(shift, advanced(choiceOption(
                     "shift", "Shift", {"adaptive", "safe", "fixed"},
                     "Shift of the power method. adaptive converges fast, safe is guaranteed never to "
                     "descend but slow, fixed uses the number below (0 is the paper's choice).")));
    visit(alpha, advanced(numberOption(
                     "alpha", "Fixed shift", "", {0, 1e6, 0.1},
                     "The shift when Shift is fixed, relative to the largest entry of the tensor.")));
    visit(starts, advanced(numberOption(
                      "starts", "Start directions", "", {1, 1024, 16},
                      "Starting directions per voxel. 16 find nearly every large maximum, 64 all of them.")));
    visit(startSet,
          advanced(choiceOption("start-set", "Start set", {"sphere", "random"},
                                "sphere: evenly spaced on the half sphere. random: the paper's choice.")));
    visit(tolerance,
          advanced(numberOption("tolerance", "Tolerance", "", {1e-7, 1e-2, 1e-6},
                                "A start has converged when its direction moves less than this (radians).")));
    visit(maxIterations, advanced(numberOption("max-iterations", "Most iterations", "", {1, 10000, 50},
                                               "A start that has not converged by then is dropped.")));
    visit(mergeAngle, advanced(numberOption("merge-angle", "Merge angle", "°", {0.1, 45, 0.5},
                                            "Directions closer than this are the same peak.")));
    visit(relativeThreshold, numberOption("relative-threshold", "Smallest peak", "", {0, 1, 0.05},
                                          "Peaks below this share of the largest one are dropped as noise."));
    visit(
        falsePeaks,
        advanced(numberOption(
            "false-peaks", "False-peak rate", "", {0.0001, 1, 0.001},
            "csd and msmt: the share of simulated crossings, with the response, directions and noise of the "
            "scan, allowed to show a peak caused by noise alone; smaller peaks are dropped. 1 keeps all.")));
    visit(absoluteThreshold,
          advanced(
              numberOption("absolute-threshold", "Smallest amplitude", "", {0, 1e6, 0.1},
                           "Peaks of a smaller amplitude are dropped, in the unit of the function. A single "
                           "fiber has about 2 with csd and msmt.")));
    visit(maxPeaks,
          numberOption("max-peaks", "Max. peaks", "", {1, 8, 1}, "Peaks kept per voxel, largest first."));
    visit(seed, advanced(numberOption("seed", "Seed", "", {0, 2147483647, 1}, "Seed of the random starts.")));
    visit(shells, advanced(textOption(
                      "shells", "Shells",
                      "b-values (s/mm²) of the shells to use in addition to b = 0, such as 1000,2000; each "
                      "selects the nearest shell. Empty: those suited to the model.")));
    visit(b0Threshold,
          advanced(withLowest(
              "auto", numberOption("b0-threshold", "b = 0 below", "s/mm²", {0, 1000, 10},
                                   "Volumes with a smaller b-value count as b = 0. 0 (auto): 50, or 100 if "
                                   "the lowest b-values of the scan clearly cluster below it."))));
    visit(dropVolumes,
          advanced(textOption("drop-volumes", "Drop volumes",
                              "Numbers of volumes of the diffusion series that are not used, such as 0,65. "
                              "The first is 0, as in MRtrix.")));
  }
  friend bool operator==(const FiberOptions&, const FiberOptions&) = default;
};

struct PreparedFiberModel;

/// The input of the analysis: exactly one of dwi, sh and tensor. Images are shared and never changed.
struct FiberInput {
  std::shared_ptr<const Series<float>> dwi;     ///< a diffusion series, in any unit
  GradientTable gradients;                      ///< of dwi, a row for each volume; world axes
  std::shared_ptr<const Series<float>> sh;      ///< coefficients in FiberOptions::shBasis and ::shFrame
  std::shared_ptr<const Series<float>> tensor;  ///< entries in the order of tensor_index.h, world axes
  std::shared_ptr<const Mask> mask;             ///< on the image's grid; null: every voxel with signal
  /// The response for csd: rows of a MRtrix file (core/fibers/response/response_file.h); empty: it is
  /// estimated.
  std::vector<std::vector<double>> response = {};
  /// The responses of gray matter and CSF for msmt; `response` is then that of white matter.
  std::vector<std::vector<double>> responseGm = {}, responseCsf = {};
  /// The result of prepareFibers() (core/fibers/fiber_plan.h) for all of the above; null: it is recomputed.
  std::shared_ptr<const PreparedFiberModel> preparedModel = nullptr;
};

/// The result, on the grid of the input. Voxels outside of the mask or skipped have NaN peaks and 0 in all
/// other maps.
struct FiberMaps {
  Series<float> peaks;  ///< 3·maxPeaks volumes: unit direction (world) × amplitude, largest first, NaN = none
  Volume<float> amplitude;   ///< of the largest peak, in the unit of the function
  Volume<float> count;       ///< number of peaks
  Volume<float> anisotropy;  ///< generalized anisotropy: s.d. over r.m.s. of the function on the sphere, 0…1
  /// r.m.s. misfit of S/S0, or with msmt of S divided by the unweighted signal of white matter; 0 for sh and
  /// tensor.
  Volume<float> residual;
  Volume<float> iterations;  ///< evaluations of the form per start, mean over the starts
  Series<float> tensor;      ///< the fitted function: U volumes in the order of tensor_index.h, world axes
  FiberModel model = FiberModel::csd;  ///< model used
  int order = 8;                       ///< order used
  std::vector<double> response;        ///< csd: zonal harmonics r_0 … r_order of S/S0 of a single fiber
  std::vector<std::int64_t> responseVoxels;  ///< grid indices of the voxels it was estimated from; empty if
                                             ///< it was given
  /// msmt: the responses of white matter, gray matter and CSF, in the unit of the scan: rows of zonal
  /// harmonics, one for each of `shells` (s/mm²; b = 0 first); and the voxels they were estimated from, as
  /// above.
  std::vector<std::vector<std::vector<double>>> tissueResponses;
  std::vector<double> shells;
  std::vector<std::vector<std::int64_t>> tissueVoxels;
  /// msmt: volumes of white matter, gray matter and CSF, 1 where the signal equals the response.
  Series<float> volumes;
  double b = 0;                       ///< mean b-value of the weighted volumes that were used, s/mm²
  std::int64_t voxels = 0;            ///< number of voxels that were fitted
  std::int64_t skippedNotFinite = 0;  ///< voxels of the mask whose values are not finite or too large
  std::int64_t degenerate = 0;  ///< voxels without an isolated maximum (the function is constant or a ring)
  Notes notes;                  ///< what was chosen and skipped
  std::vector<StageTime> stages;
};

/// Fits the functions and finds their peaks. Throws Error for input that cannot be used (before any work),
/// and Cancelled.
using FindFibers = FiberMaps(const FiberInput&, const FiberOptions&, const Progress&);

/// On the CPU, on all threads of the withThreads() scope.
FindFibers findFibers;

}  // namespace sulcus::fibers
