#include "core/registration/similarity/channel.h"

#include "core/base/error.h"
#include "core/base/numbers.h"
#include "core/base/parallel/parallel_for.h"
#include "core/base/sanitized.h"
#include "core/base/sentence.h"
#include "core/image/grids/value_check.h"
#include "core/registration/deformation/gaussian.h"
#include "core/registration/deformation/vector_field.h"
#include "core/registration/preparation/bias_field.h"
#include "core/registration/preparation/intensity.h"
#include "core/registration/preparation/resample.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <sstream>

namespace sulcus::registration {
namespace {

constexpr int kSmallestExtent = 4;  // fewest voxels of an axis, of which the two at its ends cannot move

/// The suffix by which messages identify a channel.
std::string numbered(std::size_t index) { return index == 0 ? "" : " " + std::to_string(index + 1); }

int flatAxes(const Vec3<int>& size) { return (size.x == 1) + (size.y == 1) + (size.z == 1); }

void checkImage(const Series<float>* image, const std::string& name) {
  if (!image)
    throw Error(text("No ", name, " was given"), "a registration deforms a template onto a reference",
                "give " + Message::option(name));
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
                "it has no structure to align", "give an image with contrast");
  if (!(std::abs(image->grid.worldFromVoxel.determinant()) > 0))
    throw Error(text("The ", name, " has voxels without volume"), "its place in space is unknown",
                "correct its header");
}

bool anyIn(const std::vector<std::uint8_t>& mask) {
  return std::any_of(mask.begin(), mask.end(), [](auto v) { return v != 0; });
}

/// The voxels in which the images are compared.
std::vector<std::uint8_t> comparedVoxels(const Mask& covered, const Mask* mask, const std::string& which) {
  std::vector<std::uint8_t> compared = covered.values;
  if (!anyIn(compared))
    throw Error(text("Template", which, " and reference", which, " do not overlap"),
                "no voxel can be compared",
                "check the positions in both headers, or let the program pre-align them");
  if (mask) {
    forEachVoxel(compared.size(), [&](std::size_t i) { compared[i] = compared[i] && mask->values[i]; });
    if (!anyIn(compared))
      throw Error(text("The mask leaves no voxel where template", which, " and reference", which, " overlap"),
                  "nothing can be compared", "give a mask of the part to be aligned, or none");
  }
  return compared;
}

void checkContrast(const std::vector<float>& values, const std::vector<std::uint8_t>& compared,
                   const std::string& name) {
  const auto [low, high] = extremes(values, compared);
  if (!(low < high))
    throw Error(text("The ", name, " is constant (", low, ") where the images are compared"),
                "it has no structure to align", "check the overlap and the mask");
}

}  // namespace

Vec3<double> alignmentSigma(const Grid& image, const Grid& grid, const Affine& imageFromGrid) {
  const double voxel = std::cbrt(std::abs((imageFromGrid * grid.worldFromVoxel).determinant()));
  const Vec3<double> spacing = image.spacing();
  Vec3<double> sigma;
  for (int i = 0; i < 3; ++i) sigma[i] = voxel > 1.5 * spacing[i] ? 0.5 * voxel / spacing[i] : 0;
  return sigma;
}

Interpolation alignmentInterpolation(const RegistrationOptions& options) {
  return options.force == RegistrationForce::paper ? Interpolation::linear : Interpolation::cubic;
}

Volume<float> alignedImage(const Series<float>& image, const Grid& grid, const Affine& imageFromGrid,
                           Interpolation interpolation, Mask& covered, const Progress& progress) {
  const Vec3<double> sigma = alignmentSigma(image.grid, grid, imageFromGrid);
  if (sigma == Vec3<double>{})
    return resampled(image, grid, imageFromGrid, {interpolation}, &covered, progress);
  const Volume<float> soft(image.grid, smoothed(image.values, image.grid.size, sigma, progress));
  return resampled(soft, grid, imageFromGrid, {interpolation}, &covered, progress);
}

std::vector<RegistrationChannel> channelsOf(const RegistrationInput& input) {
  std::vector<RegistrationChannel> channels{{input.templateImage, input.reference}};
  channels.insert(channels.end(), input.further.begin(), input.further.end());
  return channels;
}

void checkChannels(const std::vector<RegistrationChannel>& channels) {
  for (std::size_t c = 0; c < channels.size(); ++c) {
    checkImage(channels[c].templateImage.get(), "template" + numbered(c));
    checkImage(channels[c].reference.get(), "reference" + numbered(c));
  }
  const int referenceFlat = flatAxes(channels[0].reference->grid.size);
  for (std::size_t c = 0; c < channels.size(); ++c)
    for (const bool moving : {true, false}) {
      const Series<float>& image = *(moving ? channels[c].templateImage : channels[c].reference);
      const int flat = flatAxes(image.grid.size);
      if (flat != referenceFlat)
        throw Error(text("The ", moving ? "template" : "reference", numbered(c), " has ", 3 - flat,
                         " dimensions, the reference ", 3 - referenceFlat),
                    "a plane cannot be deformed onto a volume", "give planes only, or volumes only");
    }
  for (int i = 0; i < 3; ++i) {
    const int n = channels[0].reference->grid.size[i];
    if (n > 1 && n < kSmallestExtent)
      throw Error(text("The reference has ", n, " voxels along one axis"),
                  "those at both ends stay where they are, which leaves none to move",
                  text("give at least ", kSmallestExtent, ", or a single plane"));
  }
}

std::vector<double> channelShares(const std::string& weights, std::size_t channels) {
  std::vector<double> shares;
  std::istringstream words(weights);
  for (std::string word; words >> word;) {
    const auto number = numberIn(word);
    if (!number || !(*number >= 0) || !std::isfinite(*number))
      throw Error(text("The channel weights '", sanitizedForDisplay(weights, 60), "' are not understood"),
                  "each channel needs a number of 0 or more",
                  "write numbers separated by spaces, in the order of the channels, for example 1 0.5",
                  ErrorKind::usage);
    shares.push_back(*number);
  }
  if (shares.empty()) shares.assign(channels, 1);
  if (shares.size() != channels)
    throw Error(
        text(shares.size() == 1 ? "There is " : "There are ", counted(std::ssize(shares), "channel weight"),
             " for ", counted(std::int64_t(channels), "channel")),
        "each channel, a template and its reference, has one", "give as many numbers, or none",
        ErrorKind::usage);
  const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
  if (!(sum > 0) || !std::isfinite(sum))
    throw Error("The channel weights leave no channel", "nothing would be compared",
                "give a number above 0 to one of them", ErrorKind::usage);
  for (double& share : shares) share /= sum;
  return shares;
}

ChannelImages alignedChannel(const RegistrationChannel& channel, std::size_t index, const ChannelFrame& frame,
                             const Progress& progress, AlignImage& align, FindBrightness& findBrightness) {
  ChannelImages images;
  images.which = numbered(index);
  const bool same = sameGrid(channel.reference->grid, frame.grid);
  Mask referenceCovered;
  parallelInvoke({[&] {
                    images.moving = align(*channel.templateImage, frame.grid, frame.templateFromReference,
                                          frame.interpolation, images.covered, progress)
                                        .values;
                  },
                  [&] {
                    images.reference = same ? channel.reference->values
                                            : align(*channel.reference, frame.grid, {}, frame.interpolation,
                                                    referenceCovered, progress)
                                                  .values;
                  }},
                 progress);
  if (!same)
    forEachVoxel(referenceCovered.values.size(), [&](std::size_t i) {
      images.covered.values[i] = images.covered.values[i] && referenceCovered.values[i];
    });
  images.compared = comparedVoxels(images.covered, frame.mask, images.which);
  checkContrast(images.moving, images.compared, "template" + images.which);
  checkContrast(images.reference, images.compared, "reference" + images.which);
  images.brightness = findBrightness(images.reference, images.compared);
  return images;
}

Volume<float> biasFieldBetween(const RegistrationInput& input, const RegistrationChannel& channel,
                               const ChannelImages& images, const BiasFieldRule& rule,
                               const Progress& progress) {
  const Grid& grid = input.reference->grid;
  if (rule.kind == BiasField::fit)
    return fittedBiasField(images.moving, images.reference, images.compared, grid, rule.match, progress);
  if (!input.findBiasField)
    throw Error("N4 bias correction is not available",
                "this program was built without ITK, which provides it",
                "use {bias-field} fit or none"_message, ErrorKind::unavailable);
  const Series<float> reference(Volume<float>(grid, images.reference));
  const Mask* const ofMask =
      input.templateMask && sameGrid(input.templateMask->grid, channel.templateImage->grid)
          ? input.templateMask.get()
          : nullptr;
  const auto ofTemplate =
      input.findBiasField(*channel.templateImage, ofMask, progress.part(0, 0.5, "Bias field"));
  const auto ofReference =
      input.findBiasField(reference, input.mask.get(), progress.part(0.5, 1, "Bias field"));
  return biasFieldRatio(ofTemplate, ofReference, rule.templateFromReference, rule.region, progress);
}

}  // namespace sulcus::registration
