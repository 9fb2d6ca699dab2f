#pragma once

#include "core/base/note.h"
#include "core/base/options.h"
#include "core/base/progress.h"
#include "core/base/provenance.h"
#include "core/image/grids/field_convention.h"
#include "core/image/volume.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sulcus::registration {

/// The linear map that aligns the template with the reference before it is deformed.
enum class LinearAlignment { none, rigid, affine };
/// The similarity measure of the linear alignment. mi: mutual information; cr: correlation ratio, see
/// correlation_ratio_kernel.h.
enum class LinearSimilarity { mi, cr };
/// How the template's intensities are matched to those of the reference, see matchIntensities(). automatic:
/// histogram for squared differences, linear for the others.
enum class IntensityMatch { automatic, histogram, linear, off };
/// The similarity measure of two images. lcc: local correlation, see local_correlation_kernel.h; mi: mutual
/// information, see mutual_information_kernel.h; l2: ½ (T − R)². automatic: see planRegistration().
enum class Similarity { automatic, lcc, mi, l2 };
/// How the bias field between the images is found, see bias_field.h. fit: from the pre-aligned images; n4:
/// for each image separately.
enum class BiasField { none, fit, n4 };
/// The force that is smoothed to give the velocity: descent uses Dhᵀ f, with which the energy decreases
/// whatever the deformation is; paper uses f, as published.
enum class RegistrationForce { descent, paper };
/// ∇T(x − u): central uses interpolated central differences, exact the derivative of the interpolant.
enum class TemplateGradient { central, exact };

/// Options of the unbiased nonlinear registration: h(x) = x − u(x) minimizes
/// ½ ∫ (T(h) − R)² + λ ∫ ((J − 1) log J + μ/2 |∂u|²) with J = |Dh| by a fluid flow
/// (resources/design/engines.md). The last term is the membrane energy, without which shear costs nothing.
struct RegistrationOptions {
  LinearAlignment affine = LinearAlignment::affine;
  LinearSimilarity affineSimilarity = LinearSimilarity::mi;
  Similarity similarity = Similarity::automatic;
  int window = 2;
  std::string channelWeights;
  bool symmetric = false;
  double lambda = 0.002;
  double membrane = 1;
  double sigma = 2;
  double landmarkWeight = 1e-4;
  int levels = 3;
  std::string iterations = "100/60/40";
  double tolerance = 3e-4;
  double maxStep = 0.5;
  double momentum = 0.9;
  IntensityMatch match = IntensityMatch::automatic;
  BiasField biasField = BiasField::none;
  RegistrationForce force = RegistrationForce::descent;
  TemplateGradient gradient = TemplateGradient::central;
  FieldConvention fieldConvention = FieldConvention::itk;

  template <class Visit>
  void describe(Visit&& visit) {
    visit(affine,
          choiceOption("affine", "Pre-alignment", {"none", "rigid", "affine"},
                       "How the moving image is brought to the fixed image before it is deformed. affine "
                       "also fits size and shear; none takes the initial transform as it is, or else the "
                       "positions in the headers."));
    visit(affineSimilarity,
          advanced(choiceOption("affine-similarity", "Pre-alignment similarity", {"mi", "cr"},
                                "What the pre-alignment maximizes. mi: mutual information, how well one "
                                "intensity predicts the other. cr: correlation ratio, what share of one "
                                "image's variance the other's brightness explains.")));
    visit(similarity,
          choiceOption("similarity", "Similarity", {"auto", "lcc", "mi", "l2"},
                       "lcc: how well brightness correlates in the neighborhood of each voxel. mi: how well "
                       "one brightness tells the other, for images of different contrasts. l2: squared "
                       "differences, for images of one scanner. auto: lcc, mi where the contrasts differ, or "
                       "l2 where shapes are drawn."));
    visit(window, advanced(numberOption("window", "Window radius", "voxels", {1, 4, 1},
                                        "Radius of the neighborhood of lcc: 2 means 5 × 5 × 5 voxels.")));
    visit(channelWeights,
          advanced(wordsOption("channel-weights", "Channel weights",
                               "Weight of each channel (a moving image and its fixed image) in the "
                               "similarity: numbers separated by spaces. Empty: equal weights.")));
    visit(symmetric, toggleOption("symmetric", "Symmetric",
                                  "Both images flow to the middle between them, so that neither is preferred "
                                  "and swapping them gives the inverse. Takes about twice the time."));
    visit(lambda, advanced(numberOption(
                      "lambda", "Bias weight λ", "", {0, 10, 0.005},
                      "Weight of the term that keeps volumes unless the images ask for a change: larger is "
                      "stiffer. 0.002 between subjects, 0.005 to a template; 0 leaves it out.")));
    visit(
        membrane,
        advanced(numberOption(
            "membrane", "Membrane weight μ", "", {0, 100, 0.5},
            "Keeps shapes in addition to volumes, times λ: larger keeps structures of little contrast, such "
            "as the putamen, from being sheared by those around. 0: only volumes count, as in the paper.")));
    visit(sigma, numberOption("sigma", "Smoothing σ", "voxels", {0.5, 16, 0.25},
                              "Width of the Gaussian that smooths the velocity, in voxels of each level. "
                              "Larger gives smoother, slower flow."));
    visit(landmarkWeight,
          advanced(numberOption(
              "landmark-weight", "Landmark weight", "", {0, 1000, 1e-4},
              "Weight of half the mean squared distance of the landmarks, in voxels of the fixed image. "
              "Larger brings them nearer, and the images slower; 0 ignores them.")));
    visit(levels, advanced(numberOption(
                      "levels", "Levels", "", {1, 8, 1},
                      "From coarse to fine: each level halves the voxels. 1 works on the full images only, "
                      "as the paper does.")));
    visit(iterations,
          advanced(textOption("iterations", "Iterations",
                              "Most iterations of each level, coarsest first, separated by '/'. Where there "
                              "are more levels than numbers the first counts for several, where there "
                              "are fewer the last ones count.")));
    visit(tolerance,
          advanced(numberOption("tolerance", "Tolerance", "", {0, 0.1, 1e-4},
                                "A level ends when the energy falls by less than this share per iteration, "
                                "over the last ten; by lcc, which falls as long as noise can be fitted, "
                                "twenty times this share. 0: all iterations are done.")));
    visit(maxStep, advanced(numberOption(
                       "max-step", "Largest step", "voxels", {0.01, 1, 0.05},
                       "No voxel moves further in one iteration. The step length follows from the slope of "
                       "the energy along it and is halved where the energy would rise or volumes vanish; "
                       "around a few voxels at the smallest volume the velocity is held back instead.")));
    visit(momentum, advanced(numberOption(
                        "momentum", "Momentum", "", {0, 0.95, 0.1},
                        "Fraction of the last velocity kept while it decreases the energy; converges in "
                        "fewer iterations. 0: each step follows the force alone, as in the paper.")));
    visit(match,
          advanced(choiceOption("match", "Intensities", {"auto", "histogram", "linear", "off"},
                                "How the moving image's intensities are matched to the fixed image's: by "
                                "histogram, by mean and standard deviation, or not at all. auto: by "
                                "histogram for l2, by mean and standard deviation for the others.")));
    visit(biasField, choiceOption("bias-field", "Bias field", {"none", "fit", "n4"},
                                  "How the bias fields of the images are equalized: not at all, by their "
                                  "smooth ratio (same contrast only), or by N4 in each image."));
    visit(force, advanced(choiceOption(
                     "force", "Force", {"descent", "paper"},
                     "descent lowers the energy whatever the deformation; paper leaves out a factor and "
                     "stalls where it is large.")));
    visit(gradient,
          advanced(choiceOption("gradient", "Image gradient", {"central", "exact"},
                                "central spreads less on noise; exact is the derivative of the interpolated "
                                "moving image and fits closest.")));
    visit(fieldConvention,
          advanced(choiceOption("field-convention", "Field convention", {"itk", "slicer"},
                                "How the displacement is written: itk (also ANTs) in LPS, slicer in RAS.")));
  }
};

/// The kind of pre-alignment that is sought, and its similarity measure.
struct LinearOptions {
  LinearOptions(LinearAlignment asked, LinearSimilarity by = LinearSimilarity::mi)
      : kind(asked), similarity(by) {}
  LinearAlignment kind;
  LinearSimilarity similarity;
  friend auto operator<=>(const LinearOptions&, const LinearOptions&) = default;
};

/// Where the images of a pre-alignment are compared: each mask is on the grid of its image; null: everywhere.
struct LinearMasks {
  LinearMasks(const Mask* reference, const Mask* templateImage = nullptr)
      : ofReference(reference), ofTemplate(templateImage) {}
  const Mask *ofReference, *ofTemplate;
};

/// Finds the linear map that aligns two images. It maps a point of the reference to a point of the template,
/// both in mm, RAS+. Each image has one volume. The search starts at `initial`, or without it at the centers
/// of mass. The result does not depend on the number of threads. Throws Error if there is nothing to align,
/// and Cancelled.
using AlignLinearly = Affine(const Series<float>& templateImage, const Series<float>& reference,
                             const LinearMasks& masks, const LinearOptions& options,
                             const std::optional<Affine>& initial, const Progress& progress);

/// Finds the bias field of an image of one volume: positive values on its grid, by which the image is
/// multiplied. Only voxels of `mask`, on the same grid, count; it may be null. Throws Error if there is
/// nothing to estimate it from, and Cancelled.
using FindBiasField = Volume<float>(const Series<float>& image, const Mask* mask, const Progress& progress);

/// A point with known positions in both images, mm, RAS+.
struct Landmark {
  std::string name;
  Vec3<double> ofTemplate, ofReference;
};

/// Two more images of the same kind, one from each side, such as the T2 images in addition to T1. They are
/// shared and never modified; each has one volume.
struct RegistrationChannel {
  std::shared_ptr<const Series<float>> templateImage, reference;
};

/// The images to be registered: the template is deformed onto the reference. They are shared and never
/// modified.
struct RegistrationInput {
  std::shared_ptr<const Series<float>> templateImage;  ///< one volume
  std::shared_ptr<const Series<float>> reference;      ///< one volume; the result lies on its grid
  /// The start of the pre-alignment, or its replacement with LinearAlignment::none or without
  /// `alignLinearly`; by default given by the positions in the headers. Maps points of the reference to
  /// points of the template, mm, RAS+.
  std::optional<Affine> initial;
  /// The voxels of the reference in which the images are compared; null for all.
  std::shared_ptr<const Mask> mask;
  /// Called on the working thread a few times a second; may be empty.
  std::function<void(const struct RegistrationPreview&)> preview;
  /// Finds the pre-alignment requested by the options; may be empty.
  std::function<AlignLinearly> alignLinearly = {};
  /// Finds the bias field of either image for BiasField::n4; may be empty.
  std::function<FindBiasField> findBiasField = {};
  /// Points that the displacement should align, see RegistrationOptions::landmarkWeight.
  std::vector<Landmark> landmarks = {};
  /// Further channels, to be aligned by the same displacement. Their positions are those in their headers,
  /// relative to the first template and the first reference; the pre-alignment uses the first ones only.
  std::vector<RegistrationChannel> further = {};
  /// Weight of each voxel in the similarity, relative to the largest: on the reference's grid, nonnegative;
  /// null: all are equal.
  std::shared_ptr<const Volume<float>> weights = {};
  /// The voxels of the template that are compared, on its grid; null for all. They move with the template.
  std::shared_ptr<const Mask> templateMask = {};
  /// The start of the flow: a displacement as in RegistrationResult, on any grid; null: start at the
  /// pre-alignment. It includes the linear map, which must then be given by `initial`, with
  /// LinearAlignment::none. Cannot be combined with RegistrationOptions::symmetric.
  std::shared_ptr<const Series<float>> start = {};
};

/// One iteration. Energies are means over the voxels of the level, of intensities divided by the result's
/// `scale`; with several channels, each by its own scale.
struct RegistrationIteration {
  int level = 0;          ///< 0 is the coarsest
  int iteration = 0;      ///< counts from 1 in each level; 0 is the state before the first iteration
  double similarity = 0;  ///< measure: RegistrationResult::similarity
  double bias = 0;        ///< (J − 1) log J + μ/2 |∂u|²
  double energy = 0;      ///< similarity + λ bias + landmarks
  double smallestJ = 1;
  double step = 0;       ///< largest motion of a voxel, in voxels of the level
  int retries = 0;       ///< how often the step was halved
  int held = 0;          ///< how often velocities were held back around voxels that would have vanished
  double landmarks = 0;  ///< the weighted energy of the landmarks
};

/// The state of a run, on the grid of the level it is in.
struct RegistrationPreview {
  Series<float> displacement;  ///< as in RegistrationResult; if `halfway`, from the middle to the template
  Volume<float> warped;        ///< as in RegistrationResult
  Volume<float> logJacobian;   ///< as in RegistrationResult
  std::int64_t foldedCells = 0;
  const std::vector<RegistrationIteration>& iterations;
  bool halfway = false;  ///< with RegistrationOptions::symmetric: the template on its way to the middle
};

/// How well the template matches the reference (of the first channel), in the mask or else where the
/// reference is above its mean.
struct RegistrationFit {
  double correlation = std::numeric_limits<double>::quiet_NaN();  ///< NaN if one of them is constant
  double nmse = std::numeric_limits<double>::quiet_NaN();  ///< Σ (T − R)² / Σ (R − mean R)², intensities as
                                                           ///< matched; NaN if the reference is constant
};

/// Distances between a landmark's point in the reference, as mapped, and its point in the template, mm.
struct LandmarkDistance {
  std::string name;
  double before = 0;  ///< by the positions in the headers
  double linearlyAligned = 0, deformed = 0;
  Vec3<double> reference{};  ///< its point in the reference, mm RAS+
  Vec3<double> moved{};      ///< where the inverse maps its point in the template: near `reference`
};

struct RegistrationResult {
  /// 3 volumes on the reference's grid, mm, RAS+: the template's point for x is x + displacement(x),
  /// including the pre-alignment.
  Series<float> displacement;
  Volume<float> warped;   ///< the template on the reference's grid, in its own intensities
  Volume<float> aligned;  ///< the same, under the pre-alignment alone
  /// The logarithm of the volume ratio J of the nonlinear part; positive where the template is shrunk onto
  /// the reference.
  Volume<float> logJacobian;
  /// 3 volumes on the template's grid, mm, RAS+: the reference's point for z is z + inverse(z).
  Series<float> inverse;
  /// The reference on the template's grid, under the inverse; empty unless RegistrationOptions::symmetric.
  Volume<float> warpedReference;
  Volume<float> inverseResidual;  ///< distance by which the solution misses z, in voxels of the reference
  Affine templateFromReference;   ///< the pre-alignment
  /// The factor applied to the pre-aligned template; empty with BiasField::none.
  Volume<float> biasField;

  Similarity similarity = Similarity::l2;  ///< the one that was used
  /// The local correlation of each window for `similarity` lcc, 0…1; else empty.
  Volume<float> localCorrelation;

  std::vector<RegistrationIteration> iterations;
  double scale = 1;              ///< the intensities were divided by this
  double smallestJ = 1;          ///< by central differences; always above 0
  double smallestCornerJ = 1;    ///< by one-sided differences, over the corners of all cells
  std::int64_t foldedCells = 0;  ///< number of cells in which J ≤ 0 at a corner
  Mask folds;                    ///< the voxels of these cells; empty if there are none
  double meanLogJ = 0, sdLogJ = 0;
  double largestDisplacement = 0;     ///< of the nonlinear part, mm
  double largestInverseResidual = 0;  ///< voxels
  RegistrationFit before, after;      ///< under the pre-alignment alone, and with the displacement
  std::vector<LandmarkDistance> landmarks;
  std::int64_t retries = 0;  ///< how often a step was halved, over all iterations
  Notes notes;
  std::vector<StageTime> stages;
};

/// A function that registers two images. It throws Error for invalid input before doing any work, and
/// Cancelled.
using Register = RegistrationResult(const RegistrationInput&, const RegistrationOptions&, const Progress&);

/// Registers on the CPU, on all threads of the withThreads() scope.
Register registerImages;

}  // namespace sulcus::registration
