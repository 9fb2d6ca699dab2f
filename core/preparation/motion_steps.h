#pragma once

#include "core/base/progress.h"
#include "core/image/volume.h"
#include "core/preparation/motion.h"
#include "core/preparation/motion_kernel.h"

#include <array>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include <Eigen/Core>

// How volumes are realigned, the same for CPU and GPU: the caller passes the operations on voxels.
namespace sulcus::preparation {

/// The smoothness of the compared images, and which voxels are compared.
struct MotionLevel {
  double smoothing;      ///< s.d. of the Gaussian, voxels
  int step;              ///< distance of samples along each axis, voxels
  double steepestShare;  ///< of these, those with the steepest slopes are compared
  double lastStep;       ///< a step is the last one if it moves the head no further than this, mm
};
inline constexpr MotionLevel kCoarseLevel{1.7, 2, 0.5, 0.05}, kFineLevel{0.65, 1, 0.3, 0.01},
    kFinestLevel{0.4, 1, 0.3, 5e-4};
inline constexpr int kMostSteps = 25;  ///< for a volume at one level

SmoothingWeights smoothingWeightsOf(double sigma);

/// The samples of the reference.
struct MotionReference {
  Grid grid;
  std::vector<float> samples;  ///< kSampleArrays arrays of `count` each (motion_kernel.h)
  std::int64_t count = 0;      ///< a multiple of kSamplesPerChunk; the padding is outside every view
  std::int64_t real = 0;       ///< how many are samples
  double brightness = 0;       ///< mean value of the samples

  const float* array(int which) const { return samples.data() + which * count; }
};

/// @param smooth   coefficients of the smoothed reference
/// @param weights  of each voxel, at most 1; empty: all weigh 1
/// @throws Error  if it has no contrast
MotionReference makeReference(const Volume<float>& smooth, const MotionLevel& level,
                              std::span<const float> weights = {});

/// The state of a volume during realignment.
struct VolumePose {
  Affine volumeFromReference;  ///< mm, RAS+
  double gain = 1;
  double sigma = 0;        ///< of the differences, robust; 0: not known yet
  double overlap = 0;      ///< share of the samples in view
  double noiseMotion = 0;  ///< how far noise alone may have moved the head, mm, as by displacementOf()
  int steps = 0;           ///< so far, at this level
  bool done = false;       ///< at this level
};

using StepSums = std::array<double, kStepSums>;

/// The map between voxels.
VolumeFromReference voxelMapOf(const VolumePose& pose, const Grid& grid);
/// The volume, as it is compared, without its image.
ComparedVolume comparedAt(const VolumePose& pose, const MotionReference& reference);
/// The factor from a solution for shifts and turns to mm and radians: the slopes are those of the reference,
/// which the gain brings to the brightness of the volume.
double scaleOfSteps(const VolumePose& pose);
/// The solution of the normal equations of a step, whose unknowns are scaled to have the same unit.
struct SolvedStep {
  Eigen::VectorXd step;
  Eigen::VectorXd scale;   ///< of each unknown
  Eigen::MatrixXd scaled;  ///< the normal matrix of the scaled unknowns, with 1 on the diagonal
};
/// nullopt if they do not determine all unknowns.
std::optional<SolvedStep> solveStep(const Eigen::MatrixXd& normal, const Eigen::VectorXd& right);
/// Moves a pose and changes its gain.
///
/// @param step  solution for the kUnknowns: shifts, turns, gain
/// @return      the motion
Motion movePose(VolumePose& pose, std::span<const double> step, const Vec3<double>& center);
/// A Gauss-Newton step from the sums at a pose.
void takeStep(VolumePose& pose, const StepSums& sums, const MotionReference& reference,
              const MotionLevel& level);

/// The operations on all volumes of a series that CPU and GPU implement separately.
struct MotionWork {
  /// A volume, smoothed for a level, as the coefficients of a spline.
  std::function<std::vector<float>(std::span<const float> image, const MotionLevel&)> smooth;
  /// Takes steps until all poses are done; those that are done stay unchanged.
  std::function<void(const MotionReference&, const MotionLevel&, std::vector<VolumePose>&, const Progress&)>
      align;
  /// The mean over the used volumes, realigned, of those that extend to each voxel.
  std::function<Volume<float>(const std::vector<VolumePose>&, std::span<const std::uint8_t> used,
                              const Progress&)>
      meanOf;
  /// The realigned series, corrected for distortion unless that is null.
  std::function<Series<float>(const std::vector<VolumePose>&, const Unwarp*, const Progress&)> resample;
};

/// The operations on the CPU, on all threads of the withThreads() scope. The series must outlive them.
MotionWork processorWork(const Series<float>& series);

/// The driver. Throws as RealignSeries does.
MotionResult realign(const MotionInput& input, const MotionWork& work, const Progress& progress);

/// A volume at the voxels of the reference, interpolated by a cubic B-spline; NaN where it does not extend.
Volume<float> realignedVolume(const Grid& grid, VolumeView<const float> image, const VolumeFromReference& map,
                              const UnwarpView& unwarp);

/// Throws Error for input that cannot be realigned.
void checkMotionInput(const MotionInput& input);

}  // namespace sulcus::preparation
