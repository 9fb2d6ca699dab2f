#pragma once

#include "gpu/fibers/csd.h"

namespace sulcus::gpu::fibers {

/// solveCsd() for orders 10 and 12, whose matrices do not fit into the registers of a warp: they are in
/// shared memory, and loops are not unrolled. The generic counterpart of the kernel in csd.cu.
void solveLargeCsd(const CsdConstants& constants, const Columns& columns, const float* right,
                   float* coefficients, const Stream& stream);

}  // namespace sulcus::gpu::fibers
