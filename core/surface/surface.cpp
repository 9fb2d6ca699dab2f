#include "core/surface/surface.h"

#include "core/base/error.h"
#include "core/base/sentence.h"
#include "core/base/stage_clock.h"
#include "core/image/grids/value_check.h"
#include "core/surface/heat_flow.h"
#include "core/surface/surface_memory.h"
#include "core/surface/surface_pieces.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sulcus::surface {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

void checkInput(const SurfaceInput& input, const SurfaceOptions& options) {
  if (!input.phi || input.phi->grid.voxels() == 0)
    throw Error("No surface was given", "there is nothing to denoise", "give a mask, an image or a mesh");
  if (options.patch % 2 == 0)
    throw Error(text("A patch of ", options.patch, " voxels has no middle"), "it is centered on a voxel",
                "take 3, 5 or 7", ErrorKind::usage);
  if ((options.redistance > 0 || options.passes > 1) && !input.redistance)
    throw Error("The level set cannot be redistanced", "no redistancing function was given",
                "set re-distancing and further passes to off");
  const auto& values = input.phi->values;
  requireSound(values, "The level set", "no surface can be placed by them",
               "replace them by a large distance, or make it from a mask");
  const bool inside = std::any_of(values.begin(), values.end(), [](float v) { return v < 0; }),
             outside = std::any_of(values.begin(), values.end(), [](float v) { return v >= 0; });
  if (!inside || !outside)
    throw Error(inside ? "Everything lies inside the surface" : "Nothing lies inside the surface",
                "there is no surface between inside and outside",
                "check the mask, the label or the threshold");
}

std::shared_ptr<const SurfaceSearch> searchBand(FindNeighbors& find, const Volume<float>& phi,
                                                double memoryLimit, const SurfaceOptions& options,
                                                const Progress& progress) {
  auto search = std::make_shared<SurfaceSearch>();
  search->band =
      bandOf(quantized(phi, progress.part(0, 0.01, "Band")), options.delta * voxelEdge(phi.grid),
             options.patch, [&](std::int64_t voxels) { requireBandFits(voxels, options, memoryLimit); });
  const Progress compare = progress.part(0.01, 1, "Search");
  search->neighbors = options.window > 0
                          ? findNeighborsNearby(search->band, options.neighbors, options.window, compare)
                          : find(search->band, options.neighbors, compare);
  return search;
}

double rootMeanSquare(const std::vector<float>& a, const std::vector<float>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (double(a[i]) - b[i]) * (double(a[i]) - b[i]);
  return std::sqrt(sum / double(std::max<std::size_t>(a.size(), 1)));
}

/// c₂ if none was given. Other shapes are not noise, however few are alike.
double scaleFor(const SurfaceSearch& search, PatchWeights weights, bool gray) {
  const double last = automaticPatchScale(search.neighbors);
  if (weights == PatchWeights::paper) return last;
  return std::min(last, noisePatchScale(search.band, search.neighbors, gray));
}

/// Undoes the effect of heat steps on the shape: the same number of steps again shows how much that is, so
/// the result is φ − (φ after them − φ). Noise that has been removed does not come back (twicing, Tukey
/// 1977).
///
/// @param phi    after a number of steps
/// @param twice  after twice that number
std::vector<float> corrected(const std::vector<float>& phi, const std::vector<float>& twice) {
  std::vector<float> result(phi.size());
  for (std::size_t e = 0; e < phi.size(); ++e) result[e] = float(2 * double(phi[e]) - double(twice[e]));
  return result;
}

}  // namespace

double voxelEdge(const Grid& grid) {
  const Vec3<double> spacing = grid.spacing();
  return std::cbrt(spacing.x * spacing.y * spacing.z);
}

int automaticIterations(PatchWeights weights, bool gray) {
  if (weights == PatchWeights::symmetric) return gray ? 5 : 20;
  return gray ? 2 : 5;
}

int iterationCount(const SurfaceOptions& options, bool gray) {
  return options.iterations > 0 ? options.iterations : automaticIterations(options.weights, gray);
}

int heatStepsPerIteration(const SurfaceOptions& options) {
  return options.weights == PatchWeights::symmetric && options.redistance == 0 ? 2 : 1;
}

Volume<float> phiAfter(const SurfaceSearch& search, const SurfaceFlow& flow, std::size_t iteration) {
  return withBand(search.band, flow.steps[std::min(iteration, flow.steps.size() - 1)]);
}

SurfaceFlow flowWith(const MakeHeatStep& makeHeatStep, const SurfaceSearch& search, const SurfaceInput& input,
                     const SurfaceOptions& options, const Progress& progress) {
  SurfaceFlow flow;
  flow.c1 = options.c1 > 0 ? options.c1 : kInfinite;
  flow.c2 = options.c2 > 0 ? options.c2 : scaleFor(search, options.weights, input.gray);
  const TakeHeatStep takeHeatStep = makeHeatStep(flow.c1, flow.c2, progress.part(0, 0.3, "Weights"));
  const int iterations = iterationCount(options, input.gray), stride = heatStepsPerIteration(options);
  const Progress part = progress.part(0.3, 1, "Heat steps");
  flow.steps.push_back(onBand(search.band.phi, search.band));
  const SurfacePieces pieces(search.band, input.mask);
  const auto inside = [](const std::vector<float>& phi) {
    return std::count_if(phi.begin(), phi.end(), [](float value) { return value < 0; });
  };
  const bool deep = inside(search.band.phi.values) > inside(flow.steps.front());  // whether the inside
                                                                                  // extends beyond the band
  for (int i = 1; i <= stride * iterations; ++i) {
    const std::vector<float>& before = flow.steps.back();
    HeatStep step = takeHeatStep(before);
    if (i <= iterations) flow.iterations.push_back({1, i, step.energy, rootMeanSquare(step.phi, before)});
    flow.steps.push_back(std::move(step.phi));
    if (options.redistance > 0 && i % options.redistance == 0 && i < iterations)
      flow.steps.back() = onBand(input.redistance(withBand(search.band, flow.steps.back()), {}), search.band);
    part.update(double(i) / (stride * iterations));
    if (i % stride != 0) continue;
    const int made = i / stride;
    if (stride == 2) {
      flow.steps[made] = corrected(flow.steps[made], flow.steps.back());
      pieces.keepVolumes(flow.steps[made]);
    }
    const std::vector<float>& shown = flow.steps[made];
    if (!deep && inside(shown) == 0)
      throw Error("The surface vanishes",
                  text("after ", counted(made, "heat step"), " nothing remains inside it"),
                  "take fewer iterations, smaller patches, or an image with finer voxels");
    if (input.preview) input.preview(withBand(search.band, shown));
  }
  flow.steps.resize(std::size_t(iterations) + 1);
  flow.warnings = pieces.warnings(flow.steps.back());
  for (int i = 1; stride == 2 && i <= iterations; ++i)
    flow.iterations[i - 1].change = rootMeanSquare(flow.steps[i], flow.steps[i - 1]);
  return flow;
}

SurfaceFlow flowOver(const SurfaceSearch& search, const SurfaceInput& input, const SurfaceOptions& options,
                     const Progress& progress) {
  const MakeHeatStep makeHeatStep = [&](double c1, double c2, const Progress& part) -> TakeHeatStep {
    auto graph = std::make_shared<const PatchGraph>(
        graphOf(search.band, search.neighbors, options.weights, c1, c2, part));
    return [graph](const std::vector<float>& phi) {
      return HeatStep{heatStep(*graph, phi, {}), heatEnergy(*graph, phi, {})};
    };
  };
  return flowWith(makeHeatStep, search, input, options, progress);
}

SurfaceResult denoiseSurfaceWith(FindNeighbors& find, FlowOver& flow, const SurfaceInput& input,
                                 const SurfaceOptions& options, const Progress& progress) {
  checkInput(input, options);
  StageClock clock;
  SurfaceResult result;
  std::vector<SurfaceIteration> earlier;
  for (int pass = 1; pass <= options.passes; ++pass) {
    const double from = double(pass - 1) / options.passes, to = double(pass) / options.passes;
    const std::string of = options.passes > 1 ? text(" ", pass) : "";
    const Progress search = progress.part(from, from + 0.9 * (to - from), "Search");
    result.search =
        pass == 1
            ? searchBand(find, *input.phi, input.memoryLimit, options, search)
            : searchBand(find,
                         input.redistance(phiAfter(*result.search, result.flow, result.flow.steps.size() - 1),
                                          search.part(0, 0.1, "Distance")),
                         input.memoryLimit, options, search.part(0.1, 1, "Search"));
    clock.finish("Search" + of);
    result.flow =
        flow(*result.search, input, options, progress.part(from + 0.9 * (to - from), to, "Heat steps"));
    for (auto& i : result.flow.iterations) i.pass = pass;
    earlier.insert(earlier.end(), result.flow.iterations.begin(), result.flow.iterations.end());
    clock.finish("Heat steps" + of);
  }
  result.stages = clock.stages();
  result.flow.iterations = std::move(earlier);
  result.notes.push_back(text(result.search->band.count(), " voxels in the band, ",
                              result.search->neighbors.count, " neighbors of each."));
  result.notes.insert(result.notes.end(), result.flow.warnings.begin(), result.flow.warnings.end());
  if (options.window > 0)
    result.notes.push_back(text("Searched only ", options.window, " voxels around each: approximate."));
  return result;
}

SurfaceResult denoiseSurface(const SurfaceInput& input, const SurfaceOptions& options,
                             const Progress& progress) {
  return denoiseSurfaceWith(findNeighbors, flowOver, input, options, progress);
}

}  // namespace sulcus::surface
