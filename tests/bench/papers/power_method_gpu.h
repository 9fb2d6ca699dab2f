#pragma once

#include <span>
#include <vector>

namespace sulcus::bench {

/// Many tensors of one order and dimension, with common starts.
struct PowerMethodWork {
  int m = 4, n = 3, tensors = 0;
  float alpha = 0;
  int steps = 0;
  std::vector<float> entries;  ///< indexClassCount(m, n) for each tensor
  std::vector<float> starts;   ///< n numbers for each start, of length 1

  int startCount() const { return int(starts.size()) / n; }
};

/// Eigenpairs by the power method: n numbers and a value for each start of each tensor.
struct PowerMethodEnds {
  std::vector<float> vectors, values;
  double seconds = 0;  ///< of the kernel; on a CPU wall-clock time
};

/// One block for each tensor and one thread for each start, as in the paper; all memory is on the chip.
/// Throws Error if there is no GPU, or for `unrolled` with an order and dimension that are not unrolled.
PowerMethodEnds powerMethodOnGpu(const PowerMethodWork& work, bool unrolled);

/// On the threads of the withThreads() scope.
PowerMethodEnds powerMethodOnCpu(const PowerMethodWork& work, bool unrolled);

}  // namespace sulcus::bench
