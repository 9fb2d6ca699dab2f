#pragma once

#include "core/base/progress.h"
#include "core/image/volume.h"
#include "core/registration/registration.h"

#include <cstdint>
#include <vector>

// The bias field: slow variations of brightness over an image that come from the scanner's coils and not from
// the object. Only its difference between two images matters to their registration.
namespace sulcus::registration {

/// The smooth factor b that gives the pre-aligned template the reference's bias. Around each voxel it is the
/// least-squares factor
///   b = G*(w T R) / G*(w T²)
/// with a Gaussian G of 30 mm, or 1.35 times the objectRadius() of a smaller object, and T made like the
/// reference by matchIntensities(). Three rounds, each starting from the template times the field of the
/// previous one, recover what the Gaussian smooths away, and undo the effect of the field on the distribution
/// of intensities. In the first, w = 1 in the foreground of both images; then it decreases with the
/// difference of the images by Cauchy's weight; otherwise an enlarged ventricle would count as bias. Far from
/// the foreground b tends to 1.
///
/// @param moving, reference, compared  one value per voxel of `grid`, x fastest; the last is nonzero where
///                                     the images are compared
/// @return  has the geometric mean 1 over the foreground; if there is no match, the overall brightness factor
Volume<float> fittedBiasField(const std::vector<float>& moving, const std::vector<float>& reference,
                              const std::vector<std::uint8_t>& compared, const Grid& grid,
                              IntensityMatch match, const Progress& progress);

/// The factor of fittedBiasField() from the fields of both images: the reference's divided by the template's
/// at the position given by the pre-alignment.
///
/// @param region  one value per voxel of the reference, nonzero where the geometric mean is 1
Volume<float> biasFieldRatio(const Volume<float>& ofTemplate, const Volume<float>& ofReference,
                             const Affine& templateFromReference, const std::vector<std::uint8_t>& region,
                             const Progress& progress);

/// A sentence about a field: its range from the 1st to the 99th percentile in `region`.
std::string describeBiasField(const Volume<float>& field, const std::vector<std::uint8_t>& region);

}  // namespace sulcus::registration
