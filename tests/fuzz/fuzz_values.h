#pragma once

#include "app/analyses/table.h"
#include "core/base/parallel/parallel_for.h"
#include "tests/fuzz/fuzz_main.h"

#include <bit>
#include <cmath>
#include <initializer_list>
#include <string>
#include <vector>

// Inputs for whole analyses, with values changed by a fuzzer.
namespace sulcus::fuzz {

/// A value of an image and its replacement.
struct Change {
  std::uint16_t place;
  std::uint32_t bits;
};

inline std::string bytesOf(std::initializer_list<Change> changes) {
  std::string bytes;
  for (const auto& [place, bits] : changes) {
    bytes.append(reinterpret_cast<const char*>(&place), sizeof place);
    bytes.append(reinterpret_cast<const char*>(&bits), sizeof bits);
  }
  return bytes;
}

/// Applies the changes in the bytes, in the format of bytesOf(), to `values`.
inline void change(std::vector<float>& values, const std::uint8_t* data, std::size_t size) {
  for (std::size_t at = 0; at + 6 <= size; at += 6) {
    Change one;
    std::memcpy(&one.place, data + at, sizeof one.place);
    std::memcpy(&one.bits, data + at + 2, sizeof one.bits);
    values[one.place % values.size()] = std::bit_cast<float>(one.bits);
  }
}

/// Some of each kind: NaN, ±∞, ±10²⁰, 10³⁸, 10¹⁵, 10⁻⁴⁰, −1, 0.
inline std::vector<std::string> valueSeeds() {
  return {bytesOf({{7, 0x7fc00000}}),  bytesOf({{7, 0x7f800000}, {70, 0xff800000}}),
          bytesOf({{80, 0x60ad78ec}}), bytesOf({{80, 0xe0ad78ec}, {81, 0x7e967699}}),
          bytesOf({{9, 0x58635fa9}}),  bytesOf({{9, 0x000116c2}, {10, 0xbf800000}, {11, 0}})};
}

inline Grid cube(int size) {
  Grid grid;
  grid.size = {size, size, size};
  return grid;
}

/// The distance to a ball at the center.
inline std::vector<float> ballDistances(int size) {
  const Grid grid = cube(size);
  std::vector<float> values;
  for (std::int64_t i = 0; i < grid.voxels(); ++i) {
    const Vec3<int> v = grid.voxel(i);
    values.push_back(
        float(norm(Vec3<double>{double(v.x), double(v.y), double(v.z)} - grid.center()) - size / 3.0));
  }
  return values;
}

inline LayerPtr imageLayer(const Grid& grid, int volumes, std::vector<float> values,
                           const GradientTable& gradients = {}) {
  auto series = std::make_shared<Series<float>>();
  series->grid = grid, series->count = volumes, series->values = std::move(values);
  Layer layer;
  layer.name = "image";
  layer.content = VolumeLayer{std::move(series), gradients, 0, {}};
  return std::make_shared<const Layer>(std::move(layer));
}

/// Runs the analysis of that name on the CPU with these options, the others at their defaults.
inline int runAnalysis(const std::string& name, const AnalysisInputs& inputs, const OptionValues& options) {
  return parseOrError([&] {
    for (const auto& analysis : app::analyses::table())
      if (analysis.name == name) withThreads(1, [&] { analysis.cpu(inputs, options, {}, {}); });
  });
}

}  // namespace sulcus::fuzz
