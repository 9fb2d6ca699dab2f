#pragma once

#include "core/base/options.h"
#include "core/base/progress.h"
#include "core/base/provenance.h"
#include "core/image/volume.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace sulcus {

/// symmetric: W = max(W, Wᵀ), which keeps volumes. paper: of each element's own neighbours.
enum class PatchWeights { symmetric, paper };

/// Level-set non-local-means denoising of a surface (ENGINES.md §4).
struct SurfaceOptions {
  double delta = 3;
  int patch = 5;
  int neighbours = 96;
  double c1 = 0;
  double c2 = 0;
  int iterations = 0;
  PatchWeights weights = PatchWeights::symmetric;
  int redistance = 0;
  int passes = 1;
  int window = 0;

  template <class Visit>
  void describe(Visit&& visit) {
    visit(delta,
          numberOption("delta", "Band half-width δ", "voxels", 1, 16, 0.5,
                       "Voxels this near the surface are denoised, and searched for similar patches."));
    visit(patch, numberOption("patch", "Patch", "voxels", 3, 7, 2,
                              "Edge of the cubes that are compared: larger ones tell finer shapes apart and "
                              "find fewer that are alike."));
    visit(neighbours, numberOption("neighbours", "Neighbours m", "", 1, 1024, 8,
                                   "How many of the most similar patches each voxel is averaged with."));
    visit(iterations, afterwards(withLowest(
                          "auto", numberOption("iterations", "Iterations", "", 0, 100, 1,
                                               "Heat steps: more are smoother. auto: 10 with symmetric "
                                               "weights, 5 with those of the paper, 2 of a gray image."))));
    visit(c2,
          afterwards(withLowest(
              "auto", numberOption("c2", "Patch scale c2", "mm²", 0, 1e6, 1,
                                   "How different a patch may be to count; auto: the median difference of "
                                   "the last neighbour."))));
    visit(weights, afterwards(choiceOption("weights", "Weights", {"symmetric", "paper"},
                                           "symmetric: what one voxel gains another loses, which keeps the "
                                           "volume; paper: of each voxel's own neighbours.")));
    visit(c1, advanced(afterwards(withLowest(
                  "off", numberOption("c1", "Distance scale c1", "mm²", 0, 1e6, 10,
                                      "Makes far patches count less; off was better in every trial.")))));
    visit(redistance, advanced(afterwards(
                          withLowest("off", numberOption("redistance", "Re-distance every", "iterations", 0,
                                                         100, 1, "Makes the level set a distance again.")))));
    visit(passes,
          advanced(numberOption("passes", "Passes", "", 1, 5, 1,
                                "Each further one makes the level set a distance and searches again.")));
    visit(window, advanced(withLowest(
                      "whole band", numberOption("window", "Search radius", "voxels", 0, 64, 1,
                                                 "Compares only patches this near, for very large surfaces: "
                                                 "approximate, and worse where the like lie far apart."))));
  }
};

}  // namespace sulcus
