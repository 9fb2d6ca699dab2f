#include "core/registration/registration_plan.h"

#include "core/base/error.h"
#include "core/base/printable.h"
#include "core/base/sentence.h"
#include "core/image/value_check.h"
#include "core/registration/gaussian.h"
#include "core/registration/intensity.h"
#include "core/registration/pyramid.h"
#include "core/registration/resample.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <limits>

namespace sulcus {
namespace {

using Clock = std::chrono::steady_clock;
constexpr double kReferencePercentile = 0.98;
constexpr int kThinnest = 4;  // voxels that an axis needs for at least two of them to move

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
    if (n > 1 && n < kThinnest)
      throw Error(text("The reference has ", n, " voxels along one axis"),
                  "those at both ends stay where they are, which leaves none to move",
                  text("give at least ", kThinnest, ", or a single plane"));
  }
  if (input.mask && !sameGrid(input.mask->grid, input.reference->grid))
    throw Error(text("The mask has ", describeGrid(input.mask->grid), ", the reference ",
                     describeGrid(input.reference->grid)),
                "it says which voxels of the reference count", "give a mask on the reference's grid");
}

Affine prealigned(const RegistrationInput& input, Prealignment kind, const Progress& progress) {
  const Affine map =
      kind == Prealignment::none || !input.prealign
          ? input.templateFromReference
          : input.prealign(*input.templateImage, *input.reference, input.mask.get(), kind, progress);
  if (!(std::abs(map.determinant()) > 1e-9))
    throw Error("The pre-alignment is singular", "it flattens the image",
                "try --affine rigid or none, or a mask of the part to be aligned");
  return map;
}

/// The template on the reference's grid, its edge continued outside its image, smoothed before where its
/// voxels are finer.
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

/// The voxels where the images are compared.
std::vector<std::uint8_t> compared(const RegistrationInput& input, const Mask& covered) {
  const auto any = [](const std::vector<std::uint8_t>& m) {
    return std::any_of(m.begin(), m.end(), [](auto v) { return v != 0; });
  };
  std::vector<std::uint8_t> counts = covered.values;
  if (!any(counts))
    throw Error("Template and reference do not overlap", "no voxel can be compared",
                "check the positions in both headers, or let the program pre-align them");
  if (input.mask) {
    for (std::size_t i = 0; i < counts.size(); ++i) counts[i] = counts[i] && input.mask->values[i];
    if (!any(counts))
      throw Error("The mask leaves no voxel where template and reference overlap", "nothing can be compared",
                  "give a mask of the part to be aligned, or none");
  }
  return counts;
}

void checkContrast(const std::vector<float>& values, const std::vector<std::uint8_t>& counts,
                   const char* name) {
  float low = std::numeric_limits<float>::infinity(), high = -low;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (counts[i]) low = std::min(low, values[i]), high = std::max(high, values[i]);
  if (!(low < high))
    throw Error(text("The ", name, " is constant (", low, ") where the images are compared"),
                "nothing in it can be aligned", "check the overlap and the mask");
}

/// The pyramid from fine to coarse, then turned round.
std::vector<PlannedLevel> levelsOf(const Grid& grid, std::vector<float> moving, std::vector<float> reference,
                                   std::vector<std::uint8_t> counts, const std::vector<int>& iterations,
                                   const Progress& progress) {
  std::vector<PlannedLevel> levels;
  Grid at = grid;
  for (std::size_t l = iterations.size(); l-- > 0;) {
    levels.push_back({at, {at.size, at.spacing(), moving, reference}, iterations[l]});
    for (std::size_t i = 0; i < counts.size(); ++i)
      if (!counts[i]) levels.back().images.reference[i] = std::numeric_limits<float>::quiet_NaN();
    if (l == 0) break;
    const Grid next = coarser(at);
    if (next.size == at.size) break;
    moving = coarsened(moving, std::vector<std::uint8_t>(moving.size(), 1), at, next, progress);
    reference = coarsened(reference, counts, at, next, progress);
    counts = coarsened(counts, at, next), at = next;
  }
  std::reverse(levels.begin(), levels.end());
  return levels;
}

}  // namespace

std::vector<int> iterationsOf(const std::string& given, int levels) {
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

RegistrationPlan planRegistration(const RegistrationInput& input, const RegistrationOptions& options,
                                  const Progress& progress) {
  checkInput(input);
  const auto iterations = iterationsOf(options.iterations, options.levels);
  const Grid& grid = input.reference->grid;

  RegistrationPlan plan;
  auto begin = Clock::now();
  const auto finish = [&](const char* stage) {
    const auto now = Clock::now();
    plan.stages.push_back({stage, std::chrono::duration<double>(now - begin).count()});
    begin = now;
  };
  plan.templateFromReference = prealigned(input, options.affine, progress.part(0, 0.7, kPrealignmentStage));
  finish(kPrealignmentStage);
  Mask covered;
  Volume<float> moving =
      aligned(input, plan.templateFromReference, covered, progress.part(0.7, 0.8, "Preparation"));
  std::vector<float> reference = input.reference->values;
  const auto counts = compared(input, covered);
  checkContrast(moving.values, counts, "template");
  checkContrast(reference, counts, "reference");

  const double threshold = foregroundThreshold(reference, counts);
  plan.region = counts;
  if (!input.mask)
    for (std::size_t i = 0; i < counts.size(); ++i) plan.region[i] = counts[i] && reference[i] > threshold;

  matchIntensities(moving.values, reference, counts, options.match);
  float lowest = std::numeric_limits<float>::infinity();
  for (std::size_t i = 0; i < reference.size(); ++i)
    if (counts[i]) lowest = std::min(lowest, reference[i]);
  plan.scale = foregroundQuantile(reference, counts, threshold, kReferencePercentile) - lowest;
  const auto unit = float(1 / plan.scale);
  for (std::size_t i = 0; i < reference.size(); ++i) {
    reference[i] = unit * (reference[i] - lowest);
    moving.values[i] = unit * (moving.values[i] - lowest);
  }
  plan.levels = levelsOf(grid, std::move(moving.values), std::move(reference), counts, iterations,
                         progress.part(0.8, 1, "Preparation"));
  if (int(plan.levels.size()) < options.levels)
    plan.notes.push_back(
        text(plan.levels.size(), " levels instead of ", options.levels, ": the image is small."));
  const auto uncovered = std::count(covered.values.begin(), covered.values.end(), 0);
  if (uncovered > 0)
    plan.notes.push_back(text(std::lround(1000.0 * double(uncovered) / double(grid.voxels())) / 10.0,
                              " % of the reference lies outside the template's image and is not compared."));
  finish("Preparation");
  return plan;
}

MemoryNeed registrationMemory(const RegistrationInput& input) {
  if (!input.reference || !input.templateImage) return {};
  // A voxel: images of all levels 9.2, texels 16, u, its trial, force and velocity 48; then results 28.
  const double reference = double(input.reference->grid.voxels()),
               moving = double(input.templateImage->grid.voxels());
  const Vec3<int> size = input.reference->grid.size;
  const double padded = (size.x + 9.0) * (size.y + 2.0) * (size.z + 2.0);  // as VectorField, at most
  return {74 * reference + 16 * moving, 48 * padded + 20 * reference + 1e6};
}

}  // namespace sulcus
