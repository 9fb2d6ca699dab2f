#pragma once

#include "core/image/layer.h"
#include "core/registration/resample.h"

#include <optional>

namespace sulcus::registration {

/// The labels at x + displacement(x) for each voxel x of the displacement's grid, by Interpolation::label; 0
/// outside of the labels.
///
/// @param displacement  3 volumes, mm, RAS+
Volume<std::int32_t> displacedLabels(const Volume<std::int32_t>& labels, const Series<float>& displacement,
                                     const Progress& progress);

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

/// A layer that a field brings along; its notes are sentences about that. An image is that at
/// x + displacement(x) for each voxel x of `grid`, 0 where the field or the image does not reach. The points
/// of a surface, and the places of a table, are those where displacedPoint() brings them: from the image that
/// the field lies on into the one that it deforms, so the other way than images.
///
/// @param layer          a volume, a series, labels, a surface or a table of places
/// @param displacement   3 volumes, mm, RAS+
/// @param interpolation  of images; nullopt takes label for labels and linear for all else
/// @throws Error         for layers of other kinds, for a field that is none or does not reach `grid` or any
///                       point, and when no voxel of the result lies in the image
Layer applyField(const Layer& layer, const Series<float>& displacement, const Grid& grid,
                 std::optional<Interpolation> interpolation, const Progress& progress);

}  // namespace sulcus::registration
