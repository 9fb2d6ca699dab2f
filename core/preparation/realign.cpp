#include "core/base/error.h"
#include "core/base/numbers.h"
#include "core/base/parallel/parallel_for.h"
#include "core/base/sentence.h"
#include "core/base/stage_clock.h"
#include "core/math/statistics.h"
#include "core/preparation/mean_of_seen.h"
#include "core/preparation/mean_volume.h"
#include "core/preparation/motion_steps.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sulcus::preparation {
namespace {

constexpr double kLeastOverlap = 0.7;

std::vector<std::uint8_t> usedVolumes(const MotionInput& input) {
  if (!input.steady.empty()) return input.steady;
  return std::vector<std::uint8_t>(std::size_t(input.series->count), 1);
}

std::vector<int> numbersOf(std::span<const std::uint8_t> used) {
  std::vector<int> volumes;
  for (std::size_t v = 0; v < used.size(); ++v)
    if (used[v]) volumes.push_back(int(v));
  return volumes;
}

std::vector<VolumePose> atRest(int volumes) { return std::vector<VolumePose>(std::size_t(volumes)); }

/// The steady volume nearest to the mean of all in their original positions.
int firstReference(const Series<float>& series, std::span<const std::uint8_t> used,
                   const Progress& progress) {
  const std::int64_t step = std::max<std::int64_t>(1, series.grid.voxels() / 20000) | 1;
  std::vector<double> mean;
  for (std::int64_t i = 0; i < series.grid.voxels(); i += step) {
    MeanOfSeen one;
    for (int v = 0; v < series.count; ++v)
      if (used[v]) one.add(soundOrZero(series.at(i, v)));
    mean.push_back(one.mean());
  }
  std::vector<double> distance(series.count, std::numeric_limits<double>::infinity());
  parallelFor(series.count, 1, progress, [&](std::int64_t v) {
    if (!used[v]) return;
    double sum = 0;
    for (std::size_t i = 0; i < mean.size(); ++i) {
      const double difference = soundOrZero(series.at(std::int64_t(i) * step, int(v))) - mean[i];
      sum += difference * difference;
    }
    distance[v] = sum;
  });
  return int(std::min_element(distance.begin(), distance.end()) - distance.begin());
}

/// Centers the steady volumes on the rest position on average.
void center(std::vector<VolumePose>& poses, std::span<const std::uint8_t> used, const Grid& grid) {
  Motion mean;
  double count = 0;
  for (std::size_t v = 0; v < poses.size(); ++v) {
    if (!used[v]) continue;
    const Motion one = motionOf(poses[v].volumeFromReference, grid.center());
    mean.shift = mean.shift + one.shift;
    mean.turn = mean.turn + one.turn;
    ++count;
  }
  mean.shift = (1 / count) * mean.shift;
  mean.turn = (1 / count) * mean.turn;
  const Affine back = volumeFromRest(mean, grid.center()).inverse();
  for (VolumePose& pose : poses) pose.volumeFromReference = pose.volumeFromReference * back;
}

/// Aligns volumes with a reference, level after level.
void alignTo(const Volume<float>& reference, std::initializer_list<MotionLevel> levels,
             const MotionWork& work, std::vector<VolumePose>& poses, const Progress& progress) {
  double begun = 0;
  for (const MotionLevel& level : levels) {
    for (VolumePose& pose : poses) {
      pose.steps = 0;
      pose.sigma = 0;
      pose.done = false;
    }
    const Volume<float> smooth(reference.grid, work.smooth(reference.values, level));
    const double end = begun + 1.0 / double(levels.size());
    work.align(makeReference(smooth, level), level, poses, progress.part(begun, end, "motion"));
    begun = end;
  }
}

/// Whether there is no motion: no more than noise from volume to volume, and none over several volumes.
bool isStill(const std::vector<Motion>& motion, const std::vector<VolumePose>& poses) {
  constexpr std::size_t kTogether = 9;
  constexpr double kOfNoise = 2.5, kMost = 0.15;  // mm
  std::vector<double> noise;
  for (const VolumePose& pose : poses) noise.push_back(pose.noiseMotion);
  const double least = std::max(kStill, std::min(kMost, kOfNoise * upperMedian(std::span(noise))));
  for (const Motion& one : motion)
    if (displacementOf(one) > least) return false;
  for (std::size_t begin = 0; begin + kTogether <= motion.size(); ++begin)
    if (displacementOf(meanMotion(std::span(motion).subspan(begin, kTogether))) > kStill) return false;
  return true;
}

Volume<float> volumeOf(const Series<float>& series, int v) {
  const auto values = series.volume(v).values();
  return {series.grid, {values.begin(), values.end()}};
}

std::string volumesText(const std::vector<int>& volumes) {
  constexpr std::size_t kNamed = 5;
  std::string text;
  for (std::size_t i = 0; i < std::min(kNamed, volumes.size()); ++i)
    text += (i > 0 ? ", " : "") + std::to_string(volumes[i]);
  return volumes.size() > kNamed ? text + ", …" : text;
}

void addNotes(MotionResult& result) {
  if (result.still) {
    result.notes.push_back("No motion was found beyond what the noise explains. The series is unchanged.");
    return;
  }
  const auto displacement = framewiseDisplacement(result.motion);
  double farthest = 0, largest = 0, sum = 0;
  int high = 0;
  for (std::size_t v = 0; v < displacement.size(); ++v) {
    farthest = std::max(farthest, displacementOf(result.motion[v]));
    largest = std::max(largest, displacement[v]);
    sum += displacement[v];
    high += displacement[v] > kHighDisplacement;
  }
  result.notes.push_back(text("Volumes were realigned to their mean: the head moved up to ", farthest,
                              " mm from its mean position; framewise displacement ",
                              sum / std::max<double>(1, double(displacement.size()) - 1), " mm on average, ",
                              largest, " mm at most, above ", kHighDisplacement, " mm in ",
                              counted(high, "volume"), "."));
  std::vector<int> partly;
  for (std::size_t v = 0; v < result.overlap.size(); ++v)
    if (result.overlap[v] < kLeastOverlap) partly.push_back(int(v));
  if (!partly.empty())
    result.notes.push_back(
        Note::warning(text("In ", counted(std::ssize(partly), "volume"), " (", volumesText(partly),
                           ", counted from 0) less than ", 100 * kLeastOverlap,
                           " % of the head is in view, so the motion is uncertain."),
                      "Exclude them.", "drop-volumes"));
}

/// The pose of each volume: aligned with the steady one nearest to the mean, then with the mean of all.
void findPoses(const Series<float>& series, std::span<const std::uint8_t> used, const MotionWork& work,
               std::vector<VolumePose>& poses, StageClock& clock, const Progress& progress) {
  const int first = firstReference(series, used, progress.part(0, 0.02, "motion"));
  alignTo(volumeOf(series, first), {kCoarseLevel, kFineLevel}, work, poses,
          progress.part(0.02, 0.5, "motion"));
  center(poses, used, series.grid);
  clock.finish("motion");
  const Volume<float> mean = work.meanOf(poses, used, progress.part(0.5, 0.65, "mean"));
  clock.finish("mean");
  alignTo(mean, {kFinestLevel}, work, poses, progress.part(0.65, 0.85, "motion"));
  center(poses, used, series.grid);
  clock.finish("motion");
}

}  // namespace

void checkMotionInput(const MotionInput& input) {
  const Series<float>& series = *input.series;
  if (series.count < 2)
    throw Error("There is one volume", "motion is found between volumes", "give the whole series");
  const Vec3<int>& n = series.grid.size;
  if (std::min({n.x, n.y, n.z}) < kFewestVoxels)
    throw Error(text("The series has ", n.x, " × ", n.y, " × ", n.z, " voxels"),
                text("motion across so few slices cannot be determined: ", kFewestVoxels,
                     " along each axis are needed"),
                "analyze it without preparation");
  if (!input.steady.empty() && std::ranges::count(input.steady, 0) > series.count - 2)
    throw Error("Fewer than two volumes remain", "the others are realigned to their mean", "exclude fewer");
}

MotionResult realign(const MotionInput& input, const MotionWork& work, const Progress& progress) {
  checkMotionInput(input);
  const Series<float>& series = *input.series;
  const auto used = usedVolumes(input);
  std::vector<VolumePose> poses = atRest(series.count);
  StageClock clock;
  if (input.findMotion) findPoses(series, used, work, poses, clock, progress);

  MotionResult result;
  for (const VolumePose& pose : poses) {
    result.motion.push_back(motionOf(pose.volumeFromReference, series.grid.center()));
    result.overlap.push_back(pose.overlap);
  }
  result.still = !input.findMotion || isStill(result.motion, poses);
  if (result.still) {
    std::fill(result.motion.begin(), result.motion.end(), Motion());
    poses = atRest(series.count);
  }
  std::shared_ptr<const Unwarp> unwarp;
  if (input.findUnwarp) {
    const Progress part = progress.part(0.85, 0.92, "distortion");
    unwarp = input.findUnwarp(work.meanOf(poses, used, part.part(0, 0.3, "distortion")),
                              part.part(0.3, 1, "distortion"));
    clock.finish("distortion");
  }
  result.series = result.still && !unwarp
                      ? input.series
                      : std::make_shared<const Series<float>>(
                            work.resample(poses, unwarp.get(), progress.part(0.92, 0.98, "interpolate")));
  clock.finish("interpolate");
  result.mean = meanOfVolumes(*result.series, numbersOf(used), progress.part(0.98, 1, "mean"));
  clock.finish("mean");
  if (input.findMotion)
    addNotes(result);
  else
    result.notes.emplace_back("Motion was not corrected, as chosen.");
  result.stages = clock.stages();
  return result;
}

}  // namespace sulcus::preparation
