#include "core/group/component_sweep.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdlib>

namespace sulcus::group {
namespace {

/// Places of neighbors in a grid of this size, relative to a voxel.
std::vector<std::int64_t> neighborOffsets(const Vec3<std::int64_t>& size, Connectivity connectivity) {
  const int most = connectivity == Connectivity::faces ? 1 : connectivity == Connectivity::edges ? 2 : 3;
  std::vector<std::int64_t> offsets;
  for (int z = -1; z <= 1; ++z)
    for (int y = -1; y <= 1; ++y)
      for (int x = -1; x <= 1; ++x) {
        const int steps = std::abs(x) + std::abs(y) + std::abs(z);
        if (steps > 0 && steps <= most) offsets.push_back(x + size.x * (y + size.y * z));
      }
  return offsets;
}

/// Height and voxel in one number, which is smaller for what is higher.
std::uint64_t packed(float height, std::size_t voxel) {
  return std::uint64_t(~std::bit_cast<std::uint32_t>(height)) << 32 | voxel;
}
float heightOf(std::uint64_t entry) { return std::bit_cast<float>(~std::uint32_t(entry >> 32)); }
int voxelOf(std::uint64_t entry) { return int(entry & 0xffffffffu); }

/// Sorts by the upper 32 bits, those of one height by their voxel, which they come in.
void radixSort(std::vector<std::uint64_t>& entries, std::vector<std::uint64_t>& scratch) {
  constexpr int kBits = 11, kBuckets = 1 << kBits;
  scratch.resize(entries.size());
  for (int shift = 32; shift < 64; shift += kBits) {
    std::array<std::size_t, kBuckets + 1> begin{};
    const auto bucket = [shift](std::uint64_t entry) { return std::size_t(entry >> shift) & (kBuckets - 1); };
    for (const std::uint64_t entry : entries) ++begin[bucket(entry) + 1];
    for (int b = 0; b < kBuckets; ++b) begin[std::size_t(b) + 1] += begin[std::size_t(b)];
    for (const std::uint64_t entry : entries) scratch[begin[bucket(entry)]++] = entry;
    entries.swap(scratch);
  }
}

}  // namespace

ComponentSweep::ComponentSweep(Vec3<int> size, std::span<const std::int64_t> voxels,
                               const SweepOptions& options)
    : options_(options) {
  // A border of one voxel spares the question whether a neighbor lies in the grid.
  const Vec3<std::int64_t> padded{size.x + 2, size.y + 2, size.z + 2};
  offset_ = neighborOffsets(padded, options.connectivity);
  nodeAt_.assign(std::size_t(padded.x * padded.y * padded.z), -1);
  place_.reserve(voxels.size());
  for (const std::int64_t v : voxels) {
    const std::int64_t x = v % size.x, y = v / size.x % size.y, z = v / size.x / size.y;
    place_.push_back(x + 1 + padded.x * (y + 1 + padded.y * (z + 1)));
  }
  raisedExtent_.resize(voxels.size() + 1);
  for (std::size_t e = 0; e < raisedExtent_.size(); ++e)
    raisedExtent_[e] = std::pow(double(e), options.extentPower);
  nodes_.resize(voxels.size());
}

/// The root of a component; halves the way to it.
int ComponentSweep::rootOf(int node) {
  while (nodes_[node].parent != node) {
    const int above = nodes_[node].parent;
    if (nodes_[above].parent != above) {
      nodes_[node].sum += nodes_[above].sum;
      nodes_[node].parent = nodes_[above].parent;
    }
    node = nodes_[node].parent;
  }
  return node;
}

/// Adds to a component the integral from the height it was last closed at down to this one.
void ComponentSweep::closeTo(int root, double raisedHeight) {
  Node& node = nodes_[root];
  node.sum += raisedExtent_[node.size] * (node.raised - raisedHeight);
  node.raised = raisedHeight;
}

/// (H + 1) × TFCE of a voxel.
double ComponentSweep::tfceOf(int node) const {
  double sum = nodes_[node].sum;
  while (nodes_[node].parent != node) {
    node = nodes_[node].parent;
    sum += nodes_[node].sum;
  }
  return sum;
}

LargestOfImage ComponentSweep::sweep(std::span<const float> values, float sign) {
  order_.clear();
  for (std::size_t i = 0; i < values.size(); ++i)
    if (const float height = sign * values[i]; height > 0) order_.push_back(packed(height, i));
  radixSort(order_, scratch_);
  clusterOf_.clear();

  LargestOfImage largest;
  largest.value = order_.empty() ? 0 : heightOf(order_.front());
  const auto passThreshold = [&](std::size_t added) {
    clusterOf_.resize(added);
    for (std::size_t i = 0; i < added; ++i) {
      const int root = clusterOf_[i] = rootOf(voxelOf(order_[i]));
      largest.extent = std::max(largest.extent, float(nodes_[root].size));
      largest.mass =
          std::max(largest.mass, float(nodes_[root].total - double(nodes_[root].size) * options_.threshold));
    }
  };
  const double power = options_.heightPower + 1;
  bool isBelow = false;
  for (std::size_t i = 0; i < order_.size(); ++i) {
    const float height = heightOf(order_[i]);
    if (!isBelow && height <= options_.threshold) {
      passThreshold(i);
      isBelow = true;
    }
    const int node = voxelOf(order_[i]);
    const double raised = power == 3 ? double(height) * height * height : std::pow(double(height), power);
    nodes_[node] = {node, 1, 0, raised, height};
    nodeAt_[std::size_t(place_[node])] = node;
    int root = node;
    for (const std::int64_t offset : offset_) {
      const int neighbor = nodeAt_[std::size_t(place_[node] + offset)];
      if (neighbor < 0) continue;
      int other = rootOf(neighbor);
      if (other == root) continue;
      closeTo(other, raised);
      if (nodes_[other].size > nodes_[root].size) std::swap(root, other);
      // What the larger one gathered before is of its own voxels alone.
      nodes_[other].sum -= nodes_[root].sum;
      nodes_[other].parent = root;
      nodes_[root].size += nodes_[other].size;
      nodes_[root].total += nodes_[other].total;
    }
  }
  if (!isBelow) passThreshold(order_.size());
  for (const std::uint64_t entry : order_) {
    const int node = voxelOf(entry);
    nodeAt_[std::size_t(place_[node])] = -1;
    if (nodes_[node].parent == node) closeTo(node, 0);
  }
  for (const std::uint64_t entry : order_) {
    const int node = voxelOf(entry);
    rootOf(node);  // shortens the way
    largest.tfce = std::max(largest.tfce, float(tfceOf(node) / power));
  }
  return largest;
}

LargestOfImage ComponentSweep::largest(std::span<const float> values, float sign) {
  return sweep(values, sign);
}

void ComponentSweep::addMaps(std::span<const float> values, float sign, std::span<float> tfce,
                             std::span<float> extent, std::span<float> mass) {
  sweep(values, sign);
  for (const std::uint64_t entry : order_) {
    const int node = voxelOf(entry);
    tfce[std::size_t(node)] += sign * float(tfceOf(node) / (options_.heightPower + 1));
  }
  // The clusters beyond the threshold, counted by the roots that they had there.
  std::vector<std::int64_t> size(values.size());
  std::vector<double> total(values.size());
  for (std::size_t i = 0; i < clusterOf_.size(); ++i) {
    size[std::size_t(clusterOf_[i])] += 1;
    total[std::size_t(clusterOf_[i])] += heightOf(order_[i]) - double(options_.threshold);
  }
  for (std::size_t i = 0; i < clusterOf_.size(); ++i) {
    const auto node = std::size_t(voxelOf(order_[i])), root = std::size_t(clusterOf_[i]);
    extent[node] += sign * float(size[root]);
    mass[node] += sign * float(total[root]);
  }
}

}  // namespace sulcus::group
