#pragma once

#include "core/base/progress.h"
#include "core/image/mesh.h"
#include "core/image/volume.h"

/// Level sets of images. Every result is a signed distance in mm, negative inside, as computed by
/// signedDistanceOfContour() (core/levelset/signed_distance.h), on the grid of the input.
namespace sulcus::toolkits {

/// The signed distance to the surface half-way between the zero and nonzero voxels of a mask (flying edges at
/// ½). A full or an empty mask gives a φ without a change of sign.
Volume<float> signedDistanceOfMask(const Mask& mask, const Progress& progress);

/// The signed distance to the surface on which the interpolated image equals `threshold`. The image is larger
/// inside. Values that are not sound (value_check.h) count as the darkest one.
Volume<float> signedDistanceOfImage(const Volume<float>& image, float threshold, const Progress& progress);

/// The signed distance to the surface φ = 0, which is preserved between the voxels, too.
Volume<float> redistanced(const Volume<float>& phi, const Progress& progress);

}  // namespace sulcus::toolkits
