#pragma once

#include "core/math/vec3.h"
#include "core/preparation/diffusion/eddy_currents.h"

#include <span>
#include <vector>

#include <Eigen/Core>

namespace sulcus::preparation {

/// What is known of the eddy currents of a shell.
struct EddyShell {
  std::vector<Vec3<double>> gradients;  ///< of each volume, as they were applied: unit vector × √(b/b of all)
  std::vector<Vec3<double>> directions;  ///< unit vectors, in the frame of the head
  Eigen::MatrixXd others;                ///< predicts each volume from the others (volume_prediction.h)
  Eigen::MatrixXd found;                 ///< fittedTerms() of each volume
  Eigen::MatrixXd taken;                 ///< the terms that the volumes were corrected by
  Eigen::MatrixXd precision;             ///< FittedTerms::precision of a volume, on average
};

/// The terms of all volumes, a matrix for each shell: a linear function of the gradient, and what single
/// volumes have beside it. Currents are proportional to the gradient that induces them, whereas the signal is
/// the same for a direction and its opposite: a quadratic form of the direction is no eddy current. A shell
/// of fewer than twelve volumes has the linear function of the others.
///
/// A volume differs from its prediction by the others because of its own displacement and theirs, so that
/// found − taken = (1 − others) (terms − taken) + form + noise. The coefficients of the linear function are
/// normal; their variance, one of the linear terms and one of the quadratic ones, is that of maximum
/// likelihood, and 0 if the terms are not clearly more likely than none. What is left counts as terms of the
/// volumes only if it is ten times as large as the fit leaves uncertain (directions and motion alone: up to
/// five times).
std::vector<Eigen::MatrixXd> eddyResponse(std::span<const EddyShell> shells);

}  // namespace sulcus::preparation
