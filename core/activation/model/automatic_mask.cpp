#include "core/activation/model/automatic_mask.h"

#include "core/base/error.h"
#include "core/base/parallel/parallel_for.h"
#include "core/image/grids/interpolate.h"
#include "core/image/grids/neighbors.h"
#include "core/image/grids/value_check.h"
#include "core/math/statistics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

namespace sulcus::activation {
namespace {

/// Root mean square of each voxel over the volumes, 0 where it is not finite or above kLargestValue.
/// Processes several volumes at a time, since the series may be on disk (scratch_memory.h).
std::vector<float> rootMeanSquare(const Series<float>& series, const Progress& progress) {
  constexpr std::int64_t kValuesTogether = 1 << 24;
  const std::int64_t voxels = series.grid.voxels();
  const int together = int(std::clamp<std::int64_t>(kValuesTogether / voxels, 1, series.count));
  std::vector<double> sums(voxels, 0.0);
  for (int first = 0; first < series.count; first += together) {
    const int last = std::min(series.count, first + together);
    const auto share = [&](int volume) { return double(volume) / series.count; };
    parallelForBlocks(voxels, 4096, progress.part(share(first), share(last), "mask"),
                      [&](std::int64_t begin, std::int64_t end) {
                        for (int v = first; v < last; ++v)
                          for (std::int64_t i = begin; i < end; ++i)
                            sums[i] += double(series.at(i, v)) * series.at(i, v);
                      });
  }
  std::vector<float> brightness(sums.size());
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const double root = std::sqrt(sums[i] / series.count);
    brightness[i] = root <= kLargestValue ? float(root) : 0.0f;
  }
  return brightness;
}

std::vector<float> brighterThan(const std::vector<float>& values, float level) {
  std::vector<float> brighter;
  std::copy_if(values.begin(), values.end(), std::back_inserter(brighter),
               [&](float value) { return value > level; });
  return brighter;
}

/// The level that a voxel of the head must exceed, see automaticMask().
float clipLevel(const std::vector<float>& brightness) {
  std::vector<float> notZero = brighterThan(brightness, 0);
  if (notZero.empty())
    throw Error("The scan has no signal from which to find the head", "every voxel is 0 or not finite",
                "check the scan, or give a mask");
  const float robustHighest = lowerQuantile(std::span(notZero), 0.98);
  float level = 0.5f * robustHighest;
  for (int step = 0; step < 100; ++step) {
    std::vector<float> brighter = brighterThan(notZero, level);
    if (brighter.empty()) break;
    const float next = 0.5f * upperMedian(std::span(brighter));
    if (!(next < level)) break;
    level = next;
  }
  return level;
}

/// Where fluid and eyes are far brighter than the rest of the head, as in spin-echo scans without diffusion
/// weighting, a power below 1 brings them nearer to it.
std::vector<float> withoutGlare(std::vector<float> brightness) {
  constexpr double kUsual = 1.9;  // 98th percentile of the head over its median, below which nothing is done
  constexpr double kLeastPower = 0.5;
  std::vector<float> root = brightness;  // by which the brighter part does not pass for all of the head
  for (float& value : root) value = std::sqrt(std::max(0.0f, value));
  const float level = clipLevel(root);
  std::vector<float> head = brighterThan(brightness, level * level);
  if (head.empty()) return brightness;
  const double median = upperMedian(std::span(head));
  const double glare = double(lowerQuantile(std::span(head), 0.98)) / median;
  if (!(glare > kUsual)) return brightness;
  const double power = std::max(kLeastPower, std::log(kUsual) / std::log(glare));
  for (float& value : brightness) value = float(median * std::pow(double(value) / median, power));
  return brightness;
}

/// The largest 26-connected component of the voxels above `level`; for ties the first.
Mask largestComponent(const Grid& grid, const std::vector<float>& brightness, float level) {
  std::vector<std::int32_t> piece(brightness.size(), 0);
  std::int32_t pieces = 0, largest = 0;
  std::int64_t largestCount = 0;
  for (std::int64_t start = 0; start < grid.voxels(); ++start) {
    const auto inside = [&](std::int64_t i) { return piece[i] == 0 && brightness[i] > level; };
    if (!inside(start)) continue;
    ++pieces;
    const std::int64_t count =
        floodFill(grid, start, Connectivity::corners, inside, [&](std::int64_t i) { piece[i] = pieces; });
    if (count <= largestCount) continue;
    largestCount = count;
    largest = pieces;
  }
  Mask mask(grid);
  for (std::size_t i = 0; i < piece.size(); ++i) mask.values[i] = largest > 0 && piece[i] == largest;
  return mask;
}

/// Fills holes of at most `largest` voxels in the mask: those that no path over faces connects to the border
/// of the grid.
void fillHoles(Mask& mask, std::int64_t largest = std::numeric_limits<std::int64_t>::max()) {
  const Grid& grid = mask.grid;
  std::vector<std::uint8_t> outside(mask.values.size(), 0);
  const auto open = [&](std::int64_t i) { return mask.values[i] == 0 && outside[i] == 0; };
  for (std::int64_t i = 0; i < grid.voxels(); ++i) {
    const Vec3<int> at = grid.voxel(i);
    const auto ends = [](int x, int size) { return size > 1 && (x == 0 || x == size - 1); };
    const bool border = ends(at.x, grid.size.x) || ends(at.y, grid.size.y) || ends(at.z, grid.size.z);
    if (border && open(i))
      floodFill(grid, i, Connectivity::faces, open, [&](std::int64_t j) { outside[j] = 1; });
  }
  std::vector<std::int64_t> hole;
  for (std::int64_t i = 0; i < grid.voxels(); ++i) {
    if (!open(i)) continue;
    hole.clear();
    floodFill(grid, i, Connectivity::faces, open, [&](std::int64_t j) {
      outside[j] = 1;
      hole.push_back(j);
    });
    if (std::int64_t(hole.size()) > largest) continue;
    for (const std::int64_t j : hole) mask.values[j] = 1;
  }
}

std::int64_t sizeOf(const Mask& mask) {
  return std::count_if(mask.values.begin(), mask.values.end(), [](auto value) { return value != 0; });
}

/// Grows the mask, or shrinks it, by the voxels with a face to the other side, repeatedly. Voxels beyond the
/// grid belong to neither side.
void moveBorder(Mask& mask, bool grow, int times) {
  const Grid& grid = mask.grid;
  for (int time = 0; time < times; ++time) {
    const std::vector<std::uint8_t> from(mask.values.begin(), mask.values.end());
    for (std::int64_t i = 0; i < grid.voxels(); ++i) {
      if ((from[i] != 0) == grow) continue;
      forNeighbors(grid, grid.voxel(i), Connectivity::faces, [&](std::int64_t other) {
        if ((from[other] != 0) == grow) mask.values[i] = grow;
      });
    }
  }
}

std::vector<float> valuesOf(const Mask& mask) { return {mask.values.begin(), mask.values.end()}; }

constexpr int kBridge = 3;  // voxels, between scalp and brain

/// The head with its holes filled, without parts connected to its largest part by thin bridges, such as the
/// scalp: opened by `bridge` voxels. The whole head if it is too small for that, or if hardly anything would
/// be removed.
Mask withoutBridges(const Mask& head, int bridge = kBridge) {
  constexpr double kSmallHole = 0.02, kLeastCore = 0.25, kAlike = 0.83;  // relative to the head
  const auto size = double(sizeOf(head));
  Mask whole = head, core = head;
  fillHoles(whole);
  fillHoles(core, std::int64_t(kSmallHole * size));  // excludes the dark skull under the scalp, a large hole
  moveBorder(core, false, bridge);
  if (double(sizeOf(core)) < kLeastCore * size) return whole;
  core = largestComponent(core.grid, valuesOf(core), 0);
  moveBorder(core, true, bridge);
  fillHoles(core);
  return double(sizeOf(core)) >= kAlike * double(sizeOf(whole)) ? whole : core;
}

/// The median of each voxel and its face neighbors: removes the noise of single voxels but preserves borders.
std::vector<float> medians(const std::vector<float>& brightness, const Grid& grid) {
  std::vector<float> result(brightness.size());
  parallelFor(grid.voxels(), Progress(), [&](std::int64_t i) {
    std::array<float, 7> around{brightness[i]};
    std::size_t count = 1;
    forNeighbors(grid, grid.voxel(i), Connectivity::faces,
                 [&](std::int64_t other) { around[count++] = brightness[other]; });
    result[i] = upperMedian(std::span(around.data(), count));
  });
  return result;
}

/// Whether single voxels of the mask differ from their medians by as much as noise alone would cause.
bool isNoisy(const std::vector<float>& brightness, const std::vector<float>& calm, const Mask& mask) {
  constexpr float kTexture = 0.1F;  // exceeded by more than half of the voxels of a brain with CSF and
                                    // vessels
  std::vector<float> differences;
  for (std::size_t i = 0; i < brightness.size(); ++i)
    if (mask.values[i] && calm[i] > 0) differences.push_back(std::abs(brightness[i] / calm[i] - 1));
  return !differences.empty() && upperMedian(std::span(differences)) > kTexture;
}

/// Replaces the numbers by their sums over ±`half` voxels along one axis.
void sumAlong(std::vector<double>& values, const Grid& grid, int axis, int half) {
  const int size = grid.size[axis];
  const std::int64_t steps[] = {1, grid.size.x, std::int64_t(grid.size.x) * grid.size.y}, step = steps[axis];
  std::vector<double> sums(std::size_t(size) + 1);
  for (std::int64_t begin = 0; begin < grid.voxels(); ++begin) {
    if (grid.voxel(begin)[axis] != 0) continue;
    for (int i = 0; i < size; ++i) sums[i + 1] = sums[i] + values[begin + i * step];
    for (int i = 0; i < size; ++i)
      values[begin + i * step] = sums[std::min(size, i + half + 1)] - sums[std::max(0, i - half)];
  }
}

/// Edge length of a cube as large as the mask, mm.
double edgeOf(const Mask& mask) {
  const Vec3<double> spacing = mask.grid.spacing();
  return std::cbrt(double(sizeOf(mask)) * spacing.x * spacing.y * spacing.z);
}

/// The brightness of each voxel relative to the mean of the mask in a box around it, which varies with coil
/// sensitivity and signal loss; 1 if the box contains none of the mask. The box extends a quarter of the
/// mask's size to each side.
std::vector<float> localBrightness(const std::vector<float>& brightness, const Mask& mask) {
  constexpr double kReach = 0.25;
  Mask inner = mask;
  moveBorder(inner, false, 1);  // without voxels only partly filled by it
  std::vector<double> sums(brightness.size()), counts(brightness.size());
  for (std::size_t i = 0; i < brightness.size(); ++i) {
    if (!inner.values[i]) continue;
    sums[i] = brightness[i];
    counts[i] = 1;
  }
  const Vec3<double> spacing = mask.grid.spacing();
  const double size = edgeOf(mask);
  for (int axis = 0; axis < 3; ++axis) {
    const int half = int(std::clamp(std::round(kReach * size / spacing[axis]), 1.0, 1e6));
    sumAlong(sums, mask.grid, axis, half);
    sumAlong(counts, mask.grid, axis, half);
  }
  std::vector<float> local(brightness.size(), 1.0F);
  for (std::size_t i = 0; i < local.size(); ++i)
    if (counts[i] > 0.5 && sums[i] > 0) local[i] = float(brightness[i] * counts[i] / sums[i]);
  return local;
}

/// The brain after redrawing its border by local brightness, again without parts connected by bridges.
Mask locallyBright(const std::vector<float>& noisy, Mask brain) {
  constexpr int kRounds = 2;
  constexpr float kShare = 0.65f;
  const std::vector<float> calm = medians(noisy, brain.grid);
  const std::vector<float>& brightness = isNoisy(noisy, calm, brain) ? calm : noisy;
  for (int round = 0; round < kRounds; ++round) {
    std::vector<float> local = localBrightness(brightness, brain);
    Mask near = brain;
    moveBorder(near, true, 1);
    for (std::size_t i = 0; i < local.size(); ++i)
      if (!near.values[i]) local[i] = 0;
    const Mask bright = largestComponent(brain.grid, local, kShare);
    if (sizeOf(bright) == 0) break;
    brain = withoutBridges(bright);
  }
  return brain;
}

/// The voxels within `radius` mm of those for which `inside` holds.
template <class Inside>
std::vector<std::uint8_t> within(double radius, const Grid& grid, const Inside& inside) {
  const Vec3<double> spacing = grid.spacing();
  const auto reach = [&](double edge) { return int(std::min(radius / edge, 1e6)); };
  std::vector<Vec3<int>> ball;
  for (int z = -reach(spacing.z); z <= reach(spacing.z); ++z)
    for (int y = -reach(spacing.y); y <= reach(spacing.y); ++y)
      for (int x = -reach(spacing.x); x <= reach(spacing.x); ++x)
        if (std::hypot(x * spacing.x, y * spacing.y, z * spacing.z) <= radius) ball.push_back({x, y, z});
  std::vector<std::uint8_t> result(grid.voxels(), 0);
  parallelFor(grid.voxels(), Progress(), [&](std::int64_t i) {
    const Vec3<int> at = grid.voxel(i);
    result[i] = std::any_of(ball.begin(), ball.end(), [&](const Vec3<int>& step) {
      const Vec3<int> next = at + step;
      return grid.contains(next.x, next.y, next.z) && inside(grid.index(next.x, next.y, next.z));
    });
  });
  return result;
}

/// The brain with the fluid in its furrows: closed by a ball, where a voxel is not as dark as bone and air.
Mask withFurrows(const std::vector<float>& brightness, Mask brain) {
  constexpr double kHalfWidth = 0.036;  // relative to edgeOf(brain): 4 mm in a human
  constexpr float kFluid = 0.3F;        // relative to the brain around
  const double radius = kHalfWidth * edgeOf(brain);
  const Grid& grid = brain.grid;
  const std::vector<std::uint8_t> near =
      within(radius, grid, [&](std::int64_t i) { return brain.values[i] != 0; });
  const std::vector<std::uint8_t> open = within(radius, grid, [&](std::int64_t i) { return near[i] == 0; });
  const std::vector<float> local = localBrightness(brightness, brain);
  for (std::size_t i = 0; i < open.size(); ++i)
    if (open[i] == 0 && local[i] > kFluid) brain.values[i] = 1;
  fillHoles(brain);
  return brain;
}

/// Whether a scan whose surroundings are 0 was cut out sharply: three quarters of its border are brighter
/// than a share of its median, which air and skin beside it are not.
bool isSharplyCut(const std::vector<float>& brightness, const Mask& notZero) {
  constexpr double kShare = 0.25;
  Mask inner = notZero;
  moveBorder(inner, false, 1);
  std::vector<float> border, all;
  for (std::size_t i = 0; i < brightness.size(); ++i) {
    if (!notZero.values[i]) continue;
    all.push_back(brightness[i]);
    if (!inner.values[i]) border.push_back(brightness[i]);
  }
  return !border.empty() &&
         double(lowerQuantile(std::span(border), 0.25)) > kShare * double(upperMedian(std::span(all)));
}

/// How many voxels along each axis are taken together, so that a head has about as many as that of a human in
/// voxels of 2 mm, for which the widths of bridges are made.
Vec3<int> togetherFor(const std::vector<float>& brightness, const Grid& grid) {
  constexpr double kHead = 300'000;  // voxels of 2 mm in a human's head
  const float level = clipLevel(brightness);
  const auto head =
      double(std::count_if(brightness.begin(), brightness.end(), [&](float v) { return v > level; }));
  const Vec3<double> spacing = grid.spacing();
  const double edge = std::cbrt(head / kHead * spacing.x * spacing.y * spacing.z);
  Vec3<int> together;
  for (int axis = 0; axis < 3; ++axis)
    together[axis] =
        int(std::clamp(std::round(edge / spacing[axis]), 1.0, double(std::max(1, grid.size[axis]))));
  return together;
}

/// Whether the fluid of the brain is brighter than the rest, so that its furrows are found as bright.
bool hasBrightFluid(const std::vector<float>& brightness, const Mask& brain) {
  constexpr double kDark = 1.5;  // 98th percentile of a brain over its median: 1.3 in T1, 1.4 to 1.8 in T2*
  std::vector<float> inside;
  for (std::size_t i = 0; i < brightness.size(); ++i)
    if (brain.values[i]) inside.push_back(brightness[i]);
  return !inside.empty() &&
         double(lowerQuantile(std::span(inside), 0.98)) > kDark * double(upperMedian(std::span(inside)));
}

/// The brain in voxels of about the width for which the widths of bridges are made. A face or neck that is
/// left is connected by a wider bridge, which is only broken once the furrows are closed: at the same width
/// they would break the brain.
Mask brainInWideVoxels(const std::vector<float>& values, const Grid& grid) {
  constexpr int kNeck = 7;
  const auto redrawn = [&](const Mask& from) {
    const Mask bright = locallyBright(values, from);
    return hasBrightFluid(values, bright) ? bright : withFurrows(values, bright);
  };
  const Mask brain = redrawn(withoutBridges(largestComponent(grid, values, clipLevel(values))));
  const Mask core = withoutBridges(brain, kNeck);
  return sizeOf(core) < sizeOf(brain) ? redrawn(core) : brain;
}

/// The brain, see automaticMask(), on the grid of the brightness.
Mask brainIn(const std::vector<float>& brightness, const Grid& grid) {
  const Vec3<int> together = togetherFor(brightness, grid);
  if (together == Vec3<int>{1, 1, 1}) return brainInWideVoxels(brightness, grid);
  Grid coarse = grid;
  for (int axis = 0; axis < 3; ++axis) {
    coarse.size[axis] = (grid.size[axis] + together[axis] - 1) / together[axis];
    for (auto& row : coarse.worldFromVoxel.m) row[axis] *= together[axis];
  }
  std::vector<double> sums(coarse.voxels()), counts(sums.size());
  for (std::int64_t i = 0; i < grid.voxels(); ++i) {
    const Vec3<int> at = grid.voxel(i);
    const auto to = std::size_t(coarse.index(at.x / together.x, at.y / together.y, at.z / together.z));
    sums[to] += brightness[i];
    counts[to] += 1;
  }
  std::vector<float> means(sums.size());
  for (std::size_t i = 0; i < means.size(); ++i) means[i] = float(sums[i] / counts[i]);
  const std::vector<float> found = valuesOf(brainInWideVoxels(means, coarse));
  Mask brain(grid);
  parallelFor(grid.voxels(), Progress(), [&](std::int64_t i) {
    const Vec3<int> at = grid.voxel(i);
    Vec3<double> place;
    for (int axis = 0; axis < 3; ++axis) place[axis] = (at[axis] + 0.5) / together[axis] - 0.5;
    brain.values[i] = interpolated(found.data(), cellAt(coarse.size, place.x, place.y, place.z)) > 0.5;
  });
  return brain;
}

}  // namespace

Mask automaticMask(const Series<float>& series, const Progress& progress) {
  const std::vector<float> brightness = withoutGlare(rootMeanSquare(series, progress.part(0, 0.8, "mask")));
  const Mask brain = brainIn(brightness, series.grid);
  // If everything else was set to 0, its dark parts belong to it.
  constexpr double kCutOut = 0.91, kSharplyCutOut = 0.7, kLeastZero = 0.1;
  Mask notZero = largestComponent(series.grid, brightness, 0);
  fillHoles(notZero);
  const bool cutOut =
      double(sizeOf(notZero)) <= (1 - kLeastZero) * double(series.grid.voxels()) &&
      double(sizeOf(brain)) >=
          (isSharplyCut(brightness, notZero) ? kSharplyCutOut : kCutOut) * double(sizeOf(notZero));
  progress.update(1);
  return cutOut ? notZero : brain;
}

}  // namespace sulcus::activation
