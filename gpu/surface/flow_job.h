#pragma once

#include "core/math/vec3.h"
#include "core/surface/surface_body.h"
#include "gpu/runtime/buffer.h"

#include <cstdint>

namespace sulcus::gpu {

/// What the weights are made of, in device memory; `count` neighbours of each of `elements`.
struct FlowNeighbours {
  const std::int32_t* index;
  const float* distance;
  const std::int64_t* voxels;
  std::int64_t elements;
  int count;
  Vec3<int> grid;
  Vec3<double> spacing;
};

/// PatchGraph on the device.
class DeviceGraph {
 public:
  DeviceGraph(const FlowNeighbours& neighbours, bool symmetric, double c1, double c2, const Stream& stream);

  /// φ → φ after a heat step; the energy before it to `energy`. All in device memory.
  void heat(const float* phi, float* next, double* energy, const Stream& stream);

  /// Bytes of device memory that it takes while it is made.
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

}  // namespace sulcus::gpu
