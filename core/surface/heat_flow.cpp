#include "core/surface/heat_flow.h"

#include "core/base/parallel/parallel_for.h"
#include "core/math/statistics.h"
#include "core/surface/surface_kernel.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace sulcus::surface {
namespace {

constexpr std::int64_t kRowsPerBlock = 512;

/// An edge of the graph, stored in the row of the element it starts from.
struct Edge {
  std::int32_t to;
  float weight;
};

/// The weights of the edges from each element to its neighbors, in the order of their lists.
std::vector<float> weightsOf(const Band& band, const PatchNeighbors& neighbors, double c1, double c2,
                             const Progress& progress) {
  const int m = neighbors.count;
  const Vec3<double> spacing = band.grid().spacing();
  std::vector<float> weights(band.count() * m);
  parallelFor(band.count(), kRowsPerBlock, progress, [&](std::int64_t e) {
    const Vec3<int> at = band.grid().voxel(band.voxels[e]);
    for (int k = 0; k < m; ++k) {
      const std::int32_t other = neighbors.of(e)[k];
      const double squaredDistance = squaredVoxelDistance(at, band.grid().voxel(band.voxels[other]), spacing);
      weights[e * m + k] = patchWeight(squaredDistance, double(neighbors.distancesOf(e)[k]), c1, c2);
    }
  });
  return weights;
}

/// Calls visit(from, to, i) for the edge from each of n elements to its neighbor, i being the index of the
/// neighbor in the concatenated lists; if `symmetric`, also for the reverse edge.
template <class Visit>
void forEachEdge(std::int64_t n, const PatchNeighbors& neighbors, bool symmetric, const Visit& visit) {
  for (std::int64_t e = 0; e < n; ++e)
    for (int k = 0; k < neighbors.count; ++k) {
      const auto own = std::int32_t(e), other = neighbors.of(e)[k];
      if (other == own) continue;
      const auto place = std::size_t(e * neighbors.count + k);
      visit(own, other, place);
      if (symmetric) visit(other, own, place);
    }
}

}  // namespace

double automaticPatchScale(const PatchNeighbors& neighbors) {
  std::vector<float> last;
  if (neighbors.count > 0)
    for (std::size_t i = std::size_t(neighbors.count) - 1; i < neighbors.distance.size();
         i += std::size_t(neighbors.count))
      last.push_back(neighbors.distance[i]);
  if (last.empty()) return std::numeric_limits<double>::infinity();
  if (const double all = upperMedian(std::span(last)); all > 0) return all;
  std::erase(last, 0.f);
  return last.empty() ? std::numeric_limits<double>::infinity() : double(upperMedian(std::span(last)));
}

double noisePatchScale(const Band& band, const PatchNeighbors& neighbors, bool gray) {
  // Above 2.3, c₂ of large noisy surfaces is not limited. The margin for gray images smooths white matter as
  // much as is sensible.
  const double margin = gray ? 7.2 : 2.4;
  constexpr double kLeast = 0.01;  // a difference, in voxels, that always counts as zero
  const double edge = voxelEdge(band.grid());
  double sum = 0;
  std::int64_t count = 0;
  for (std::int64_t e = 0; e < band.count() && neighbors.count > 0; ++e) {
    const double here = band.phi.values[band.voxels[e]];
    const std::int32_t first = neighbors.of(e)[0];
    if (std::abs(here) > edge || first == e) continue;
    const double difference = band.phi.values[band.voxels[first]] - here;
    sum += difference * difference;
    ++count;
  }
  const double each = count > 0 ? margin * sum / double(count) : 0;
  return band.patchSize() * std::max(each, kLeast * kLeast * edge * edge);
}

PatchGraph graphOf(const Band& band, const PatchNeighbors& neighbors, PatchWeights weights, double c1,
                   double c2, const Progress& progress) {
  const std::int64_t n = band.count();
  const bool symmetric = weights == PatchWeights::symmetric;
  const std::vector<float> ownWeights = weightsOf(band, neighbors, c1, c2, progress.part(0, 0.4, "Weights"));

  // The edges are counted, placed in their rows, sorted within each row and made unique: with symmetric
  // weights an edge may come from both of its ends.
  std::vector<std::int64_t> begin(std::size_t(n) + 1, 0);
  forEachEdge(n, neighbors, symmetric,
              [&](std::int32_t from, std::int32_t, std::size_t) { ++begin[from + 1]; });
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  std::vector<Edge> edges(begin.back());
  std::vector<std::int64_t> next(begin.begin(), begin.end() - 1);
  forEachEdge(n, neighbors, symmetric, [&](std::int32_t from, std::int32_t to, std::size_t place) {
    edges[next[from]++] = {to, ownWeights[place]};
  });
  std::vector<std::int64_t> kept(std::size_t(n) + 1, 0);
  std::vector<double> sums(n);
  parallelFor(n, kRowsPerBlock, progress.part(0.4, 0.8, "Weights"), [&](std::int64_t e) {
    const auto from = edges.begin() + begin[e], to = edges.begin() + begin[e + 1];
    std::sort(from, to, [](const Edge& a, const Edge& b) { return a.to < b.to; });
    const auto end = std::unique(from, to, [](const Edge& a, const Edge& b) { return a.to == b.to; });
    kept[e + 1] = end - from;
    double sum = 0;
    for (auto i = from; i != end; ++i) sum += double(i->weight);
    sums[e] = sum;
  });
  std::partial_sum(kept.begin(), kept.end(), kept.begin());

  PatchGraph graph;
  graph.first = std::move(kept);
  graph.index.resize(graph.first.back());
  graph.weight.resize(graph.index.size());
  parallelFor(n, kRowsPerBlock, progress.part(0.8, 1, "Weights"), [&](std::int64_t e) {
    const std::int64_t at = graph.first[e], count = graph.first[e + 1] - at;
    for (std::int64_t i = 0; i < count; ++i) {
      const Edge& edge = edges[begin[e] + i];
      graph.index[at + i] = edge.to;
      graph.weight[at + i] = edge.weight;
    }
  });
  const double largest = sums.empty() ? 0 : *std::max_element(sums.begin(), sums.end());
  graph.step = heatStepOver(largest, symmetric, neighbors.count);
  return graph;
}

std::vector<float> heatStep(const PatchGraph& graph, const std::vector<float>& phi,
                            const Progress& progress) {
  std::vector<float> result(phi.size());
  parallelFor(std::ssize(phi), kRowsPerBlock, progress, [&](std::int64_t e) {
    const double here = phi[e];
    double sum = 0;
    for (std::int64_t i = graph.first[e]; i < graph.first[e + 1]; ++i)
      sum += double(graph.weight[i]) * (phi[graph.index[i]] - here);
    result[e] = float(here + graph.step * sum);
  });
  return result;
}

double heatEnergy(const PatchGraph& graph, const std::vector<float>& phi, const Progress& progress) {
  std::vector<double> rows(phi.size());
  parallelFor(std::ssize(phi), kRowsPerBlock, progress, [&](std::int64_t e) {
    double sum = 0;
    for (std::int64_t i = graph.first[e]; i < graph.first[e + 1]; ++i) {
      const double difference = double(phi[graph.index[i]]) - phi[e];
      sum += double(graph.weight[i]) * difference * difference;
    }
    rows[e] = 0.5 * sum;
  });
  return std::accumulate(rows.begin(), rows.end(), 0.0);
}

}  // namespace sulcus::surface
