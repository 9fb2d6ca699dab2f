#include "core/registration/deformation/inverse.h"

#include "core/base/parallel/parallel_for.h"
#include "core/registration/deformation/inverse_kernel.h"

#include <algorithm>
#include <cmath>

namespace sulcus::registration {
namespace {

constexpr double kFinestPart = 1.0 / 4096;  // width at which the search within a cell ends, in cells
constexpr std::int64_t kVoxelsPerSolve = 2048;

/// The equation x − u(x) = y within a cell.
struct CellEquation {
  const VoxelDisplacement& u;
  Vec3<double> y;
  Cell<double> cell;
  Vec3<double> origin;  ///< the lowest voxel of the cell

  /// The axes along which the cell has an extent, bit by bit.
  int axes() const {
    int bits = 0;
    for (int a = 0; a < 3; ++a) bits |= int(u.field.size[a] > 1) << a;
    return bits;
  }
  /// y − (x − u(x)) at x = origin + f.
  Vec3<double> misfitAt(const Vec3<double>& f) {
    cell.fx = f.x;
    cell.fy = f.y;
    cell.fz = f.z;
    return y - (origin + f - u.in(cell).value);
  }
};

/// A bounding box.
struct BoundingBox {
  Vec3<double> least{INFINITY, INFINITY, INFINITY}, most{-INFINITY, -INFINITY, -INFINITY};
  void include(const Vec3<double>& p) {
    for (int a = 0; a < 3; ++a) {
      least[a] = std::min(least[a], p[a]);
      most[a] = std::max(most[a], p[a]);
    }
  }
  void include(const BoundingBox& other) {
    include(other.least);
    include(other.most);
  }
  bool mayHold(const Vec3<double>& p) const {
    for (int a = 0; a < 3; ++a)
      if (p[a] < least[a] - kConverged || p[a] > most[a] + kConverged) return false;
    return true;
  }
};

/// A corner of a cube: bit a of `corner` says whether it is the upper one along axis a.
Vec3<double> cornerOfCube(Vec3<double> low, double width, int corner) {
  for (int a = 0; a < 3; ++a)
    if (corner >> a & 1) low[a] += width;
  return low;
}

/// Solves an equation in a part of its cell by bisection: parts whose image cannot contain y are skipped,
/// since the image of a part lies within the bounding box of the images of its corners.
///
/// @param low, width  the part: its lowest corner and its edge, in cells, relative to the origin
void searchPart(CellEquation& equation, const Vec3<double>& low, double width, Preimage& best) {
  const int axes = equation.axes();
  BoundingBox misfits;
  for (int corner = 0; corner < 8; ++corner) {
    const Vec3<double> f = cornerOfCube(low, width, corner & axes);
    const Vec3<double> misfit = equation.misfitAt(f);
    if (norm(misfit) < best.residual) best = {equation.origin + f, norm(misfit)};
    misfits.include(misfit);
  }
  if (width < kFinestPart || !misfits.mayHold({})) return;
  for (int part = 0; part < 8 && best.residual > kConverged; ++part)
    if ((part & axes) == part) searchPart(equation, cornerOfCube(low, width / 2, part), width / 2, best);
}

/// Solves x − u(x) = y by bisection of a cell whose lowest voxel is `origin`.
void bisectCell(const VoxelDisplacement& u, const Vec3<double>& y, const Cell<double>& cell,
                const Vec3<double>& origin, Preimage& best) {
  CellEquation equation{u, y, cell, origin};
  searchPart(equation, {}, 1, best);
}

/// Solves x − u(x) = y by Newton's method on the interpolant of a cell, starting at its center: the solution
/// is stored in `best` if it lies in the cell.
void newtonInCell(const VoxelDisplacement& u, const Vec3<double>& y, Cell<double> cell,
                  const Vec3<double>& origin, Preimage& best) {
  constexpr int kSteps = 12;
  Vec3<double> f;
  for (int a = 0; a < 3; ++a) f[a] = u.field.size[a] > 1 ? 0.5 : 0;
  for (int step = 0; step < kSteps; ++step) {
    cell.fx = f.x;
    cell.fy = f.y;
    cell.fz = f.z;
    const auto sample = u.in(cell);
    const Vec3<double> misfit = y - (origin + f - sample.value);
    bool inside = true;
    for (int a = 0; a < 3; ++a) inside = inside && f[a] >= 0 && f[a] <= 1;
    if (inside && norm(misfit) < best.residual) best = {origin + f, norm(misfit)};
    if (norm(misfit) <= kConverged) return;
    f = f + solved(sample.derivative, misfit);
  }
}

/// x − u(x) at a voxel, in voxels.
Vec3<double> imageOf(const VoxelDisplacement& u, const Vec3<int>& voxel) {
  const Vec3<float> d = u.field.at(voxel);
  return {voxel.x - d.x * u.inverse.x, voxel.y - d.y * u.inverse.y, voxel.z - d.z * u.inverse.z};
}

/// Bounding boxes of the images h(c) = c − u(c) of blocks of cells, in voxels: the cells in which x − u(x) =
/// y may be solved are found by descending from the bounding box of all of them. As h is linear along each
/// axis of a cell, the bounding box of the images of a block's voxels contains the image of the whole block.
class BoundingBoxes {
 public:
  BoundingBoxes(const VoxelDisplacement& u, const Progress& progress) : u_(u) {
    const Vec3<int> cells = cellsOf(u.field.size);
    Level& blocks = levels_.emplace_back(Level{blocksOf(cells, kBlock), {}});
    blocks.boxes.resize(std::size_t(blocks.size.x) * blocks.size.y * blocks.size.z);
    parallelFor(std::ssize(blocks.boxes), 64, progress, [&](std::int64_t b) {
      const Vec3<int> low = kBlock * voxelAt(blocks.size, b);
      BoundingBox& box = blocks.boxes[b];
      for (int z = low.z; z <= std::min(low.z + kBlock, u.field.size.z - 1); ++z)
        for (int y = low.y; y <= std::min(low.y + kBlock, u.field.size.y - 1); ++y)
          for (int x = low.x; x <= std::min(low.x + kBlock, u.field.size.x - 1); ++x)
            box.include(imageOf(u, {x, y, z}));
    });
    while (levels_.back().boxes.size() > 1) {
      const Level& fine = levels_.back();
      Level coarse{blocksOf(fine.size, 2), {}};
      coarse.boxes.resize(std::size_t(coarse.size.x) * coarse.size.y * coarse.size.z);
      for (std::size_t b = 0; b < fine.boxes.size(); ++b) {
        const Vec3<int> at = voxelAt(fine.size, std::int64_t(b));
        coarse.boxes[indexOf(coarse.size, {at.x / 2, at.y / 2, at.z / 2})].include(fine.boxes[b]);
      }
      levels_.push_back(std::move(coarse));
    }
  }

  /// Solves x − u(x) = y by searching all cells whose image may contain y. As h is continuous and fixes the
  /// border, one of them contains a solution: Newton's method in each of them finds nearly all solutions, and
  /// bisection remains for the others.
  Preimage searched(const Vec3<double>& y, Preimage best) const {
    search(levels_.size() - 1, {0, 0, 0}, y, best, newtonInCell);
    search(levels_.size() - 1, {0, 0, 0}, y, best, bisectCell);
    return best;
  }

 private:
  static constexpr int kBlock = 4;  // cells along each edge of the smallest block

  struct Level {
    Vec3<int> size;
    std::vector<BoundingBox> boxes;
  };

  static Vec3<int> blocksOf(const Vec3<int>& n, int edge) {
    return {(n.x + edge - 1) / edge, (n.y + edge - 1) / edge, (n.z + edge - 1) / edge};
  }
  static std::size_t indexOf(const Vec3<int>& size, const Vec3<int>& at) {
    return std::size_t(at.x) + size.x * (at.y + std::size_t(size.y) * at.z);
  }

  /// The bounding box of the image of a cell, given by its lowest voxel.
  BoundingBox boxOfCell(const Vec3<int>& low) const {
    BoundingBox box;
    for (int z = low.z; z <= std::min(low.z + 1, u_.field.size.z - 1); ++z)
      for (int y = low.y; y <= std::min(low.y + 1, u_.field.size.y - 1); ++y)
        for (int x = low.x; x <= std::min(low.x + 1, u_.field.size.x - 1); ++x)
          box.include(imageOf(u_, {x, y, z}));
    return box;
  }

  /// Calls solve(u, y, cell, its lowest voxel, best) for the cells whose image may contain y until a solution
  /// is found.
  template <class Solve>
  void search(std::size_t l, const Vec3<int>& at, const Vec3<double>& y, Preimage& best,
              const Solve& solve) const {
    const Level& level = levels_[l];
    if (best.residual <= kConverged || !level.boxes[indexOf(level.size, at)].mayHold(y)) return;
    const int edge = l == 0 ? kBlock : 2;
    const Vec3<int> end = l == 0 ? cellsOf(u_.field.size) : levels_[l - 1].size;
    for (int z = edge * at.z; z < std::min(edge * (at.z + 1), end.z); ++z)
      for (int j = edge * at.y; j < std::min(edge * (at.y + 1), end.y); ++j)
        for (int x = edge * at.x; x < std::min(edge * (at.x + 1), end.x) && best.residual > kConverged; ++x) {
          if (l > 0)
            search(l - 1, {x, j, z}, y, best, solve);
          else if (boxOfCell({x, j, z}).mayHold(y))
            solve(u_, y, cellFrom(u_.field.size, x, j, z, 0.0, 0.0, 0.0), placeOf({x, j, z}), best);
        }
  }

  const VoxelDisplacement& u_;
  std::vector<Level> levels_;  ///< from the smallest blocks up to one that contains all
};

/// The inverse map at the voxels of the template.
struct InverseMap {
  InverseMap(const VectorField<float>& u, const Grid& referenceGrid, const Grid& grid,
             const Affine& templateFromReference)
      : reference(referenceGrid),
        templateGrid(grid),
        displacement{arraysOf(u), inverseOf<double>(referenceGrid.spacing())},
        worldFromReference(referenceGrid.worldFromVoxel),
        worldFromTemplate(grid.worldFromVoxel),
        referenceFromTemplate((templateFromReference * referenceGrid.worldFromVoxel).inverse() *
                              grid.worldFromVoxel) {}

  struct At {
    std::int64_t index;
    Vec3<int> voxel;
    InverseProblem problem;
  };
  At at(std::int64_t i) const {
    const Vec3<int> v = templateGrid.voxel(i);
    return {i, v, inverseProblem(referenceFromTemplate, reference.size, v)};
  }
  void keep(const At& one, const Preimage& found, InverseField& result) const {
    const Vec3<double> toReference = displacementToReference(
        one.problem, found.point, reference.size, worldFromReference, worldFromTemplate, one.voxel);
    for (int a = 0; a < 3; ++a) result.displacement.at(one.index, a) = float(toReference[a]);
    result.residual.values[one.index] = float(found.residual);
  }

  const Grid &reference, &templateGrid;
  VoxelDisplacement displacement;
  AffineMap worldFromReference, worldFromTemplate;  ///< from voxels
  AffineMap referenceFromTemplate;                  ///< in voxels
};

double largestOf(const std::vector<float>& values) {
  std::vector<float> largest((values.size() + kVoxelsPerBlock - 1) / std::size_t(kVoxelsPerBlock), 0.f);
  parallelForBlocks(std::ssize(values), kVoxelsPerBlock, {}, [&](std::int64_t begin, std::int64_t end) {
    largest[begin / kVoxelsPerBlock] =
        std::max(0.f, *std::max_element(values.begin() + begin, values.begin() + end));
  });
  return largest.empty() ? 0 : double(*std::max_element(largest.begin(), largest.end()));
}

}  // namespace

InverseField invert(const VectorField<float>& u, const Grid& reference, const Grid& templateGrid,
                    const Affine& templateFromReference, const Progress& progress) {
  const InverseMap map(u, reference, templateGrid, templateFromReference);
  InverseField result{Series<float>(templateGrid, 3), Volume<float>(templateGrid), 0};
  parallelForBlocks(templateGrid.voxels(), kVoxelsPerSolve, progress.part(0, 0.9, "Inverse"),
                    [&](std::int64_t begin, std::int64_t end) {
                      for (std::int64_t i = begin; i < end; ++i) {
                        const auto one = map.at(i);
                        map.keep(one, preimageOf(one.problem, map.displacement), result);
                      }
                    });
  searchMissed(u, reference, templateFromReference, result, progress.part(0.9, 1, "Inverse"));
  return result;
}

void searchMissed(const VectorField<float>& u, const Grid& reference, const Affine& templateFromReference,
                  InverseField& inverse, const Progress& progress) {
  const InverseMap map(u, reference, inverse.residual.grid, templateFromReference);
  const auto& residual = inverse.residual.values;
  // There are few, but close together, so they are redistributed over the threads.
  std::vector<std::vector<std::int64_t>> missedIn((residual.size() + kVoxelsPerBlock - 1) /
                                                  std::size_t(kVoxelsPerBlock));
  parallelForBlocks(std::ssize(residual), kVoxelsPerBlock, progress.part(0, 0.1, "Inverse"),
                    [&](std::int64_t begin, std::int64_t end) {
                      for (std::int64_t i = begin; i < end; ++i)
                        if (residual[i] > float(kConverged)) missedIn[begin / kVoxelsPerBlock].push_back(i);
                    });
  std::vector<std::int64_t> missed;
  for (const auto& some : missedIn) missed.insert(missed.end(), some.begin(), some.end());
  if (!missed.empty()) {
    const BoundingBoxes boxes(map.displacement, progress.part(0.1, 0.2, "Inverse"));
    parallelFor(std::ssize(missed), 16, progress.part(0.2, 1, "Inverse"), [&](std::int64_t m) {
      const auto one = map.at(missed[m]);
      map.keep(one, boxes.searched(one.problem.plane, preimageOf(one.problem, map.displacement)), inverse);
    });
  }
  inverse.largestResidual = largestOf(residual);
}

}  // namespace sulcus::registration
