#pragma once

#include "core/base/note.h"
#include "core/base/options.h"
#include "core/base/progress.h"
#include "core/base/provenance.h"
#include "core/image/volume.h"
#include "core/surface/neighbors.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace sulcus::surface {

/// The weights of the heat flow: symmetric is W = max(W, Wᵀ), with corrections that preserve shapes and
/// volumes; paper uses those of each element's own neighbors, as published.
enum class PatchWeights { symmetric, paper };

/// Options of the level-set non-local-means denoising of a surface (resources/design/engines.md).
struct SurfaceOptions {
  std::int64_t label = 0;
  double threshold = 0.5;
  double spacing = 1;
  double delta = 3;
  int patch = 5;
  int neighbors = 96;
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
          withLowest("all", numberOption("label", "Label", "", {0, 9007199254740991, 1},
                                         "Which label of the mask is denoised; all: whatever is not 0.")));
    visit(threshold, numberOption("threshold", "Threshold", "", {-1e9, 1e9, 0.01},
                                  "Threshold of an image: brighter voxels are inside the surface."));
    visit(spacing, advanced(numberOption("spacing", "Voxel size for meshes", "mm", {0.05, 20, 0.05},
                                         "Edge length of the voxels onto which a mesh is sampled.")));
    visit(delta, advanced(numberOption(
                     "delta", "Band half-width δ", "voxels", {1, 16, 0.5},
                     "Voxels this near the surface are denoised, and searched for similar patches.")));
    visit(patch, advanced(numberOption("patch", "Patch", "voxels", {3, 7, 2},
                                       "Edge of the patches that are compared: larger patches distinguish "
                                       "finer shapes but have fewer similar ones.")));
    visit(neighbors,
          advanced(numberOption("neighbours", "Neighbors m", "", {1, 1024, 8},
                                "How many of the most similar patches each voxel is averaged with.")));
    visit(iterations,
          adjustable(withLowest(
              "auto", numberOption("iterations", "Iterations", "", {0, 100, 1},
                                   "Heat steps: more are smoother. auto: 20 with symmetric "
                                   "weights, 5 with those of the paper; of a gray image 5 and 2."))));
    visit(c2,
          advanced(adjustable(withLowest(
              "auto",
              numberOption("c2", "Patch scale c2", "mm²", {0, 1e6, 1},
                           "How much a patch may differ and still contribute; auto: the median distance of "
                           "the last neighbor, with symmetric weights limited to what noise explains.")))));
    visit(weights, adjustable(choiceOption(
                       "weights", "Weights", {"symmetric", "paper"},
                       "symmetric: what one voxel gains another loses, and the shrinkage is compensated; "
                       "paper: weights of each voxel's own neighbors only, which shrinks the shape.")));
    visit(c1, advanced(adjustable(withLowest(
                  "off", numberOption("c1", "Distance scale c1", "mm²", {0, 1e6, 10},
                                      "Makes far patches count less; off was better in every trial.")))));
    visit(redistance, advanced(adjustable(withLowest(
                          "off", numberOption("redistance", "Re-distance every", "iterations", {0, 100, 1},
                                              "Makes the level set a distance again.")))));
    visit(passes,
          advanced(numberOption("passes", "Passes", "", {1, 5, 1},
                                "Each further one makes the level set a distance and searches again.")));
    visit(window, advanced(withLowest(
                      "whole band",
                      numberOption("window", "Search radius", "voxels", {0, 64, 1},
                                   "Compares only patches within this distance, for very large surfaces: "
                                   "approximate, and worse where similar patches are far apart."))));
  }
};

/// A function that turns a level set into the signed distance in mm from its surface φ = 0.
using Redistance = Volume<float>(const Volume<float>& phi, const Progress& progress);

/// The surface to be denoised. The level set is shared and never modified.
struct SurfaceInput {
  std::shared_ptr<const Volume<float>> phi;  ///< signed distance of the surface, mm, negative inside
  bool gray = false;                         ///< φ was made from a gray image and is smooth between voxels
  bool mask = false;                         ///< φ was made from a mask, half-way between its voxels
  /// Required if the options request re-distancing or several passes; else may be empty.
  std::function<Redistance> redistance = {};
  /// Memory limit, bytes, see bandHostBytes(); 0 for no limit.
  double memoryLimit = 0;
  /// Called on the working thread with φ in mm after each iteration; may be empty.
  std::function<void(const Volume<float>& phi)> preview = {};
};

/// The band and the neighbors found in it, the expensive part.
struct SurfaceSearch {
  Band band;
  PatchNeighbors neighbors;
};

struct SurfaceIteration {
  int pass = 1, iteration = 0;  ///< count from 1
  double energy = 0;            ///< heatEnergy() before the step, mm²
  double change = 0;            ///< root mean square change of φ over the band, mm
};

/// The heat steps over a search.
struct SurfaceFlow {
  double c1 = 0, c2 = 0;  ///< the scales that were used, mm²; may be infinite
  /// φ on the band before the first step and after each, one value per element, mm.
  std::vector<std::vector<float>> steps;
  std::vector<SurfaceIteration> iterations;
  Notes warnings;  ///< about pieces that changed by more than noise explains, after the last step
};

struct SurfaceResult {
  std::shared_ptr<const SurfaceSearch> search;  ///< of the last pass
  SurfaceFlow flow;                             ///< of the last pass
  Notes notes;
  std::vector<StageTime> stages;
};

/// φ in mm on the whole grid after `iteration` steps of the last pass, where 0 is before the first step.
Volume<float> phiAfter(const SurfaceSearch& search, const SurfaceFlow& flow, std::size_t iteration);

/// The edge of a cube with the volume of a voxel, mm. The option δ is in this unit.
double voxelEdge(const Grid& grid);

/// The number of iterations for the option value 0.
int automaticIterations(PatchWeights weights, bool gray);
/// The number of iterations of each pass of a run.
int iterationCount(const SurfaceOptions& options, bool gray);
/// Heat steps per iteration. With symmetric weights 2: φ after twice as many steps shows their effect on the
/// shape, which is then undone. Otherwise 1; a re-distanced φ cannot be compared in this way.
int heatStepsPerIteration(const SurfaceOptions& options);

/// A function that takes the heat steps over a search. Other values of c1, c2, weights, iterations and
/// re-distancing need no new search.
using FlowOver = SurfaceFlow(const SurfaceSearch&, const SurfaceInput&, const SurfaceOptions&,
                             const Progress&);

/// Takes the heat steps on the CPU, on all threads of the withThreads() scope.
FlowOver flowOver;

/// A function that denoises a surface. It throws Error for invalid input, and Cancelled.
using DenoiseSurface = SurfaceResult(const SurfaceInput&, const SurfaceOptions&, const Progress&);

/// Denoises on the CPU, on all threads of the withThreads() scope.
DenoiseSurface denoiseSurface;
/// Denoises with a search of the whole band and the given heat steps.
SurfaceResult denoiseSurfaceWith(FindNeighbors& find, FlowOver& flow, const SurfaceInput& input,
                                 const SurfaceOptions& options, const Progress& progress);

}  // namespace sulcus::surface
