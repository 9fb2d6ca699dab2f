#pragma once

#include "core/base/memory/memo.h"
#include "core/surface/surface_source.h"

#include <memory>

namespace sulcus::app::analyses {

/// What the signed distance of a surface depends on.
struct DistanceKey {
  DistanceKey(const surface::SurfaceSource& source, const surface::SurfaceOptions& options);

  Identity layer;
  surface::SurfaceSource::Kind kind;
  Label label = 0;
  int patch = 0;
  double threshold = 0, spacing = 0, delta = 0;
  friend bool operator==(const DistanceKey&, const DistanceKey&) = default;
};

/// Keeps the last signed distance, so that the second backend, or another search, does not recompute it for
/// the same surface.
using DistanceMemo = Memo<DistanceKey, std::shared_ptr<const Volume<float>>>;

}  // namespace sulcus::app::analyses
