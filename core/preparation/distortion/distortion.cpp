#include "core/preparation/distortion/distortion.h"

#include "core/base/error.h"
#include "core/base/parallel/parallel_for.h"
#include "core/base/sentence.h"
#include "core/math/statistics.h"
#include "core/preparation/distortion/distortion_steps.h"
#include "core/preparation/distortion/unwarp.h"
#include "core/preparation/motion_parameters.h"
#include "core/preparation/motion_steps.h"
#include "core/registration/linear/linear_alignment.h"

#include <algorithm>
#include <cmath>

namespace sulcus::preparation {
namespace {

constexpr double kSmoothness = 0.03;  // for images with EpiImage::sure = 1
constexpr int kFewestOnLevel = 12;    // voxels along an axis at the coarsest level
constexpr int kCoarseSweeps = 60, kFineSweeps = 15;
constexpr double kMovedBetween = 0.05;  // mm: a head that moved less is not realigned
constexpr int kRounds = 12;             // of finding the field and realigning, at most

/// An image with its columns as the slowest axis: value (i, p, q) at (i·depth + q)·width + p.
struct Columns {
  int n = 0, width = 0, depth = 0;
  std::vector<float> values;
  std::vector<double> before;  ///< EpiColumn

  std::int64_t count() const { return std::int64_t(width) * depth; }
};

/// An axis and the others, in order.
Vec3<int> axesFrom(int axis) {
  static constexpr Vec3<int> kAxes[] = {{0, 1, 2}, {1, 0, 2}, {2, 0, 1}};
  return kAxes[axis];
}

void addSums(Columns& columns) {
  columns.before.resize(columns.values.size());
  for (std::int64_t c = 0; c < columns.count(); ++c) {
    double sum = 0, last = 0;
    for (int i = 0; i < columns.n; ++i) {
      const auto at = std::size_t(i * columns.count() + c);
      const double value = columns.values[at];
      sum += i == 0 ? 0.5 * value : 0.5 * (last + value);
      columns.before[at] = sum;
      last = value;
    }
  }
}

Columns columnsOf(const Volume<float>& image, int axis) {
  const Vec3<int> axes = axesFrom(axis);
  const Vec3<int>& size = image.grid.size;
  Columns columns{size[axes.x], size[axes.y], size[axes.z], {}, {}};
  columns.values.reserve(image.values.size());
  Vec3<int> v;
  for (v[axes.x] = 0; v[axes.x] < columns.n; ++v[axes.x])
    for (v[axes.z] = 0; v[axes.z] < columns.depth; ++v[axes.z])
      for (v[axes.y] = 0; v[axes.y] < columns.width; ++v[axes.y])
        columns.values.push_back(std::max(0.f, soundOrZero(image(v.x, v.y, v.z))));
  return columns;
}

/// By which factor each axis of a level becomes shorter on the next coarser one: 1 or 2.
Vec3<int> shrinkingOf(const Columns& fine) {
  const auto factor = [](int n) { return n >= 2 * kFewestOnLevel ? 2 : 1; };
  return {factor(fine.n), factor(fine.width), factor(fine.depth)};
}

/// The means of blocks of voxels; a missing voxel at the end counts as 0.
///
/// @param by  the edges of the blocks, 1 or 2
Columns coarser(const Columns& fine, const Vec3<int>& by) {
  const auto blocks = [](int n, int edge) { return (n + edge - 1) / edge; };
  Columns coarse{blocks(fine.n, by.x), blocks(fine.width, by.y), blocks(fine.depth, by.z), {}, {}};
  coarse.values.assign(std::size_t(coarse.n) * coarse.count(), 0);
  const float share = 1.f / float(by.x * by.y * by.z);
  std::size_t from = 0;
  for (int i = 0; i < fine.n; ++i)
    for (int q = 0; q < fine.depth; ++q)
      for (int p = 0; p < fine.width; ++p) {
        const std::int64_t row = std::int64_t(i / by.x) * coarse.depth + q / by.z;
        coarse.values[row * coarse.width + p / by.y] += share * fine.values[from++];
      }
  return coarse;
}

/// Shifts of the faces of all columns, stored like the values of Columns but with n + 1 of them.
struct Shifts {
  int faces = 0, width = 0, depth = 0;
  std::vector<double> values;

  std::int64_t count() const { return std::int64_t(width) * depth; }
};

/// The two voxels or faces of a coarser level between which one of a finer level lies, and their weights.
struct Between {
  int at[2];
  double weight[2];
};

/// @param by  how many voxels of the finer level a coarse one spans, 1 or 2
Between voxelsBetween(int fine, int coarseSize, int by) {
  if (by == 1) return {{fine, fine}, {1, 0}};
  const int nearest = fine / 2, other = fine % 2 == 0 ? nearest - 1 : nearest + 1;
  return {{nearest, std::clamp(other, 0, coarseSize - 1)}, {0.75, 0.25}};
}
Between facesBetween(int fine, int coarseFaces, int by) {
  return {{fine / by, std::min((fine + by - 1) / by, coarseFaces - 1)}, {0.5, 0.5}};
}

double shiftBetween(const Shifts& shifts, const Between& faces, const Between& inQ, const Between& inP) {
  double sum = 0;
  for (int h = 0; h < 2; ++h)
    for (int q = 0; q < 2; ++q)
      for (int p = 0; p < 2; ++p) {
        const std::int64_t row = std::int64_t(faces.at[h]) * shifts.depth + inQ.at[q];
        sum +=
            faces.weight[h] * inQ.weight[q] * inP.weight[p] * shifts.values[row * shifts.width + inP.at[p]];
      }
  return sum;
}

/// The shifts of a level from those of the next coarser one.
Shifts finer(const Shifts& coarse, const Columns& fine, const Vec3<int>& by) {
  Shifts result{fine.n + 1, fine.width, fine.depth, {}};
  result.values.resize(std::size_t(result.faces) * result.count());
  parallelFor(result.faces, 1, {}, [&](std::int64_t h) {
    const Between faces = facesBetween(int(h), coarse.faces, by.x);
    for (int q = 0; q < fine.depth; ++q) {
      const Between inQ = voxelsBetween(q, coarse.depth, by.z);
      for (int p = 0; p < fine.width; ++p)
        result.values[(h * fine.depth + q) * fine.width + p] =
            by.x * shiftBetween(coarse, faces, inQ, voxelsBetween(p, coarse.width, by.y));
    }
  });
  return result;
}

/// Two images at one level.
struct Level {
  Columns first, second;
  Vec3<int> by{1, 1, 1};  ///< by which factor each axis is shorter than on the next finer level
  Vec3<double> spacing;   ///< along the columns, then across
};

/// The levels from the images themselves to the coarsest ones.
std::vector<Level> levelsOf(Columns first, Columns second, const Vec3<double>& spacing) {
  std::vector<Level> levels(1);
  levels[0] = {std::move(first), std::move(second), {1, 1, 1}, spacing};
  for (;;) {
    const Level& fine = levels.back();
    const Vec3<int> by = shrinkingOf(fine.first);
    if (by == Vec3<int>{1, 1, 1}) return levels;
    const Vec3<double>& s = fine.spacing;
    Level coarse{coarser(fine.first, by), coarser(fine.second, by), by, {by.x * s.x, by.y * s.y, by.z * s.z}};
    levels.push_back(std::move(coarse));
  }
}

/// Differences between the images other than the shifts.
struct Scales {
  double first, second;  ///< voxels for a shift of 1
  double gain;           ///< brightness of the second image relative to the first one
  double smoothness;     ///< cost of differences between neighbors, relative to signal with a mean of 1
};

/// The view of a level for the steps of its columns.
SweepView viewOf(const Level& level, const Scales& scales, Shifts& shifts) {
  const std::int64_t count = shifts.count();
  const double alongToP = level.spacing.x / level.spacing.y, alongToQ = level.spacing.x / level.spacing.z;
  return {{level.first.values.data(), level.first.before.data(), count, level.first.n, scales.first, 1},
          {level.second.values.data(), level.second.before.data(), count, level.second.n, scales.second,
           scales.gain},
          shifts.values.data(),
          shifts.width,
          shifts.depth,
          scales.smoothness * alongToP * alongToP,
          scales.smoothness * alongToQ * alongToQ,
          scales.smoothness};
}

double total(const Columns& columns) {
  double sum = 0;
  for (const float value : columns.values) sum += value;
  return sum;
}

/// Scales both images so that the mean over the brighter half of the first one is 1: smoothness has the same
/// meaning for all images then.
void scaleToUnit(Columns& first, Columns& second) {
  const double mean = total(first) / double(first.values.size());
  double sum = 0, bright = 0;
  for (const float value : first.values) {
    if (!(value > mean)) continue;
    sum += value;
    ++bright;
  }
  if (!(bright > 0) || !(total(second) > 0))
    throw Error("There is no signal in an image", "the field is found from the positions of the signal",
                "give the images as acquired");
  const float unit = float(bright / sum);
  for (Columns* const columns : {&first, &second})
    for (float& value : columns->values) value *= unit;
}

/// The shifts of the faces at the finest level.
Shifts findShifts(SweepColumns& sweep, Columns first, Columns second, Scales scales,
                  const Vec3<double>& spacing, const Progress& progress) {
  scaleToUnit(first, second);
  scales.gain = total(second) / total(first);
  std::vector<Level> levels = levelsOf(std::move(first), std::move(second), spacing);
  Shifts shifts;
  for (std::size_t i = levels.size(); i-- > 0;) {
    Level& level = levels[i];
    addSums(level.first);
    addSums(level.second);
    if (shifts.values.empty()) {
      shifts = {level.first.n + 1, level.first.width, level.first.depth, {}};
      shifts.values.assign(std::size_t(shifts.faces) * std::size_t(shifts.count()), 0);
    } else {
      shifts = finer(shifts, level.first, levels[i + 1].by);
    }
    const double begun = i == 0 ? 0.4 : 0.4 * (1 - double(i + 1) / double(levels.size()));
    const double end = i == 0 ? 1 : 0.4 * (1 - double(i) / double(levels.size()));
    sweep(viewOf(level, scales, shifts), i + 1 == levels.size() ? kCoarseSweeps : kFineSweeps,
          progress.part(begun, end, "distortion"));
  }
  return shifts;
}

Volume<float> fieldOf(const Shifts& shifts, const Grid& grid, int axis, double hertz) {
  const Vec3<int> axes = axesFrom(axis);
  Volume<float> field(grid);
  std::size_t at = 0;
  Vec3<int> v;
  for (v[axes.x] = 0; v[axes.x] < grid.size[axes.x]; ++v[axes.x])
    for (v[axes.z] = 0; v[axes.z] < shifts.depth; ++v[axes.z])
      for (v[axes.y] = 0; v[axes.y] < shifts.width; ++v[axes.y], ++at)
        field(v.x, v.y, v.z) =
            float(0.5 * hertz * (shifts.values[at] + shifts.values[at + std::size_t(shifts.count())]));
  return field;
}

void check(const EpiImage& first, const EpiImage& second) {
  if (!sameGrid(first.image.grid, second.image.grid))
    throw Error("The images of opposite phase encoding have different grids",
                otherGrid(second.image.grid, first.image.grid), "give both as acquired");
  if (first.encoding.axis != second.encoding.axis)
    throw Error("The images are encoded along different axes", "the field is found along one",
                "give images of opposite directions, such as j and j-");
  if (first.encoding.voxelsPerHz() == second.encoding.voxelsPerHz())
    throw Error("Both images have the same phase encoding", "a field shifts both to the same position",
                "give one of the opposite direction");
}

/// The position of the second head relative to the first: a map from the first image to the second, after
/// both were corrected.
Affine movedBetween(const EpiImage& first, const EpiImage& second, const Volume<float>& hertz,
                    const Progress& progress) {
  const auto straight = [&](const EpiImage& one) {
    Volume<float> image = unwarped(one.image, unwarpOf(hertz, one.encoding));
    for (float& value : image.values) value = soundOrZero(value);
    return Series<float>(std::move(image));
  };
  return registration::alignLinearly(straight(second), straight(first), {nullptr},
                                     {registration::LinearAlignment::rigid}, Affine(), progress);
}

/// The image of the moved head at each voxel of the grid of `image`; 0 outside the image.
Volume<float> moved(const Volume<float>& image, const Affine& imageFromGrid) {
  VolumePose pose;
  pose.volumeFromReference = imageFromGrid;
  Volume<float> result = realignedVolume(image.grid, image.view(), voxelMapOf(pose, image.grid), {});
  for (float& value : result.values) value = soundOrZero(value);
  return result;
}

Volume<float> findField(SweepColumns& sweep, const EpiImage& first, const EpiImage& second,
                        const Progress& progress) {
  const int axis = first.encoding.axis;
  const double a = first.encoding.voxelsPerHz(), b = second.encoding.voxelsPerHz();
  const double unit = std::max(std::fabs(a), std::fabs(b));
  const Vec3<int> axes = axesFrom(axis);
  const Vec3<double> spacing = first.image.grid.spacing();
  const Shifts shifts = findShifts(sweep, columnsOf(first.image, axis), columnsOf(second.image, axis),
                                   {a / unit, b / unit, 1, kSmoothness / (first.sure * second.sure)},
                                   {spacing[axes.x], spacing[axes.y], spacing[axes.z]}, progress);
  return fieldOf(shifts, first.image.grid, axis, 1 / unit);
}

}  // namespace

float medianInHead(const Volume<float>& field, const Volume<float>& image) {
  double sum = 0;
  for (const float value : image.values) sum += soundOrZero(value);
  const double mean = sum / double(image.values.size());
  std::vector<float> values;
  for (std::size_t i = 0; i < image.values.size(); ++i)
    if (soundOrZero(image.values[i]) > mean) values.push_back(field.values[i]);
  return values.empty() ? 0 : upperMedian(std::span(values));
}

DistortionField findDistortionBy(SweepColumns& sweep, const EpiImage& first, const EpiImage& second,
                                 const Progress& progress) {
  check(first, second);
  DistortionField found;
  Affine secondFromFirst;
  EpiImage realigned = second;
  for (int round = 0; round < kRounds; ++round) {
    const Progress part = progress.part(double(round) / kRounds, (round + 1.0) / kRounds, "distortion");
    found.hertz = findField(sweep, first, realigned, part.part(0, 0.8, "distortion"));
    if (round + 1 == kRounds) break;
    const Affine more = movedBetween(first, realigned, found.hertz, part.part(0.8, 1, "distortion"));
    if (displacementOf(motionOf(more, first.image.grid.center())) <= kMovedBetween) break;
    secondFromFirst = secondFromFirst * more;
    realigned.image = moved(second.image, secondFromFirst);
  }
  const double distance = displacementOf(motionOf(secondFromFirst, first.image.grid.center()));
  if (distance > kMovedBetween) {
    // A homogeneous field and a shift of the head along the axis look alike: scanners are tuned to the head.
    const float even = medianInHead(found.hertz, first.image);
    for (float& value : found.hertz.values) value -= even;
    found.notes.push_back(text("The head moved by ", distance,
                               " mm between the images of opposite phase encoding: realigned."));
  }
  return found;
}

void sweepColumns(const SweepView& view, int sweeps, const Progress& progress) {
  const std::int64_t faces = view.first.n + 1;
  std::vector<double> room(2 * faces * view.width * view.depth);
  for (int s = 0; s < 2 * sweeps; ++s)
    parallelFor(view.depth, 1,
                progress.part(double(s) / (2 * sweeps), (s + 1.0) / (2 * sweeps), "distortion"),
                [&](std::int64_t q) {
                  for (int p = int((q + s) % 2); p < view.width; p += 2) {
                    double* const upper = room.data() + 2 * faces * (q * view.width + p);
                    stepColumnAt(view, p, int(q), upper, upper + faces, 1);
                  }
                });
}

DistortionField findDistortion(const EpiImage& first, const EpiImage& second, const Progress& progress) {
  return findDistortionBy(sweepColumns, first, second, progress);
}

}  // namespace sulcus::preparation
