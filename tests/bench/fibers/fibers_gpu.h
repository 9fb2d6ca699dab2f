#pragma once

#include "core/fibers/fibers.h"

namespace sulcus::bench {

/// The search for peaks on the GPU, timed.
struct GpuPeakSearch {
  double kernelSeconds = 0;    ///< by device events
  double residentSeconds = 0;  ///< wall-clock time, tensors and maps in device memory
  double transferSeconds = 0;  ///< wall-clock time, from host memory to host memory
  double deviceBytes = 0;
  double iterations = 0;  ///< evaluations of the form, all voxels and starts
  double peakSlots = 0;   ///< peak rate of the device: lane instructions a second
  Series<float> peaks;
};

/// Median of five after a warm-up; throws Error if there is no GPU.
GpuPeakSearch timeGpuPeakSearch(const Series<float>& forms, int order, const fibers::FiberOptions& options);

}  // namespace sulcus::bench
