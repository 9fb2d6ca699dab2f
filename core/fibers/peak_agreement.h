#pragma once

#include "core/analysis/analysis.h"
#include "core/image/volume.h"

#include <vector>

namespace sulcus {

/// CPU and GPU agree when this share of the peaks points the same way within this angle.
inline constexpr double kPeakTolerance = 0.1;  // degrees
inline constexpr double kPeakShareNeeded = 0.999;

/// Two peak images held against each other.
///
/// In every voxel the peaks are paired one to one, the closest pair first; the sign of a direction means
/// nothing. Angles and amplitudes are summarized over the pairs; a peak without partner counts as not within
/// the tolerance. The difference is a volume of the largest angle per voxel in degrees: 90 where the numbers
/// of peaks differ, NaN where neither has one.
///
/// @param a, b  3 volumes per peak: unit direction × amplitude, NaN = none
/// @throws Error  when the grids differ; Cancelled
Comparison comparePeaks(const Series<float>& a, const Series<float>& b,
                        double toleranceDegrees = kPeakTolerance, const Progress& progress = {});

/// A peak image against the true fibers: per class of voxels (one fiber, crossings by angle) the error of the
/// worse fiber and the share with the right number of peaks. Fibers without a peak of their own count as 90°.
/// The targets are those of a deconvolution of order 8 at b = 3000, SNR 30: median error within 5°, right
/// number in 95 %.
///
/// @param peaks, truth  as for comparePeaks; voxels without a true fiber are left out
/// @throws Error        when the grids differ; Cancelled
std::vector<AgreementRow> comparePeaksWithTruth(const Series<float>& peaks, const Series<float>& truth,
                                                const Progress& progress = {});

}  // namespace sulcus
