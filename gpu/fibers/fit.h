#pragma once

#include "core/fibers/fiber_plan.h"
#include "gpu/fibers/csd.h"
#include "gpu/fibers/tissues.h"
#include "gpu/runtime/buffer.h"

#include <cstdint>

namespace sulcus::gpu::fibers {
using namespace sulcus::fibers;

/// The plan's matrices on the device, rows padded with zeros to a multiple of float4. V =
/// FiberSizes::coefficients().
struct FitConstants {
  FiberModel model;
  int order, unweighted, weighted;  ///< weighted: n; both 0 for sh and tensor
  SignalTransform transform;
  Buffer<float> bValues;                 ///< n
  Buffer<float> fit, start;              ///< n × V, transposed: map the transformed signal; start: csd only
  Buffer<float> predict;                 ///< n × V
  Buffer<float> tensorFromCoefficients;  ///< U × V
  Buffer<float> offset;                  ///< U
  Buffer<float> harmonicsFromTensor;     ///< U × U, transposed
  Buffer<float> constant;                ///< V: msmt only
  Buffer<float> volumes;                 ///< kTissues × V: msmt only
  float perSignal = 0;                   ///< msmt: 1/unit; else 0
  CsdConstants csd;
  TissueConstants tissues;
};

/// Queues the upload of the plan's matrices; the plan must live until the upload has completed.
FitConstants uploadFit(const FiberPlan& plan, const Stream& stream);

/// Bytes of device memory of uploadFit's buffers.
std::int64_t fitConstantBytes(const FiberSizes& sizes);

/// Device memory of the voxels fitted together; one row per map, `capacity` long.
struct FitSlab {
  std::int64_t capacity = 0;
  Buffer<float> signal;        ///< in: unweighted, then weighted volumes; U volumes for sh; empty for tensor
  Buffer<float> right;         ///< csd: Aᵀs, U rows
  Buffer<float> coefficients;  ///< V rows; empty for sh, tensor
  Buffer<float> volumes;       ///< msmt: kTissues rows
  Buffer<float> residual, anisotropy;
  Buffer<float> spread;  ///< csd: standard deviation of S/S0 over the weighted volumes

  FitSlab(std::int64_t voxels, const FiberSizes& sizes, const Stream& stream);

  /// Rows of `signal`.
  static int signalRows(const FiberSizes& sizes);
  /// Bytes of device memory per voxel: 4 (signal rows + 2 + U for a linear model, 2 U + 1 for csd or V + 3
  /// for msmt).
  static std::int64_t bytesPerVoxel(const FiberSizes& sizes);
};

/// Queues the fit of columns [begin, end): writes residual, anisotropy, spread and the rows of `tensors` (for
/// model tensor: reads them).
void fitVoxels(const FitConstants& constants, FitSlab& slab, std::int64_t begin, std::int64_t end,
               Buffer<float>& tensors, const Stream& stream);

}  // namespace sulcus::gpu::fibers
