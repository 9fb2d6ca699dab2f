#include "core/activation/automatic_mask.h"

#include "core/base/error.h"
#include "core/base/parallel_for.h"
#include "core/image/value_check.h"
#include "core/math/statistics.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace sulcus::activation {
namespace {

/// Root mean square of each voxel over the volumes, 0 where it is not finite or above kLargestValue. Takes so
/// many volumes at a time as are read in one go, as the series may lie on the disk (scratch_memory.h).
std::vector<float> rootMeanSquare(const Series<float>& series, const Progress& progress) {
  constexpr std::int64_t kValuesTogether = 1 << 24;
  const std::int64_t voxels = series.grid.voxels();
  const int together = int(std::clamp<std::int64_t>(kValuesTogether / voxels, 1, series.count));
  std::vector<double> sums(std::size_t(voxels), 0.0);
  for (int first = 0; first < series.count; first += together) {
    const int last = std::min(series.count, first + together);
    const auto share = [&](int volume) { return double(volume) / series.count; };
    parallelForBlocks(voxels, 4096, progress.part(share(first), share(last), "mask"),
                      [&](std::int64_t begin, std::int64_t end) {
                        for (int v = first; v < last; ++v)
                          for (std::int64_t i = begin; i < end; ++i)
                            sums[std::size_t(i)] += double(series.at(i, v)) * series.at(i, v);
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

/// Whether the background was set to 0 already: many voxels are 0, and the others are nearly all bright.
bool isSkullStripped(std::size_t voxels, const std::vector<float>& notZero, float robustHighest) {
  constexpr double kLeastZero = 0.1, kLeastBright = 0.7;  // shares of all voxels, of those that are not 0
  const auto bright = std::count_if(notZero.begin(), notZero.end(),
                                    [&](float value) { return value > 0.1f * robustHighest; });
  return double(notZero.size()) <= (1 - kLeastZero) * double(voxels) &&
         double(bright) >= kLeastBright * double(notZero.size());
}

/// The level that a voxel of the head must exceed, see automaticMask().
float clipLevel(const std::vector<float>& brightness) {
  std::vector<float> notZero = brighterThan(brightness, 0);
  if (notZero.empty())
    throw Error("The scan has no signal to find the head by", "every voxel is 0 or not finite",
                "check the scan, or give a mask");
  const float robustHighest = lowerQuantile(std::span(notZero), 0.98);
  if (isSkullStripped(brightness.size(), notZero, robustHighest)) return 0;
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

/// Visits every voxel that is connected to `start` through voxels for which `inside` holds, by faces or by
/// all 26 neighbours. `visit` must make `inside` false. Returns how many voxels there are.
template <class Inside, class Visit>
std::int64_t floodFill(const Grid& grid, std::int64_t start, bool facesOnly, const Inside& inside,
                       const Visit& visit) {
  std::vector<std::int64_t> front{start};
  visit(start);
  std::int64_t count = 0;
  while (!front.empty()) {
    const Vec3<int> at = grid.voxel(front.back());
    front.pop_back();
    ++count;
    for (int dz = -1; dz <= 1; ++dz)
      for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx) {
          if (facesOnly && std::abs(dx) + std::abs(dy) + std::abs(dz) != 1) continue;
          if (!grid.contains(at.x + dx, at.y + dy, at.z + dz)) continue;
          const std::int64_t next = grid.index(at.x + dx, at.y + dy, at.z + dz);
          if (inside(next)) visit(next), front.push_back(next);
        }
  }
  return count;
}

/// The largest 26-connected component of the voxels above `level`; of equally large ones the first.
Mask largestComponent(const Grid& grid, const std::vector<float>& brightness, float level) {
  std::vector<std::int32_t> piece(brightness.size(), 0);
  std::int32_t pieces = 0, largest = 0;
  std::int64_t largestCount = 0;
  for (std::int64_t start = 0; start < grid.voxels(); ++start) {
    const auto inside = [&](std::int64_t i) {
      return piece[std::size_t(i)] == 0 && brightness[std::size_t(i)] > level;
    };
    if (!inside(start)) continue;
    ++pieces;
    const std::int64_t count =
        floodFill(grid, start, false, inside, [&](std::int64_t i) { piece[std::size_t(i)] = pieces; });
    if (count > largestCount) largestCount = count, largest = pieces;
  }
  Mask mask(grid);
  for (std::size_t i = 0; i < piece.size(); ++i) mask.values[i] = largest > 0 && piece[i] == largest;
  return mask;
}

/// Adds to the mask what no path over faces connects to the border of the grid.
void fillHoles(Mask& mask) {
  const Grid& grid = mask.grid;
  std::vector<std::uint8_t> outside(mask.values.size(), 0);
  const auto open = [&](std::int64_t i) {
    return mask.values[std::size_t(i)] == 0 && outside[std::size_t(i)] == 0;
  };
  for (std::int64_t i = 0; i < grid.voxels(); ++i) {
    const Vec3<int> at = grid.voxel(i);
    const auto ends = [](int x, int size) { return size > 1 && (x == 0 || x == size - 1); };
    const bool border = ends(at.x, grid.size.x) || ends(at.y, grid.size.y) || ends(at.z, grid.size.z);
    if (border && open(i))
      floodFill(grid, i, true, open, [&](std::int64_t j) { outside[std::size_t(j)] = 1; });
  }
  for (std::size_t i = 0; i < outside.size(); ++i) mask.values[i] = outside[i] ? 0 : 1;
}

}  // namespace

Mask automaticMask(const Series<float>& series, const Progress& progress) {
  const std::vector<float> brightness = rootMeanSquare(series, progress.part(0, 0.8, "mask"));
  Mask mask = largestComponent(series.grid, brightness, clipLevel(brightness));
  fillHoles(mask);
  progress.update(1);
  return mask;
}

}  // namespace sulcus::activation
