#pragma once

#include "core/fibers/deconvolution/tissues.h"
#include "gpu/fibers/columns.h"
#include "gpu/runtime/buffer.h"

#include <cstdint>

namespace sulcus::gpu::fibers {
using namespace sulcus::fibers;

/// The constants of a multi-tissue deconvolution on the device.
struct TissueConstants {
  int order = 0;
  Buffer<double> constraints;  ///< p_r by rows, padded with zeros to whole tiles plus half a tile
};

/// Uploads the plan's constants.
TissueConstants uploadTissues(const TissuePlan& plan, const Stream& stream);

/// Bytes of device memory of uploadTissues's buffers.
std::int64_t tissueConstantBytes(int order);

/// Queues the minimization of sulcus::solveTissues for some columns of maps.
///
/// @param unknowns  V rows; in: y₀, out: y
void solveTissues(const TissueConstants& constants, const Columns& columns, float* unknowns,
                  const Stream& stream);

}  // namespace sulcus::gpu::fibers
