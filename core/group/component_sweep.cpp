#include "core/group/component_sweep.h"

#include "core/base/error.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>

namespace sulcus::group {
namespace {

Vec3<int> neighborStep(int neighbor) { return {neighbor % 3 - 1, neighbor / 3 % 3 - 1, neighbor / 9 - 1}; }

/// Whether two voxels of a 3 × 3 × 3 neighborhood touch.
bool touch(Vec3<int> a, Vec3<int> b, Connectivity connectivity) {
  const int x = std::abs(a.x - b.x), y = std::abs(a.y - b.y), z = std::abs(a.z - b.z);
  return std::max({x, y, z}) <= 1 && x + y + z <= axesOf(connectivity);
}

/// Height and voxel packed into one number, smaller for greater heights.
std::uint64_t packed(float height, std::size_t voxel) {
  return std::uint64_t(~std::bit_cast<std::uint32_t>(height)) << 32 | voxel;
}
float heightOf(std::uint64_t entry) { return std::bit_cast<float>(~std::uint32_t(entry >> 32)); }
std::size_t voxelOf(std::uint64_t entry) { return std::size_t(entry & 0xffffffffu); }

/// Stable sort by the upper 32 bits: entries of equal height stay in the order of their voxels.
void radixSort(std::vector<std::uint64_t>& entries, std::vector<std::uint64_t>& scratch) {
  constexpr int kBits = 11, kBuckets = 1 << kBits, kPasses = 3;
  scratch.resize(entries.size());
  const auto bucket = [](std::uint64_t entry, int pass) {
    return std::size_t(entry >> (32 + pass * kBits)) & (kBuckets - 1);
  };
  std::array<std::array<std::uint32_t, kBuckets + 1>, kPasses> begin{};
  for (const std::uint64_t entry : entries)
    for (int pass = 0; pass < kPasses; ++pass) ++begin[pass][bucket(entry, pass) + 1];
  for (int pass = 0; pass < kPasses; ++pass) {
    for (std::size_t b = 0; b < kBuckets; ++b) begin[pass][b + 1] += begin[pass][b];
    for (const std::uint64_t entry : entries) scratch[begin[pass][bucket(entry, pass)]++] = entry;
    entries.swap(scratch);
  }
}

}  // namespace

ComponentSweep::ComponentSweep(Vec3<int> size, std::span<const std::int64_t> voxels,
                               const SweepOptions& options)
    : options_(options) {
  // The border makes tests for the edge of the grid unnecessary.
  const Vec3<std::int64_t> padded{size.x + 2, size.y + 2, size.z + 2};
  const std::int64_t places = padded.x * padded.y * padded.z;
  if (places > std::numeric_limits<int>::max())
    throw Error("The maps have too many voxels (more than 2 147 483 647)", "clusters of them are looked for",
                "resample them to a coarser grid");
  const auto offsetOf = [&](Vec3<int> step) { return int(step.x + padded.x * (step.y + padded.y * step.z)); };
  for (int row = 0; row < 9; ++row) rowOffsets_[row] = offsetOf(neighborStep(3 * row));
  constexpr Vec3<int> kItself{};
  for (int a = 0; a < 27; ++a) {
    const Vec3<int> step = neighborStep(a);
    offsets_[a] = offsetOf(step);
    adjacent_[a] = 0;
    for (int b = 0; b < 27; ++b)
      if (touch(step, neighborStep(b), options.connectivity)) adjacent_[a] |= 1u << b;
    if (step == kItself) continue;
    if (touch(step, kItself, Connectivity::faces)) faces_ |= 1u << a;
    if (touch(step, kItself, options.connectivity)) all_ |= 1u << a;
  }
  place_.reserve(voxels.size());
  for (const std::int64_t v : voxels) {
    const std::int64_t x = v % size.x, y = v / size.x % size.y, z = v / size.x / size.y;
    place_.push_back(int(x + 1 + padded.x * (y + 1 + padded.y * (z + 1))));
  }
  raisedExtent_.resize(voxels.size() + 1);
  for (std::size_t e = 0; e < raisedExtent_.size(); ++e)
    raisedExtent_[e] = std::pow(double(e), options.extentPower);
  present_.resize(std::size_t(places) / 64 + 2);  // neighborsOf() reads past the last bit
  parent_.resize(places);
  last_.resize(places);
}

/// Which of the 27 voxels around a position have been added, as bits.
std::uint32_t ComponentSweep::neighborsOf(int place) const {
  std::uint32_t found = 0;
  for (int row = 0; row < 9; ++row) {
    const int begin = place + rowOffsets_[row];
    std::uint32_t bits;
    std::memcpy(&bits, reinterpret_cast<const char*>(present_.data()) + begin / 8, sizeof bits);
    found |= (bits >> begin % 8 & 7) << 3 * row;
  }
  return found;
}

/// The root of a component, with path halving.
int ComponentSweep::rootOf(int place) {
  for (int above = parent_[place]; above >= 0; above = parent_[place]) {
    if (parent_[above] >= 0) above = parent_[place] = parent_[above];
    place = above;
  }
  return place;
}

/// Joins two components at the voxel of this rank; `root` becomes the root of both.
void ComponentSweep::join(int& root, int other, int rank) {
  joinedBy_[last_[other]] = rank;
  if (parent_[other] < parent_[root]) std::swap(root, other);
  parent_[root] += parent_[other];
  parent_[other] = root;
}

void ComponentSweep::add(int rank) {
  const int place = place_[voxelOf(order_[rank])];
  std::uint32_t neighbors = neighborsOf(place) & all_;
  present_[std::size_t(place) / 64] |= std::uint64_t(1) << place % 64;
  int root = place;
  parent_[place] = -1;
  last_[place] = rank;
  // Neighbors that touch belong to one component, so only one of them is looked up; face neighbors, which
  // touch most others, come first.
  while (neighbors != 0) {
    const std::uint32_t next = (neighbors & faces_) != 0 ? neighbors & faces_ : neighbors;
    const int neighbor = std::countr_zero(next);
    neighbors &= ~adjacent_[neighbor];
    if (const int other = rootOf(place + offsets_[neighbor]); other != root) join(root, other, rank);
  }
  last_[root] = rank;
  joinedBy_[rank] = -1;
  extent_[rank] = -parent_[root];
}

/// Finds the clusters: the components of the voxels above the threshold, the only voxels added so far.
void ComponentSweep::findClusters(std::size_t above) {
  clusterOf_.resize(above);
  clusters_.assign(above, {});
  for (std::size_t i = 0; i < above; ++i) {
    clusterOf_[i] = last_[rootOf(place_[voxelOf(order_[i])])];
    Cluster& cluster = clusters_[clusterOf_[i]];
    cluster.size += 1;
    cluster.mass += double(heightOf(order_[i])) - double(options_.threshold);
  }
}

/// Sums along the tree, starting at its root.
void ComponentSweep::integrate() {
  for (int rank = int(order_.size()) - 1; rank >= 0; --rank) {
    const int below = joinedBy_[rank];
    const double height = raised_[rank] - (below < 0 ? 0 : raised_[below]);
    tfce_[rank] = raisedExtent_[extent_[rank]] * height + (below < 0 ? 0 : tfce_[below]);
  }
}

void ComponentSweep::sweep(std::span<const float> values, float sign) {
  order_.clear();
  for (std::size_t i = 0; i < values.size(); ++i)
    if (const float height = sign * values[i]; height > 0) order_.push_back(packed(height, i));
  radixSort(order_, scratch_);
  const std::size_t count = order_.size();
  joinedBy_.resize(count);
  extent_.resize(count);
  raised_.resize(count);
  tfce_.resize(count);
  std::ranges::fill(present_, 0);
  const double power = options_.heightPower + 1;
  std::size_t above = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double height = heightOf(order_[i]);
    raised_[i] = power == 3 ? height * height * height : std::pow(height, power);
    above += height > double(options_.threshold);
  }
  for (std::size_t i = 0; i < above; ++i) add(int(i));
  findClusters(above);
  for (std::size_t i = above; i < count; ++i) add(int(i));
  integrate();
}

LargestOfImage ComponentSweep::largest(std::span<const float> values, float sign) {
  sweep(values, sign);
  LargestOfImage largest;
  if (order_.empty()) return largest;
  largest.value = heightOf(order_.front());
  largest.tfce = float(std::ranges::max(tfce_) / (options_.heightPower + 1));
  for (const Cluster& cluster : clusters_) {
    largest.extent = std::max(largest.extent, float(cluster.size));
    largest.mass = std::max(largest.mass, float(cluster.mass));
  }
  return largest;
}

void ComponentSweep::addMaps(std::span<const float> values, float sign, std::span<float> tfce,
                             std::span<float> extent, std::span<float> mass) {
  sweep(values, sign);
  for (std::size_t i = 0; i < order_.size(); ++i)
    tfce[voxelOf(order_[i])] += sign * float(tfce_[i] / (options_.heightPower + 1));
  for (std::size_t i = 0; i < clusterOf_.size(); ++i) {
    const Cluster& cluster = clusters_[clusterOf_[i]];
    extent[voxelOf(order_[i])] += sign * float(cluster.size);
    mass[voxelOf(order_[i])] += sign * float(cluster.mass);
  }
}

}  // namespace sulcus::group
