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
/// @param outside        the label of what lies outside of the labels
Volume<Label> displacedLabels(const Volume<Label>& labels, const Series<float>& displacement,
                              Interpolation interpolation, Label outside, const Progress& progress);

/// A displacement on another grid, interpolated trilinearly.
///
/// @param displacement  3 volumes, mm, RAS+
/// @param covered       receives 1 at the voxels of `grid` inside the displacement's grid
/// @throws Error        when there are none
Series<float> displacementOn(const Series<float>& displacement, const Grid& grid, Mask& covered,
                             const Progress& progress);

/// Where a field brings a point, mm RAS+: p + displacement(p). Beyond its grid the displacement is that of
/// the nearest place within.
///
/// @param displacement    3 volumes, mm, RAS+
/// @param voxelFromWorld  of the grid of the displacement
Vec3<double> displacedPoint(const Vec3<double>& p, const Series<float>& displacement,
                            const Affine& voxelFromWorld);

/// How an image is deformed.
struct ApplyOptions {
  std::optional<Interpolation> interpolation =
      {};  ///< none: label for labels; cubic for images, linear where values are not finite
  /// Where a field or the image does not reach; none: 0, or where the corners of the image are below 0, as
  /// those of a CT, their median.
  std::optional<double> fill = {};
};

/// A layer that transforms bring along; directions are turned with it (turnedPeaks()). Its notes are
/// sentences about that. An image goes through them in their order and is interpolated once: the result at a
/// voxel x of `grid` is the image where TransformChain leads x. The points of a surface, and the places of a
/// table, are those where it leads them: from the image that the last transform lies on into the one that the
/// first deforms, so the other way than images.
///
/// @param layer   a volume, a series, labels, directions, a surface or a table of places
/// @throws Error  for layers of other kinds, for a field that is none or does not reach `grid` or any point,
///                and when no voxel of the result lies in the image
Layer applyField(const Layer& layer, const std::vector<Transform>& transforms, const Grid& grid,
                 const ApplyOptions& options, const Progress& progress);

}  // namespace sulcus::registration
