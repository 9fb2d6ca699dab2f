#pragma once

#include "core/image/layer.h"

#include <optional>

namespace sulcus {

/// The path of a brush from one place to another, mm RAS+.
struct BrushStroke {
  Vec3<double> from, to;
  double radius = 0;  ///< mm
  Label label = 1;    ///< 0 erases
  /// Unit normal: only voxels of the slice perpendicular to it are painted; none: a ball.
  std::optional<Vec3<double>> across;
  /// Only voxels of this label are painted over (0: the background); none: all.
  std::optional<Label> onlyOver = std::nullopt;
};

/// Gives the voxels whose centers the brush passes over its label; the voxels at both ends are included,
/// however small the brush. Returns how many voxels have changed.
std::int64_t paint(Volume<Label>& labels, const BrushStroke& stroke);

/// An empty layer of labels on the grid of an image, to be painted on.
Layer emptyLabels(const std::string& name, const Grid& grid);
/// A copy of a layer with other labels, which no file holds.
Layer withLabels(const Layer& layer, std::shared_ptr<const Volume<Label>> labels);

}  // namespace sulcus
