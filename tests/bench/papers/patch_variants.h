#pragma once

#include "core/surface/neighbors.h"

#include <string>

// The search of Lee et al. (2012) for the most similar patches, as published: in each pass all elements are
// compared with a subset of the patches, and the lists of neighbors are in shared memory.

namespace sulcus::bench {

/// The memory from which the subset of a pass is read.
enum class PatchMemory { global, constant, texture };
std::string nameOf(PatchMemory memory);

inline constexpr int kPaperNeighbors = 96, kPaperSide = 5, kPaperPatch = 125;
inline constexpr int kPatchesPerPass = 130;  ///< as many as fit in constant memory with their number
/// Numbers of an element in shared memory (Table 2), plus one to avoid bank conflicts.
inline constexpr int kElementFloats = 1 + kPaperPatch + 2 * kPaperNeighbors + 2;

/// The layout of the work.
struct PatchLayout {
  int elements = 6;  ///< in a block, one for each thread
  int blocks = 6;    ///< on a multiprocessor
};

struct PatchRun {
  int registers = 0;
  std::int64_t sharedBytes = 0;  ///< of a block
  double seconds = 0;
  double bytes = 0;  ///< moved between shared and device memory in all passes
  surface::PatchNeighbors found;
};

/// As many elements in a block as fit with `blocks` on a multiprocessor.
PatchLayout fullLayout(int blocks);

/// How many four-byte numbers the engine's search stores in device memory for an element, of a million.
double deviceNumbersOfElement();

/// Finds the 96 nearest neighbors of each element of a band of patches of 5³ values. Patches with equal D may
/// be in any order. Throws Error if there is no GPU.
PatchRun searchByPasses(const surface::Band& band, PatchMemory memory, const PatchLayout& layout);

}  // namespace sulcus::bench
