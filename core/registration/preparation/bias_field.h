#pragma once

#include "core/base/progress.h"
#include "core/image/volume.h"
#include "core/registration/registration.h"

#include <cstdint>
#include <vector>

// The bias field: slow changes of brightness over an image that come from the scanner's coils and not from
// the object. Only its difference between two images matters to their registration.
namespace sulcus::registration {

/// The smooth factor b with which the pre-aligned template gets the reference's bias. About each voxel it is
/// the factor of least squares,
///   b = G*(w T R) / G*(w T²)
/// with a Gaussian G of 30 mm, or 1.35 times the objectRadius() of a smaller object, and T made like the
/// reference by matchIntensities(). Three rounds, each from the template times the field of the last one,
/// recover what the Gaussian takes off, and undo what the field did to the distribution of intensities. In
/// the first w = 1 in the foreground of both images; then it falls with the difference of the images by
/// Cauchy's weight, or a ventricle that has grown would count as bias. Far from the foreground b goes to 1.
///
/// @param moving, reference, compared  one value per voxel of `grid`, x fastest; the last is not 0 where the
///                                     images are compared
/// @return  1 in the geometric mean over the foreground; without a match, the overall factor of brightness
Volume<float> fittedBiasField(const std::vector<float>& moving, const std::vector<float>& reference,
                              const std::vector<std::uint8_t>& compared, const Grid& grid,
                              IntensityMatch match, const Progress& progress);

/// The factor of fittedBiasField() from the field of each image: the reference's over the template's at the
/// place that the pre-alignment gives.
///
/// @param region  one value per voxel of the reference, not 0 where the geometric mean is 1
Volume<float> biasFieldRatio(const Volume<float>& ofTemplate, const Volume<float>& ofReference,
                             const Affine& templateFromReference, const std::vector<std::uint8_t>& region,
                             const Progress& progress);

/// The sentence about a field: its range between the first and the last percent of `region`.
std::string describeBiasField(const Volume<float>& field, const std::vector<std::uint8_t>& region);

}  // namespace sulcus::registration
