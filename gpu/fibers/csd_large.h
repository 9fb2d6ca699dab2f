#pragma once

#include "core/fibers/tissues.h"
#include "gpu/fibers/csd.h"

namespace sulcus::gpu::fibers {

/// solveCsd() for orders 10 and 12, whose matrices do not fit into the registers of a warp: they stay in
/// shared memory and every loop is a loop. The generic twin of the kernel in csd.cu. It solves the
/// multi-tissue deconvolution, too, whose exact conditions need double.
void solveLargeCsd(const CsdConstants& constants, std::int64_t begin, std::int64_t end, std::int64_t capacity,
                   const float* right, float* coefficients, const Stream& stream);

/// The constants of a multi-tissue deconvolution on the device; matrices as in TissuePlan.
struct TissueConstants {
  int order = 0;
  Buffer<double> normal, normalAll, constraints, constraintsTransposed;
};

/// Queues the upload of the plan's constants; the plan must live until the stream has passed.
TissueConstants uploadTissues(const TissuePlan& plan, const Stream& stream);

/// Bytes of device memory of uploadTissues's buffers.
std::int64_t tissueConstantBytes(int order);

/// Queues the minimisation of sulcus::solveTissues for columns [begin, end) of maps with `capacity` columns.
///
/// @param coefficients  V rows; in: y₀, out: y
void solveTissues(const TissueConstants& constants, std::int64_t begin, std::int64_t end,
                  std::int64_t capacity, float* coefficients, const Stream& stream);

}  // namespace sulcus::gpu::fibers
