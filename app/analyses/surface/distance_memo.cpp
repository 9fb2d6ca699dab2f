#include "app/analyses/surface/distance_memo.h"

namespace sulcus::app::analyses {

using Kind = surface::SurfaceSource::Kind;

DistanceKey::DistanceKey(const surface::SurfaceSource& source, const surface::SurfaceOptions& options)
    : layer(source.layer), kind(source.kind) {
  if (kind == Kind::mask) label = options.label;
  if (kind == Kind::image) threshold = options.threshold;
  if (kind == Kind::mesh)  // band and patch determine how large the grid is
    spacing = options.spacing, delta = options.delta, patch = options.patch;
}

}  // namespace sulcus::app::analyses
