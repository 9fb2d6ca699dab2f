#pragma once

#include "core/activation/design/contrasts.h"
#include "core/base/progress.h"

#include <memory>
#include <optional>
#include <vector>

#include <Eigen/Core>

namespace sulcus::activation {

struct ActivationResult;

/// Orthonormal directions D of γ = L'β (core/activation/sampler/gibbs.h) that the rows of a joint contrast
/// span, k × r. D'γ = (L D)'β is zero where all rows are, and whatever is said of the rows jointly is said of
/// it.
Eigen::MatrixXd directionsOf(const ActivationResult& result, const JointContrast& contrast);

/// What least squares says of the rows of a joint contrast together, in M voxels. x = D'γ̂ has the covariance
/// s² D'H⁻¹D, and F = x'(D'H⁻¹D)⁻¹x / (r s²). No prior of the coefficients is in it.
struct JointEstimates {
  int rank = 0;                 ///< r, the numerator degrees of freedom
  std::vector<float> estimate;  ///< x, (r, M)
  std::vector<float> f;         ///< F, M
  std::vector<float>
      freedom;  ///< the denominator degrees of freedom, M: n − k, or those of Fai and Cornelius
                ///< (J. Statist. Comput. Simul. 54 (1996) 363) from effectiveFreedom()
  std::vector<float> whitening;  ///< A, (r(r+1)/2, M), lower triangles by rows: |A x|² as χ² of r degrees of
                                 ///< freedom has the tail of F
  /// The error that the estimates of all voxels share (common_noise.h): its mean, (r, M), empty where there
  /// is none, and its covariance. `estimate` contains it.
  std::vector<float> common;
  Eigen::MatrixXd commonCovariance;

  /// A (x − common − shift) of a voxel, r numbers.
  Eigen::VectorXd whitened(std::size_t voxel, const Eigen::VectorXd& shift) const;
  /// A of a voxel, r × r.
  Eigen::MatrixXd whiteningOf(std::size_t voxel) const;
  /// The normal deviate with the tail that F has; 0 where the tail is above ½.
  float z(std::size_t voxel) const;
};

JointEstimates estimateJoint(const ActivationResult& result, const JointContrast& contrast,
                             const Progress& progress = {});

// The two-group model of a joint contrast, as that of a single one (mixture_fdr.h): with probability π₀ all
// rows of a voxel are exactly zero, else their effects have a length |A D'γ| of so many standard errors, in
// any direction. The estimate's length |A x|, over κ, then has the central χ distribution of r degrees of
// freedom, or the noncentral one. How many effects have which length is estimated on a grid; the shortest,
// r^¼ times 2.5, is as far from noise as the effects of a single contrast are assumed to be.

struct JointGroups {
  double nullShare = 1;         ///< π₀
  double errorScale = 1;        ///< κ
  std::vector<double> lengths;  ///< of the effects, in standard errors, ascending
  std::vector<double> shares;   ///< of the voxels with an effect of such a length; with π₀ their sum is 1
  Eigen::VectorXd common;       ///< error of all estimates beyond JointEstimates::common, r
};

/// The parameters by maximum likelihood, with the prior of fitFdrMixture(); nothing for fewer than
/// kFewestForGroups voxels.
std::optional<JointGroups> fitJointGroups(const JointEstimates& estimates);

/// The local FDR of each voxel (M): the probability given its estimates that all rows are zero.
std::vector<float> jointFalseShare(const JointEstimates& estimates, const JointGroups& groups,
                                   const Progress& progress = {});

/// Both, computed once for a result.
struct GroupedJoint {
  JointEstimates estimates;
  std::optional<JointGroups> groups;
};
std::shared_ptr<const GroupedJoint> groupedJoint(const ActivationResult& result,
                                                 const JointContrast& contrast,
                                                 const Progress& progress = {});

/// The posterior probability of the values of all rows that are likelier than no effect at all, in each voxel
/// (M): of the largest ellipsoid about their posterior mean m that leaves zero out, P(χ²_r < m'V⁻¹m) with
/// their posterior covariance V. Box and Tiao, Bayesian Inference in Statistical Analysis (1973) § 2.7. The
/// posterior is taken as normal.
std::vector<float> jointProbability(const ActivationResult& result, const JointContrast& contrast,
                                    const Progress& progress = {});

/// That of a mean and a covariance, r and r × r, of any scale.
double jointProbabilityOf(const Eigen::VectorXd& mean, const Eigen::MatrixXd& covariance);

}  // namespace sulcus::activation
