#pragma once

#include "core/base/options.h"
#include "core/base/progress.h"
#include "core/base/provenance.h"
#include "core/image/field_convention.h"
#include "core/image/volume.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace sulcus {

/// How the template is brought to the reference before it is deformed.
enum class Prealignment { none, rigid, affine };
enum class IntensityMatch { histogram, linear, off };
/// What the velocity smooths: Dhᵀ f (the energy falls whatever the deformation) or f as in the paper.
enum class RegistrationForce { descent, paper };
/// ∇T(x − u): central differences sampled there, or the derivative of the trilinear interpolant.
enum class TemplateGradient { central, exact };

/// Unbiased nonlinear registration: h(x) = x − u(x) minimizes ½ ∫ (T(h) − R)² + λ ∫ (J − 1) log J, J = |Dh|,
/// by a fluid flow (resources/design/engines.md).
struct RegistrationOptions {
  Prealignment affine = Prealignment::affine;
  double lambda = 0.02;
  double sigma = 2;
  int levels = 3;
  std::string iterations = "100/100/100";
  double tolerance = 1e-4;
  double maxStep = 0.5;
  double momentum = 0.8;
  IntensityMatch match = IntensityMatch::histogram;
  RegistrationForce force = RegistrationForce::descent;
  TemplateGradient gradient = TemplateGradient::central;
  FieldConvention fieldConvention = FieldConvention::itk;

  template <class Visit>
  void describe(Visit&& visit) {
    visit(affine,
          choiceOption("affine", "Pre-alignment", {"none", "rigid", "affine"},
                       "How the template is brought to the reference before it is deformed. affine "
                       "also fits size and shear; none takes the positions in the headers as right."));
    visit(lambda,
          numberOption("lambda", "Bias weight λ", "", 0, 10, 0.005,
                       "Weight of the term that keeps volumes unless the images ask for a change. 0.02 "
                       "between subjects or to a template, 0.0005 within a subject; 0 leaves it out."));
    visit(sigma, numberOption("sigma", "Smoothing σ", "voxels", 0.5, 16, 0.25,
                              "Width of the Gaussian that smooths the velocity, in voxels of each level. "
                              "Larger gives smoother, slower flow."));
    visit(levels,
          numberOption("levels", "Levels", "", 1, 8, 1,
                       "From coarse to fine: each level halves the voxels. 1 works on the full images only, "
                       "as the paper does."));
    visit(iterations, textOption("iterations", "Iterations",
                                 "Most iterations of each level, coarsest first, parted by '/'. Where there "
                                 "are more levels than numbers the first counts for several, where there "
                                 "are fewer the last ones count."));
    visit(tolerance,
          advanced(numberOption("tolerance", "Tolerance", "", 0, 0.1, 1e-4,
                                "A level ends when the energy falls by less than this share per iteration, "
                                "over the last ten. 0: all iterations are done.")));
    visit(maxStep, advanced(numberOption("max-step", "Largest step", "voxels", 0.01, 1, 0.05,
                                         "No voxel moves further in one iteration. Halved and retried where "
                                         "the energy would rise or volumes vanish; around a few voxels at "
                                         "the smallest volume the velocity is held back instead.")));
    visit(momentum,
          advanced(numberOption("momentum", "Momentum", "", 0, 0.95, 0.1,
                                "Share of the last velocity that is kept, which gets further in as many "
                                "iterations. 0: each follows the force alone, as in the paper.")));
    visit(match, choiceOption("match", "Intensities", {"histogram", "linear", "off"},
                              "How the template's intensities are made like the reference's: by their "
                              "distribution, by mean and spread, or not at all."));
    visit(force, advanced(choiceOption(
                     "force", "Force", {"descent", "paper"},
                     "descent lowers the energy whatever the deformation; paper leaves out a factor and "
                     "stalls where it is large.")));
    visit(gradient,
          advanced(choiceOption("gradient", "Template gradient", {"central", "exact"},
                                "central spreads less on noise; exact is the derivative of the interpolated "
                                "template and fits closest.")));
    visit(fieldConvention,
          advanced(choiceOption("field-convention", "Field convention", {"itk", "slicer"},
                                "How the displacement is written: itk (also ANTs) in LPS, slicer in RAS.")));
  }
};

/// Brings two images together by a linear map: the point of the template (mm, RAS+) for a point of the
/// reference. `mask` (of the reference, may be null) limits where they are compared. The same result for any
/// number of threads. Throws Error when there is nothing to align, and Cancelled.
using Prealign = Affine(const Series<float>& templateImage, const Series<float>& reference, const Mask* mask,
                        Prealignment kind, const Progress& progress);

/// What is registered: the template is deformed onto the reference. Shared, never changed.
struct RegistrationInput {
  std::shared_ptr<const Series<float>> templateImage;  ///< one volume
  std::shared_ptr<const Series<float>> reference;      ///< one volume; its grid is the result's
  /// Where in the template (mm, RAS+) a point of the reference lies, when no `prealign` finds it.
  Affine templateFromReference;
  /// Voxels of the reference that the images are compared in; null: all.
  std::shared_ptr<const Mask> mask;
  /// Called on the worker a few times a second; may be empty.
  std::function<void(const struct RegistrationPreview&)> preview;
  /// Finds the pre-alignment that the options ask for; empty: `templateFromReference` is taken as it is.
  std::function<Prealign> prealign = {};
};

/// One iteration. Energies are means over the voxels of the level, of intensities divided by `scale`.
struct RegistrationIteration {
  int level = 0;          ///< 0 is the coarsest
  int iteration = 0;      ///< from 1 on in each level; 0: before the first
  double similarity = 0;  ///< ½ (T − R)²
  double bias = 0;        ///< (J − 1) log J
  double energy = 0;      ///< similarity + λ bias
  double smallestJ = 1;
  double step = 0;  ///< largest motion of a voxel, voxels of the level
  int retries = 0;  ///< halved steps before this one
  int held = 0;     ///< times that voxels were held back, whose volumes would have vanished
};

/// The state of a run, on the grid of the level it is in.
struct RegistrationPreview {
  Series<float> displacement;  ///< as in RegistrationResult
  Volume<float> warped;        ///< intensities as matched, in units of the reference
  const std::vector<RegistrationIteration>& iterations;
};

/// How well the template lies on the reference: in the mask, or where the reference is above its mean.
struct RegistrationFit {
  double correlation = 0;
  double nmse = 0;  ///< Σ (T − R)² / Σ (R − mean R)², intensities as matched
};

struct RegistrationResult {
  /// 3 volumes on the reference's grid, mm, RAS+: the template's point for x is x + displacement(x), the
  /// pre-alignment included.
  Series<float> displacement;
  Volume<float> warped;   ///< the template on the reference's grid, in its own intensities
  Volume<float> aligned;  ///< likewise, under the pre-alignment alone
  /// log of the volume ratio J of the nonlinear part; above 0 where the template is shrunk onto the
  /// reference.
  Volume<float> logJacobian;
  /// 3 volumes on the template's grid, mm, RAS+: the reference's point for z is z + inverse(z).
  Series<float> inverse;
  Volume<float> inverseResidual;  ///< how far the point found misses z, in voxels of the reference
  Affine templateFromReference;   ///< the pre-alignment

  std::vector<RegistrationIteration> iterations;
  double scale = 1;              ///< intensities were divided by it
  double smallestJ = 1;          ///< by central differences; above 0
  double smallestCornerJ = 1;    ///< by one-sided differences, over the corners of all cells
  std::int64_t foldedCells = 0;  ///< with a corner ≤ 0
  Mask folds;                    ///< the voxels of these cells; empty when there are none
  double meanLogJ = 0, sdLogJ = 0;
  double largestDisplacement = 0;     ///< of the nonlinear part, mm
  double largestInverseResidual = 0;  ///< voxels
  RegistrationFit before, after;      ///< pre-alignment only; with the displacement
  std::int64_t retries = 0;           ///< halved steps in all
  std::vector<std::string> notes;
  std::vector<StageTime> stages;
};

/// Throws Error for input that cannot be worked on (before any work) and Cancelled.
using Register = RegistrationResult(const RegistrationInput&, const RegistrationOptions&, const Progress&);

/// On the CPU, on all threads of the withThreads() scope.
Register registerImages;

}  // namespace sulcus
