#pragma once

#include "core/fibers/deconvolution/csd.h"
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
/// Conditions: the fiber distribution at even directions, and the volumes of the isotropic tissues.
inline constexpr int kTissueRows = kCsdDirections + kIsotropicTissues;
static_assert(kTissueRows <= kCsdPaddedRows);

/// Number of unknowns: the harmonics of the fiber distribution and the isotropic volumes.
constexpr int tissueUnknowns(int order) { return tensorEntries(order) + kIsotropicTissues; }

/// The signals of a tissue, a row for each shell with b = 0 first: zonal harmonics r_0, r_2, … in the unit of
/// the scan, of a fiber along z (MRtrix's response files); r_0 alone where the tissue has no direction.
using TissueResponse = std::vector<std::vector<double>>;

/// The signal of a tissue at one shell, mean over all directions, in the unit of the scan.
double meanSignal(const TissueResponse& response, std::size_t shell = 0);

/// Multi-shell multi-tissue deconvolution (Jeurissen et al., NeuroImage 103 (2014) 411): what the voxels
/// share.
///   minimize over x:  |A x − s|² + ε²|x|²  where no amplitude of the fiber distribution and no volume is
///   negative
/// with x the harmonics of the fiber distribution (tournier07, world axes) and the volumes of gray matter and
/// CSF, s the signals S/S0 of all volumes. Degrees 0 and 8 differ by a factor of 10⁶ in H = AᵀA + ε²I = L Lᵀ;
/// the unknowns are therefore y = Lᵀx, for which H is I: y is the point nearest to y₀, the minimizer without
/// conditions, under p_r · y ≥ 0, with p_r of length 1. tissue_kernel.h solves that, in double.
///
/// Matrices are by rows; U = tensorEntries(order), V = tissueUnknowns(order), n = number of weighted volumes,
/// stride = csdStride(V). What is found times S0/unit is the fiber distribution (in MRtrix's unit) and the
/// volumes (1 where the signal is the response).
struct TissuePlan {
  int order = 0;
  double unit = 1;                ///< the unweighted signal of white matter, in the unit of the scan
  std::vector<float> projection;  ///< V × n: y₀ from the weighted volumes
  std::vector<float> constant;    ///< V: what the unweighted volumes, all S0, add to y₀
  std::vector<float> predict;     ///< n × V: the weighted volumes from y
  std::vector<float> harmonics;   ///< U × V: the fiber distribution from y
  std::vector<float> volumes;     ///< kTissues × V: the volumes from y
  std::vector<float>
      fiberSignal;  ///< n × U: the weighted volumes from the harmonics of the fiber distribution
  std::vector<float> isotropicSignal;  ///< n × k: S/S0 of voxels of the isotropic tissues that are known
  std::vector<double> isotropicUnweighted;  ///< their S0 over that of white matter
  std::vector<double> constraints;          ///< kTissueRows × stride: p_r
};

/// Computes what the deconvolutions of all voxels share.
///
/// @param order        2, 4, … 12
/// @param responses    of white matter, gray matter and CSF, with the same number of rows; an empty one, not
///                     the first, leaves its tissue out
/// @param directions   of the n weighted volumes: unit, world axes
/// @param shellOf      of each of them: the row of its shell
/// @param unweighted   number of volumes with b = 0
/// @param nonNegative  kCsdDirections directions at which the fiber distribution is not negative; none: even
/// ones
TissuePlan planTissues(int order, std::span<const TissueResponse> responses,
                       std::span<const Vec3<double>> directions, std::span<const int> shellOf, int unweighted,
                       std::span<const Vec3<double>> nonNegative = {});

/// A matrix that is stored by rows.
inline auto matrixByRows(const std::vector<float>& values, Eigen::Index rows) {
  using RowMajor = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  return Eigen::Map<const RowMajor>(values.data(), rows, Eigen::Index(values.size()) / rows);
}

/// Deconvolves `count` voxels.
///
/// @param unknowns  count × V: on entry y₀, on return y
/// @return          number of steps of all voxels together
std::int64_t solveTissues(const TissuePlan& plan, int count, float* unknowns);

/// The unknowns y, V × voxels, from the ratios S/S0 of the weighted volumes, n × voxels.
Eigen::MatrixXf deconvolveTissues(const TissuePlan& plan, const Eigen::MatrixXf& ratios);

}  // namespace sulcus::fibers
