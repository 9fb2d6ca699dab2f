#pragma once

#include "core/fibers/deconvolution/csd.h"
#include "core/fibers/deconvolution/matrix_rows.h"
#include "core/image/diffusion/tensor_index.h"
#include "core/math/vec3.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <Eigen/Core>

namespace sulcus::fibers {

/// White matter, gray matter and CSF.
inline constexpr int kTissues = 3;
/// Number of the tissues whose signal has no direction.
inline constexpr int kIsotropicTissues = kTissues - 1;
/// Conditions: the fiber distribution at evenly spaced directions, and the volumes of the isotropic tissues.
inline constexpr int kTissueRows = kCsdDirections + kIsotropicTissues;
static_assert(kTissueRows <= kCsdPaddedRows);

/// Number of unknowns: the harmonics of the fiber distribution and the isotropic volumes.
constexpr int tissueUnknowns(int order) { return tensorEntries(order) + kIsotropicTissues; }

/// The signals of a tissue, a row for each shell, starting with b = 0: zonal harmonics r_0, r_2, … of a fiber
/// along z (MRtrix's response files), in the unit of the scan; only r_0 if the tissue is isotropic.
using TissueResponse = std::vector<std::vector<double>>;

/// The signal of a tissue in one shell, averaged over all directions, in the unit of the scan.
double meanSignal(const TissueResponse& response, std::size_t shell = 0);

/// Data shared by all voxels in multi-shell multi-tissue deconvolution (Jeurissen et al., NeuroImage 103
/// (2014) 411):
///   minimize over x:  |A x − s|² + ε²|x|²  where no amplitude of the fiber distribution and no volume is
///   negative
/// with x the harmonics of the fiber distribution (tournier07, world axes) and the volumes of gray matter and
/// CSF, s the signals S/S0 of all volumes. Degrees 0 and 8 differ by a factor of 10⁶ in H = AᵀA + ε²I = L Lᵀ;
/// the unknowns are therefore y = Lᵀx, for which H is I: y is the point nearest to y₀, the minimizer without
/// conditions, subject to p_r · y ≥ 0, with p_r of length 1. tissue_kernel.h solves that, in double.
///
/// Matrices are stored by rows; U = tensorEntries(order), V = tissueUnknowns(order), n = number of weighted
/// volumes, stride = csdStride(V). The result times S0/unit gives the fiber distribution (in MRtrix's unit)
/// and the volumes (1 where the signal equals the response).
struct TissuePlan {
  int order = 0;
  double unit = 1;                     ///< the unweighted signal of white matter, in the unit of the scan
  std::vector<float> projection;       ///< V × n: maps the weighted volumes to y₀
  std::vector<float> constant;         ///< V: contribution of the unweighted volumes, all S0, to y₀
  std::vector<float> predict;          ///< n × V: maps y to the weighted volumes
  std::vector<float> harmonics;        ///< U × V: maps y to the fiber distribution
  std::vector<float> volumes;          ///< kTissues × V: maps y to the volumes
  std::vector<float> fiberSignal;      ///< n × U: maps the harmonics to the weighted volumes
  std::vector<float> isotropicSignal;  ///< n × k: S/S0 of voxels of the known isotropic tissues
  std::vector<double> isotropicUnweighted;  ///< their S0 relative to that of white matter
  std::vector<double> constraints;          ///< kTissueRows × stride: p_r
};

/// Computes the data shared by the deconvolutions of all voxels.
///
/// @param order        2, 4, … 12
/// @param responses    of white matter, gray matter and CSF, with equal numbers of rows; an empty one, except
///                     the first, omits its tissue
/// @param directions   of the n weighted volumes: unit, world axes
/// @param shellOf      for each of them, the row of its shell
/// @param unweighted   number of volumes with b = 0
/// @param nonNegative  kCsdDirections directions at which the fiber distribution is not negative; empty:
///                     evenly spaced
TissuePlan planTissues(int order, std::span<const TissueResponse> responses,
                       std::span<const Vec3<double>> directions, std::span<const int> shellOf, int unweighted,
                       std::span<const Vec3<double>> nonNegative = {});

/// Deconvolves `count` voxels.
///
/// @param unknowns  count × V: on entry y₀, on return y
/// @return          total number of steps of all voxels
std::int64_t solveTissues(const TissuePlan& plan, int count, float* unknowns);

/// y₀, V × voxels, from the ratios S/S0 of the weighted volumes, n × voxels.
Eigen::MatrixXf unconstrainedTissues(const TissuePlan& plan, const Eigen::MatrixXf& ratios);

/// The unknowns y, V × voxels, from the ratios S/S0 of the weighted volumes, n × voxels.
Eigen::MatrixXf deconvolveTissues(const TissuePlan& plan, const Eigen::MatrixXf& ratios);

}  // namespace sulcus::fibers
