#pragma once

#include "core/base/options.h"
#include "core/image/labels/label_table.h"
#include "core/image/volume.h"

#include <memory>

namespace sulcus::phantom {

/// Parameters of the tracts phantom.
struct TractsPhantomOptions {
  double spacing = 2;

  template <class Visit>
  void describe(Visit&& visit) {
    visit(spacing, numberOption("spacing", "Voxel size", "mm", {0.5, 4, 0.5},
                                "Voxel size of the grid, which spans 72 mm."));
  }
};

/// An arch and a straight bundle that crosses it at its top, as functions of order 8: (g·t)⁸ for a bundle
/// along t, summed where they cross.
struct TractsPhantom {
  std::shared_ptr<const Series<float>> functions;  ///< entries of symmetric tensors, world axes
  std::shared_ptr<const Series<float>> peaks;      ///< the maxima: at most two, 6 volumes, world axes
  std::shared_ptr<const Mask> bundles;             ///< voxels of any bundle
  /// 1 and 2: the ends of the arch; 3 and 4: those of the straight bundle.
  std::shared_ptr<const Volume<Label>> ends;
};

/// The arch: half a circle of this radius around the axis x = 0, z = −16, from left to right, with legs down
/// to the lowest z. The straight bundle runs from back to front. Both are tubes, mm.
inline constexpr double kArchRadius = 20, kArchBase = -16, kTubeRadius = 7;

TractsPhantom makeTractsPhantom(const TractsPhantomOptions& options);

}  // namespace sulcus::phantom
