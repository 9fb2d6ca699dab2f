#pragma once

#include "core/analysis/analysis.h"
#include "core/image/volume.h"

#include <vector>

namespace sulcus {

/// Two backends agree if at least this share of the peaks has the same direction within this angle.
inline constexpr double kPeakTolerance = 0.1;  // degrees
inline constexpr double kPeakShareNeeded = 0.999;

/// Compares two peak images.
///
/// In every voxel the peaks are paired one to one, the closest pairs first; the sign of a direction does not
/// matter. Angles and amplitudes are summarized over the pairs, and a peak without a partner counts as
/// outside the tolerance. The difference is a volume of the largest angle of each voxel in degrees: NaN where
/// neither image has a peak, and 90 where the numbers of peaks differ, which a note of the layer counts.
///
/// @param a, b  3 volumes per peak: unit direction × amplitude in world axes, NaN = none
/// @throws Error  when the grids differ; Cancelled
Comparison comparePeaks(const Series<float>& a, const Series<float>& b,
                        double toleranceDegrees = kPeakTolerance, const Progress& progress = {});

/// Compares a peak image with the true fibers. For each class of voxels (one fiber, crossings by angle) there
/// is a row with the error of the worse fiber and one with the share of voxels with the right number of
/// peaks. Errors are summarized over the voxels in which every fiber has a peak of its own; the others are
/// compared, too, and outside the tolerance. The targets are those of a deconvolution of order 8 at b = 3000
/// s/mm² and SNR 30: an error within 5° in half of the voxels, and the right number in 95 %.
///
/// @param peaks, truth  as for comparePeaks; voxels without a true fiber are left out
/// @throws Error        when the grids differ; Cancelled
std::vector<AgreementRow> comparePeaksWithTruth(const Series<float>& peaks, const Series<float>& truth,
                                                const Progress& progress = {});

}  // namespace sulcus
