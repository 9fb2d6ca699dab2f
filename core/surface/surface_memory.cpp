#include "core/surface/surface_memory.h"

#include "core/base/error.h"
#include "core/base/sentence.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sulcus::surface {
namespace {

/// A count rounded down to two digits.
double roundedDown(double count) {
  const double unit = std::pow(10, std::max(std::floor(std::log10(std::max(count, 1.0))) - 1, 0.0));
  return std::floor(count / unit) * unit;
}

}  // namespace

double bandHostBytes(std::int64_t voxels, const SurfaceOptions& options) {
  const double n = options.patch, m = options.neighbors;
  const double edges = options.weights == PatchWeights::symmetric ? 2 * m : m;
  const int steps = heatStepsPerIteration(options) * iterationCount(options, false);
  const double searching = 4 * n * n * n, weighing = 4 * m + 16 * edges;
  return double(voxels) * (std::max(searching, weighing) + 8 * m + 4 * (steps + 1) + 200);
}

double surfaceHostBytes(const BandEstimate& band, const SurfaceOptions& options) {
  return bandHostBytes(std::int64_t(band.voxels), options) + 40 * band.gridVoxels;
}

void requireBandFits(std::int64_t voxels, const SurfaceOptions& options, double limit) {
  // Elements have 32-bit indices, and on a GPU so have the neighbors of all elements.
  const double most = double(std::numeric_limits<std::int32_t>::max()) / std::max(options.neighbors, 1);
  const double bytes = bandHostBytes(voxels, options);
  const double fit = limit > 0 ? std::min(most, limit / bytes * double(voxels)) : most;
  if (double(voxels) <= fit) return;
  const std::string why =
      fit < most ? text(bytes / 1e9, " GB are needed and ", limit / 1e9, " GB are free, enough for about ")
                 : text("with ", options.neighbors, " neighbors of each it may have ");
  throw Error("The band of " + std::to_string(voxels) + " voxels is too large",
              why + std::to_string(std::int64_t(roundedDown(fit))) + " voxels",
              "take a narrower band (δ), a smaller patch or fewer neighbors, or larger voxels");
}

}  // namespace sulcus::surface
