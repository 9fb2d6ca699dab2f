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
  std::string which;  ///< " 2" of the second channel; "" of the first
  std::vector<float> moving, reference;
  Mask covered;                        ///< by both images
  std::vector<std::uint8_t> compared;  ///< not 0 where they are compared
  Brightness brightness;               ///< of the reference
};

/// An image of one volume at imageFromGrid(x) for each voxel x of a grid, continued by its border values. One
/// of finer voxels is smoothed before.
///
/// @param interpolation  cubic or linear
/// @param covered        receives 1 where the point lies in the image
using AlignImage = Volume<float>(const Series<float>& image, const Grid& grid, const Affine& imageFromGrid,
                                 Interpolation interpolation, Mask& covered, const Progress& progress);

/// Aligns on the CPU.
AlignImage alignedImage;

/// How images are brought to another grid: linear with the paper's force, as published. What a linear
/// interpolation takes off noise and edges depends on the place between voxels; the flow would follow it.
Interpolation alignmentInterpolation(const RegistrationOptions& options);

/// The σ by which it smooths, voxels of the image.
Vec3<double> alignmentSigma(const Grid& image, const Grid& grid, const Affine& imageFromGrid);

/// All channels of an input, the first one first.
std::vector<RegistrationChannel> channelsOf(const RegistrationInput& input);

/// Checks all images.
///
/// @throws Error  for images that cannot be registered
void checkChannels(const std::vector<RegistrationChannel>& channels);

/// The share of each channel in the similarity, which sum to 1.
///
/// @param weights  numbers separated by spaces; empty: all alike
/// @throws Error   of ErrorKind::usage for others
std::vector<double> channelShares(const std::string& weights, std::size_t channels);

/// The images of a channel on a grid, by their positions in the world. The template is under the
/// pre-alignment and continued by its border values.
///
/// @throws Error  where nothing can be compared
ChannelImages alignedChannel(const RegistrationChannel& channel, std::size_t index, const Grid& grid,
                             const Mask* mask, const Affine& templateFromReference,
                             Interpolation interpolation, const Progress& progress,
                             AlignImage& align = alignedImage, FindBrightness& findBrightness = brightnessOf);

/// What the template of a channel is multiplied by, see RegistrationResult::biasField.
///
/// @param kind    not none
/// @param region  one value per voxel, not 0 where the geometric mean is 1
Volume<float> biasFieldBetween(const RegistrationInput& input, const RegistrationChannel& channel,
                               const ChannelImages& images, const Grid& grid, BiasField kind,
                               IntensityMatch match, const Affine& templateFromReference,
                               const std::vector<std::uint8_t>& region, const Progress& progress);

}  // namespace sulcus::registration
