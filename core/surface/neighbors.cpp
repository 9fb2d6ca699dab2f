#include "core/surface/neighbors.h"

#include "core/base/parallel/parallel_for.h"
#include "core/surface/patch_tiles.h"
#include "core/surface/surface_kernel.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sulcus::surface {
namespace {

constexpr int kLanes = 8;
using Pack = FloatPack<kLanes>;
constexpr double kRoughMargin = 1 + 1e-4;  // roughDistance() is at most this many times D

/// The `count` best of the offered ranks.
class BestRanks {
 public:
  explicit BestRanks(int count) : count_(std::size_t(count)) { ranks_.reserve(2 * count_ + 1); }

  void clear() {
    ranks_.clear();
    worst_ = kNone;
  }
  /// Ranks that are not better than this one are not among the best.
  const PatchRank& worst() const { return worst_; }
  void offer(const PatchRank& rank) {
    if (!(rank < worst_)) return;
    ranks_.push_back(rank);
    if (ranks_.size() == 2 * count_) shrink();
  }
  /// The best ranks, best first.
  const std::vector<PatchRank>& sorted() {
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

  static constexpr PatchRank kNone{std::numeric_limits<double>::infinity(), 0, 0};
  std::size_t count_;
  std::vector<PatchRank> ranks_;
  PatchRank worst_ = kNone;
};

/// Compares elements with the elements of a tile.
struct TileSearch {
  const Patches& patches;
  const PatchTiles& tiles;
  const std::vector<Vec3<int>>& voxels;  ///< of each element
  Vec3<double> spacing;                  ///< mm

  /// If the squared distance along the leading axes exceeds this, D exceeds `patch`; mm².
  float limit(double patch) const {
    const double distance = std::sqrt(patch) + tiles.rounding;
    return float(1.000001 * distance * distance);
  }

  std::int32_t elementAt(std::int64_t tile, int lane) const {
    return tiles.elements[tile * kTileElements + lane];
  }

  /// All tiles with their squared gap to a tile, mm², the nearest first.
  std::vector<std::pair<float, std::int64_t>> tilesNear(std::int64_t tile) const {
    std::vector<std::pair<float, std::int64_t>> others;
    others.reserve(tiles.count());
    for (std::int64_t o = 0; o < tiles.count(); ++o)
      others.emplace_back(squaredGap(tiles.boxes[tile], tiles.boxes[o]), o);
    std::sort(others.begin(), others.end());
    return others;
  }

  /// Offers the elements of tile `other` as neighbors of each element of a tile; false if the gap shows that
  /// all of them have better ones.
  bool compareTiles(std::int64_t tile, std::int64_t other, float gap, std::vector<BestRanks>& best) const {
    bool needed = false;
    for (int lane = 0; lane < kTileElements; ++lane) {
      BestRanks& own = best[lane];
      if (elementAt(tile, lane) < 0 || gap > limit(own.worst().patch)) continue;
      needed = true;
      compare(elementAt(tile, lane), tiles.tile(tile), lane, other, own);
    }
    return needed;
  }

  /// Offers the elements of tile `other` as neighbors of the element at `lane` of the tile with the given
  /// coordinates.
  void compare(std::int32_t element, const float* coordinates, int lane, std::int64_t other,
               BestRanks& best) const {
    float at[kLeadingAxes];
    Pack own[kLeadingAxes];
    for (int a = 0; a < kLeadingAxes; ++a) own[a] = at[a] = coordinates[a * kTileElements + lane];
    float most = limit(best.worst().patch);
    if (squaredGap(at, at, tiles.boxes[other]) > most) return;
    const float* const others = tiles.tile(other);
    for (int first = 0; first < kTileElements; first += kLanes) {
      Pack sum = 0.f;
      for (int a = 0; a < kLeadingAxes; ++a) {
        const Pack difference = own[a] - load<Pack>(others + a * kTileElements + first);
        sum = fusedMultiplyAdd(difference, difference, sum);
      }
      for (unsigned near = laneBits(sum <= Pack(most)); near != 0; near &= near - 1) {
        const std::int32_t candidate = elementAt(other, first + __builtin_ctz(near));
        if (candidate == element || candidate < 0) continue;
        const double squaredDistance = squaredVoxelDistance(voxels[element], voxels[candidate], spacing);
        // If the worst of the best patches is identical, only a closer voxel is better. Masks have thousands
        // of such ties.
        if (best.worst().patch == 0 && squaredDistance > best.worst().squaredDistance) continue;
        const float *own = patches.of(element), *its = patches.of(candidate);
        if (roughDistance(own, its) > kRoughMargin * best.worst().patch) continue;
        best.offer({patchDistance(own, its, patches.size), squaredDistance, candidate});
        most = limit(best.worst().patch);
      }
    }
  }

  /// D summed in float, whose rounding makes it at most kRoughMargin times as large.
  float roughDistance(const float* a, const float* b) const {
    const int size = patches.size;
    Pack sums = 0.f, more = 0.f;
    int i = 0;
    for (; i + 2 * kLanes <= size; i += 2 * kLanes) {
      const Pack x = load<Pack>(a + i) - load<Pack>(b + i);
      const Pack y = load<Pack>(a + i + kLanes) - load<Pack>(b + i + kLanes);
      sums = fusedMultiplyAdd(x, x, sums);
      more = fusedMultiplyAdd(y, y, more);
    }
    sums = sums + more;
    float sum = 0;
    for (int l = 0; l < kLanes; ++l) sum += sums.v[l];
    for (; i < size; ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sum;
  }
};

/// Writes the neighbors of an element; missing ones are replaced by the element itself.
void writeNeighbors(PatchNeighbors& result, std::int64_t element, const std::vector<PatchRank>& ranks) {
  const std::size_t at = std::size_t(element * result.count);
  for (std::size_t i = 0; i < std::size_t(result.count); ++i) {
    const bool have = i < ranks.size();
    result.index[at + i] = have ? ranks[i].index : std::int32_t(element);
    result.distance[at + i] = have ? float(ranks[i].patch) : 0;
  }
}

PatchNeighbors emptyLists(const Band& band, int count) {
  PatchNeighbors result;
  result.count = int(std::min<std::int64_t>(count, band.count() - 1));
  result.index.resize(band.count() * result.count);
  result.distance.resize(result.index.size());
  return result;
}

/// Calls visit(index) for every other voxel of a grid that is at most `radius` voxels away along each axis.
template <class Visit>
void forNearVoxels(const Grid& grid, const Vec3<int>& voxel, int radius, const Visit& visit) {
  const auto [x, y, z] = voxel;
  const std::int64_t own = grid.index(x, y, z);
  for (int k = std::max(z - radius, 0); k <= std::min(z + radius, grid.size.z - 1); ++k)
    for (int j = std::max(y - radius, 0); j <= std::min(y + radius, grid.size.y - 1); ++j)
      for (int i = std::max(x - radius, 0); i <= std::min(x + radius, grid.size.x - 1); ++i)
        if (const std::int64_t other = grid.index(i, j, k); other != own) visit(other);
}

std::vector<Vec3<int>> voxelsOf(const Band& band) {
  std::vector<Vec3<int>> voxels;
  voxels.reserve(band.voxels.size());
  for (const std::int64_t voxel : band.voxels) voxels.push_back(band.grid().voxel(voxel));
  return voxels;
}

}  // namespace

PatchNeighbors findNeighbors(const Band& band, int count, const Progress& progress) {
  PatchNeighbors result = emptyLists(band, count);
  if (result.count == 0) return result;
  const Patches patches = patchesOf(band, progress.part(0, 0.03, "Patches"));
  const PatchTiles tiles = tilesOf(patches, band.side, progress.part(0.03, 0.07, "Patches"));
  const auto voxels = voxelsOf(band);
  const TileSearch search{patches, tiles, voxels, band.grid().spacing()};
  const auto searchTiles = [&](std::int64_t begin, std::int64_t end) {
    std::vector<BestRanks> best(kTileElements, BestRanks(result.count));
    for (std::int64_t t = begin; t < end; ++t) {
      for (auto& b : best) b.clear();
      for (const auto& [gap, other] : search.tilesNear(t)) {
        progress.throwIfCancelled();
        if (!search.compareTiles(t, other, gap, best)) break;
      }
      for (int lane = 0; lane < kTileElements; ++lane)
        if (const std::int32_t e = search.elementAt(t, lane); e >= 0)
          writeNeighbors(result, e, best[lane].sorted());
    }
  };
  parallelForBlocks(tiles.count(), 1, progress.part(0.07, 1, "Search"), searchTiles);
  return result;
}

PatchNeighbors findNeighborsNearby(const Band& band, int count, int radius, const Progress& progress) {
  PatchNeighbors result = emptyLists(band, count);
  const std::vector<std::int32_t> elements = elementsOf(band);
  const Patches patches = patchesOf(band, progress.part(0, 0.03, "Patches"));
  const auto voxels = voxelsOf(band);
  const Vec3<double> spacing = band.grid().spacing();
  const auto searchAround = [&](std::int64_t begin, std::int64_t end) {
    BestRanks best(std::max(result.count, 1));
    for (std::int64_t e = begin; e < end; ++e) {
      best.clear();
      const Vec3<int> at = voxels[e];
      forNearVoxels(band.grid(), at, radius, [&](std::int64_t voxel) {
        const std::int32_t other = elements[voxel];
        if (other < 0) return;
        best.offer({patchDistance(patches.of(e), patches.of(other), patches.size),
                    squaredVoxelDistance(at, voxels[other], spacing), other});
      });
      writeNeighbors(result, e, best.sorted());
    }
  };
  parallelForBlocks(band.count(), 64, progress.part(0.03, 1, "Search"), searchAround);
  return result;
}

}  // namespace sulcus::surface
