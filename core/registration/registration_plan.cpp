#include "core/registration/registration_plan.h"

#include "core/base/error.h"
#include "core/base/printable.h"
#include "core/base/sentence.h"
#include "core/base/stage_clock.h"
#include "core/image/value_check.h"
#include "core/registration/bias_field.h"
#include "core/registration/fit.h"
#include "core/registration/gaussian.h"
#include "core/registration/intensity.h"
#include "core/registration/local_correlation.h"
#include "core/registration/pyramid.h"
#include "core/registration/resample.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace sulcus::registration {
namespace {

constexpr double kPercentile = 0.98;
constexpr double kSmallestDeterminant = 1e-9;  // of a map that flattens nothing
constexpr int kSmallestExtent = 4;  // voxels of an axis, of which those at its two ends cannot move

int flatAxes(const Vec3<int>& size) { return (size.x == 1) + (size.y == 1) + (size.z == 1); }

void checkImage(const Series<float>* image, const char* name) {
  if (!image)
    throw Error(text("No ", name, " was given"), "a registration deforms a template onto a reference",
                text("give --", name));
  if (image->count != 1)
    throw Error(text("The ", name, " has ", image->count, " volumes"), "one volume is registered onto one",
                "give a single volume of it");
  if (image->grid.voxels() == 0)
    throw Error(text("The ", name, " has no voxels"), "there is nothing to register", "give another image");
  requireSound(image->values, text("The ", name), "interpolation would spread them",
               "replace them, for example by 0");
  const ValueCheck values = checkValues(image->values);
  if (values.constant())
    throw Error(text("The ", name, " is constant (", values.low, " everywhere)"),
                "nothing in it can be aligned", "give an image of something");
  if (!(std::abs(image->grid.worldFromVoxel.determinant()) > 0))
    throw Error(text("The ", name, " has voxels without volume"), "its place in space is unknown",
                "correct its header");
}

void checkInput(const RegistrationInput& input) {
  checkImage(input.templateImage.get(), "template");
  checkImage(input.reference.get(), "reference");
  const int templateFlat = flatAxes(input.templateImage->grid.size),
            referenceFlat = flatAxes(input.reference->grid.size);
  if (templateFlat != referenceFlat)
    throw Error(text("The template has ", 3 - templateFlat, " dimensions, the reference ", 3 - referenceFlat),
                "a plane cannot be deformed onto a volume", "give two planes or two volumes");
  for (int i = 0; i < 3; ++i) {
    const int n = input.reference->grid.size[i];
    if (n > 1 && n < kSmallestExtent)
      throw Error(text("The reference has ", n, " voxels along one axis"),
                  "those at both ends stay where they are, which leaves none to move",
                  text("give at least ", kSmallestExtent, ", or a single plane"));
  }
  if (input.mask && !sameGrid(input.mask->grid, input.reference->grid))
    throw Error(text("The mask has ", describeGrid(input.mask->grid), ", the reference ",
                     describeGrid(input.reference->grid)),
                "it says which voxels of the reference count", "give a mask on the reference's grid");
  if (input.initial && !(std::abs(input.initial->determinant()) > kSmallestDeterminant))
    throw Error("The initial transform is singular", "it flattens the image", "give another one, or none");
  checkLandmarks(input.landmarks, input.templateImage->grid, input.reference->grid);
}

Affine prealigned(const RegistrationInput& input, Prealignment kind, const Progress& progress) {
  const Affine map = kind == Prealignment::none || !input.prealign
                         ? input.initial.value_or(Affine{})
                         : input.prealign(*input.templateImage, *input.reference, input.mask.get(), kind,
                                          input.initial, progress);
  if (!(std::abs(map.determinant()) > kSmallestDeterminant))
    throw Error("The pre-alignment is singular", "it flattens the image",
                "try --affine rigid or none, or a mask of the part to be aligned");
  return map;
}

/// The template on the reference's grid, continued by its border values. A template of finer voxels is
/// smoothed before.
Volume<float> aligned(const RegistrationInput& input, const Affine& templateFromReference, Mask& covered,
                      const Progress& progress) {
  const Series<float>& image = *input.templateImage;
  const Grid& grid = input.reference->grid;
  const double referenceVoxel =
      std::cbrt(std::abs((templateFromReference * grid.worldFromVoxel).determinant()));
  const Vec3<double> spacing = image.grid.spacing();
  Vec3<double> sigma;
  for (int i = 0; i < 3; ++i)
    sigma[i] = referenceVoxel > 1.5 * spacing[i] ? 0.5 * referenceVoxel / spacing[i] : 0;
  if (sigma == Vec3<double>{})
    return resampled(image.grid, image.volume(0), grid, templateFromReference, Interpolation::linear, {},
                     &covered, progress);
  const auto soft = smoothed(image.values, image.grid.size, sigma, progress);
  return resampled(image.grid, {soft.data(), image.grid.size}, grid, templateFromReference,
                   Interpolation::linear, {}, &covered, progress);
}

/// The mask of the voxels in which the images are compared.
std::vector<std::uint8_t> comparedVoxels(const RegistrationInput& input, const Mask& covered) {
  const auto any = [](const std::vector<std::uint8_t>& m) {
    return std::any_of(m.begin(), m.end(), [](auto v) { return v != 0; });
  };
  std::vector<std::uint8_t> compared = covered.values;
  if (!any(compared))
    throw Error("Template and reference do not overlap", "no voxel can be compared",
                "check the positions in both headers, or let the program pre-align them");
  if (input.mask) {
    for (std::size_t i = 0; i < compared.size(); ++i) compared[i] = compared[i] && input.mask->values[i];
    if (!any(compared))
      throw Error("The mask leaves no voxel where template and reference overlap", "nothing can be compared",
                  "give a mask of the part to be aligned, or none");
  }
  return compared;
}

void checkContrast(const std::vector<float>& values, const std::vector<std::uint8_t>& compared,
                   const char* name) {
  float low = std::numeric_limits<float>::infinity(), high = -low;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (compared[i]) low = std::min(low, values[i]), high = std::max(high, values[i]);
  if (!(low < high))
    throw Error(text("The ", name, " is constant (", low, ") where the images are compared"),
                "nothing in it can be aligned", "check the overlap and the mask");
}

/// The range of an image's intensities: from its darkest voxel to the percentile of its foreground.
struct Brightness {
  float lowest = 0;
  double scale = 1;
  /// An intensity in units of the range.
  float of(float value) const { return float(1 / scale) * (value - lowest); }
};

Brightness brightnessOf(const std::vector<float>& values, const std::vector<std::uint8_t>& compared) {
  Brightness result{std::numeric_limits<float>::infinity(), 1};
  for (std::size_t i = 0; i < values.size(); ++i)
    if (compared[i]) result.lowest = std::min(result.lowest, values[i]);
  const double threshold = foregroundThreshold(values, compared);
  result.scale = foregroundQuantile(values, compared, threshold, kPercentile) - result.lowest;
  return result;
}

/// What the template is multiplied by, see RegistrationResult::biasField.
Volume<float> biasFieldBetween(const RegistrationInput& input, BiasField kind, IntensityMatch match,
                               const std::vector<float>& moving, const std::vector<std::uint8_t>& compared,
                               const RegistrationPlan& plan, const Progress& progress) {
  const Series<float>& reference = *input.reference;
  if (kind == BiasField::fit)
    return fittedBiasField(moving, reference.values, compared, reference.grid, match, progress);
  if (!input.findBiasField)
    throw Error("There is no N4 to find the bias field by",
                "it comes with ITK, which this program was built without", "use --bias-field fit or none",
                ErrorKind::unavailable);
  const auto ofTemplate =
      input.findBiasField(*input.templateImage, nullptr, progress.part(0, 0.5, "Bias field"));
  const auto ofReference =
      input.findBiasField(reference, input.mask.get(), progress.part(0.5, 1, "Bias field"));
  return biasFieldRatio(ofTemplate, ofReference, plan.templateFromReference, plan.region, progress);
}

/// The levels of the pyramid, coarsest first. Images and mask have one value per voxel of `grid`;
/// `iterations` are those of each level, coarsest first. There are fewer levels when the grid cannot be
/// halved as often. `keepReference` says whether to fill PlannedLevel::wholeReference.
std::vector<PlannedLevel> levelsOf(const Grid& grid, std::vector<float> moving, std::vector<float> reference,
                                   std::vector<std::uint8_t> compared, const std::vector<int>& iterations,
                                   bool keepReference, const Progress& progress) {
  std::vector<PlannedLevel> levels;
  Grid at = grid;
  for (std::size_t l = iterations.size(); l-- > 0;) {
    levels.push_back({at, {at.size, at.spacing(), moving, reference}, iterations[l]});
    if (keepReference) levels.back().wholeReference = reference;
    for (std::size_t i = 0; i < compared.size(); ++i)
      if (!compared[i]) levels.back().images.reference[i] = std::numeric_limits<float>::quiet_NaN();
    if (l == 0) break;
    const Grid next = coarser(at);
    if (next.size == at.size) break;
    const std::vector<std::uint8_t> everywhere(moving.size(), 1);
    moving = coarsened(moving, everywhere, at, next, progress);
    reference = coarsened(reference, keepReference ? everywhere : compared, at, next, progress);
    compared = coarsened(compared, at, next), at = next;
  }
  std::reverse(levels.begin(), levels.end());
  return levels;
}

/// The similarity that suits images, see planRegistration().
///
/// @param correlation  of the pre-aligned images, in the region
/// @param textured     texturedShare() of the region
Similarity similarityFor(double correlation, double textured, std::vector<std::string>& notes) {
  constexpr double alike = 0.2;
  constexpr double shape = 0.7;  // letters and balls have about 0.6, brains 0.8 to 1
  const double shown = std::round(100 * correlation) / 100;
  if (correlation < alike) {
    notes.push_back(text("Compared by mutual information: pre-aligned, the images correlate by ", shown,
                         " only, so their contrasts differ."));
    return Similarity::mi;
  }
  if (textured < shape) {
    notes.push_back(text("Compared by squared differences: ", std::lround(100 * (1 - textured)),
                         " % of the reference is flat, as in a drawn shape."));
    return Similarity::l2;
  }
  notes.push_back(text("Compared by local correlation: pre-aligned, the images correlate by ", shown, "."));
  return Similarity::lcc;
}

IntensityMatch matchFor(IntensityMatch asked, Similarity similarity) {
  if (asked != IntensityMatch::automatic) return asked;
  return similarity == Similarity::l2 ? IntensityMatch::histogram : IntensityMatch::linear;
}

}  // namespace

std::vector<int> iterationsPerLevel(const std::string& given, int levels) {
  std::vector<int> numbers;
  const char *at = given.data(), *const end = at + given.size();
  bool good = !given.empty();
  while (good && at <= end) {
    int n = 0;
    const auto [next, error] = std::from_chars(at, end, n);
    good = error == std::errc() && n >= 0 && n <= 100000 && (next == end || *next == '/');
    numbers.push_back(n), at = next + 1;
  }
  if (!good)
    throw Error(text("The iterations '", printable(given, 60), "' are not understood"),
                "each level needs a number of them",
                "write whole numbers parted by '/', coarsest level first, for example 100/100/60",
                ErrorKind::usage);
  while (int(numbers.size()) < levels) numbers.insert(numbers.begin(), numbers.front());
  numbers.erase(numbers.begin(), numbers.end() - levels);
  return numbers;
}

void addLandmarks(RegistrationPlan& plan, const std::vector<PlacedLandmark>& landmarks, double unit) {
  for (PlannedLevel& level : plan.levels) {
    level.landmarks = landmarksOf(landmarks, level.grid, &PlacedLandmark::ofTemplate, unit);
    level.referenceLandmarks = landmarksOf(landmarks, level.grid, &PlacedLandmark::ofReference, unit);
  }
}

RegistrationPlan planRegistration(const RegistrationInput& input, const RegistrationOptions& options,
                                  const Progress& progress, PlanUse use) {
  checkInput(input);
  const auto iterations =
      iterationsPerLevel(options.iterations, use == PlanUse::results ? 1 : options.levels);
  const Grid& grid = input.reference->grid;

  RegistrationPlan plan;
  StageClock clock;
  plan.templateFromReference = prealigned(input, options.affine, progress.part(0, 0.6, kPrealignmentStage));
  clock.finish(kPrealignmentStage);
  Mask covered;
  Volume<float> moving =
      aligned(input, plan.templateFromReference, covered, progress.part(0.6, 0.7, "Preparation"));
  std::vector<float> reference = input.reference->values;
  const auto compared = comparedVoxels(input, covered);
  checkContrast(moving.values, compared, "template");
  checkContrast(reference, compared, "reference");

  const double threshold = foregroundThreshold(reference, compared);
  plan.region = compared;
  if (!input.mask)
    for (std::size_t i = 0; i < compared.size(); ++i)
      plan.region[i] = compared[i] && reference[i] > threshold;

  const Brightness ofReference = brightnessOf(reference, compared);
  plan.scale = ofReference.scale;

  plan.window = options.window, plan.symmetric = options.symmetric, plan.similarity = options.similarity;
  if (options.similarity == Similarity::automatic) {
    LevelImages<float> scaled{grid.size, grid.spacing(), {}, reference};
    for (std::size_t i = 0; i < reference.size(); ++i)
      scaled.reference[i] =
          compared[i] ? ofReference.of(reference[i]) : std::numeric_limits<float>::quiet_NaN();
    plan.similarity = similarityFor(fitOf(moving.values, reference, plan.region).correlation,
                                    texturedShare(scaled, RegistrationOptions{}.window, plan.region,
                                                  progress.part(0.7, 0.7, "Preparation")),
                                    plan.notes);
  }
  // In symmetric registration each image is taken by its own brightness, unless a match is asked for.
  const bool own = options.symmetric && options.match == IntensityMatch::automatic;
  const IntensityMatch match = own ? IntensityMatch::off : matchFor(options.match, plan.similarity);
  if (options.biasField != BiasField::none) {
    clock.finish("Preparation");
    plan.biasField = biasFieldBetween(input, options.biasField, match, moving.values, compared, plan,
                                      progress.part(0.7, 0.8, "Bias field"));
    for (std::size_t i = 0; i < reference.size(); ++i) moving.values[i] *= plan.biasField.values[i];
    plan.notes.push_back(describeBiasField(plan.biasField, plan.region));
    clock.finish("Bias field");
  }
  matchIntensities(moving.values, reference, compared, match);
  const Brightness ofMoving = own ? brightnessOf(moving.values, compared) : ofReference;
  for (std::size_t i = 0; i < reference.size(); ++i) {
    reference[i] = ofReference.of(reference[i]);
    moving.values[i] = ofMoving.of(moving.values[i]);
  }
  plan.levels = levelsOf(grid, std::move(moving.values), std::move(reference), compared, iterations,
                         options.symmetric && use == PlanUse::flow, progress.part(0.8, 1, "Preparation"));
  addLandmarks(plan, placed(input.landmarks, plan.templateFromReference, {}, false), finestSpacing(grid));
  const auto uncovered = std::count(covered.values.begin(), covered.values.end(), 0);
  if (uncovered > 0)
    plan.notes.push_back(text(std::lround(1000.0 * double(uncovered) / double(grid.voxels())) / 10.0,
                              " % of the reference lies outside the template's image and is not compared."));
  clock.finish("Preparation");
  plan.stages = clock.stages();
  return plan;
}

}  // namespace sulcus::registration
