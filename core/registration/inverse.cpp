#include "core/registration/inverse.h"

#include "core/base/parallel_for.h"
#include "core/registration/registration_body.h"

#include <algorithm>
#include <cmath>

namespace sulcus::registration {
namespace {

constexpr double kConverged = 1e-3;  // largest residual of a point that is found, voxels
constexpr int kNewtonSteps = 30;
constexpr double kFinestPart = 1.0 / 4096;  // width at which the search within a cell ends, in cells

/// u and its derivative, interpolated between voxels, in voxels of the reference.
class Displacement {
 public:
  Displacement(const VectorField<float>& u, const Vec3<double>& spacing) : u_(u) {
    for (int i = 0; i < 3; ++i) inverse_[i] = 1 / spacing[i];
  }

  struct Sample {
    Vec3<double> value;
    Mat3<double> derivative;  ///< ij = ∂ⱼ uᵢ, voxels per voxel
  };
  /// At a position in voxels, moved into the grid.
  Sample at(const Vec3<double>& p) const { return in(cellAt(u_.size, p.x, p.y, p.z)); }

  /// In a cell of the reference's grid. Its shares may leave 0…1; the cell's interpolant is then continued.
  Sample in(const Cell<double>& cell) const {
    const Cell<double> c = cellInField(u_, cell);
    const auto between = [](double f, double a, double b) { return a + f * (b - a); };
    ValueAndSlope<double> u[3];
    for (int a = 0; a < 3; ++a) {
      const float* const p = u_.values[std::size_t(a)].data() + c.corner;
      const auto corner = [&](int i, int j, int k) { return double(p[i * c.dx + j * c.dy + k * c.dz]); };
      u[a] = interpolatedWithSlope(c, corner, between);
      u[a] = {inverse_[a] * u[a].value, inverse_[a] * u[a].dx, inverse_[a] * u[a].dy, inverse_[a] * u[a].dz};
    }
    return {{u[0].value, u[1].value, u[2].value},
            {u[0].dx, u[0].dy, u[0].dz, u[1].dx, u[1].dy, u[1].dz, u[2].dx, u[2].dy, u[2].dz}};
  }

  const Vec3<int>& size() const { return u_.size; }

 private:
  const VectorField<float>& u_;
  Vec3<double> inverse_;  ///< 1/spacing, 1/mm
};

/// (I − g)⁻¹ r; 0 where I − g is singular.
Vec3<double> solved(const Mat3<double>& g, const Vec3<double>& r) {
  const Vec3<double> a{1 - g.xx, -g.yx, -g.zx}, b{-g.xy, 1 - g.yy, -g.zy}, c{-g.xz, -g.yz, 1 - g.zz};
  const double determinant = dot(a, cross(b, c));
  if (std::abs(determinant) < 1e-12) return {};
  return (1 / determinant) * Vec3<double>{dot(r, cross(b, c)), dot(a, cross(r, c)), dot(a, cross(b, r))};
}

/// A point x of the reference, in voxels, and the length of x − u(x) − y.
struct Preimage {
  Vec3<double> point;
  double residual = INFINITY;
};

Vec3<double> clamped(Vec3<double> p, const Vec3<int>& size) {
  for (int i = 0; i < 3; ++i) p[i] = std::clamp(p[i], 0.0, double(size[i] - 1));
  return p;
}

/// Solves x − u(x) = y by Newton's method from x on; a step is halved until the residual falls.
Preimage newton(const Displacement& u, const Vec3<double>& y, Vec3<double> x) {
  Preimage best;
  auto sample = u.at(x);
  Vec3<double> misfit = y - (x - sample.value);
  best = {x, norm(misfit)};
  for (int step = 0; step < kNewtonSteps && best.residual > kConverged; ++step) {
    const Vec3<double> full = solved(sample.derivative, misfit);
    bool fell = false;
    for (double share = 1; share > 0.01 && !fell; share /= 2) {
      x = clamped(best.point + share * full, u.size());
      const auto trial = u.at(x);
      const Vec3<double> left = y - (x - trial.value);
      if (norm(left) < best.residual) {
        best = {x, norm(left)}, sample = trial, misfit = left;
        fell = true;
      }
    }
    if (!fell) break;
  }
  return best;
}

/// Solves x − u(x) = y in a part of a cell by bisection: a part whose image cannot contain y is left out,
/// since the image of a part lies within the box around the images of its corners.
///
/// @param origin      the lowest voxel of the cell
/// @param low, width  the part: its lowest corner and its edge, in cells from `origin` on
void searchPart(const Displacement& u, const Vec3<double>& y, Cell<double>& cell, const Vec3<double>& origin,
                const Vec3<double>& low, double width, Preimage& best) {
  const auto misfitAt = [&](const Vec3<double>& f) {
    cell.fx = f.x, cell.fy = f.y, cell.fz = f.z;
    return y - (origin + f - u.in(cell).value);
  };
  Vec3<double> least{INFINITY, INFINITY, INFINITY}, most = -least;
  for (int corner = 0; corner < 8; ++corner) {
    Vec3<double> f = low;
    for (int a = 0; a < 3; ++a) f[a] += corner >> a & 1 && u.size()[a] > 1 ? width : 0;
    const Vec3<double> misfit = misfitAt(f);
    if (norm(misfit) < best.residual) best = {origin + f, norm(misfit)};
    for (int a = 0; a < 3; ++a)
      least[a] = std::min(least[a], misfit[a]), most[a] = std::max(most[a], misfit[a]);
  }
  for (int a = 0; a < 3; ++a)
    if (least[a] > kConverged || most[a] < -kConverged) return;
  if (width < kFinestPart) return;
  for (int part = 0; part < 8 && best.residual > kConverged; ++part) {
    Vec3<double> f = low;
    bool exists = true;
    for (int a = 0; a < 3; ++a) {
      if (part >> a & 1) f[a] += width / 2;
      exists &= u.size()[a] > 1 || !(part >> a & 1);
    }
    if (exists) searchPart(u, y, cell, origin, f, width / 2, best);
  }
}

/// Boxes around the images h(c) = c − u(c) of blocks of cells, in voxels: the cells in which x − u(x) = y may
/// be solved are found by descending from the box around all of them. As h is linear along each axis of a
/// cell, the box around the images of the voxels of a block holds the image of the whole block.
class ImageBoxes {
 public:
  ImageBoxes(const Displacement& u, const Progress& progress) : u_(u) {
    const Vec3<int> cells = cellsOf(u.size());
    Level& blocks = levels_.emplace_back(Level{blocksOf(cells, kBlock), {}});
    blocks.boxes.resize(std::size_t(blocks.size.x) * blocks.size.y * blocks.size.z);
    parallelFor(
        std::int64_t(blocks.boxes.size()), progress,
        [&](std::int64_t b) {
          const Vec3<int> low = kBlock * placeOf(blocks.size, b);
          Box& box = blocks.boxes[std::size_t(b)];
          for (int z = low.z; z <= std::min(low.z + kBlock, u.size().z - 1); ++z)
            for (int y = low.y; y <= std::min(low.y + kBlock, u.size().y - 1); ++y)
              for (int x = low.x; x <= std::min(low.x + kBlock, u.size().x - 1); ++x) {
                const Vec3<double> voxel{double(x), double(y), double(z)};
                box.include(voxel - u.at(voxel).value);
              }
        },
        64);
    while (levels_.back().boxes.size() > 1) {
      const Level& fine = levels_.back();
      Level coarse{blocksOf(fine.size, 2), {}};
      coarse.boxes.resize(std::size_t(coarse.size.x) * coarse.size.y * coarse.size.z);
      for (std::size_t b = 0; b < fine.boxes.size(); ++b) {
        const Vec3<int> at = placeOf(fine.size, std::int64_t(b));
        coarse.boxes[indexOf(coarse.size, {at.x / 2, at.y / 2, at.z / 2})].include(fine.boxes[b]);
      }
      levels_.push_back(std::move(coarse));
    }
  }

  /// Solves x − u(x) = y by searching all cells whose image may hold y. As h is continuous and does not move
  /// the border, one of them contains a solution.
  Preimage searched(const Vec3<double>& y, Preimage best) const {
    search(levels_.size() - 1, {0, 0, 0}, y, best);
    return best;
  }

 private:
  static constexpr int kBlock = 4;  // cells along each edge of the smallest block

  struct Box {
    Vec3<double> least{INFINITY, INFINITY, INFINITY}, most{-INFINITY, -INFINITY, -INFINITY};
    void include(const Vec3<double>& p) {
      for (int a = 0; a < 3; ++a) least[a] = std::min(least[a], p[a]), most[a] = std::max(most[a], p[a]);
    }
    void include(const Box& other) { include(other.least), include(other.most); }
    bool mayHold(const Vec3<double>& p) const {
      for (int a = 0; a < 3; ++a)
        if (p[a] < least[a] - kConverged || p[a] > most[a] + kConverged) return false;
      return true;
    }
  };
  struct Level {
    Vec3<int> size;
    std::vector<Box> boxes;
  };

  static Vec3<int> cellsOf(const Vec3<int>& n) {
    return {std::max(n.x - 1, 1), std::max(n.y - 1, 1), std::max(n.z - 1, 1)};
  }
  static Vec3<int> blocksOf(const Vec3<int>& n, int edge) {
    return {(n.x + edge - 1) / edge, (n.y + edge - 1) / edge, (n.z + edge - 1) / edge};
  }
  static std::size_t indexOf(const Vec3<int>& size, const Vec3<int>& at) {
    return std::size_t(at.x) +
           std::size_t(size.x) * (std::size_t(at.y) + std::size_t(size.y) * std::size_t(at.z));
  }
  static Vec3<int> placeOf(const Vec3<int>& size, std::int64_t i) {
    return {int(i % size.x), int(i / size.x % size.y), int(i / size.x / size.y)};
  }

  void search(std::size_t l, const Vec3<int>& at, const Vec3<double>& y, Preimage& best) const {
    const Level& level = levels_[l];
    if (best.residual <= kConverged || !level.boxes[indexOf(level.size, at)].mayHold(y)) return;
    const int edge = l == 0 ? kBlock : 2;
    const Vec3<int> end = l == 0 ? cellsOf(u_.size()) : levels_[l - 1].size;
    for (int z = edge * at.z; z < std::min(edge * (at.z + 1), end.z); ++z)
      for (int j = edge * at.y; j < std::min(edge * (at.y + 1), end.y); ++j)
        for (int x = edge * at.x; x < std::min(edge * (at.x + 1), end.x) && best.residual > kConverged; ++x) {
          if (l > 0) {
            search(l - 1, {x, j, z}, y, best);
            continue;
          }
          const Vec3<double> origin{double(x), double(j), double(z)};
          Cell<double> cell = cellAt(u_.size(), origin.x, origin.y, origin.z);
          searchPart(u_, y, cell, origin, {}, 1, best);
        }
  }

  const Displacement& u_;
  std::vector<Level> levels_;  ///< from the smallest blocks up to one that holds all
};

}  // namespace

InverseField invert(const VectorField<float>& u, const Grid& reference, const Grid& templateGrid,
                    const Affine& templateFromReference, const Progress& progress) {
  const Displacement displacement(u, reference.spacing());
  const Affine referenceFromTemplate = (templateFromReference * reference.worldFromVoxel).inverse() *
                                       templateGrid.worldFromVoxel;  // in voxels
  InverseField result{Series<float>(templateGrid, 3), Volume<float>(templateGrid), 0};
  const auto keep = [&](std::int64_t i, Preimage found, const Vec3<double>& y) {
    for (int a = 0; a < 3; ++a)
      if (reference.size[a] == 1) found.point[a] = y[a];
    const Vec3<int> v = templateGrid.voxel(i);
    const Vec3<double> d = reference.worldFromVoxel.point(found.point) -
                           templateGrid.worldFromVoxel.point({double(v.x), double(v.y), double(v.z)});
    for (int a = 0; a < 3; ++a) result.displacement.at(i, a) = float(d[a]);
    result.residual.values[std::size_t(i)] = float(found.residual);
  };
  // Where Newton's method ends beside the solution; few, but side by side, so they are shared out anew.
  struct Missed {
    std::int64_t voxel;
    Vec3<double> y, plane;  ///< the point to be reached, and moved into the plane along an axis of one voxel
    Preimage found;
  };
  constexpr std::int64_t kVoxelsPerBlock = 2048;
  std::vector<std::vector<Missed>> missedIn(
      std::size_t((templateGrid.voxels() + kVoxelsPerBlock - 1) / kVoxelsPerBlock));
  parallelForBlocks(
      templateGrid.voxels(), kVoxelsPerBlock, progress.part(0, 0.9, "Inverse"),
      [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i) {
          const Vec3<int> v = templateGrid.voxel(i);
          const Vec3<double> y = referenceFromTemplate.point({double(v.x), double(v.y), double(v.z)});
          Vec3<double> plane = y;
          bool inside = true;
          for (int a = 0; a < 3; ++a) {
            if (reference.size[a] == 1) plane[a] = 0;
            inside &= reference.size[a] == 1 || (y[a] > 0 && y[a] < reference.size[a] - 1);
          }
          Preimage found{y, 0};
          if (inside)
            found =
                newton(displacement, plane, clamped(plane + displacement.at(plane).value, reference.size));
          keep(i, found, y);
          if (found.residual > kConverged)
            missedIn[std::size_t(begin / kVoxelsPerBlock)].push_back({i, y, plane, found});
        }
      });
  std::vector<Missed> missed;
  for (const auto& some : missedIn) missed.insert(missed.end(), some.begin(), some.end());
  if (!missed.empty()) {
    const ImageBoxes boxes(displacement, progress.part(0.9, 0.92, "Inverse"));
    parallelFor(
        std::int64_t(missed.size()), progress.part(0.92, 1, "Inverse"),
        [&](std::int64_t m) {
          const Missed& one = missed[std::size_t(m)];
          keep(one.voxel, boxes.searched(one.plane, one.found), one.y);
        },
        16);
  }
  for (const float r : result.residual.values)
    result.largestResidual = std::max(result.largestResidual, double(r));
  return result;
}

}  // namespace sulcus::registration
