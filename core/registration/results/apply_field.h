#pragma once

#include "core/image/layer.h"
#include "core/registration/preparation/resample.h"
#include "core/registration/results/transform_chain.h"

#include <optional>
#include <vector>

namespace sulcus::registration {

/// The labels at x + displacement(x) for each voxel x of the displacement's grid.
///
/// @param displacement   3 volumes, mm, RAS+
/// @param interpolation  nearest or label
/// @param outside        the label of points outside of the labels
Volume<Label> displacedLabels(const Volume<Label>& labels, const Series<float>& displacement,
                              Interpolation interpolation, Label outside, const Progress& progress);

/// The point to which a field maps a point, mm RAS+: p + displacement(p). Beyond its grid the displacement is
/// that of the nearest point inside.
///
/// @param displacement    3 volumes, mm, RAS+
/// @param voxelFromWorld  of the grid of the displacement
Vec3<double> displacedPoint(const Vec3<double>& p, const Series<float>& displacement,
                            const Affine& voxelFromWorld);

/// How an image is deformed.
struct ApplyOptions {
  std::optional<Interpolation> interpolation =
      {};  ///< none: label for labels; cubic for images, but linear if values are not finite
  /// The value where a field or the image does not reach; none: 0, or the median of the corners of the image
  /// if they are below 0, as in CT.
  std::optional<double> fill = {};
};

/// Applies transforms to a layer; directions are rotated accordingly (turnedPeaks()). Its notes describe
/// this. An image passes through the transforms in order and is interpolated once: the result at a voxel x of
/// `grid` is the image at the point to which TransformChain maps x. The points of a surface and the positions
/// in a table are mapped by the chain itself: from the space of the last transform's reference to that of the
/// first one's template, in the opposite direction to images.
///
/// @param layer   a volume, a series, labels, directions, a surface or a table of positions
/// @throws Error  for layers of other kinds, for an invalid field or one that does not reach `grid` or any
///                point, and if no voxel of the result lies in the image
Layer applyField(const Layer& layer, const std::vector<Transform>& transforms, const Grid& grid,
                 const ApplyOptions& options, const Progress& progress);

}  // namespace sulcus::registration
