#pragma once

#include "tests/bench/papers/exhibit.h"

// Tables and figures of Lee et al. (2012): registration in lee_force.cpp, surfaces in lee_patches.cpp.

namespace sulcus::bench {

/// Table 1, Figures 1, 2a and 2b.
std::vector<Exhibit> leeForceExhibits(const PapersOptions& options, const Machine& machine);
/// Figure 3.
Exhibit leeRegistrationPair(const PapersOptions& options, const Machine& machine);
/// Table 2, Figures 4, 5a and 5b.
std::vector<Exhibit> leePatchExhibits(const PapersOptions& options, const Machine& machine);
/// Figures 6 and 7.
Exhibit leeTwoBlocks(const PapersOptions& options, const Machine& machine);
Exhibit leeWhiteMatter(const PapersOptions& options, const Machine& machine);
/// Future work of the paper: several GPUs.
Exhibit leeSeveralDevices(const PapersOptions& options, const Machine& machine);

}  // namespace sulcus::bench
