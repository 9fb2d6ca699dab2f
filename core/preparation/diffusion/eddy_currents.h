#pragma once

#include "core/image/volume.h"
#include "core/math/affine.h"
#include "core/preparation/distortion/unwarp.h"
#include "core/preparation/motion_steps.h"

#include <array>
#include <span>
#include <string>
#include <vector>

#include <Eigen/Core>

// Eddy currents of the diffusion gradients add a smooth field to that of the scanner, which displaces voxels
// along the phase-encoding axis. It belongs to the scanner, not to the head.
namespace sulcus::preparation {

/// Terms of the displacement: x, y, z, xx, yy, zz, xy, xz, yz, where x, y and z are the position from the
/// center of the image along RAS+, divided by kHeadRadius. The constant term is part of the motion.
inline constexpr int kEddyTerms = 9, kLinearEddyTerms = 3;
using EddyTerms = std::array<double, kEddyTerms>;  ///< mm

/// eddy_x, …, eddy_yz.
std::vector<std::string> eddyNames();

bool isZero(const EddyTerms& terms);

/// The axis along which eddy currents displace, and the origin of their terms.
struct EddyFrame {
  int axis = 1;           ///< of the voxels
  Vec3<double> along{};   ///< unit vector along it, RAS+
  Vec3<double> center{};  ///< mm, RAS+
  double spacing = 1;     ///< of the voxels along the axis, mm

  EddyFrame(const Grid& grid, int phaseAxis);

  /// Displacement of what is at a position in the scanner, mm along the axis.
  double shift(const EddyTerms& terms, const Vec3<double>& position) const;
  /// How much longer a piece of the axis is there in the image: 1 where nothing is displaced.
  double width(const EddyTerms& terms, const Vec3<double>& position) const;
  /// What each term of 1 mm displaces, mm.
  EddyTerms basis(const Vec3<double>& position) const;
  /// How much each term of 1 mm adds to the width.
  EddyTerms widths(const Vec3<double>& position) const;
};

/// The correction of a volume for eddy currents and for the field that belongs to the head.
///
/// @param field  null: none
Unwarp eddyUnwarp(const EddyTerms& terms, const EddyFrame& frame, const Affine& volumeFromReference,
                  const Grid& grid, const Unwarp* field);

/// The largest displacement within kHeadRadius along the axes, mm.
double displacementOf(const EddyTerms& terms);

/// The terms of a volume as its samples have them.
struct FittedTerms {
  EddyTerms terms{};
  /// Of the terms, whatever the position and brightness: inverse of their covariance if samples are
  /// independent.
  Eigen::MatrixXd precision = Eigen::MatrixXd::Zero(kEddyTerms, kEddyTerms);
};

/// The terms of a volume by least squares together with its position and brightness, from the same samples
/// and with the same weights as the motion (motion_kernel.h).
///
/// @param smooth  the volume as it was acquired, smoothed for the level of the reference
/// @param terms   where to begin; also the result, with a precision of 0, if the samples do not determine
/// them
FittedTerms fittedTerms(const VolumePose& pose, const MotionReference& reference,
                        std::span<const float> smooth, const EddyFrame& frame, const EddyTerms& terms);

}  // namespace sulcus::preparation
