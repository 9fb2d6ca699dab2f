#pragma once

#include "core/image/volume.h"
#include "ui/scene/common/colormap.h"
#include "ui/scene/glyphs/glyphs.h"
#include "ui/scene/glyphs/lobes.h"
#include "ui/scene/volume3d/mesh_index.h"

#include <functional>
#include <vector>

// Geometry of displacement fields, without VTK.

namespace sulcus::ui::scene {

/// A displacement in mm (RAS+) that can be evaluated anywhere on its grid.
class FieldSampler {
 public:
  /// `field`, with 3 volumes, must outlive it. `withoutAffine` subtracts the affine map that fits it best, by
  /// least squares over a regular sample of the voxels.
  FieldSampler(const Series<float>& field, bool withoutAffine);

  /// The displacement at a position in voxels, trilinear; outside the grid as at its border. Not finite where
  /// the field is not.
  Vec3<double> at(const Vec3<double>& voxel) const;
  const Grid& grid() const { return field_->grid; }

 private:
  const Series<float>* field_;
  Vec3<double> center_, mean_;  ///< the affine part is mean + Σ slope (voxel − center)
  Vec3<double> slope_[3];
};

/// The color of a displacement, mm.
using FieldColor = std::function<Rgb(const Vec3<double>&)>;

/// The default spacing in voxels: about 24 lines across the longest side, 32 arrows.
int everyForGrid(const Grid& grid);
int everyForArrows(const Grid& grid);

/// The approximate number of segments of the grid lines in a plane.
std::int64_t gridPieces(const Grid& grid, const CutPlane& plane, int every);
/// Adds the grid lines in a plane, every `every` voxels, with each point x moved to x + u(x). With `flat`,
/// only within the plane, as seen in a slice. Parts that would leave the image are omitted, so that a large
/// displacement stays legible.
void appendGridLines(const FieldSampler& field, const CutPlane& plane, int every, bool flat,
                     const FieldColor& color, Sticks& lines);

/// The voxels with arrows: those that the plane cuts, every `every` voxels in both directions.
std::vector<std::int64_t> arrowVoxels(const Grid& grid, const CutPlane& plane, int every);

struct Arrows {
  Sticks shafts;
  Surfaces heads;
};

struct ArrowStyle {
  const CutPlane& plane;
  int every;  ///< voxels from one arrow to the next
  bool flat;  ///< in the plane and with a flat head, else with a cone
};

/// Adds an arrow from x to x + u(x) for each voxel, with its true length. Arrows whose tip is further outside
/// the image than the distance between arrows are omitted.
void appendArrows(const FieldSampler& field, const std::vector<std::int64_t>& voxels, const ArrowStyle& style,
                  const FieldColor& color, Arrows& arrows);

}  // namespace sulcus::ui::scene
