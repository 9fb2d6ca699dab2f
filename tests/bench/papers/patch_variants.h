#pragma once

#include "core/surface/neighbors.h"

#include <string>

// The search of Lee et al. (2012) for the patches most like each, as they built it: in each pass all elements
// are compared with a subset of the patches, and the lists of neighbors live in shared memory.

namespace sulcus::bench {

/// Where the subset of a pass is read from.
enum class PatchMemory { global, constant, texture };
std::string nameOf(PatchMemory memory);

inline constexpr int kPaperNeighbors = 96, kPaperSide = 5, kPaperPatch = 125;
inline constexpr int kPatchesPerPass = 130;  ///< as many as constant memory holds with their number
/// Numbers of an element in shared memory (Table 2), one more so that the banks do not meet.
inline constexpr int kElementFloats = 1 + kPaperPatch + 2 * kPaperNeighbors + 2;

/// How the work is laid out.
struct PatchLayout {
  int elements = 6;  ///< of a block, one a thread
  int blocks = 6;    ///< that a multiprocessor holds
};

struct PatchRun {
  int registers = 0;
  std::int64_t sharedBytes = 0;  ///< of a block
  double seconds = 0;
  double bytes = 0;  ///< moved between shared and device memory in all passes
  surface::PatchNeighbors found;
};

/// As many elements a block as fit when a multiprocessor holds `blocks`.
PatchLayout fullLayout(int blocks);

/// Numbers of four bytes that the engine's search keeps for an element in device memory, of a million.
double deviceNumbersOfElement();

/// Finds the 96 nearest neighbors of each element of a band of patches of 5³ values. Patches of the same D
/// may stand in any order. Throws Error where there is no GPU.
PatchRun searchByPasses(const surface::Band& band, PatchMemory memory, const PatchLayout& layout);

}  // namespace sulcus::bench
