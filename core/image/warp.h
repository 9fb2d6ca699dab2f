#pragma once

#include "core/image/volume.h"

#include <optional>
#include <string>
#include <string_view>

namespace sulcus {

/// What the three volumes of a warp say at the point x of the reference, on whose grid they lie: where the
/// point of the moving image is. The frames are
///
///   displacement  scanner mm, RAS+: it is at x + value (MRtrix's warpconvert, 3D Slicer, SPM)
///   itk           scanner mm, LPS: the same (ITK, ANTs, Elastix)
///   deformation   scanner mm, RAS+: it is at `value` itself (MRtrix, NiftyReg, SPM's y_)
///   fslRelative   FSL's mm: voxels × their size, the first axis counted from its other end where the axes
///                 are right-handed: it is at x + value (FNIRT, applywarp --rel)
///   fslAbsolute   FSL's mm of the moving image: it is at `value` itself (applywarp --abs)
enum class WarpFormat { displacement, itk, deformation, fslRelative, fslAbsolute };

/// "displacement", "itk", "deformation", "fsl-relative", "fsl-absolute"; throws Error for another name.
WarpFormat warpFormatFrom(std::string_view name);

/// u(x) in mm, RAS+: the point of the moving image for x is x + u(x). Where a number is not finite, and where
/// a whole position is 0 as MRtrix and SPM leave it outside (three zeros), u is 0.
///
/// @param warp    three volumes; throws Error for another number
/// @param moving  grid of the image that is moved, which FSL's coordinates refer to; none: that of the warp
Series<float> displacementOf(const Series<float>& warp, WarpFormat format,
                             const std::optional<Grid>& moving = {});

/// A matrix of FSL's FLIRT as a map from points of the reference to points of the moving image, mm, RAS+: it
/// leads from FSL's mm of the image that is moved (flirt -in) to those of the reference (-ref). Throws Error
/// for one that is singular.
Affine templateFromReferenceOfFlirt(const Affine& matrix, const Grid& moving, const Grid& reference);

/// What a warp most likely is: a displacement where its numbers are short, else positions, of the scanner or
/// of FSL, by which of them lie nearer to their own voxels. LPS and FSL's relative warps look like
/// displacements: only their writer is known to tell them apart.
///
/// @param warp  three volumes
WarpFormat likelyFormat(const Series<float>& warp);

/// How far a displacement leads: a sample of its voxels, mm.
struct WarpReach {
  double median = 0, largest = 0;
  double outside = 0;  ///< share that leads outside of the image that is moved
};
WarpReach reachOf(const Series<float>& displacement, const Grid& moving);

}  // namespace sulcus
