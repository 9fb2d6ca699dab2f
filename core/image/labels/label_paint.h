#pragma once

#include "core/image/layer.h"

#include <optional>

namespace sulcus {

/// What a brush leaves behind on its way from one place to another, mm RAS+.
struct BrushStroke {
  Vec3<double> from, to;
  double radius = 0;  ///< mm
  Label label = 1;    ///< 0 erases
  /// Unit normal: only voxels of the slice across it are painted; none: a ball.
  std::optional<Vec3<double>> across;
  /// Only voxels of this label are painted, 0 is that of the background; none: all.
  std::optional<Label> onlyOver = std::nullopt;
};

/// Gives the voxels whose centers the brush has come over its label; that at either end belongs to it,
/// however small the brush. Returns how many have another label now.
std::int64_t paint(Volume<Label>& labels, const BrushStroke& stroke);

/// No labels yet, on the grid of an image, as a layer to be painted on.
Layer emptyLabels(const std::string& name, const Grid& grid);
/// A layer of labels with other labels, which no file holds.
Layer withLabels(const Layer& layer, std::shared_ptr<const Volume<Label>> labels);

}  // namespace sulcus
