#pragma once

#include "core/base/options.h"
#include "core/base/progress.h"
#include "core/base/provenance.h"
#include "core/image/volume.h"
#include "core/surface/neighbours.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace sulcus {

/// symmetric: W = max(W, Wᵀ), which keeps volumes. paper: of each element's own neighbours.
enum class PatchWeights { symmetric, paper };

/// Level-set non-local-means denoising of a surface (resources/design/engines.md).
struct SurfaceOptions {
  int label = 0;
  double threshold = 0.5;
  double spacing = 1;
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
    visit(label,
          withLowest("all", numberOption("label", "Label", "", 0, 2147483647, 1,
                                         "Which label of the mask is denoised; all: whatever is not 0.")));
    visit(threshold, numberOption("threshold", "Threshold", "", -1e9, 1e9, 0.01,
                                  "Of an image: what is brighter lies inside the surface."));
    visit(spacing, numberOption("spacing", "Voxels for a mesh", "mm", 0.05, 20, 0.05,
                                "Edge of the voxels that a mesh is laid into."));
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
                                               "Heat steps: more are smoother. auto: 20 with symmetric "
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

/// A level set made a signed distance again (mm), its zero where it was.
using Redistance = Volume<float>(const Volume<float>& phi, const Progress& progress);

/// What is denoised. Shared, never changed.
struct SurfaceInput {
  std::shared_ptr<const Volume<float>> phi;  ///< signed distance of the surface, mm, negative inside
  bool gray = false;                         ///< φ was made of a gray image: sub-voxel already
  /// Needed where the options ask for it.
  std::function<Redistance> redistance = {};
  /// Memory that may be taken, bytes; 0: as much as it needs. See surfaceHostBytes().
  double memoryLimit = 0;
  /// Called on the worker with φ after each iteration; may be empty.
  std::function<void(const Volume<float>& phi)> preview = {};
};

/// The band that was searched, and what was found there: all that takes long.
struct SurfaceSearch {
  Volume<float> phi;  ///< on the steps of onSteps()
  Band band;
  PatchNeighbours neighbours;
};

struct SurfaceIteration {
  int pass = 1, iteration = 0;  ///< from 1 on
  double energy = 0;            ///< heatEnergy() before the step, mm²
  double change = 0;            ///< root mean square over the band, mm
};

/// The heat steps over a search.
struct SurfaceFlow {
  double c1 = 0, c2 = 0;                  ///< as used, mm²; may be infinite
  std::vector<std::vector<float>> steps;  ///< φ on the band: before the first, after each
  std::vector<SurfaceIteration> iterations;
};

struct SurfaceResult {
  std::shared_ptr<const SurfaceSearch> search;  ///< of the last pass
  SurfaceFlow flow;                             ///< of the last pass
  std::vector<std::string> notes;
  std::vector<StageTime> stages;
};

/// φ after `iteration` steps of the last pass (0: before them) on the whole grid.
Volume<float> phiAfter(const SurfaceSearch& search, const SurfaceFlow& flow, std::size_t iteration);

/// Edge of a voxel as δ counts it, mm: that of a cube as large.
double voxelEdge(const Grid& grid);

/// Iterations that 0 stands for.
int automaticIterations(PatchWeights weights, bool gray);
/// Those of a run.
int iterationsOf(const SurfaceOptions& options, bool gray);

/// The heat steps over a search; again with other c1, c2, weights, iterations or re-distancing nothing is
/// searched.
using FlowOver = SurfaceFlow(const SurfaceSearch&, const SurfaceInput&, const SurfaceOptions&,
                             const Progress&);

/// On the CPU, on all threads of the withThreads() scope.
FlowOver flowOver;

/// Throws Error for input that cannot be worked on and Cancelled.
using DenoiseSurface = SurfaceResult(const SurfaceInput&, const SurfaceOptions&, const Progress&);

/// On the CPU, on all threads of the withThreads() scope.
DenoiseSurface denoiseSurface;
/// The same with another search of the whole band and other heat steps.
SurfaceResult denoiseSurfaceBy(FindNeighbours& find, FlowOver& flow, const SurfaceInput& input,
                               const SurfaceOptions& options, const Progress& progress);

}  // namespace sulcus
