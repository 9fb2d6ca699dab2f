#pragma once

#include "core/base/progress.h"
#include "core/image/grids/interpolation.h"
#include "core/registration/preparation/intensity.h"
#include "core/registration/registration.h"

#include <cstdint>
#include <string>
#include <vector>

namespace sulcus::registration {

/// Both images of a channel on the grid of the first reference, one value per voxel, x fastest.
struct ChannelImages {
  std::string which;  ///< " 2" for the second channel; "" for the first
  std::vector<float> moving, reference;
  Mask covered;                        ///< by both images
  std::vector<std::uint8_t> compared;  ///< nonzero where they are compared
  Brightness brightness;               ///< of the reference
};

/// An image of one volume at imageFromGrid(x) for each voxel x of a grid, extended by its border values. An
/// image with finer voxels is smoothed first.
///
/// @param interpolation  cubic or linear
/// @param covered        receives 1 where the point lies in the image
using AlignImage = Volume<float>(const Series<float>& image, const Grid& grid, const Affine& imageFromGrid,
                                 Interpolation interpolation, Mask& covered, const Progress& progress);

/// Aligns on the CPU.
AlignImage alignedImage;

/// How images are resampled to another grid: linearly with the paper's force, as published. How much linear
/// interpolation smooths noise and edges depends on the position between voxels; the flow would follow that.
Interpolation alignmentInterpolation(const RegistrationOptions& options);

/// The σ of that smoothing, voxels of the image.
Vec3<double> alignmentSigma(const Grid& image, const Grid& grid, const Affine& imageFromGrid);

/// All channels of an input, in order.
std::vector<RegistrationChannel> channelsOf(const RegistrationInput& input);

/// Checks all images.
///
/// @throws Error  for images that cannot be registered
void checkChannels(const std::vector<RegistrationChannel>& channels);

/// The shares of the channels in the similarity, which sum to 1.
///
/// @param weights  numbers separated by spaces; empty: all equal
/// @throws Error   (usage) for other texts
std::vector<double> channelShares(const std::string& weights, std::size_t channels);

/// Where and how the images of channels are compared.
struct ChannelFrame {
  const Grid& grid;
  const Mask* mask;  ///< null: everywhere
  const Affine& templateFromReference;
  Interpolation interpolation;
};

/// The images of a channel on a grid, by their positions in the world. The template is pre-aligned and
/// extended by its border values.
///
/// @throws Error  if nothing can be compared
ChannelImages alignedChannel(const RegistrationChannel& channel, std::size_t index, const ChannelFrame& frame,
                             const Progress& progress, AlignImage& align = alignedImage,
                             FindBrightness& findBrightness = brightnessOf);

/// How a bias field is found.
struct BiasFieldRule {
  BiasField kind;  ///< not none
  IntensityMatch match;
  const Affine& templateFromReference;
  const std::vector<std::uint8_t>& region;  ///< one value per voxel, nonzero where the geometric mean is 1
};

/// The factor applied to the template of a channel, see RegistrationResult::biasField.
Volume<float> biasFieldBetween(const RegistrationInput& input, const RegistrationChannel& channel,
                               const ChannelImages& images, const BiasFieldRule& rule,
                               const Progress& progress);

}  // namespace sulcus::registration
