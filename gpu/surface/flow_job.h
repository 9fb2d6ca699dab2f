#pragma once

#include "core/math/vec3.h"
#include "core/surface/surface_kernel.h"
#include "gpu/runtime/buffer.h"

#include <cstdint>

namespace sulcus::gpu::surface {
using namespace sulcus::surface;

/// The input of the weights, in device memory.
struct FlowNeighbors {
  const std::int32_t* index;   ///< elements × count
  const float* distance;       ///< the same shape: D, mm²
  const std::int64_t* voxels;  ///< grid index of each element
  std::int64_t elements;
  int count;             ///< neighbors of each element
  Vec3<int> grid;        ///< voxels
  Vec3<double> spacing;  ///< mm
};

/// The weights exp(−|x − y|² / c₁ − D / c₂), both in mm².
struct FlowWeights {
  bool symmetric;  ///< from both ends of an edge
  double c1, c2;
};

/// PatchGraph on the device: the heat steps.
class DeviceGraph {
 public:
  /// Makes the graph; `neighbors` are no longer read once `stream` has completed. `stream` must outlive it.
  DeviceGraph(const FlowNeighbors& neighbors, const FlowWeights& weights, const Stream& stream);

  /// Queues a heat step from `phi` to `next`, mm, one value for each element, and writes the energy before it
  /// to `energy`. All are in device memory.
  void heat(const float* phi, float* next, double* energy, const Stream& stream);

  /// Peak bytes of device memory during construction.
  static std::int64_t bytes(std::int64_t elements, int count, bool symmetric);

 private:
  std::int64_t elements_;
  Buffer<std::int64_t> first_;
  Buffer<std::int32_t> index_;
  Buffer<float> weight_;
  Buffer<double> rows_;
  Buffer<unsigned char> scratch_;
  double step_ = 0;
};

}  // namespace sulcus::gpu::surface
