#pragma once

#include "core/fibers/fibers.h"

namespace sulcus::bench {

/// The search for peaks on the GPU, timed.
struct GpuPeakSearch {
  double kernelSeconds = 0;    ///< by device events
  double residentSeconds = 0;  ///< by the clock, tensors and maps in device memory
  double transferSeconds = 0;  ///< by the clock, from host memory to host memory
  double deviceBytes = 0;
  double iterations = 0;  ///< evaluations of the form, all voxels and starts
  double peakSlots = 0;   ///< what the device can do: lane instructions a second
  Series<float> peaks;
};

/// Median of five after a warm-up; throws Error where there is no GPU.
GpuPeakSearch timeGpuPeakSearch(const Series<float>& forms, int order, const fibers::FiberOptions& options);

}  // namespace sulcus::bench
