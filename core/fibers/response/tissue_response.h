#pragma once

#include "core/base/note.h"
#include "core/base/progress.h"
#include "core/fibers/deconvolution/tissues.h"
#include "core/fibers/fiber_plan.h"
#include "core/fibers/models/shells.h"
#include "core/image/diffusion/gradients.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace sulcus::fibers {

/// The shells of the volumes that a run uses.
struct ScanShells {
  std::vector<double> b;     ///< s/mm², 0 first
  std::vector<int> shellOf;  ///< for each weighted volume the index of its shell in b, at least 1
  GradientTable gradients;

  /// The weighted volumes that belong to a shell.
  std::vector<int> volumesOf(int shell, std::span<const int> weighted) const;
  /// The shell with the most volumes; of equal ones the one with the highest b.
  int largest() const;
};
ScanShells scanShells(const GradientTable& gradients, std::span<const Shell> shells,
                      std::span<const int> weighted);

/// The responses of white matter, gray matter and CSF, and their origin.
struct TissueResponses {
  std::vector<TissueResponse> responses;
  std::vector<std::vector<std::int64_t>> voxels;  ///< grid indices, ascending
  Notes notes;                                    ///< their description and origin, then warnings
};

/// Tissues besides white matter.
struct TissuesWanted {
  bool gray, csf;
};

/// Estimates the responses from the scan alone, after Dhollander et al. (ISMRM 2016 and 2019). The decay of a
/// voxel is the mean over the weighted volumes of ln(S0 / mean signal of the shell). Voxels with an FA above
/// 0.2 are considered white matter; Otsu's threshold of the decay divides the others into gray matter and
/// CSF. Voxels whose decay is far from the others of their tissue are left out. The response of gray matter
/// is the mean over the 2 % whose decay is nearest to its median, that of CSF over the 10 % that decay most;
/// that of white matter comes from single-fiber voxels as for csd (estimateResponse()), or, if no shell has
/// enough directions for that, from the most anisotropic ones. Runs on all threads.
///
/// @param wanted  the response of other tissues is empty
/// @param plan    whose voxels, volumes, b-values and order must be set
/// @param signal  mean unweighted signal of every voxel of the grid
/// @throws Error  if a tissue has too few voxels, or as checkTissueResponses(); Cancelled
TissueResponses estimateTissues(const Series<float>& dwi, const FiberPlan& plan,
                                const std::vector<float>& signal, const ScanShells& shells,
                                TissuesWanted wanted, const Progress& progress);

/// Throws Error unless the responses (except empty ones) are those of the tissues: positive signals that
/// decrease with b, that of CSF fastest, and that of white matter lower along the fiber than across it. Adds
/// warnings to `notes`.
///
/// @param origin  "given" or "estimated", for the message
void checkTissueResponses(std::span<const TissueResponse> responses, const ScanShells& shells,
                          const std::string& origin, Notes& notes);

}  // namespace sulcus::fibers
