#pragma once

#include "core/math/vec3.h"
#include "core/surface/patch_axes.h"
#include "core/surface/surface_kernel.h"
#include "gpu/runtime/blocks.h"
#include "gpu/runtime/buffer.h"

#include <vector>

#include <vector_types.h>

// The search on the device. Elements are put in order of similar patches (order.cu) and laid out for the
// search (layout.cu): positions are places in that order, kTile of them a tile. The search (search.cu) holds
// every position against every tile that may have something near it: first by patches in 8 bits on the tensor
// cores, whose sums are exact integers and whose rounding is bounded, then by the exact difference.

namespace sulcus::gpu::surface {
using namespace sulcus::surface;

inline constexpr int kTile = 64;           ///< positions of a tile
inline constexpr int kSubTile = 16;        ///< positions with a box of their own
inline constexpr int kPiece = 32 * kTile;  ///< positions that one block puts in order
/// Up to so many positions each is held against all others, so that their order does not matter.
inline constexpr int kFewPositions = 192 * kTile;
inline constexpr int kPadding = 1 << 29;  ///< squared norm of a position without an element

/// A position's voxel and element; −1 where filled up.
struct Place {
  int x, y, z, element;
};

/// The smallest box of voxels that holds some positions; low > high where there are none.
struct VoxelBox {
  Vec3<int> low, high;
};

/// Indices of a voxel, by its place in a grid of `size` voxels, x fastest.
SULCUS_HD inline Vec3<int> voxelAt(std::int64_t voxel, const Vec3<int>& size) {
  return {int(voxel % size.x), int(voxel / size.x % size.y), int(voxel / size.x / size.y)};
}

/// What all patches have in common, collected by atomic maxima of numbers that are not negative.
struct PatchExtent {
  float largest;     ///< |φ| in any patch, mm
  float coordinate;  ///< |coordinate| along any axis, mm
  float rounding;    ///< of any patch in 8 bits, mm
};

/// Floats of an element's coordinates along the leading axes, filled up with 0 to whole float4.
inline constexpr int kCoordinates = 12;

/// Queues the copy of the patches of voxels from φ, in a grid of `grid` voxels: patchesOf() of the CPU.
///
/// @param patches  count × side³ values; written
void gatherPatches(const float* phi, Vec3<int> grid, const std::int64_t* voxels, std::int64_t count, int side,
                   float* patches, const Stream& stream);

/// Queues the projection of patches onto the leading axes, and the raising of `extent` to all of them.
///
/// @param patches      count × size values of φ, mm
/// @param axes         kLeadingAxes × size, see patchAxes()
/// @param coordinates  count × kCoordinates, mm; written
void projectPatches(const float* patches, std::int64_t count, int size, const double* axes,
                    float* coordinates, PatchExtent* extent, const Stream& stream);

/// Puts elements in order of a k-d tree whose leaves are sub-tiles; few ones stay in their own order.
class PatchOrder {
 public:
  /// Takes device memory for `count` elements.
  PatchOrder(std::int64_t count, const Stream& stream);
  /// Queues the work.
  ///
  /// @param coordinates  count × kCoordinates, mm
  /// @param order        pieces() · kPiece: the element of each position, −1 past the last; written
  void make(const float* coordinates, std::int32_t* order, const Stream& stream);
  /// Runs of kPiece positions, the last filled up.
  std::int64_t pieces() const { return pieces_; }
  /// Bytes of device memory for `count` elements, at least.
  static std::int64_t bytes(std::int64_t count);

 private:
  std::int64_t count_, pieces_;
  Buffer<std::uint32_t> keys_, otherKeys_;
  Buffer<std::int32_t> otherOrder_;
  Buffer<int> segments_;   ///< of each piece, level by level
  Buffer<AxisBox> boxes_;  ///< of each segment
  Buffer<unsigned char> scratch_;
  std::vector<int> counts_;  ///< segments of each level
};

/// The least that a sort of pairs takes beside them: room for one more copy, and its counters.
constexpr std::int64_t sortScratchBytes(std::int64_t count, std::size_t bytesOfPair) {
  return count * std::int64_t(bytesOfPair + 1) + (std::int64_t(16) << 20);
}

/// 32-value steps that a patch of `size` values takes.
constexpr int stepsOf(int size) { return ceilDivide(size, 32); }

/// Patches as the search reads them, in order of positions.
struct SearchLayout {
  float* patches;        ///< 32 · steps values each, filled up with 0
  std::uint32_t* bytes;  ///< in 8 bits: for each 8 positions and step 32 lanes × 2 words of a matrix fragment
  int* norms;            ///< squared, of the patch in 8 bits
  float* roundings;      ///< how far that is from the patch, mm
  Place* places;
  AxisBox *tiles, *subTiles;
  VoxelBox *tileVoxels, *subTileVoxels;
};
/// Queues the copy of patches, coordinates and voxels into a layout.
///
/// @param patches      elements × size values of φ, mm
/// @param coordinates  elements × kCoordinates, mm
/// @param order        the element of each of `positions` positions, −1 where filled up
/// @param voxels       of each element, its place in a grid of `grid` voxels
/// @param positions    a multiple of kTile
/// @param extent       |φ| and |coordinate| are read, the rounding is raised
void layOut(const float* patches, const float* coordinates, const std::int32_t* order,
            const std::int64_t* voxels, Vec3<int> grid, std::int64_t positions, int size, PatchExtent* extent,
            const SearchLayout& layout, const Stream& stream);

struct SearchJob {
  SearchLayout layout;
  const PatchExtent* extent;
  Vec3<double> spacing;
  int tiles;
  int count;            ///< m, neighbors of each element
  int kept;             ///< ranks that a list holds: a power of two
  PatchRank* lists;     ///< of the rows of one launch
  std::int32_t* index;  ///< results: elements × count
  float* distance;      ///< the same shape, D in mm²
};
/// Rows that one block of the search looks after, for patches of `size` values.
int rowsPerBlock(int size, std::int64_t positions);
/// Queues the search of the rows [first, end) · rows, `rows` as rowsPerBlock() gave it; their lists begin
/// at job.lists.
void searchRows(const SearchJob& job, int size, int rows, std::int64_t first, std::int64_t end,
                const Stream& stream);

/// Queues own = own | other, bit by bit, for so many values: where one of both is 0, it becomes the other.
void joinLists(std::int32_t* own, const std::int32_t* other, std::int64_t values, const Stream& stream);
void joinLists(float* own, const float* other, std::int64_t values, const Stream& stream);

}  // namespace sulcus::gpu::surface
