#include "core/registration/registration_plan.h"

#include "core/base/error.h"
#include "core/base/parallel/parallel_for.h"
#include "core/base/sanitized.h"
#include "core/base/sentence.h"
#include "core/base/stage_clock.h"
#include "core/image/grids/value_check.h"
#include "core/registration/deformation/pyramid.h"
#include "core/registration/preparation/bias_field.h"
#include "core/registration/preparation/intensity.h"
#include "core/registration/preparation/noise.h"
#include "core/registration/preparation/resample.h"
#include "core/registration/preparation/template_mask.h"
#include "core/registration/results/overlap_metrics.h"
#include "core/registration/similarity/channel.h"
#include "core/registration/similarity/local_correlation.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>

namespace sulcus::registration {
namespace {

constexpr double kTextureReach = 4 / 45.;      // of the windows that detect texture, in radii of the object
constexpr double kSmallestDeterminant = 1e-9;  // of a map that is not degenerate
constexpr double kLargestStretch = 1e4;        // of a map between two images

const std::vector<std::uint8_t> kEverywhere;  // empty mask for a Coarsen

/// Whether a map or its inverse stretches more than two images of the same object can differ.
bool stretchesTooMuch(const Affine& map) {
  const auto isLarge = [](const Affine& some) {
    return std::ranges::any_of(some.m, [](const auto& row) {
      return std::ranges::any_of(row, [](double a) { return !(std::abs(a) <= kLargestStretch); });
    });
  };
  return isLarge(map) || isLarge(map.inverse());
}

void checkInput(const RegistrationInput& input) {
  checkChannels(channelsOf(input));
  if (input.mask && !sameGrid(input.mask->grid, input.reference->grid))
    throw Error(text("The mask has ", describeGrid(input.mask->grid), ", the reference ",
                     describeGrid(input.reference->grid)),
                "it says which voxels of the reference count", "give a mask on the reference's grid");
  if (input.templateMask) {
    if (!sameGrid(input.templateMask->grid, input.templateImage->grid))
      throw Error(text("The template's mask has ", describeGrid(input.templateMask->grid), ", the template ",
                       describeGrid(input.templateImage->grid)),
                  "it says which voxels of the template count", "give a mask on the template's grid");
    if (std::ranges::count(input.templateMask->values, 0) == input.templateMask->grid.voxels())
      throw Error("The template's mask is empty", "no voxel of the template would be compared",
                  "give a mask that is not 0 in the part that counts");
  }
  if (input.weights) {
    if (!sameGrid(input.weights->grid, input.reference->grid))
      throw Error(text("The weights have ", describeGrid(input.weights->grid), ", the reference ",
                       describeGrid(input.reference->grid)),
                  "they say how much the voxels of the reference count",
                  "give weights on the reference's grid");
    requireSound(input.weights->values, "The image of weights", "nothing can be counted by them",
                 "replace them, for example by 0");
    if (checkValues(input.weights->values).low < 0)
      throw Error("The weights hold numbers below 0", "a weight cannot be negative",
                  "give numbers of 0 or more");
  }
  if (input.initial && !(std::abs(input.initial->determinant()) > kSmallestDeterminant))
    throw Error("The initial transform is singular", "it flattens the image", "give another one, or none");
  if (input.initial && stretchesTooMuch(*input.initial))
    throw Error(text("The initial transform stretches the image more than ", kLargestStretch, " times"),
                "two images of one object do not differ that much", "give another one, or none");
  if (input.start) requireField(*input.start);
  checkLandmarks(input.landmarks, input.templateImage->grid, input.reference->grid);
}

Affine linearlyAligned(const RegistrationInput& input, const LinearOptions& options,
                       const Progress& progress) {
  const Affine map = options.kind == LinearAlignment::none || !input.alignLinearly
                         ? input.initial.value_or(Affine{})
                         : input.alignLinearly(*input.templateImage, *input.reference,
                                               {input.mask.get(), input.templateMask.get()}, options,
                                               input.initial, progress);
  if (!(std::abs(map.determinant()) > kSmallestDeterminant))
    throw Error("The pre-alignment is singular", "it flattens the image",
                "try {affine} rigid or none, or a mask of the part to be aligned"_message);
  return map;
}

/// The weight of each voxel of the finest level, 0…1; empty without weights.
///
/// @throws Error  if all compared voxels have weight 0
std::vector<float> weightShares(const RegistrationInput& input, const ChannelImages& channel) {
  if (!input.weights) return {};
  std::vector<float> shares = input.weights->values;
  float largest = 0;
  for (std::size_t i = 0; i < shares.size(); ++i)
    if (channel.compared[i]) largest = std::max(largest, shares[i]);
  if (!(largest > 0))
    throw Error("The weights are 0 wherever the images are compared", "nothing would count",
                "give weights above 0 in the part to be aligned, or none");
  // Voxels beyond are not compared in this channel, but may be in another.
  for (float& share : shares) share = std::min(share / largest, 1.f);
  return shares;
}

/// Divides the images of a level by a factor that reduces their noise, if stronger, to what local correlation
/// treats as noise. Local correlation does not depend on the unit of the images, except through ε.
///
/// @param whole  the reference, including where it is not compared; may be null
void quieten(LevelImages<float>& images, const std::vector<std::uint8_t>& compared,
             std::vector<float>* whole) {
  const double usual = std::sqrt(kNoiseVariance / 10);  // a window of such noise has g² below 0.01
  double noise = 0;
  for (const auto* image : {&images.moving, &images.reference}) {
    const double dark = foregroundThreshold(*image, compared);
    std::vector<std::uint8_t> counts(compared.size());
    forEachVoxel(counts.size(), [&](std::size_t i) { counts[i] = compared[i] && (*image)[i] > dark; });
    noise = std::max(noise, noiseOf(*image, counts, images.size));
  }
  if (!(noise > usual)) return;
  const auto factor = float(usual / noise);
  forEachVoxel(images.moving.size(), [&](std::size_t i) {
    images.moving[i] *= factor;
    images.reference[i] *= factor;
    if (whole) (*whole)[i] *= factor;
  });
}

/// What a level of the pyramid is made from.
struct LevelSource {
  Grid grid;
  std::vector<ChannelImages> channels;  ///< on `grid`
  std::vector<float> weights;           ///< empty without
  std::vector<std::uint8_t> kept;       ///< PlannedLevel::templateVoxels
};

struct PyramidRules {
  Similarity similarity;
  bool keepReference;  ///< whether to fill PlannedLevel::wholeReferences
  Coarsen& coarsened;
};

LevelSource coarserSource(const LevelSource& fine, const Grid& grid, const PyramidRules& rules,
                          const Progress& progress) {
  LevelSource coarse{grid, std::vector<ChannelImages>(fine.channels.size()), {}, {}};
  for (std::size_t c = 0; c < fine.channels.size(); ++c) {
    const ChannelImages& from = fine.channels[c];
    ChannelImages& to = coarse.channels[c];
    parallelInvoke({[&] { to.moving = rules.coarsened(from.moving, fine.kept, fine.grid, grid, progress); },
                    [&] {
                      to.reference =
                          rules.coarsened(from.reference, rules.keepReference ? kEverywhere : from.compared,
                                          fine.grid, grid, progress);
                    },
                    [&] { to.compared = coarsened(from.compared, fine.grid, grid); }},
                   progress);
  }
  if (!fine.weights.empty())
    coarse.weights = rules.coarsened(fine.weights, kEverywhere, fine.grid, grid, progress);
  if (!fine.kept.empty()) coarse.kept = coarsened(fine.kept, fine.grid, grid);
  return coarse;
}

PlannedLevel levelOf(LevelSource source, const PyramidRules& rules) {
  PlannedLevel level;
  level.grid = source.grid;
  for (ChannelImages& channel : source.channels) {
    if (rules.keepReference) level.wholeReferences.push_back(channel.reference);
    LevelImages<float>& images = level.input.channels.emplace_back(LevelImages<float>{
        source.grid.size, source.grid.spacing(), std::move(channel.moving), std::move(channel.reference)});
    if (rules.similarity == Similarity::lcc)
      quieten(images, channel.compared, rules.keepReference ? &level.wholeReferences.back() : nullptr);
    forEachVoxel(channel.compared.size(), [&](std::size_t i) {
      if (!channel.compared[i]) images.reference[i] = std::numeric_limits<float>::quiet_NaN();
    });
  }
  level.input.weights = std::move(source.weights);
  level.templateVoxels = std::move(source.kept);
  return level;
}

/// The levels of the pyramid, coarsest first; fewer than `iterations` if the grid cannot be halved as often.
///
/// @param iterations  of each level, coarsest first
std::vector<PlannedLevel> levelsOf(LevelSource source, const std::vector<int>& iterations,
                                   const PyramidRules& rules, const Progress& progress) {
  std::vector<PlannedLevel> levels;
  for (std::size_t l = iterations.size(); l-- > 0;) {
    const Grid next = coarser(source.grid);
    const bool isLast = l == 0 || next.size == source.grid.size;
    LevelSource coarse = isLast ? LevelSource{} : coarserSource(source, next, rules, progress);
    levels.push_back(levelOf(std::move(source), rules));
    levels.back().iterations = iterations[l];
    if (isLast) break;
    source = std::move(coarse);
  }
  std::reverse(levels.begin(), levels.end());
  return levels;
}

/// The correlation of the pre-aligned images of a channel.
struct ChannelCorrelation {
  double correlation = 0;  ///< in the region
  double inside = 0;       ///< of the ranks, where both images show an object
  std::string which;       ///< see ChannelImages
};

/// The correlation of the channel whose images correlate least in the region, among the channels with a
/// nonzero share. Head and air correlate in any two images, whatever their contrasts; the inside is more
/// telling.
ChannelCorrelation leastAlike(const std::vector<ChannelImages>& channels, const std::vector<double>& shares,
                              const std::vector<std::uint8_t>& region) {
  std::optional<ChannelCorrelation> least;
  for (std::size_t c = 0; c < channels.size(); ++c) {
    const ChannelImages& images = channels[c];
    std::vector<std::uint8_t> compared = region;
    forEachVoxel(compared.size(), [&](std::size_t i) { compared[i] = region[i] && images.compared[i]; });
    if (shares[c] == 0 || std::none_of(compared.begin(), compared.end(), [](auto v) { return v != 0; }))
      continue;
    const double fit = fitOf(images.moving, images.reference, compared).correlation;
    const double correlation = std::isnan(fit) ? 0 : fit;  // constant: nothing indicates that they are alike
    const double dark = foregroundThreshold(images.moving, images.covered.values);
    forEachVoxel(compared.size(),
                 [&](std::size_t i) { compared[i] = compared[i] && images.moving[i] > dark; });
    const double inside = rankCorrelation(images.moving, images.reference, compared);
    if (!least || std::min(correlation, inside) < std::min(least->correlation, least->inside))
      least = {correlation, inside, images.which};
  }
  return least.value_or(ChannelCorrelation{});
}

/// The suitable similarity for images, see planRegistration().
///
/// @param textured  texturedShare() of the region
Similarity similarityFor(const ChannelCorrelation& least, double textured, Notes& notes) {
  constexpr double alike = 0.2;
  constexpr double shape = 0.7;  // letters and balls have about 0.6, brains 0.8 to 1
  const auto images = [&](double correlation, const char* where) {
    return text("pre-aligned, the images", least.which.empty() ? "" : " of channel", least.which,
                " correlate by ", std::round(100 * correlation) / 100, where);
  };
  const auto unlike = [&](const std::string& found) {
    notes.push_back(text("Compared by mutual information: ", found,
                         " only: their contrasts differ, or they do not belong together."));
    return Similarity::mi;
  };
  if (least.correlation < alike) return unlike(images(least.correlation, ""));
  if (textured < shape) {
    notes.push_back(text("Compared by squared differences: ", std::lround(100 * (1 - textured)),
                         " % of the fixed image is flat, as in a drawn shape."));
    return Similarity::l2;
  }
  if (least.inside < alike) return unlike(images(least.inside, " inside of the object"));
  notes.push_back(text("Compared by local correlation: ", images(least.correlation, ""), "."));
  return Similarity::lcc;
}

/// The similarity of images, chosen by their contrasts and the texture of the reference in the region of the
/// plan, which receives a note on it.
Similarity chosenSimilarity(const RegistrationInput& input, const std::vector<ChannelImages>& channels,
                            const std::vector<double>& shares, TexturedShare& texturedShare,
                            RegistrationPlan& plan, const Progress& progress) {
  const ChannelImages& first = channels.front();
  const Grid& grid = input.reference->grid;
  LevelImages<float> scaled{grid.size, grid.spacing(), {}, std::vector<float>(first.reference.size())};
  forEachVoxel(first.reference.size(), [&](std::size_t i) {
    scaled.reference[i] =
        first.compared[i] ? first.brightness.of(first.reference[i]) : std::numeric_limits<float>::quiet_NaN();
  });
  std::vector<std::uint8_t> object = plan.region;
  if (input.mask) {  // the air in a wide mask is flat, but not evidence of a drawn shape
    const double shown = foregroundThreshold(first.reference, first.covered.values);
    forEachVoxel(object.size(),
                 [&](std::size_t i) { object[i] = first.compared[i] && first.reference[i] > shown; });
  }
  // Even a head varies little between voxels of 1 mm, so its variation is measured with a step as wide as at
  // 2 mm.
  const Vec3<double> spacing = grid.spacing();
  const double edge = std::min({spacing.x, spacing.y, spacing.z});
  const int radius = std::max(RegistrationOptions{}.window,
                              int(std::lround(kTextureReach * objectRadius(object, grid) / edge)));
  return similarityFor(leastAlike(channels, shares, plan.region),
                       texturedShare(scaled, radius, object, progress), plan.notes);
}

/// How the intensities of the images are brought together.
struct IntensityPlan {
  IntensityMatch match = IntensityMatch::off;  ///< never automatic
  bool isOwn = false;                          ///< whether each image is scaled by its own brightness
};

/// Unless a match is requested, in symmetric registration and for drawn shapes each image is scaled by its
/// own brightness, since the distribution of a drawn shape's brightness is its size. The same holds if
/// nothing is to be matched and the unit of the intensities has no meaning.
IntensityPlan intensityPlan(const RegistrationOptions& options, Similarity similarity) {
  const bool squares = similarity == Similarity::l2,
             drawn = options.similarity == Similarity::automatic && squares;
  if (options.match == IntensityMatch::automatic) {
    if (options.symmetric || drawn) return {IntensityMatch::off, true};
    return {squares ? IntensityMatch::histogram : IntensityMatch::linear, false};
  }
  return {options.match, options.match == IntensityMatch::off && !squares};
}

/// Makes the images of each channel, under the pre-alignment of the plan.
std::vector<ChannelImages> alignedChannels(const RegistrationInput& input,
                                           const std::vector<RegistrationChannel>& given,
                                           const RegistrationPlan& plan, const PreparationSteps& steps,
                                           const Progress& progress) {
  std::vector<ChannelImages> channels;
  for (const RegistrationChannel& channel : given)
    channels.push_back(alignedChannel(
        channel, channels.size(),
        {input.reference->grid, input.mask.get(), plan.templateFromReference, plan.interpolation}, progress,
        *steps.alignedImage, *steps.brightnessOf));
  return channels;
}

/// The channels of an input; the template continues beyond its mask.
std::vector<RegistrationChannel> continuedChannels(const RegistrationInput& input, const Progress& progress) {
  std::vector<RegistrationChannel> given = channelsOf(input);
  for (RegistrationChannel& channel : given)
    if (input.templateMask && sameGrid(input.templateMask->grid, channel.templateImage->grid))
      channel.templateImage = continuedBeyond(*input.templateMask, *channel.templateImage, progress);
  return given;
}

/// Limits what is compared to the template's mask.
///
/// @param kept    PlannedLevel::templateVoxels; empty without a mask
/// @return        what each channel compared before; empty without a mask
/// @throws Error  if nothing is left
std::vector<std::vector<std::uint8_t>> limitToMask(const std::vector<std::uint8_t>& kept,
                                                   std::vector<ChannelImages>& channels) {
  std::vector<std::vector<std::uint8_t>> before;
  if (kept.empty()) return before;
  for (ChannelImages& channel : channels) {
    before.push_back(channel.compared);
    forEachVoxel(kept.size(), [&](std::size_t i) { channel.compared[i] = channel.compared[i] && kept[i]; });
    if (std::ranges::count(channel.compared, 0) == std::ssize(channel.compared))
      throw Error(text("The template's mask leaves no voxel where template", channel.which, " and reference",
                       channel.which, " overlap"),
                  "nothing can be compared", "give a mask of the part to be aligned, or none");
  }
  return before;
}

/// Where the fit is measured: the mask, or what is brighter than the background.
std::vector<std::uint8_t> fitRegion(const RegistrationInput& input, const ChannelImages& first) {
  std::vector<std::uint8_t> region = first.compared;
  if (!input.mask)
    forEachVoxel(region.size(), [&](std::size_t i) {
      region[i] = first.compared[i] && first.reference[i] > first.brightness.threshold;
    });
  return region;
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
    throw Error(text("The iterations '", sanitizedForDisplay(given, 60), "' are not understood"),
                "each level needs a number of them",
                "write whole numbers separated by '/', coarsest level first, for example 100/100/60",
                ErrorKind::usage);
  while (int(numbers.size()) < levels) numbers.insert(numbers.begin(), numbers.front());
  numbers.erase(numbers.begin(), numbers.end() - levels);
  return numbers;
}

void addLandmarks(RegistrationPlan& plan, const std::vector<PlacedLandmark>& landmarks, double unit) {
  for (PlannedLevel& level : plan.levels) {
    level.input.landmarks = landmarksOf(landmarks, level.grid, &PlacedLandmark::ofTemplate, unit);
    level.referenceLandmarks = landmarksOf(landmarks, level.grid, &PlacedLandmark::ofReference, unit);
  }
}

RegistrationPlan planRegistration(const RegistrationInput& input, const RegistrationOptions& options,
                                  const Progress& progress, PlanUse use, const PreparationSteps& steps) {
  checkInput(input);
  const auto iterations =
      iterationsPerLevel(options.iterations, use == PlanUse::results ? 1 : options.levels);
  const Grid& grid = input.reference->grid;
  const std::vector<RegistrationChannel> given = continuedChannels(input, progress.part(0, 0, "Preparation"));
  const std::vector<double> shares = channelShares(options.channelWeights, given.size());

  RegistrationPlan plan;
  plan.interpolation = alignmentInterpolation(options);
  StageClock clock;
  plan.templateFromReference =
      linearlyAligned(input, {options.affine, options.affineSimilarity}, progress.part(0, 0.6, kLinearStage));
  clock.finish(kLinearStage);
  std::vector<ChannelImages> channels =
      alignedChannels(input, given, plan, steps, progress.part(0.6, 0.7, "Preparation"));
  std::vector<std::uint8_t> kept;  // the template's mask
  if (input.templateMask)
    kept = templateVoxels(*input.templateMask, grid, plan.templateFromReference,
                          progress.part(0.7, 0.7, "Preparation"));
  std::vector<std::vector<std::uint8_t>> compared = limitToMask(kept, channels);
  plan.region = fitRegion(input, channels.front());
  plan.scale = channels.front().brightness.scale;
  plan.window = options.window;
  plan.symmetric = options.symmetric;
  plan.similarity = options.similarity;
  if (options.similarity == Similarity::automatic)
    plan.similarity = chosenSimilarity(input, channels, shares, *steps.texturedShare, plan,
                                       progress.part(0.7, 0.7, "Preparation"));
  const IntensityPlan intensity = intensityPlan(options, plan.similarity);
  if (options.biasField != BiasField::none) {
    clock.finish("Preparation");
    for (std::size_t c = 0; c < channels.size(); ++c) {
      Volume<float> field =
          biasFieldBetween(input, given[c], channels[c],
                           {options.biasField, intensity.match, plan.templateFromReference, plan.region},
                           progress.part(0.7, 0.8, "Bias field"));
      forEachVoxel(field.values.size(), [&](std::size_t i) { channels[c].moving[i] *= field.values[i]; });
      if (c == 0) plan.biasField = std::move(field);
    }
    plan.notes.push_back(describeBiasField(plan.biasField, plan.region));
    clock.finish("Bias field");
  }
  const auto uncovered = std::ranges::count(channels.front().covered.values, 0);
  for (ChannelImages& channel : channels)
    steps.matchAndScale(channel.moving, channel.reference, channel.compared, channel.brightness,
                        intensity.match, intensity.isOwn);
  std::vector<float> weights = weightShares(input, channels.front());
  for (std::size_t c = 0; c < compared.size(); ++c) channels[c].compared = std::move(compared[c]);
  plan.levels = levelsOf({grid, std::move(channels), std::move(weights), std::move(kept)}, iterations,
                         {plan.similarity, options.symmetric && use == PlanUse::flow, *steps.coarsened},
                         progress.part(0.8, 1, "Preparation"));
  for (PlannedLevel& level : plan.levels) level.input.shares = shares;
  for (LevelImages<float>& images : plan.levels.back().input.channels)
    images.cubic = (options.symmetric || plan.similarity == Similarity::mi) &&
                   plan.interpolation == Interpolation::cubic &&
                   options.gradient == TemplateGradient::central;
  addLandmarks(plan, placed(input.landmarks, plan.templateFromReference, {}, false), finestSpacing(grid));
  if (uncovered > 0)
    plan.notes.push_back(text(std::lround(1000.0 * double(uncovered) / double(grid.voxels())) / 10.0,
                              " % of the fixed image lies outside the moving image and is not compared."));
  clock.finish("Preparation");
  plan.stages = clock.stages();
  return plan;
}

}  // namespace sulcus::registration
