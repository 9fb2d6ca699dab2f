#pragma once

#include "core/math/vec3.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace sulcus {

/// Lines through a scan, such as those along nerve fibers, stored consecutively.
struct Tracts {
  /// Values of each line or each point, e.g. "length" or "fa".
  struct Data {
    std::string name;
    int components = 1;
    std::vector<float> values;  ///< components × lines (or points), the components of one line or point
                                ///< adjacent
  };
  /// Some of the lines, by their indices from 0, ascending.
  struct Group {
    std::string name;
    std::vector<std::uint32_t> lines;
  };

  std::vector<Vec3<float>> points;      ///< RAS+ mm
  std::vector<std::uint64_t> first{0};  ///< index of the first point of each line, then the number of points
  std::vector<Data> perLine, perPoint;
  std::vector<Group> groups;

  std::size_t lines() const { return first.size() - 1; }
  std::span<const Vec3<float>> line(std::size_t i) const {
    return {points.data() + first[i], std::size_t(first[i + 1] - first[i])};
  }
};

}  // namespace sulcus
