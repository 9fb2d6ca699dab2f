#pragma once

#include "core/fibers/deconvolution/csd.h"
#include "gpu/fibers/columns.h"
#include "gpu/runtime/buffer.h"

#include <cstdint>

namespace sulcus::gpu::fibers {
using namespace sulcus::fibers;

/// The constants of a deconvolution on the device.
struct CsdConstants {
  int order = 0;
  Buffer<float> normal, normalAll;      ///< U × csdStride(U)
  Buffer<float> constraints;            ///< kCsdDirections × csdStride(U)
  Buffer<float> constraintsTransposed;  ///< U × kCsdPaddedRows; only for orders 10 and 12
};

/// Queues the upload of the plan's constants; the plan must live until the upload has completed.
CsdConstants uploadCsd(const CsdPlan& plan, const Stream& stream);

/// Bytes of device memory of uploadCsd's buffers.
std::int64_t csdConstantBytes(int order);

/// Queues the minimization of sulcus::solveCsd for some columns of maps.
///
/// @param right         U rows: Aᵀs
/// @param coefficients  U rows; in: start, out: spherical harmonics (tournier07)
void solveCsd(const CsdConstants& constants, const Columns& columns, const float* right, float* coefficients,
              const Stream& stream);

}  // namespace sulcus::gpu::fibers
