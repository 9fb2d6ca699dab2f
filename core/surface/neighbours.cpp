#include "core/surface/neighbours.h"

#include "core/base/parallel_for.h"
#include "core/surface/patch_tiles.h"
#include "core/surface/surface_body.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sulcus {
namespace {

constexpr int kLanes = 8;
using Pack = FloatPack<kLanes>;
constexpr double kRough = 1 + 1e-4;

/// The best ranks that were offered, and how different a patch may be to get among them.
class Best {
 public:
  explicit Best(int count) : count_(std::size_t(count)) { ranks_.reserve(2 * count_ + 1); }

  void clear() { ranks_.clear(), worst_ = {std::numeric_limits<double>::infinity(), 0, 0}; }
  const PatchRank& worst() const { return worst_; }
  void offer(const PatchRank& rank) {
    if (!(rank < worst_)) return;
    ranks_.push_back(rank);
    if (ranks_.size() == 2 * count_) shrink();
  }
  /// In order.
  const std::vector<PatchRank>& finish() {
    if (ranks_.size() > count_) shrink();
    std::sort(ranks_.begin(), ranks_.end());
    return ranks_;
  }

 private:
  void shrink() {
    std::nth_element(ranks_.begin(), ranks_.begin() + std::ptrdiff_t(count_) - 1, ranks_.end());
    ranks_.resize(count_);
    worst_ = ranks_.back();
  }

  std::size_t count_;
  std::vector<PatchRank> ranks_;
  PatchRank worst_{std::numeric_limits<double>::infinity(), 0, 0};
};

/// What the search of one tile's elements needs.
struct TileSearch {
  const Band& band;
  const PatchTiles& tiles;
  const std::vector<Vec3<int>>& places;
  Vec3<double> spacing;

  /// Squared distance along the leading axes above which D is above `patch`.
  float limit(double patch) const {
    const double distance = std::sqrt(patch) + tiles.rounding;
    return float(1.000001 * distance * distance);
  }

  void compare(std::int32_t element, const float* coordinates, int lane, std::int64_t other,
               Best& best) const {
    float at[kLeadingAxes];
    Pack own[kLeadingAxes];
    for (int a = 0; a < kLeadingAxes; ++a) own[a] = at[a] = coordinates[a * kTileElements + lane];
    float most = limit(best.worst().patch);
    if (squaredGap(at, tiles.boxes[std::size_t(other)]) > most) return;
    const float* const others = tiles.tile(other);
    for (int first = 0; first < kTileElements; first += kLanes) {
      Pack sum = 0.f;
      for (int a = 0; a < kLeadingAxes; ++a) {
        const Pack difference = own[a] - load<Pack>(others + a * kTileElements + first);
        sum = fusedMultiplyAdd(difference, difference, sum);
      }
      for (unsigned near = laneBits(sum <= Pack(most)); near != 0; near &= near - 1) {
        const std::int32_t candidate =
            tiles.elements[std::size_t(other * kTileElements + first + __builtin_ctz(near))];
        if (candidate == element || candidate < 0) continue;
        const double way = squaredWay(places[std::size_t(element)], places[std::size_t(candidate)], spacing);
        // Where the worst is as like as can be, only a nearer voxel is better: masks have such ties by the
        // thousand.
        if (best.worst().patch == 0 && way > best.worst().way) continue;
        if (roughDistance(band.patch(element), band.patch(candidate)) > kRough * best.worst().patch) continue;
        best.offer(
            {patchDistance(band.patch(element), band.patch(candidate), band.patchSize()), way, candidate});
        most = limit(best.worst().patch);
      }
    }
  }

  /// D but for the rounding of a sum in float, by which at most the part kRough − 1 is added.
  float roughDistance(const float* a, const float* b) const {
    const int size = band.patchSize();
    Pack sums = 0.f, more = 0.f;
    int i = 0;
    for (; i + 2 * kLanes <= size; i += 2 * kLanes) {
      const Pack x = load<Pack>(a + i) - load<Pack>(b + i);
      const Pack y = load<Pack>(a + i + kLanes) - load<Pack>(b + i + kLanes);
      sums = fusedMultiplyAdd(x, x, sums), more = fusedMultiplyAdd(y, y, more);
    }
    sums = sums + more;
    float sum = 0;
    for (int l = 0; l < kLanes; ++l) sum += sums.v[l];
    for (; i < size; ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sum;
  }
};

void write(PatchNeighbours& result, std::int64_t element, const std::vector<PatchRank>& ranks) {
  const std::size_t at = std::size_t(element * result.count);
  for (std::size_t i = 0; i < std::size_t(result.count); ++i) {
    const bool have = i < ranks.size();
    result.index[at + i] = have ? ranks[i].index : std::int32_t(element);
    result.distance[at + i] = have ? float(ranks[i].patch) : 0;
  }
}

PatchNeighbours emptyLists(const Band& band, int count) {
  PatchNeighbours result;
  result.count = int(std::min<std::int64_t>(count, band.count() - 1));
  result.index.resize(std::size_t(band.count() * result.count));
  result.distance.resize(result.index.size());
  return result;
}

std::vector<Vec3<int>> placesOf(const Band& band) {
  std::vector<Vec3<int>> places;
  places.reserve(band.voxels.size());
  for (const std::int64_t voxel : band.voxels) places.push_back(band.grid.voxel(voxel));
  return places;
}

}  // namespace

PatchNeighbours findNeighbours(const Band& band, int count, const Progress& progress) {
  PatchNeighbours result = emptyLists(band, count);
  if (result.count == 0) return result;
  const PatchTiles tiles = tilesOf(band, progress.part(0, 0.05, "Patches"));
  const auto places = placesOf(band);
  const TileSearch search{band, tiles, places, band.grid.spacing()};
  parallelForBlocks(
      tiles.count(), 1, progress.part(0.05, 1, "Search"), [&](std::int64_t begin, std::int64_t end) {
        std::vector<Best> best(kTileElements, Best(result.count));
        std::vector<std::pair<float, std::int64_t>> others;
        for (std::int64_t t = begin; t < end; ++t) {
          others.clear();
          for (std::int64_t o = 0; o < tiles.count(); ++o)
            others.emplace_back(squaredGap(tiles.boxes[std::size_t(t)], tiles.boxes[std::size_t(o)]), o);
          std::sort(others.begin(), others.end());
          for (auto& b : best) b.clear();
          for (const auto& [gap, other] : others) {
            progress.throwIfCancelled();
            bool needed = false;
            for (int lane = 0; lane < kTileElements; ++lane) {
              const std::int32_t element = tiles.elements[std::size_t(t * kTileElements + lane)];
              if (element < 0 || gap > search.limit(best[std::size_t(lane)].worst().patch)) continue;
              needed = true;
              search.compare(element, tiles.tile(t), lane, other, best[std::size_t(lane)]);
            }
            if (!needed) break;
          }
          for (int lane = 0; lane < kTileElements; ++lane) {
            const std::int32_t element = tiles.elements[std::size_t(t * kTileElements + lane)];
            if (element >= 0) write(result, element, best[std::size_t(lane)].finish());
          }
        }
      });
  return result;
}

PatchNeighbours findNeighboursNearby(const Band& band, int count, int radius, const Progress& progress) {
  PatchNeighbours result = emptyLists(band, count);
  Volume<std::int32_t> elementAt(band.grid, -1);
  for (std::int64_t e = 0; e < band.count(); ++e)
    elementAt.values[std::size_t(band.voxels[std::size_t(e)])] = std::int32_t(e);
  const auto places = placesOf(band);
  const Vec3<double> spacing = band.grid.spacing();
  const Vec3<int> size = band.grid.size;
  parallelForBlocks(band.count(), 64, progress, [&](std::int64_t begin, std::int64_t end) {
    Best best(std::max(result.count, 1));
    for (std::int64_t e = begin; e < end; ++e) {
      best.clear();
      const Vec3<int> at = places[std::size_t(e)];
      for (int z = std::max(0, at.z - radius); z <= std::min(size.z - 1, at.z + radius); ++z)
        for (int y = std::max(0, at.y - radius); y <= std::min(size.y - 1, at.y + radius); ++y)
          for (int x = std::max(0, at.x - radius); x <= std::min(size.x - 1, at.x + radius); ++x) {
            const std::int32_t other = elementAt(x, y, z);
            if (other < 0 || other == e) continue;
            best.offer({patchDistance(band.patch(e), band.patch(other), band.patchSize()),
                        squaredWay(at, {x, y, z}, spacing), other});
          }
      write(result, e, best.finish());
    }
  });
  return result;
}

}  // namespace sulcus
