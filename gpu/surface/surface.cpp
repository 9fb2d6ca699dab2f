#include "gpu/surface/surface.h"

#include "core/surface/heat_flow.h"
#include "gpu/runtime/device_time.h"
#include "gpu/surface/flow_job.h"
#include "gpu/surface/neighbors.h"

#include <algorithm>
#include <memory>
#include <optional>

namespace sulcus::gpu::surface {
using namespace sulcus::surface;
namespace {

constexpr const char* kHeatSteps = "these heat steps";

/// The heat steps over a search in device memory.
class DeviceHeat {
 public:
  DeviceHeat(const SurfaceSearch& search, PatchWeights weights, double c1, double c2, const Stream& stream)
      : stream_(&stream),
        phi_(search.band.count(), stream, kHeatSteps),
        next_(search.band.count(), stream, kHeatSteps),
        energy_(1, stream, kHeatSteps) {
    const Band& band = search.band;
    const PatchNeighbors& found = search.neighbors;
    std::optional<WaitTimer> waiting(WaitKind::copies);
    const auto index = uploaded<std::int32_t>(found.index, stream, kHeatSteps);
    const auto distance = uploaded<float>(found.distance, stream, kHeatSteps);
    const auto voxels = uploaded<std::int64_t>(band.voxels, stream, kHeatSteps);
    waiting.emplace(WaitKind::work);
    graph_ = std::make_unique<DeviceGraph>(
        FlowNeighbors{index.data(), distance.data(), voxels.data(), band.count(), found.count,
                      band.grid().size, band.grid().spacing()},
        FlowWeights{weights == PatchWeights::symmetric, c1, c2}, stream);
    stream.synchronize();
  }

  HeatStep step(const std::vector<float>& phi) {
    const WaitTimer waiting(WaitKind::work);
    HeatStep result;
    result.phi.resize(phi.size());
    phi_.upload(phi, *stream_);
    graph_->heat(phi_.data(), next_.data(), energy_.data(), *stream_);
    next_.download(result.phi, *stream_);
    energy_.download({&result.energy, 1}, *stream_);
    stream_->synchronize();
    return result;
  }

 private:
  const Stream* stream_;
  Buffer<float> phi_, next_;
  Buffer<double> energy_;
  std::unique_ptr<DeviceGraph> graph_;
};

/// Bytes of device memory of the heat steps over the neighbors of a band.
std::int64_t flowBytes(std::int64_t elements, int count, PatchWeights weights) {
  return elements * (8 * std::int64_t(count) + 16) +
         DeviceGraph::bytes(elements, count, weights == PatchWeights::symmetric);
}

}  // namespace

SurfaceFlow flowOver(const SurfaceSearch& search, const SurfaceInput& input, const SurfaceOptions& options,
                     const Progress& progress) {
  requireDevice();
  requireMemory(flowBytes(search.band.count(), search.neighbors.count, options.weights), kHeatSteps);
  const Stream stream;
  const MakeHeatStep makeHeat = [&](double c1, double c2, const Progress& part) -> TakeHeatStep {
    part.throwIfCancelled();
    const auto heat = std::make_shared<DeviceHeat>(search, options.weights, c1, c2, stream);
    return [heat](const std::vector<float>& phi) { return heat->step(phi); };
  };
  return flowWith(makeHeat, search, input, options, progress);
}

SurfaceResult denoiseSurface(const SurfaceInput& input, const SurfaceOptions& options,
                             const Progress& progress) {
  return denoiseSurfaceWith(findNeighbors, flowOver, input, options, progress);
}

double surfaceDeviceBytes(const BandEstimate& band, const SurfaceOptions& options) {
  const auto elements = std::int64_t(band.voxels);
  const int count =
      int(std::clamp<std::int64_t>(options.neighbors, 0, std::max<std::int64_t>(elements - 1, 0)));
  return double(std::max(DeviceSearch::bytes(elements, std::int64_t(band.gridVoxels), options.patch, count),
                         flowBytes(elements, count, options.weights)));
}

}  // namespace sulcus::gpu::surface
