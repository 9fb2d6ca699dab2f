#include "core/preparation/diffusion/diffusion_motion.h"

#include "core/base/error.h"
#include "core/base/parallel/parallel_for.h"
#include "core/base/sentence.h"
#include "core/base/stage_clock.h"
#include "core/fibers/models/shells.h"
#include "core/preparation/diffusion/direction_part.h"
#include "core/preparation/diffusion/eddy_currents.h"
#include "core/preparation/diffusion/eddy_response.h"
#include "core/preparation/diffusion/volume_prediction.h"
#include "core/preparation/mean_volume.h"
#include "core/preparation/motion_steps.h"
#include "core/preparation/preparation.h"
#include "core/registration/linear/linear_alignment.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

namespace sulcus::preparation {
namespace {

constexpr double kDarkest = 2000;        // s/mm², the highest of shells that can be realigned reliably
constexpr int kFewestStraightened = 12;  // of a shell: a quadratic form has five coefficients
constexpr int kFewestPredicted = 6;  // of a shell: with fewer volumes none resembles the mean of the others

// Smoother volumes would mix the signals of voxels that depend on the direction with others (weightsOf). They
// are compared often, since the predictions change with each alignment.
constexpr MotionLevel kPredictedLevel{0.5, 1, 0.4, 2e-3};
constexpr MotionLevel kVarianceLevel{1, 1, 1, 1};
constexpr double kLeastVaried = 0.05;      // share of the head that counts as equal in all directions
constexpr double kLeastDeviation = 0.003;  // of the brightness: smaller differences come from interpolation

double square(double a) { return a * a; }

constexpr MotionLevel kRounds[] = {kCoarseLevel,    kPredictedLevel, kPredictedLevel,
                                   kPredictedLevel, kPredictedLevel, kPredictedLevel};

/// The state of a series during realignment.
struct Realignment {
  const DiffusionMotionInput& input;
  std::vector<int> unweighted;           ///< volumes
  std::vector<std::vector<int>> groups;  ///< these first, if there are any, then the volumes of shells
  Series<float> filled;                  ///< the series with lost slices replaced by predictions
  std::vector<VolumePose> poses;
  std::vector<LostSlice> lost;
  std::optional<EddyFrame> frame = {};   ///< null: eddy currents are not corrected
  std::vector<EddyTerms> eddy = {};      ///< one per volume
  std::vector<FittedTerms> fitted = {};  ///< the same, of each volume by itself

  const Grid& grid() const { return filled.grid; }
  bool hasEddy() const { return !std::ranges::all_of(eddy, isZero); }
  bool isShell(const std::vector<int>& group) const { return group != unweighted; }
  /// Whether the volumes of a group predict each other.
  bool isPredicted(const std::vector<int>& group) const {
    return int(group.size()) >= (isShell(group) ? kFewestPredicted : 2);
  }
  Motion motionOfVolume(int v) const { return motionOf(poses[v].volumeFromReference, grid().center()); }
};

Realignment startOf(const DiffusionMotionInput& input) {
  Realignment r{input, unweightedVolumes(input.gradients), {}, *input.dwi, {}, {}};
  if (!r.unweighted.empty()) r.groups.push_back(r.unweighted);
  for (const fibers::Shell& shell : fibers::shells(input.gradients)) r.groups.push_back(shell.volumes);
  r.poses.resize(input.dwi->count);
  r.eddy.resize(r.poses.size());
  r.fitted.resize(r.poses.size());
  if (input.phaseAxis) r.frame.emplace(r.grid(), *input.phaseAxis);
  return r;
}

/// A direction of a volume in the frame of the first volume: rotated back with the head.
Vec3<double> turnedBack(const Affine& volumeFromReference, const Vec3<double>& direction) {
  const Affine& a = volumeFromReference;
  return {dot(a.column(0), direction), dot(a.column(1), direction), dot(a.column(2), direction)};
}

GradientTable turnedGradients(const Realignment& r) {
  GradientTable turned = r.input.gradients;
  for (std::size_t v = 0; v < r.poses.size(); ++v) {
    Vec3<double>& direction = turned.rows[v].directionWorld;
    direction = turnedBack(r.poses[v].volumeFromReference, direction);
  }
  return turned;
}

/// The filled volumes, each realigned and corrected for eddy currents and a field that belongs to the head.
///
/// @param unwarp  null: none
Series<float> resampled(const Realignment& r, const Unwarp* unwarp, const Progress& progress) {
  Series<float> result(r.grid(), r.filled.count);
  parallelFor(result.count, 1, progress, [&](std::int64_t v) {
    const EddyTerms& terms = r.eddy[v];
    const VolumePose& pose = r.poses[v];
    const Unwarp own =
        isZero(terms) ? Unwarp() : eddyUnwarp(terms, *r.frame, pose.volumeFromReference, r.grid(), unwarp);
    UnwarpView view;
    if (unwarp) view = unwarp->view();
    if (!isZero(terms)) view = own.view();
    const Volume<float> volume =
        realignedVolume(r.grid(), r.filled.volume(int(v)), voxelMapOf(pose, r.grid()), view);
    std::ranges::copy(volume.values, result.volume(int(v)).data);
  });
  return result;
}

/// A series in the frame of the scanner without its eddy currents.
Series<float> withoutEddy(const Realignment& r, const Series<float>& series) {
  Series<float> result = series;
  parallelFor(series.count, 1, {}, [&](std::int64_t v) {
    const EddyTerms& terms = r.eddy[v];
    if (isZero(terms)) return;
    const Unwarp unwarp = eddyUnwarp(terms, *r.frame, Affine(), r.grid(), nullptr);
    const Volume<float> volume =
        realignedVolume(r.grid(), series.volume(int(v)), voxelMapOf({}, r.grid()), unwarp.view());
    std::ranges::copy(volume.values, result.volume(int(v)).data);
  });
  return result;
}

std::vector<Eigen::MatrixXf> predictionsOf(const Realignment& r) {
  const GradientTable turned = turnedGradients(r);
  std::vector<Eigen::MatrixXf> matrices;
  for (const std::vector<int>& group : r.groups) {
    std::vector<Vec3<double>> directions;
    double b = 0;
    for (const int v : group) {
      directions.push_back(turned.rows[v].directionWorld);
      b += turned.rows[v].b / double(group.size());
    }
    if (!r.isShell(group)) b = 0;
    matrices.push_back(group.size() < 2 ? Eigen::MatrixXf(Eigen::MatrixXf::Ones(1, 1))
                                        : predictionByOthers(directions, b));
  }
  return matrices;
}

/// Weights of voxels for comparing the volumes of a shell with their predictions: least where the signal
/// depends most on the direction. There a volume differs from its prediction by more than noise, in the same
/// way for volumes of similar directions, which looks like motion; a voxel with the same signal in all
/// directions shows motion alone.
std::vector<float> weightsOf(const Series<float>& realigned, const std::vector<int>& group,
                             const MotionLevel& level, const MotionWork& work) {
  Series<float> smooth(realigned.grid, int(group.size()));
  parallelFor(std::ssize(group), 1, {}, [&](std::int64_t i) {
    std::ranges::copy(work.smooth(realigned.volume(group[i]).values(), level), smooth.volume(int(i)).data);
  });
  Volume<float> mean(smooth.grid), variance(smooth.grid);
  parallelFor(smooth.grid.voxels(), 4096, {}, [&](std::int64_t x) {
    double sum = 0, squares = 0;
    for (int i = 0; i < smooth.count; ++i) sum += double(smooth.at(x, i)) / smooth.count;
    for (int i = 0; i < smooth.count; ++i) squares += square(double(smooth.at(x, i)) - sum);
    mean.values[x] = float(sum);
    variance.values[x] = float(squares / (smooth.count - 1));
  });
  variance.values = work.smooth(variance.values, kVarianceLevel);
  std::vector<float> inHead;
  const double bright = brightnessOf(std::as_const(mean).view());
  for (std::size_t x = 0; x < mean.values.size(); ++x)
    if (double(mean.values[x]) > bright) inHead.push_back(variance.values[x]);
  if (inHead.empty()) return {};
  const auto low = inHead.begin() + std::ptrdiff_t(kLeastVaried * double(inHead.size()));
  std::ranges::nth_element(inHead, low);
  const double least = std::max(double(*low), square(kLeastDeviation * bright));
  std::vector<float> weights;
  for (const float one : variance.values)
    weights.push_back(float(square(square(least / (least + double(one))))));
  return weights;
}

/// Aligns each volume with its own prediction.
void alignToPredictions(Realignment& r, const Series<float>& realigned, const Series<float>& predicted,
                        const MotionLevel& level, const Progress& progress) {
  const Series<float> straightened = r.hasEddy() ? withoutEddy(r, r.filled) : Series<float>();
  const MotionWork work = processorWork(r.hasEddy() ? straightened : r.filled);
  std::vector<int> volumes;
  std::vector<std::shared_ptr<const std::vector<float>>> weights(r.poses.size());
  for (const std::vector<int>& group : r.groups) {
    if (!r.isPredicted(group)) continue;
    volumes.insert(volumes.end(), group.begin(), group.end());
    const auto ofGroup = std::make_shared<const std::vector<float>>(
        r.isShell(group) ? weightsOf(realigned, group, level, work) : std::vector<float>());
    for (const int v : group) weights[v] = ofGroup;
  }
  parallelFor(std::ssize(volumes), 1, progress, [&](std::int64_t i) {
    const int v = volumes[i];
    const Volume<float> smooth(r.grid(), work.smooth(predicted.volume(v).values(), level));
    const MotionReference reference = makeReference(smooth, level, *weights[v]);
    std::vector<VolumePose> poses(r.poses.size());
    for (VolumePose& pose : poses) pose.done = true;
    poses[v].volumeFromReference = r.poses[v].volumeFromReference;
    poses[v].gain = r.poses[v].gain;
    poses[v].done = false;
    work.align(reference, level, poses, {});
    r.poses[v] = poses[v];
    if (!r.frame || r.input.gradients.rows[v].b == 0) return;
    r.fitted[v] = fittedTerms(poses[v], reference, work.smooth(r.filled.volume(v).values(), level), *r.frame,
                              r.eddy[v]);
  });
}

/// Moves the frame of some volumes: `oldFromNew` maps positions in the new frame to the old one.
void moveFrame(std::vector<VolumePose>& poses, const std::vector<int>& volumes, const Affine& oldFromNew) {
  for (const int v : volumes) {
    VolumePose& pose = poses[v];
    pose.volumeFromReference = pose.volumeFromReference * oldFromNew;
  }
}

/// Centers the volumes of a group on its frame on average, since nothing else fixes it.
void centerGroup(Realignment& r, const std::vector<int>& group) {
  std::vector<Motion> motion;
  for (const int v : group) motion.push_back(r.motionOfVolume(v));
  moveFrame(r.poses, group, volumeFromRest(meanMotion(motion), r.grid().center()).inverse());
}

/// Takes what goes with the direction of weighting out of the motion of a shell.
void straightenGroup(Realignment& r, const std::vector<int>& group) {
  if (int(group.size()) < kFewestStraightened) return;
  const GradientTable turned = turnedGradients(r);
  std::vector<Vec3<double>> directions;
  std::vector<Motion> motion;
  for (const int v : group) {
    directions.push_back(turned.rows[v].directionWorld);
    motion.push_back(r.motionOfVolume(v));
  }
  const Eigen::MatrixXd part = directionPart(group, directions, parametersOf(motion));
  for (std::size_t i = 0; i < group.size(); ++i) {
    for (int k = 0; k < 3; ++k) {
      motion[i].shift[k] -= part(Eigen::Index(i), k);
      motion[i].turn[k] -= part(Eigen::Index(i), 3 + k);
    }
    r.poses[group[i]].volumeFromReference = volumeFromRest(motion[i], r.grid().center());
  }
}

/// Finds lost slices and replaces them by predictions.
void replaceLost(Realignment& r, const Series<float>& predicted, const Progress& progress) {
  std::vector<VolumePose> back = r.poses;
  for (VolumePose& pose : back) pose.volumeFromReference = pose.volumeFromReference.inverse();
  const Series<float> expected = processorWork(predicted).resample(back, nullptr, progress);
  std::vector<std::vector<int>> groups;
  for (const std::vector<int>& group : r.groups)
    if (r.isPredicted(group)) groups.push_back(group);
  r.lost = findLostSlices(r.hasEddy() ? withoutEddy(r, *r.input.dwi) : *r.input.dwi, expected, groups);
  r.filled = *r.input.dwi;
  const std::int64_t area = std::int64_t(r.grid().size.x) * r.grid().size.y;
  for (const LostSlice& slice : r.lost) {
    const float* from = expected.volume(slice.volume).data + slice.slice * area;
    float* to = r.filled.volume(slice.volume).data + slice.slice * area;
    for (std::int64_t i = 0; i < area; ++i) to[i] = std::isfinite(from[i]) ? from[i] : 0;
  }
}

/// Finds the eddy currents of all volumes from those that fit each volume by itself.
void findEddy(Realignment& r) {
  const GradientTable turned = turnedGradients(r);
  const std::vector<Eigen::MatrixXf> others = predictionsOf(r);
  double largest = 0;
  for (const Gradient& row : r.input.gradients.rows) largest = std::max(largest, row.b);
  std::vector<EddyShell> shells;
  std::vector<int> volumes;
  for (std::size_t g = 0; g < r.groups.size(); ++g) {
    const std::vector<int>& group = r.groups[g];
    if (!r.isShell(group)) continue;
    EddyShell& shell = shells.emplace_back();
    shell.others = others[g].cast<double>();
    shell.found.resize(std::ssize(group), kEddyTerms);
    shell.taken.resize(std::ssize(group), kEddyTerms);
    shell.precision = Eigen::MatrixXd::Zero(kEddyTerms, kEddyTerms);
    for (std::size_t i = 0; i < group.size(); ++i) {
      const auto v = std::size_t(group[i]);
      const Gradient& row = r.input.gradients.rows[v];
      shell.gradients.push_back(std::sqrt(row.b / largest) * row.directionWorld);
      shell.directions.push_back(turned.rows[v].directionWorld);
      for (std::size_t k = 0; k < kEddyTerms; ++k) {
        shell.found(Eigen::Index(i), Eigen::Index(k)) = r.fitted[v].terms[k];
        shell.taken(Eigen::Index(i), Eigen::Index(k)) = r.eddy[v][k];
      }
      shell.precision += r.fitted[v].precision / double(group.size());
      volumes.push_back(group[i]);
    }
  }
  auto volume = volumes.begin();
  for (const Eigen::MatrixXd& terms : eddyResponse(shells))
    for (const auto& row : terms.rowwise()) std::ranges::copy(row, r.eddy[*volume++].begin());
}

/// The mean of a group; 0 where no volume extends.
Volume<float> meanOfGroup(const Series<float>& realigned, const std::vector<int>& group) {
  return withoutUnsound(meanOfVolumes(realigned, group, {}));
}

/// Aligns the frame of each shell with that of the first group.
void alignGroups(Realignment& r, const Progress& progress) {
  const Series<float> realigned = resampled(r, nullptr, progress.part(0, 0.3, "motion"));
  const Series<float> first(meanOfGroup(realigned, r.groups.front()));
  for (std::size_t g = 1; g < r.groups.size(); ++g) {
    const Affine shellFromFirst =
        registration::alignLinearly(Series<float>(meanOfGroup(realigned, r.groups[g])), first, {nullptr},
                                    {registration::LinearAlignment::rigid}, Affine(),
                                    progress.part(0.3 + 0.7 * double(g - 1) / double(r.groups.size()),
                                                  0.3 + 0.7 * double(g) / double(r.groups.size()), "motion"));
    moveFrame(r.poses, r.groups[g], shellFromFirst);
  }
}

/// Sets missing data in the realigned series to 0: positions outside a volume's view, and lost slices.
void markMissing(Series<float>& series, const Realignment& r) {
  for (float& value : series.values)
    if (!std::isfinite(value)) value = 0;
  for (const LostSlice& lost : r.lost) {
    const VolumeFromReference map = voxelMapOf(r.poses[lost.volume], r.grid());
    const VolumeView<float> volume = series.volume(lost.volume);
    for (int z = 0; z < volume.size.z; ++z)
      for (int y = 0; y < volume.size.y; ++y)
        for (int x = 0; x < volume.size.x; ++x)
          if (std::fabs(map.point({float(x), float(y), float(z)}).z - float(lost.slice)) < 0.999f)
            volume(x, y, z) = 0;
  }
}

void checkDiffusionInput(const DiffusionMotionInput& input) {
  MotionInput motion;
  motion.series = input.dwi;
  checkMotionInput(motion);
  if (int(input.gradients.rows.size()) != input.dwi->count)
    throw Error(text("There are ", counted(std::ssize(input.gradients.rows), "gradient"), " for ",
                     counted(input.dwi->count, "volume")),
                "volumes are compared with those of other directions", "give the gradients of this series");
}

/// Throws Error if volumes drifted out of view, because the comparison cannot determine their position.
void checkFound(const DiffusionMotionResult& result, const Realignment& r) {
  constexpr double kLeastOverlap = 0.7, kLargestShare = 0.25;
  const Vec3<double> spacing = r.grid().spacing();
  const Vec3<int>& size = r.grid().size;
  const double extent = std::min({spacing.x * size.x, spacing.y * size.y, spacing.z * size.z});
  std::int64_t lost = 0;
  for (std::size_t v = 0; v < r.poses.size(); ++v) {
    const bool isCompared = r.poses[v].steps > 0;
    lost += displacementOf(result.motion[v]) > kLargestShare * extent ||
            (isCompared && r.poses[v].overlap < kLeastOverlap);
  }
  if (lost > 0)
    throw Error("The motion cannot be determined",
                text(counted(lost, "volume"), " would be further out of view than a head moves"),
                "give the whole head, or do not correct motion");
}

void addEddyNote(DiffusionMotionResult& result) {
  if (result.eddy.empty()) return;
  double largest = 0;
  for (const EddyTerms& terms : result.eddy) largest = std::max(largest, displacementOf(terms));
  if (largest == 0)
    result.notes.emplace_back("No displacement by eddy currents was found.");
  else
    result.notes.push_back(text("Eddy currents displaced voxels along the phase-encoding axis by up to ",
                                largest, " mm at ", kHeadRadius,
                                " mm from the center: corrected in the same interpolation."));
}

void addMotionNotes(DiffusionMotionResult& result, const Realignment& r) {
  double farthest = 0;
  for (const Motion& motion : result.motion) farthest = std::max(farthest, displacementOf(motion));
  if (result.still)
    result.notes.push_back(
        text("The head moved by no more than ", kStillDiffusion, " mm, the precision of the predictions: ",
             r.hasEddy() ? "this was left in the volumes." : "no volume was interpolated."));
  else
    result.notes.push_back(
        text("Volumes were realigned to their predictions from the others, and gradients were rotated with "
             "them: the head moved up to ",
             farthest, " mm from its position in the first volume."));
  const bool isDark = std::ranges::any_of(fibers::shells(r.input.gradients),
                                          [](const fibers::Shell& shell) { return shell.b > kDarkest; });
  if (isDark && !result.still)
    result.notes.push_back(Note::warning(
        text("Volumes above b = ", kDarkest,
             " s/mm² may still be misaligned by 0.6 mm and 0.4° (root mean square, as simulated at b = 3000 "
             "and SNR 30): compare the fibers with those of the unprepared scan."),
        "", "prepare"));
  std::int64_t alone = 0;
  for (const std::vector<int>& group : r.groups)
    if (r.isShell(group) && !r.isPredicted(group)) alone += std::int64_t(group.size());
  if (alone > 0)
    result.notes.push_back(
        Note::warning(text(counted(alone, "volume"), " of shells with fewer than ", kFewestPredicted,
                           " volumes were not realigned with each other: too few volumes predict them.")));
  if (result.lost.empty()) return;
  std::vector<int> volumes;
  for (const LostSlice& slice : result.lost)
    if (volumes.empty() || volumes.back() != slice.volume) volumes.push_back(slice.volume);
  result.notes.push_back(
      text(counted(std::ssize(result.lost), "slice"), " in ", counted(std::ssize(volumes), "volume"),
           " lost their signal, as when the head moves during their acquisition: set to 0, missing values."));
}

/// Aligns each volume to its prediction by the others, in rounds, and finds what eddy currents and lost
/// slices did to it.
void alignVolumes(Realignment& r, const Progress& progress) {
  double begun = 0;
  for (const MotionLevel& level : kRounds) {
    const double end = begun + 1 / double(std::size(kRounds));
    const Progress part = progress.part(begun, end, "motion");
    const Series<float> realigned = resampled(r, nullptr, part.part(0, 0.2, "motion"));
    const Series<float> predicted =
        predictVolumes(realigned, r.groups, predictionsOf(r), part.part(0.2, 0.3, "motion"));
    alignToPredictions(r, realigned, predicted, level, part.part(0.3, 0.9, "motion"));
    for (const std::vector<int>& group : r.groups) {
      centerGroup(r, group);
      if (r.isShell(group)) straightenGroup(r, group);
    }
    if (&level != kRounds) replaceLost(r, predicted, part.part(0.9, 1, "motion"));
    if (r.frame && &level != kRounds) findEddy(r);
    begun = end;
  }
}

}  // namespace

DiffusionMotionResult realignDiffusion(const DiffusionMotionInput& input, const Progress& progress) {
  checkDiffusionInput(input);
  Realignment r = startOf(input);
  StageClock clock;
  alignVolumes(r, progress.part(0, 0.8, "motion"));
  alignGroups(r, progress.part(0.8, 0.95, "motion"));
  std::vector<int> all(input.dwi->count);
  std::iota(all.begin(), all.end(), 0);
  moveFrame(r.poses, all, r.poses[0].volumeFromReference.inverse());
  clock.finish("motion");

  DiffusionMotionResult result;
  for (int v = 0; v < input.dwi->count; ++v) result.motion.push_back(r.motionOfVolume(v));
  checkFound(result, r);
  result.still = std::all_of(result.motion.begin(), result.motion.end(),
                             [](const Motion& m) { return displacementOf(m) <= kStillDiffusion; });
  if (result.still) {
    for (VolumePose& pose : r.poses) pose.volumeFromReference = Affine();
    std::fill(result.motion.begin(), result.motion.end(), Motion());
  }
  SeriesField field;
  if (input.field.empty()) {
    field = fieldOfSeries(input.field, {}, findDistortion, {});
  } else {
    const Series<float> realigned = resampled(r, nullptr, progress.part(0.95, 0.96, "distortion"));
    const Volume<float> unweighted = meanOfGroup(realigned, r.groups.front());
    field = fieldOfSeries(input.field, unweighted, findDistortion, progress.part(0.96, 0.98, "distortion"));
    result.field = field.hertz;
    clock.finish("distortion");
  }
  const bool isUnchanged = result.still && !field.unwarp && !r.hasEddy();
  Series<float> final =
      isUnchanged ? r.filled : resampled(r, field.unwarp.get(), progress.part(0.98, 1, "interpolate"));
  markMissing(final, r);
  result.dwi = std::make_shared<const Series<float>>(std::move(final));
  result.gradients = turnedGradients(r);
  result.lost = r.lost;
  if (r.frame) result.eddy = r.eddy;
  clock.finish("interpolate");
  addMotionNotes(result, r);
  addEddyNote(result);
  result.notes.insert(result.notes.end(), field.notes.begin(), field.notes.end());
  result.stages = clock.stages();
  return result;
}

}  // namespace sulcus::preparation
