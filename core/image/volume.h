#pragma once

#include "core/image/grid.h"

#include <cassert>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace sulcus {

/// A view of the values of one volume, x fastest; does not own them.
template <class T>
struct VolumeView {
  T* data = nullptr;
  Vec3<int> size{0, 0, 0};

  T& operator()(int x, int y, int z) const {
    return data[x + std::int64_t(size.x) * (y + std::int64_t(size.y) * z)];
  }
  std::int64_t voxels() const { return std::int64_t(size.x) * size.y * size.z; }
  std::span<T> values() const { return {data, std::size_t(voxels())}; }
};

template <class T>
struct Series;

/// One value per voxel of a grid; owns them.
template <class T>
struct Volume {
  Grid grid;
  std::vector<T> values;  ///< grid.voxels() of them, x fastest

  Volume() = default;
  explicit Volume(const Grid& g, T fill = T{}) : grid(g), values(std::size_t(g.voxels()), fill) {}
  Volume(const Grid& g, std::vector<T> v) : grid(g), values(std::move(v)) {}
  /// @param one  a series of one volume
  explicit Volume(Series<T> one);

  T& operator()(int x, int y, int z) { return values[std::size_t(grid.index(x, y, z))]; }
  const T& operator()(int x, int y, int z) const { return values[std::size_t(grid.index(x, y, z))]; }
  VolumeView<T> view() { return {values.data(), grid.size}; }
  VolumeView<const T> view() const { return {values.data(), grid.size}; }
};

/// `count` volumes on one grid, stored consecutively: a 4D image, or several maps. Volume 0 is the first.
template <class T>
struct Series {
  Grid grid;
  int count = 0;
  std::vector<T> values;  ///< count × grid.voxels() of them

  Series() = default;
  Series(const Grid& g, int n, T fill = T{}) : grid(g), count(n), values(std::size_t(g.voxels()) * n, fill) {}
  explicit Series(Volume<T> one) : grid(one.grid), count(1), values(std::move(one.values)) {}

  VolumeView<T> volume(int v) { return {values.data() + v * grid.voxels(), grid.size}; }
  VolumeView<const T> volume(int v) const { return {values.data() + v * grid.voxels(), grid.size}; }
  T& at(std::int64_t voxel, int v) { return values[std::size_t(v * grid.voxels() + voxel)]; }
  const T& at(std::int64_t voxel, int v) const { return values[std::size_t(v * grid.voxels() + voxel)]; }
};

template <class T>
Volume<T>::Volume(Series<T> one) : grid(one.grid), values(std::move(one.values)) {}

/// Nonzero: the voxel belongs to the mask.
using Mask = Volume<std::uint8_t>;

}  // namespace sulcus
