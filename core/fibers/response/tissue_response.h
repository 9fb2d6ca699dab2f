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
  std::vector<int> shellOf;  ///< of each weighted volume: its place in b, at least 1
  GradientTable gradients;

  /// Which of the weighted volumes belong to a shell.
  std::vector<int> volumesOf(int shell, std::span<const int> weighted) const;
  /// The shell with the most volumes, of equal ones the highest.
  int largest() const;
};
ScanShells scanShells(const GradientTable& gradients, std::span<const Shell> shells,
                      std::span<const int> weighted);

/// The responses of white matter, gray matter and CSF, and where they come from.
struct TissueResponses {
  std::vector<TissueResponse> responses;
  std::vector<std::vector<std::int64_t>> voxels;  ///< indices in the grid, ascending
  Notes notes;                                    ///< what they are and come from, then warnings
};

/// Estimates the responses from the scan alone, after Dhollander et al. (ISMRM 2016 and 2019). The decay of a
/// voxel is the mean over the weighted volumes of ln(S0 / mean signal of the shell). Voxels with an FA above
/// 0.2 are taken for white matter; Otsu's threshold of the decay parts the others into gray matter and CSF.
/// Voxels whose decay is far from the others of their tissue are left out. The response of gray matter is the
/// mean of the 2 % whose decay is nearest to its median, that of CSF of the 10 % that decay most, that of
/// white matter comes from single-fiber voxels as for csd (estimateResponse()), or, where no shell has the
/// directions for that, from the most anisotropic ones. On all threads.
///
/// @param hasGray, hasCsf  whether these tissues are wanted; others have an empty response
/// @param plan    of which voxels, volumes, b-values and order must be set
/// @param signal  mean unweighted signal of every voxel of the grid
/// @throws Error  where a tissue has too few voxels, or as checkTissueResponses(); Cancelled
TissueResponses estimateTissues(const Series<float>& dwi, const FiberPlan& plan,
                                const std::vector<float>& signal, const ScanShells& shells, bool hasGray,
                                bool hasCsf, const Progress& progress);

/// Throws Error unless the responses are those of the tissues (empty ones apart): signals above 0 that fall
/// with b, that of CSF fastest, and that of white matter lower along the fiber than across it. Adds warnings
/// to `notes`.
///
/// @param origin  "given" or "estimated", for the message
void checkTissueResponses(std::span<const TissueResponse> responses, const ScanShells& shells,
                          const std::string& origin, Notes& notes);

}  // namespace sulcus::fibers
