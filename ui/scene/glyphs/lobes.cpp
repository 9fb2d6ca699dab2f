#include "ui/scene/glyphs/lobes.h"

#include "core/base/parallel/parallel_for.h"
#include "core/image/diffusion/tensor_index.h"
#include "ui/scene/glyphs/glyphs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <span>
#include <utility>

#include <Eigen/Core>

namespace sulcus::ui::scene {
namespace {

using Face = std::array<std::int32_t, 3>;

/// Points of length 1, and triangles of them that are oriented outwards.
struct Polyhedron {
  std::vector<Vec3<float>> points;
  std::vector<Face> faces;
};

Polyhedron icosahedron() {
  const float golden = 0.5f * (1 + std::sqrt(5.0f));
  // Six corners; the other six are opposite. Index i + 6 is −i.
  std::vector<Vec3<float>> half = {{0, 1, golden},  {0, -1, golden}, {1, golden, 0},
                                   {-1, golden, 0}, {golden, 0, 1},  {-golden, 0, 1}};
  Polyhedron made;
  auto& points = made.points;
  for (const auto& p : half) points.push_back(normalized(p));
  for (const auto& p : half) points.push_back(-normalized(p));
  // Faces are all triples of neighboring corners.
  const float edge = 2 / norm(half[0]) * 1.01f;
  const auto near = [&](int a, int b) { return norm(points[a] - points[b]) < edge; };
  for (std::int32_t a = 0; a < 12; ++a)
    for (std::int32_t b = a + 1; b < 12; ++b)
      for (std::int32_t c = b + 1; c < 12; ++c) {
        if (!near(a, b) || !near(b, c) || !near(a, c)) continue;
        const bool outwards = dot(cross(points[b] - points[a], points[c] - points[a]), points[a]) > 0;
        made.faces.push_back(outwards ? Face{a, b, c} : Face{a, c, b});
      }
  return made;
}

/// Divides each face into four, with new points on the unit sphere.
void refine(Polyhedron& polyhedron) {
  auto& points = polyhedron.points;
  std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t> middles;
  const auto middle = [&](std::int32_t a, std::int32_t b) {
    const auto [place, isNew] = middles.try_emplace(std::minmax(a, b), std::int32_t(points.size()));
    if (isNew) points.push_back(normalized(points[std::size_t(a)] + points[std::size_t(b)]));
    return place->second;
  };
  std::vector<Face> finer;
  for (const auto& [a, b, c] : polyhedron.faces) {
    const std::int32_t ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
    finer.insert(finer.end(), {{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}});
  }
  polyhedron.faces = std::move(finer);
}

/// Orders the points so that opposite ones are n/2 apart: f is evaluated on one half only.
Sphere inHalves(const Polyhedron& polyhedron) {
  const auto isFirst = [](const Vec3<float>& p) {
    constexpr float zero = 1e-5f;
    if (std::abs(p.z) > zero) return p.z > 0;
    if (std::abs(p.y) > zero) return p.y > 0;
    return p.x > 0;
  };
  const auto& points = polyhedron.points;
  const std::size_t n = points.size();
  std::vector<std::int32_t> place(n);
  Sphere sphere;
  sphere.points.resize(n);
  std::int32_t next = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (!isFirst(points[i])) continue;
    const auto opposite =
        std::ranges::min_element(points, {}, [&](const Vec3<float>& p) { return dot(p, points[i]); });
    place[i] = next;
    place[std::size_t(opposite - points.begin())] = next + std::int32_t(n / 2);
    sphere.points[std::size_t(next)] = points[i];
    sphere.points[std::size_t(next) + n / 2] = -points[i];
    ++next;
  }
  for (const auto& face : polyhedron.faces)
    for (const std::int32_t corner : face) sphere.triangles.push_back(place[std::size_t(corner)]);
  return sphere;
}

Sphere makeSphere(int level) {
  Polyhedron polyhedron = icosahedron();
  for (int step = 0; step < level; ++step) refine(polyhedron);
  return inHalves(polyhedron);
}

/// For each point of the first half of `coarse`, the points of `fine` that are nearest to it.
std::vector<std::vector<std::size_t>> cellsOf(const Sphere& coarse, const Sphere& fine) {
  std::vector<std::vector<std::size_t>> cells(coarse.points.size() / 2);
  for (std::size_t q = 0; q < fine.points.size(); ++q) {
    const auto nearest = std::max_element(
        coarse.points.begin(), coarse.points.end(),
        [&](const auto& a, const auto& b) { return dot(a, fine.points[q]) < dot(b, fine.points[q]); });
    const auto place = std::size_t(nearest - coarse.points.begin());
    if (place < cells.size()) cells[place].push_back(q);
  }
  return cells;
}

/// Row p: multiplicity(u) g_p^u for all classes u.
Eigen::MatrixXf basisAt(const std::vector<Vec3<float>>& directions, std::size_t count, int order) {
  Eigen::MatrixXf basis(Eigen::Index(count), tensorEntries(order));
  for (std::size_t p = 0; p < count; ++p) {
    const Vec3<double> g{directions[p].x, directions[p].y, directions[p].z};
    for (int s = 0; s <= order; ++s)
      for (int k = 0; k <= s; ++k) {
        const int i = order - s, j = s - k;
        const double multiplicity = std::round(
            std::tgamma(order + 1) / (std::tgamma(i + 1) * std::tgamma(j + 1) * std::tgamma(k + 1)));
        basis(Eigen::Index(p), tensorIndex(j, k)) =
            float(multiplicity * std::pow(g.x, i) * std::pow(g.y, j) * std::pow(g.z, k));
      }
  }
  return basis;
}

/// The surfaces of forms of one order. The form is always evaluated on the finest sphere: each point of a
/// coarser mesh moves to the largest value around it, so that no lobe is lost between two points, however
/// narrow it is.
class Lobes {
 public:
  Lobes(const Grid& grid, const Sphere& sphere, int order, double scale)
      : grid_(grid),
        sphere_(sphere),
        fine_(icosphere(kFinestLevel)),
        basis_(basisAt(fine_.points, fine_.points.size() / 2, order)) {
    for (const auto& p : fine_.points) colors_.push_back(directionColor(p));
    const Vec3<double> spacing = grid.spacing();
    reach_ = float(0.5 * scale * std::min({spacing.x, spacing.y, spacing.z}));
  }

  void append(const Series<float>& tensor, std::span<const std::int64_t> voxels, Surfaces& surfaces) const {
    Eigen::MatrixXf entries(tensor.count, Eigen::Index(voxels.size()));
    for (int u = 0; u < tensor.count; ++u)
      for (std::size_t i = 0; i < voxels.size(); ++i) entries(u, Eigen::Index(i)) = tensor.at(voxels[i], u);
    const Eigen::MatrixXf values = basis_ * entries;
    for (std::size_t i = 0; i < voxels.size(); ++i) {
      const auto column = values.col(Eigen::Index(i));
      if (column.allFinite() && column.maxCoeff() > 0) appendOne(voxels[i], column.data(), surfaces);
    }
  }

 private:
  /// `values`: of the form at the first half of the finest sphere's points.
  void appendOne(std::int64_t voxel, const float* values, Surfaces& surfaces) const {
    const std::size_t n = sphere_.points.size(), half = n / 2, fineHalf = fine_.points.size() / 2;
    const float unit = reach_ / *std::max_element(values, values + fineHalf);
    const Vec3<double> center = grid_.positionOf(voxel);
    std::array<Vec3<float>, kMostPoints> local, normals{};
    std::array<std::size_t, kMostPoints> direction;  // of the finest sphere
    for (std::size_t p = 0; p < half; ++p) {
      const auto& cell = sphere_.cells[p];
      const std::size_t best = *std::max_element(cell.begin(), cell.end(), [&](std::size_t a, std::size_t b) {
        return values[a % fineHalf] < values[b % fineHalf];
      });
      direction[p] = best;
      direction[p + half] = (best + fineHalf) % (2 * fineHalf);
      local[p] = (unit * std::max(0.0f, values[best % fineHalf])) * fine_.points[best];
      local[p + half] = -local[p];
    }
    const auto first = std::int32_t(surfaces.points.size() / 3);
    for (std::size_t t = 0; t < sphere_.triangles.size(); t += 3) {
      const auto a = std::size_t(sphere_.triangles[t]), b = std::size_t(sphere_.triangles[t + 1]),
                 c = std::size_t(sphere_.triangles[t + 2]);
      const auto isCut = [&](std::size_t corner) { return !(values[direction[corner] % fineHalf] > 0); };
      if (isCut(a) && isCut(b) && isCut(c)) continue;  // collapsed to the center
      const Vec3<float> area = cross(local[b] - local[a], local[c] - local[a]);
      for (const std::size_t corner : {a, b, c}) {
        normals[corner] = normals[corner] + area;
        surfaces.triangles.push_back(first + std::int32_t(corner));
      }
    }
    for (std::size_t p = 0; p < n; ++p) {
      const float length = norm(normals[p]);
      const Vec3<float> normal = length > 0 ? (1 / length) * normals[p] : sphere_.points[p];
      for (int c = 0; c < 3; ++c) {
        surfaces.points.push_back(float(center[c]) + local[p][c]);
        surfaces.normals.push_back(normal[c]);
      }
      const auto& color = colors_[direction[p]];
      surfaces.colors.insert(surfaces.colors.end(), color.begin(), color.end());
    }
  }

  static constexpr std::size_t kMostPoints = 642;  // of the finest sphere
  const Grid& grid_;
  const Sphere &sphere_, &fine_;
  Eigen::MatrixXf basis_;
  std::vector<std::array<std::uint8_t, 3>> colors_;
  float reach_ = 0;
};

}  // namespace

const Sphere& icosphere(int level) {
  static const std::array<Sphere, kFinestLevel + 1> spheres = [] {
    std::array<Sphere, kFinestLevel + 1> made;
    for (int l = 0; l <= kFinestLevel; ++l) made[std::size_t(l)] = makeSphere(l);
    for (Sphere& sphere : made) sphere.cells = cellsOf(sphere, made.back());
    return made;
  }();
  return spheres[std::size_t(std::clamp(level, 0, kFinestLevel))];
}

int orderOfEntries(int entries) {
  for (int order = 2; order <= kLargestOrder; order += 2)
    if (tensorEntries(order) == entries) return order;
  return 0;
}

void appendInBlocks(const std::vector<std::int64_t>& voxels, Surfaces& surfaces,
                    const std::function<void(std::span<const std::int64_t>, Surfaces&)>& append) {
  constexpr std::int64_t kBlock = 256;
  const auto count = std::int64_t(voxels.size());
  std::vector<Surfaces> parts(std::size_t((count + kBlock - 1) / kBlock));
  parallelForBlocks(count, kBlock, {}, [&](std::int64_t begin, std::int64_t end) {
    append(std::span(voxels).subspan(begin, end - begin), parts[begin / kBlock]);
  });
  for (const Surfaces& part : parts) {
    const auto first = std::int32_t(surfaces.points.size() / 3);
    surfaces.points.insert(surfaces.points.end(), part.points.begin(), part.points.end());
    surfaces.normals.insert(surfaces.normals.end(), part.normals.begin(), part.normals.end());
    surfaces.colors.insert(surfaces.colors.end(), part.colors.begin(), part.colors.end());
    for (const std::int32_t corner : part.triangles) surfaces.triangles.push_back(first + corner);
  }
}

void appendLobes(const Series<float>& tensor, const std::vector<std::int64_t>& voxels, int level,
                 double scale, Surfaces& surfaces) {
  const int order = orderOfEntries(tensor.count);
  if (order == 0) return;
  const Lobes lobes(tensor.grid, icosphere(level), order, scale);
  appendInBlocks(voxels, surfaces, [&](std::span<const std::int64_t> some, Surfaces& part) {
    lobes.append(tensor, some, part);
  });
}

}  // namespace sulcus::ui::scene
