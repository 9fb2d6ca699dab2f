#include "core/image/tracts/line_clusters.h"

#include "core/base/parallel/parallel_for.h"
#include "core/image/tracts/tract_measures.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace sulcus {
namespace {

constexpr float kPlaces = float(std::tuple_size_v<ShortLine>);

/// Two lines lie no nearer to each other than the means of their places.
Vec3<float> middleOf(const ShortLine& line) {
  Vec3<float> sum{0, 0, 0};
  for (const Vec3<float>& place : line) sum = sum + place;
  return 1 / kPlaces * sum;
}

struct Distances {
  double straight = 0, turned = 0;
};
Distances bothWays(const ShortLine& a, const ShortLine& b) {
  float straight = 0, turned = 0;
  for (std::size_t n = 0; n < a.size(); ++n) {
    straight += norm(a[n] - b[n]);
    turned += norm(a[n] - b[b.size() - 1 - n]);
  }
  return {double(straight / kPlaces), double(turned / kPlaces)};
}

/// The means of clusters, found by cubes of an edge that no distance exceeds.
class Clusters {
 public:
  explicit Clusters(double edge) : edge_(edge) {}

  /// The nearest cluster within the edge, or a new one.
  std::size_t add(const ShortLine& line) {
    const Cube at = cubeOf(middleOf(line));
    const Nearest nearest = nearestTo(line, at);
    if (nearest.cluster == clusters_.size()) {
      clusters_.push_back({line, 1, at});
      cubes_[at].push_back(nearest.cluster);
      return nearest.cluster;
    }
    Cluster& cluster = clusters_[nearest.cluster];
    cluster.lines += 1;
    const float share = 1 / float(cluster.lines);
    for (std::size_t n = 0; n < line.size(); ++n)
      cluster.mean[n] =
          cluster.mean[n] + share * (line[nearest.isTurned ? line.size() - 1 - n : n] - cluster.mean[n]);
    if (const Cube now = cubeOf(middleOf(cluster.mean)); !(now == cluster.cube)) {
      std::erase(cubes_[cluster.cube], nearest.cluster);
      cubes_[now].push_back(nearest.cluster);
      cluster.cube = now;
    }
    return nearest.cluster;
  }

 private:
  using Cube = Vec3<int>;
  /// The cluster nearest to a line, or the number of all if none is within the edge.
  struct Nearest {
    std::size_t cluster;
    double distance;
    bool isTurned = false;  ///< the line runs the other way
  };
  Nearest nearestTo(const ShortLine& line, const Cube& at) const {
    Nearest nearest{clusters_.size(), edge_};
    for (int x = -1; x <= 1; ++x)
      for (int y = -1; y <= 1; ++y)
        for (int z = -1; z <= 1; ++z)
          if (const auto found = cubes_.find({at.x + x, at.y + y, at.z + z}); found != cubes_.end())
            for (const std::size_t cluster : found->second) keepNearer(cluster, line, nearest);
    return nearest;
  }
  void keepNearer(std::size_t cluster, const ShortLine& line, Nearest& nearest) const {
    const auto [straight, turned] = bothWays(clusters_[cluster].mean, line);
    const double distance = std::min(straight, turned);
    if (distance > nearest.distance || (distance == nearest.distance && cluster > nearest.cluster)) return;
    nearest = {cluster, distance, turned < straight};
  }
  struct HashOfCube {
    std::size_t operator()(const Cube& c) const {
      return std::size_t(c.x) * 73856093u ^ std::size_t(c.y) * 19349663u ^ std::size_t(c.z) * 83492791u;
    }
  };
  struct Cluster {
    ShortLine mean;
    std::size_t lines;
    Cube cube;
  };
  Cube cubeOf(const Vec3<float>& p) const {
    const auto along = [&](float x) { return int(std::clamp(std::floor(double(x) / edge_), -1e9, 1e9)); };
    return {along(p.x), along(p.y), along(p.z)};
  }

  double edge_;
  std::vector<Cluster> clusters_;
  std::unordered_map<Cube, std::vector<std::size_t>, HashOfCube> cubes_;
};

std::vector<ShortLine> shortLines(const Tracts& tracts, const Progress& progress) {
  std::vector<ShortLine> lines(tracts.lines());
  parallelFor(std::ssize(lines), progress, [&](std::int64_t i) { lines[i] = shortened(tracts.line(i)); });
  return lines;
}

std::string_view bytesOf(std::span<const Vec3<float>> line) {
  return {reinterpret_cast<const char*>(line.data()), line.size_bytes()};
}

}  // namespace

ShortLine shortened(std::span<const Vec3<float>> line) {
  ShortLine places{};
  if (line.empty()) return places;
  const double whole = lengthOf(line);
  std::size_t next = 1;
  double before = 0, step = line.size() > 1 ? double(norm(line[1] - line[0])) : 0;
  for (std::size_t n = 0; n < places.size(); ++n) {
    const double at = whole * double(n) / double(places.size() - 1);
    while (next + 1 < line.size() && before + step < at) {
      before += step;
      ++next;
      step = double(norm(line[next] - line[next - 1]));
    }
    const bool isPoint = line.size() == 1 || !(step > 0);
    const auto share = isPoint ? 0.f : float(std::clamp((at - before) / step, 0.0, 1.0));
    const Vec3<float>& from = line[next - 1];
    places[n] = isPoint ? from : from + share * (line[next] - from);
  }
  return places;
}

double distanceOf(const ShortLine& a, const ShortLine& b) {
  const auto [straight, turned] = bothWays(a, b);
  return std::min(straight, turned);
}

std::vector<Tracts::Group> clustersOf(const Tracts& tracts, double most, const Progress& progress) {
  const std::vector<ShortLine> lines = shortLines(tracts, progress.part(0, 0.2, ""));
  Clusters clusters(most);
  std::vector<Tracts::Group> groups;
  constexpr std::size_t kLinesAtOnce = 4096;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (i % kLinesAtOnce == 0) progress.update(0.2 + 0.8 * double(i) / double(lines.size()));
    if (tracts.line(i).empty()) continue;
    const std::size_t cluster = clusters.add(lines[i]);
    if (cluster == groups.size()) groups.emplace_back();
    groups[cluster].lines.push_back(std::uint32_t(i));
  }
  std::ranges::stable_sort(groups, std::greater(), [](const Tracts::Group& one) { return one.lines.size(); });
  for (std::size_t n = 0; n < groups.size(); ++n) groups[n].name = "cluster " + std::to_string(n + 1);
  return groups;
}

std::vector<double> distancesToNearest(const Tracts& tracts, std::span<const std::uint32_t> lines,
                                       const Tracts& others, const Progress& progress) {
  const std::vector<ShortLine> all = shortLines(others, progress.part(0, 0.2, ""));
  std::vector<std::pair<float, std::uint32_t>> along;  // the others from left to right
  for (std::size_t i = 0; i < all.size(); ++i)
    if (!others.line(i).empty()) along.emplace_back(middleOf(all[i]).x, std::uint32_t(i));
  std::ranges::sort(along);
  std::vector<double> distances(lines.size(), std::numeric_limits<double>::infinity());
  parallelFor(std::ssize(lines), 16, progress.part(0.2, 1, ""), [&](std::int64_t i) {
    const ShortLine line = shortened(tracts.line(lines[i]));
    const float x = middleOf(line).x;
    double& best = distances[i];
    const auto begin = std::ranges::lower_bound(along, std::pair(x, std::uint32_t(0)));
    const auto isNear = [&](float other) { return std::abs(double(other) - double(x)) < best; };
    for (auto other = begin; other != along.end() && isNear(other->first); ++other)
      best = std::min(best, distanceOf(line, all[other->second]));
    for (auto other = begin; other != along.begin() && isNear(std::prev(other)->first); --other)
      best = std::min(best, distanceOf(line, all[std::prev(other)->second]));
  });
  return distances;
}

std::vector<std::uint32_t> linesNotIn(const Tracts& tracts, const Tracts& others) {
  std::unordered_set<std::string_view> known;
  for (std::size_t i = 0; i < others.lines(); ++i) known.insert(bytesOf(others.line(i)));
  std::vector<std::uint32_t> lines;
  for (std::size_t i = 0; i < tracts.lines(); ++i)
    if (!known.contains(bytesOf(tracts.line(i)))) lines.push_back(std::uint32_t(i));
  return lines;
}

}  // namespace sulcus
