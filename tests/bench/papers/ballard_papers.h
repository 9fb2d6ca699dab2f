#pragma once

#include "tests/bench/papers/exhibit.h"
#include "tests/bench/papers/power_method_gpu.h"

#include <array>
#include <span>

// Tables and figures of Ballard, Kolda and Plantenga (2011).

namespace sulcus::bench {

// Tables that do not depend on the machine.
Exhibit ballardIndexClasses();
Exhibit ballardOnChipMemory(const Machine& machine);
Exhibit ballardStorageAndFlops();
Exhibit ballardUnrolledKernel();

// Measured tables and figures.
Exhibit ballardFiberDirections();
Exhibit ballardEigenpairs();
/// Table 6.1 (a), (b) and Figure 6.2, from one measurement.
std::vector<Exhibit> ballardSpeeds(const PapersOptions& options, const Machine& machine);
Exhibit ballardOtherTensors(const PapersOptions& options, const Machine& machine);

/// The lines that compute component `component` (from 0) of A x^(m−1), in the notation of Figure 6.1.
std::vector<std::string> unrolledLines(int m, int n, int component);

/// Random starts and tensors, which are repetitions of the first 64; a smaller number of tensors is a prefix
/// of a larger one.
PowerMethodWork powerMethodWork(int m, int n, int tensors, int starts, int steps);

/// Tensors with published eigenpairs: Kolda and Mayo (2011), Examples 3.5 and 3.6.
struct PublishedTensor {
  const char* name;
  int m, n;
  std::vector<double> entries, values;  ///< entries by index classes; values: eigenvalues, descending
};
std::span<const PublishedTensor> publishedTensors();

}  // namespace sulcus::bench
