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

/// A displacement in mm (RAS+) that can be asked anywhere on its grid.
class FieldSampler {
 public:
  /// `field` must outlive it: 3 volumes. `withoutAffine` takes off the affine map that fits it best, by least
  /// squares over an even sample of the voxels.
  FieldSampler(const Series<float>& field, bool withoutAffine);

  /// The displacement at a position in voxels, trilinear; outside of the grid as at its border. Not finite
  /// where the field is not.
  Vec3<double> at(const Vec3<double>& voxel) const;
  const Grid& grid() const { return field_->grid; }

 private:
  const Series<float>* field_;
  Vec3<double> center_, mean_;  ///< the affine part is mean + Σ slope (voxel − center)
  Vec3<double> slope_[3];
};

/// The color of a displacement, mm.
using FieldColor = std::function<Rgb(const Vec3<double>&)>;

/// Voxels between neighbors where the user leaves that open: about 24 lines across the longest side, 32
/// arrows.
int everyForGrid(const Grid& grid);
int everyForArrows(const Grid& grid);

/// How many pieces the lines of the grid in a plane have, about.
std::int64_t gridPieces(const Grid& grid, const CutPlane& plane, int every);
/// Adds the lines of the grid that lie in a plane, every `every` voxels, each point x moved to x + u(x). With
/// `flat` only within the plane, as it is seen in a slice. What would leave the image is left out, so that a
/// large displacement stays legible.
void appendGridLines(const FieldSampler& field, const CutPlane& plane, int every, bool flat,
                     const FieldColor& color, Sticks& lines);

/// The voxels with arrows: those that the plane cuts, every `every` voxels in both directions.
std::vector<std::int64_t> arrowVoxels(const Grid& grid, const CutPlane& plane, int every);

/// Adds an arrow from x to x + u(x) for each voxel, of true length. With `flat` in the plane and with a flat
/// head, else with a cone. Arrows whose tip is further outside of the image than their distance to the next
/// are left out.
void appendArrows(const FieldSampler& field, const std::vector<std::int64_t>& voxels, const CutPlane& plane,
                  int every, bool flat, const FieldColor& color, Sticks& shafts, Surfaces& heads);

}  // namespace sulcus::ui::scene
