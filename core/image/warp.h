#pragma once

#include "core/image/volume.h"

#include <optional>
#include <string>
#include <string_view>

namespace sulcus {

/// How the three volumes of a warp give, at a point x of the reference, on whose grid they lie, the
/// corresponding point of the moving image. The formats are
///
///   displacement  scanner mm, RAS+: it is at x + value (MRtrix's warpconvert, 3D Slicer, SPM)
///   itk           scanner mm, LPS: the same (ITK, ANTs, Elastix)
///   deformation   scanner mm, RAS+: it is at `value` itself (MRtrix, NiftyReg, SPM's y_)
///   fslRelative   FSL's mm: voxels × their size, the first axis counted from its other end if the axes are
///                 right-handed: it is at x + value (FNIRT, applywarp --rel)
///   fslAbsolute   FSL's mm of the moving image: it is at `value` itself (applywarp --abs)
enum class WarpFormat { displacement, itk, deformation, fslRelative, fslAbsolute };

/// "displacement", "itk", "deformation", "fsl-relative", "fsl-absolute"; throws Error for another name.
WarpFormat warpFormatFrom(std::string_view name);

/// u(x) in mm, RAS+: the point of the moving image for x is x + u(x). u is 0 where a number is not finite,
/// and where a position is (0, 0, 0), as MRtrix and SPM write it outside.
///
/// @param warp    three volumes; throws Error for another number
/// @param moving  grid of the moving image, which FSL's coordinates refer to; none: that of the warp
Series<float> displacementOf(const Series<float>& warp, WarpFormat format,
                             const std::optional<Grid>& moving = {});

/// A matrix of FSL's FLIRT as a map from points of the reference to points of the moving image, mm, RAS+; the
/// matrix itself maps FSL's mm of the moving image (flirt -in) to those of the reference (-ref). Throws Error
/// if it is singular.
Affine templateFromReferenceOfFlirt(const Affine& matrix, const Grid& moving, const Grid& reference);

/// The most likely format of a warp: a displacement if its vectors are short, else positions, in scanner or
/// FSL coordinates, whichever lie closer to their own voxels. LPS and FSL's relative warps look like
/// displacements; only knowledge of the writing program distinguishes them.
///
/// @param warp  three volumes
WarpFormat likelyFormat(const Series<float>& warp);

/// The lengths of a displacement over a sample of its voxels, mm.
struct WarpReach {
  double median = 0, largest = 0;
  double outside = 0;  ///< share that leads out of the moving image
};
WarpReach reachOf(const Series<float>& displacement, const Grid& moving);

}  // namespace sulcus
