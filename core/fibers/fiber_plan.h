#pragma once

#include "core/analysis/analysis.h"
#include "core/fibers/csd.h"
#include "core/fibers/fibers.h"
#include "core/fibers/models_body.h"

#include <cstdint>
#include <string>
#include <vector>

namespace sulcus {

/// Everything that is decided before the first voxel, the same for CPU and GPU. Matrices are row-major
/// float32.
///
/// Per voxel, with U = entries and n = weighted.size():
///   S0 = mean of the unweighted volumes; voxels where it is not above 0 are not in `voxels`
///   t  = transformRatio(transform, S/S0, b)                n values
///   c  = fit · t, or solveCsd(csd, S/S0) for model csd     spherical harmonics in basis tournier07, world
///   axes a  = tensorFromCoefficients · c + offset               tensor entries (tensor_index.h) residual =
///   r.m.s. of S/S0 − ratioFromTransformed(transform, predict · c, b) over the n volumes anisotropy =
///   generalizedAnisotropy(harmonicsFromTensor · a)
/// For sh: c are the first U volumes of the image, in its own basis and frame. For tensor: a is the image.
struct FiberPlan {
  FiberModel model = FiberModel::csd;
  int order = 8;
  int entries = 45;                ///< U
  std::vector<std::string> notes;  ///< what was chosen and why, what was skipped

  Grid grid;
  std::vector<std::int64_t> voxels;  ///< to work on, ascending
  std::int64_t skippedNotFinite = 0;
  std::int64_t skippedNoSignal = 0;  ///< in the mask, but mean unweighted signal ≤ 0

  std::vector<int> unweighted, weighted;  ///< volumes used
  SignalTransform transform = SignalTransform::ratio;
  std::vector<float> bValues;  ///< of `weighted`, s/mm²

  std::vector<float> fit;      ///< U × n; empty for csd (there: csd.projection, csd.start), sh, tensor
  std::vector<float> predict;  ///< n × U; empty for sh, tensor
  std::vector<float> tensorFromCoefficients;  ///< U × U; empty for tensor
  std::vector<float> offset;                  ///< U
  std::vector<float> harmonicsFromTensor;     ///< U × U
  CsdPlan csd;                                ///< for model csd
};

/// Checks the input and decides all that does not depend on a single voxel. For csd this includes the
/// response function, estimated here on all threads ("Response").
///
/// @throws Error  when there is nothing to work on: see the sentences in fiber_plan.cpp
FiberPlan planFibers(const FiberInput& input, const FiberOptions& options, const Progress& progress);

/// Adds to the notes what the search for peaks found out. `notFinite`: voxels of the plan whose function is
/// not finite.
void addNotes(FiberMaps& maps, std::int64_t notFinite);

/// One line for the interface: which model and order a run would take and why; "" when there is no usable
/// input.
std::string adviseFibers(const FiberInput& input, const FiberOptions& options);

/// Memory that findFibers would hold at its peak besides the input. On a device the voxels are worked on in
/// slabs: what is needed is room for kFiberSlab of them, more is taken where it is free.
inline constexpr int kFiberSlab = 1 << 18;
MemoryNeed fiberMemory(const FiberInput& input, const FiberOptions& options);

}  // namespace sulcus
