#include "core/preparation/distortion/distortion.h"

#include "core/base/error.h"
#include "core/base/parallel/parallel_for.h"
#include "core/base/sentence.h"
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

/// The other axes, in order.
Vec3<int> axesFrom(int axis) {
  return axis == 0 ? Vec3<int>{0, 1, 2} : axis == 1 ? Vec3<int>{1, 0, 2} : Vec3<int>{2, 0, 1};
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

int halved(int n) { return (n + 1) / 2; }

/// Halves the number of voxels along the chosen axes; a missing voxel at the end counts as 0.
Columns coarser(const Columns& fine, const Vec3<bool>& halves) {
  const auto sizeOf = [](int n, bool half) { return half ? halved(n) : n; };
  Columns coarse{
      sizeOf(fine.n, halves.x), sizeOf(fine.width, halves.y), sizeOf(fine.depth, halves.z), {}, {}};
  coarse.values.assign(std::size_t(coarse.n) * coarse.count(), 0);
  const float share = 1.f / float((halves.x ? 2 : 1) * (halves.y ? 2 : 1) * (halves.z ? 2 : 1));
  for (int i = 0; i < fine.n; ++i)
    for (int q = 0; q < fine.depth; ++q)
      for (int p = 0; p < fine.width; ++p) {
        const int I = halves.x ? i / 2 : i, P = halves.y ? p / 2 : p, Q = halves.z ? q / 2 : q;
        coarse.values[std::size_t((std::int64_t(I) * coarse.depth + Q) * coarse.width + P)] +=
            share * fine.values[std::size_t((std::int64_t(i) * fine.depth + q) * fine.width + p)];
      }
  return coarse;
}

/// Shifts of the faces of all columns, stored like the values of Columns but with n + 1 of them.
struct Shifts {
  int faces = 0, width = 0, depth = 0;
  std::vector<double> values;

  std::int64_t count() const { return std::int64_t(width) * depth; }
};

/// Interpolation between coarse voxels, which span two voxels of a finer level.
struct Between {
  int low, high;
  double part;  ///< weight of `high`
};
Between between(int fine, int coarseSize, bool half) {
  if (!half) return {fine, fine, 0};
  const int low = fine / 2, other = fine % 2 == 0 ? low - 1 : low + 1;
  const int clamped = std::clamp(other, 0, coarseSize - 1);
  return {low, clamped, 0.25};
}

Shifts finer(const Shifts& coarse, const Columns& fine, const Vec3<bool>& halves) {
  Shifts result{fine.n + 1, fine.width, fine.depth, {}};
  result.values.resize(std::size_t(result.faces) * result.count());
  parallelFor(
      result.faces, {},
      [&](std::int64_t h) {
        const int low = halves.x ? int(h / 2) : int(h);
        const int high = halves.x ? std::min(int((h + 1) / 2), coarse.faces - 1) : low;
        const double scale = halves.x ? 2 : 1;
        for (int q = 0; q < fine.depth; ++q)
          for (int p = 0; p < fine.width; ++p) {
            const Between inP = between(p, coarse.width, halves.y), inQ = between(q, coarse.depth, halves.z);
            double sum = 0;
            for (const int face : {low, high})
              for (const auto& [Q, wq] : {std::pair(inQ.low, 1 - inQ.part), std::pair(inQ.high, inQ.part)})
                for (const auto& [P, wp] : {std::pair(inP.low, 1 - inP.part), std::pair(inP.high, inP.part)})
                  sum +=
                      0.5 * wq * wp *
                      coarse.values[std::size_t((std::int64_t(face) * coarse.depth + Q) * coarse.width + P)];
            result.values[std::size_t((h * fine.depth + q) * fine.width + p)] = scale * sum;
          }
      },
      1);
  return result;
}

/// Two images at one level.
struct Level {
  Columns first, second;
  Vec3<bool> halves{false, false, false};  ///< axes along which this level is coarser than the previous one
  Vec3<double> spacing;                    ///< along the columns, then across
};

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

/// The shifts of the faces at the finest level.
Shifts findShifts(SweepColumns& sweep, Columns first, Columns second, Scales scales,
                  const Vec3<double>& spacing, const Progress& progress) {
  // The mean over the brighter half is scaled to 1, so that smoothness has the same meaning for all images.
  const double mean = total(first) / double(first.values.size());
  double sum = 0, bright = 0;
  for (const float value : first.values)
    if (value > mean) sum += value, ++bright;
  if (!(bright > 0) || !(total(second) > 0))
    throw Error("There is no signal in an image", "the field is found from the positions of the signal",
                "give the images as acquired");
  const float unit = float(bright / sum);
  for (Columns* const columns : {&first, &second})
    for (float& value : columns->values) value *= unit;
  scales.gain = total(second) / total(first);

  std::vector<Level> levels(1);
  levels[0] = {std::move(first), std::move(second), {false, false, false}, spacing};
  for (;;) {
    const Level& fine = levels.back();
    const auto halves = [](int n) { return n >= 2 * kFewestOnLevel; };
    const Vec3<bool> which{halves(fine.first.n), halves(fine.first.width), halves(fine.first.depth)};
    if (!which.x && !which.y && !which.z) break;
    const Vec3<double>& s = fine.spacing;
    Level coarse{coarser(fine.first, which),
                 coarser(fine.second, which),
                 which,
                 {which.x ? 2 * s.x : s.x, which.y ? 2 * s.y : s.y, which.z ? 2 * s.z : s.z}};
    levels.push_back(std::move(coarse));
  }
  Shifts shifts;
  for (std::size_t i = levels.size(); i-- > 0;) {
    Level& level = levels[i];
    addSums(level.first), addSums(level.second);
    if (shifts.values.empty()) {
      shifts = {level.first.n + 1, level.first.width, level.first.depth, {}};
      shifts.values.assign(std::size_t(shifts.faces) * std::size_t(shifts.count()), 0);
    } else {
      shifts = finer(shifts, level.first, levels[i + 1].halves);
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
  if (values.empty()) return 0;
  const auto middle = values.begin() + std::ptrdiff_t(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
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
  std::vector<double> room(std::size_t(2 * faces * view.width * view.depth));
  for (int s = 0; s < 2 * sweeps; ++s)
    parallelFor(
        view.depth, progress.part(double(s) / (2 * sweeps), (s + 1.0) / (2 * sweeps), "distortion"),
        [&](std::int64_t q) {
          for (int p = int((q + s) % 2); p < view.width; p += 2) {
            double* const upper = room.data() + 2 * faces * (q * view.width + p);
            stepColumnAt(view, p, int(q), upper, upper + faces, 1);
          }
        },
        1);
}

DistortionField findDistortion(const EpiImage& first, const EpiImage& second, const Progress& progress) {
  return findDistortionBy(sweepColumns, first, second, progress);
}

}  // namespace sulcus::preparation
