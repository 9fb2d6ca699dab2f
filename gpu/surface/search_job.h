#pragma once

#include "core/math/vec3.h"
#include "core/surface/patch_axes.h"
#include "core/surface/surface_kernel.h"
#include "gpu/runtime/blocks.h"
#include "gpu/runtime/buffer.h"

#include <vector>

#include <vector_types.h>

// The search on the device. Elements are sorted by similarity of their patches (order.cu) and laid out for
// the search (layout.cu): positions are indices in that order, kTile of them per tile. The search (search.cu)
// compares every position with every tile that may contain something close: first by patches in 8 bits on the
// tensor cores, with exact integer sums and bounded rounding, then by the exact difference.

namespace sulcus::gpu::surface {
using namespace sulcus::surface;

inline constexpr int kTile = 64;           ///< positions per tile
inline constexpr int kSubTile = 16;        ///< positions with their own box
inline constexpr int kPiece = 32 * kTile;  ///< positions sorted by one block
/// Up to this number of positions each is compared with all others, so that their order does not matter.
inline constexpr int kFewPositions = 192 * kTile;
inline constexpr int kPadding = 1 << 29;  ///< squared norm of a position without an element

/// A position's voxel and element; −1 for padding.
struct Place {
  int x, y, z, element;
};

/// The bounding box of the voxels of some positions; low > high if there are none.
struct VoxelBox {
  Vec3<int> low, high;
};

/// Coordinates of a voxel from its index in a grid of `size` voxels, x fastest.
SULCUS_HD inline Vec3<int> voxelAt(std::int64_t voxel, const Vec3<int>& size) {
  return {int(voxel % size.x), int(voxel / size.x % size.y), int(voxel / size.x / size.y)};
}

/// Maxima over all patches, collected by atomic maxima of nonnegative numbers.
struct PatchExtent {
  float largest;     ///< |φ| in any patch, mm
  float coordinate;  ///< |coordinate| along any axis, mm
  float rounding;    ///< rounding error of any patch in 8 bits, mm
};

/// Floats of an element's coordinates along the leading axes, padded with 0 to a multiple of float4.
inline constexpr int kCoordinates = 12;

/// Voxels of a grid of `grid` voxels, in the middle of patches of side³ voxels.
struct PatchCenters {
  Vec3<int> grid;
  const std::int64_t* voxels;
  std::int64_t count;
  int side;
};
/// Queues a copy of patches from φ: patchesOf() of the CPU.
///
/// @param patches  count × side³ values; written
void gatherPatches(const float* phi, const PatchCenters& centers, float* patches, const Stream& stream);

/// The patches of some elements: count × size values of φ, mm.
struct PatchBand {
  const float* patches;
  std::int64_t count;
  int size;
};
/// Queues the projection of patches onto the leading axes, and raises `extent` to their maxima.
///
/// @param axes         kLeadingAxes × size, see patchAxes()
/// @param coordinates  count × kCoordinates, mm; written
void projectPatches(const PatchBand& band, const double* axes, float* coordinates, PatchExtent* extent,
                    const Stream& stream);

/// Sorts elements as in a k-d tree whose leaves are sub-tiles; small numbers of elements keep their order.
class PatchOrder {
 public:
  /// Allocates device memory for `count` elements.
  PatchOrder(std::int64_t count, const Stream& stream);
  /// Queues the work.
  ///
  /// @param coordinates  count × kCoordinates, mm
  /// @param order        pieces() · kPiece: the element of each position, −1 past the last; written
  void make(const float* coordinates, std::int32_t* order, const Stream& stream);
  /// Number of runs of kPiece positions, the last one padded.
  std::int64_t pieces() const { return pieces_; }
  /// Lower bound of the device memory for `count` elements, bytes.
  static std::int64_t bytes(std::int64_t count);

 private:
  std::int64_t count_, pieces_;
  Buffer<std::uint32_t> keys_, otherKeys_;
  Buffer<std::int32_t> otherOrder_;
  Buffer<int> segments_;   ///< segment of each piece, level by level
  Buffer<AxisBox> boxes_;  ///< box of each segment
  Buffer<unsigned char> scratch_;
  std::vector<int> counts_;  ///< segments of each level
};

/// The least scratch memory of a sort of pairs: room for one more copy, and its counters.
constexpr std::int64_t sortScratchBytes(std::int64_t count, std::size_t bytesOfPair) {
  return count * std::int64_t(bytesOfPair + 1) + (std::int64_t(16) << 20);
}

inline constexpr int kMostPatchValues = 343;  ///< of 7³ voxels

/// Number of 32-value steps for a patch of `size` values.
constexpr int stepsOf(int size) { return ceilDivide(size, 32); }

/// Patches in the layout of the search, in order of positions.
struct SearchLayout {
  float* patches;        ///< 32 · steps values each, padded with 0
  std::uint32_t* bytes;  ///< in 8 bits: for each 8 positions and step 32 lanes × 2 words of a matrix fragment
  int* norms;            ///< squared norm of the patch in 8 bits
  float* roundings;      ///< its distance from the exact patch, mm
  Place* places;
  AxisBox *tiles, *subTiles;
  VoxelBox *tileVoxels, *subTileVoxels;
};

/// The patches of the elements of a band, to be laid out.
struct PatchArrays {
  const float* patches;        ///< elements × size values of φ, mm
  const float* coordinates;    ///< elements × kCoordinates, mm
  const std::int32_t* order;   ///< the element of each of `positions` positions, −1 for padding
  const std::int64_t* voxels;  ///< index of each element in a grid of `grid` voxels
  Vec3<int> grid;
  std::int64_t positions;  ///< a multiple of kTile
  int size;
};
/// Queues a copy of patches, coordinates and voxels into a layout.
///
/// @param extent  |φ| and |coordinate| are read, the rounding is raised
void layOut(const PatchArrays& from, PatchExtent* extent, const SearchLayout& to, const Stream& stream);

struct SearchJob {
  SearchLayout layout;
  const PatchExtent* extent;
  Vec3<double> spacing;
  int tiles;
  int count;            ///< m, neighbors of each element
  int kept;             ///< ranks that a list holds: a power of two
  PatchRank* lists;     ///< for the rows of one launch
  std::int32_t* index;  ///< results: elements × count
  float* distance;      ///< the same shape, D in mm²
};
/// Number of rows per block of the search, for patches of `size` values.
int rowsPerBlock(int size, std::int64_t positions);
/// Queues the search of the rows [first, end) · rows, with `rows` from rowsPerBlock(); their lists begin at
/// job.lists.
void searchRows(const SearchJob& job, int size, int rows, std::int64_t first, std::int64_t end,
                const Stream& stream);

/// Queues own = own | other, bitwise, for `values` values: if one of the two is 0, the result is the other.
void joinLists(std::int32_t* own, const std::int32_t* other, std::int64_t values, const Stream& stream);
void joinLists(float* own, const float* other, std::int64_t values, const Stream& stream);

}  // namespace sulcus::gpu::surface
