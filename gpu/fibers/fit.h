#pragma once

#include "core/fibers/fiber_plan.h"
#include "gpu/fibers/csd.h"
#include "gpu/runtime/buffer.h"

#include <cstdint>

namespace sulcus::gpu::fibers {
using namespace sulcus::fibers;

/// The plan's matrices on the device, rows padded with zeros to whole float4.
struct FitConstants {
  FiberModel model;
  int order, unweighted, weighted;  ///< weighted: n; both 0 for sh and tensor
  SignalTransform transform;
  Buffer<float> bValues;                 ///< n
  Buffer<float> fit, start;              ///< n × U, transposed: from the transformed signal; start: csd only
  Buffer<float> predict;                 ///< n × U
  Buffer<float> tensorFromCoefficients;  ///< U × U
  Buffer<float> offset;                  ///< U
  Buffer<float> harmonicsFromTensor;     ///< U × U, transposed
  CsdConstants csd;
};

/// Queues the upload of the plan's matrices; the plan must live until the stream has passed.
FitConstants uploadFit(const FiberPlan& plan, const Stream& stream);

/// Bytes of device memory of uploadFit's buffers.
std::int64_t fitConstantBytes(const FiberSizes& sizes);

/// Device memory of the voxels fitted together; one row per map, `capacity` long.
struct FitSlab {
  std::int64_t capacity = 0;
  Buffer<float> signal;        ///< in: unweighted, then weighted volumes; U volumes for sh; empty for tensor
  Buffer<float> right;         ///< csd: Aᵀs, U rows
  Buffer<float> coefficients;  ///< U rows; empty for sh, tensor
  Buffer<float> residual, anisotropy;

  FitSlab(std::int64_t voxels, const FiberSizes& sizes, const Stream& stream);

  /// Rows of `signal`.
  static int signalRows(const FiberSizes& sizes);
  /// Bytes of device memory per voxel: 4 (signal rows + 2 + U for a linear model or 2 U for csd).
  static std::int64_t bytesPerVoxel(const FiberSizes& sizes);
};

/// Queues the fit of columns [begin, end): writes residual, anisotropy and the rows of `tensors` (for model
/// tensor: reads them).
void fitVoxels(const FitConstants& constants, FitSlab& slab, std::int64_t begin, std::int64_t end,
               Buffer<float>& tensors, const Stream& stream);

}  // namespace sulcus::gpu::fibers
