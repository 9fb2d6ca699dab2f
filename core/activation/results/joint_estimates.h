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
/// span, k × r. D'γ = (L D)'β is zero exactly if all rows are, and joint statements about the rows are
/// statements about it.
Eigen::MatrixXd directionsOf(const ActivationResult& result, const JointContrast& contrast);

/// Joint least-squares estimates of the rows of a joint contrast in M voxels. x = D'γ̂ has the covariance s²
/// D'H⁻¹D, and F = x'(D'H⁻¹D)⁻¹x / (r s²). They include no prior of the coefficients.
struct JointEstimates {
  int rank = 0;                 ///< r, the numerator degrees of freedom
  std::vector<float> estimate;  ///< x, (r, M)
  std::vector<float> f;         ///< F, M
  std::vector<float>
      freedom;  ///< the denominator degrees of freedom, M: n − k, or those of Fai and Cornelius
                ///< (J. Statist. Comput. Simul. 54 (1996) 363) from effectiveFreedom()
  std::vector<float> whitening;  ///< A, (r(r+1)/2, M), lower triangles by rows: |A x|² as χ² with r degrees
                                 ///< of freedom has the same tail as F
  /// The error common to the estimates of all voxels (common_noise.h): its mean, (r, M), empty if there is
  /// none, and its covariance. `estimate` includes it.
  std::vector<float> common;
  Eigen::MatrixXd commonCovariance;

  /// A (x − common − shift) of a voxel, r numbers.
  Eigen::VectorXd whitened(std::size_t voxel, const Eigen::VectorXd& shift) const;
  /// A of a voxel, r × r.
  Eigen::MatrixXd whiteningOf(std::size_t voxel) const;
  /// The normal deviate with the same tail as F; 0 if the tail is above ½.
  float z(std::size_t voxel) const;
};

JointEstimates estimateJoint(const ActivationResult& result, const JointContrast& contrast,
                             const Progress& progress = {});

// The two-group model of a joint contrast, like that of a single one (mixture_fdr.h): with probability π₀ all
// rows of a voxel are exactly zero, else their effects have a length |A D'γ| in standard errors, in any
// direction. The estimate's length |A x|, divided by κ, then has a central or a noncentral χ distribution
// with r degrees of freedom. The distribution of the lengths of effects is estimated on a grid; the shortest,
// r^¼ times 2.5, is as far from noise as the effects of a single contrast are assumed to be.

struct JointGroups {
  double nullShare = 1;         ///< π₀
  double errorScale = 1;        ///< κ
  std::vector<double> lengths;  ///< lengths of effects, in standard errors, ascending
  std::vector<double> shares;   ///< share of voxels with an effect of each length; with π₀ they sum to 1
  Eigen::VectorXd common;       ///< error common to all estimates beyond JointEstimates::common, r
};

/// Maximum likelihood estimates of the parameters, with the prior of fitFdrMixture(); nullopt for fewer than
/// kFewestForGroups voxels.
std::optional<JointGroups> fitJointGroups(const JointEstimates& estimates);

/// The local FDR of each voxel (M): the probability, given its estimate, that all rows are zero.
std::vector<float> jointFalseShare(const JointEstimates& estimates, const JointGroups& groups,
                                   const Progress& progress = {});

/// The estimates and their groups, computed once for a result.
struct GroupedJoint {
  JointEstimates estimates;
  std::optional<JointGroups> groups;
};
std::shared_ptr<const GroupedJoint> groupedJoint(const ActivationResult& result,
                                                 const JointContrast& contrast,
                                                 const Progress& progress = {});

/// The posterior probability, in each voxel (M), of the values of all rows that are more likely than no
/// effect at all: of the largest ellipsoid around their posterior mean m that excludes zero, P(χ²_r < m'V⁻¹m)
/// with their posterior covariance V. Box and Tiao, Bayesian Inference in Statistical Analysis (1973) § 2.7.
/// The posterior is assumed to be normal.
std::vector<float> jointProbability(const ActivationResult& result, const JointContrast& contrast,
                                    const Progress& progress = {});

/// jointProbability() for a mean and a covariance, r and r × r, of any scale.
double jointProbabilityOf(const Eigen::VectorXd& mean, const Eigen::MatrixXd& covariance);

}  // namespace sulcus::activation
