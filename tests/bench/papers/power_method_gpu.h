#pragma once

#include <span>
#include <vector>

namespace sulcus::bench {

/// Many tensors of one order and dimension, and starts that they share.
struct PowerMethodWork {
  int m = 4, n = 3, tensors = 0;
  float alpha = 0;
  int steps = 0;
  std::vector<float> entries;  ///< indexClassCount(m, n) of each tensor
  std::vector<float> starts;   ///< n numbers of each start, of length 1

  int startCount() const { return int(starts.size()) / n; }
};

/// Eigenpairs by the power method: n numbers and a value for each start of each tensor.
struct PowerMethodEnds {
  std::vector<float> vectors, values;
  double seconds = 0;  ///< of the kernel, or by the clock on a CPU
};

/// A block for each tensor, a thread for each start, as in the paper; all memory on the chip. Throws Error
/// where there is no GPU or where `unrolled` is asked for what is not.
PowerMethodEnds powerMethodOnGpu(const PowerMethodWork& work, bool unrolled);

/// On the threads of the withThreads() scope.
PowerMethodEnds powerMethodOnCpu(const PowerMethodWork& work, bool unrolled);

}  // namespace sulcus::bench
