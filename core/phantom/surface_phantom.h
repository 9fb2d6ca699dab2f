#pragma once

#include "core/base/options.h"
#include "core/image/volume.h"

#include <memory>

namespace sulcus::phantom {

/// blocks: two square blocks, the smaller one on the larger one. fold: a folded sheet like a cortex.
enum class SurfacePhantomKind { blocks, fold };
/// rough: the surface is displaced by normal noise. speckle: single voxels are inverted.
enum class SurfaceNoise { rough, speckle };

/// Parameters of the surface phantoms.
struct SurfacePhantomOptions {
  SurfacePhantomKind kind = SurfacePhantomKind::blocks;
  int size = 64;
  SurfaceNoise noise = SurfaceNoise::rough;
  double level = 0.6;
  int seed = 1;

  template <class Visit>
  void describe(Visit&& visit) {
    visit(kind, choiceOption("kind", "Shape", {"blocks", "fold"},
                             "blocks: two square blocks on each other. fold: a sheet folded like a cortex."));
    visit(size, numberOption("size", "Size", "voxels", {32, 256, 8}, "Voxels of 1 mm along each axis."));
    visit(noise, choiceOption("noise", "Noise", {"rough", "speckle"},
                              "rough: the surface is displaced in and out. speckle: single voxels near the "
                              "surface are flipped, which makes islands and holes."));
    visit(level, numberOption("level", "Strength", "", {0, 3, 0.1},
                              "rough: standard deviation of the noise in voxels. speckle: share of the "
                              "voxels near the surface, in tenths."));
    visit(seed, numberOption("seed", "Seed", "", {0, 2147483647, 1}, "Seed of the noise."));
  }
};

/// A noisy mask and the true surface, on the same grid.
struct SurfacePhantom {
  std::shared_ptr<const Mask> noisy;           ///< the inside, with noise
  std::shared_ptr<const Volume<float>> truth;  ///< signed distance of the true surface, mm, negative inside
};

/// size³ voxels of 1 mm, RAS+, around the origin. The blocks have edges of 0.56 and 0.31 of the size and are
/// 0.28 of it high, rounded to whole voxels. The fold is the set of all points within 0.05 of the size from a
/// wavy sheet.
SurfacePhantom makeSurfacePhantom(const SurfacePhantomOptions& options);

}  // namespace sulcus::phantom
