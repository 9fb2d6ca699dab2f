#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace sulcus {

/// The number of a region: 64 bits hold those of every file (an atlas of the mouse has 312782546).
using Label = std::int64_t;

/// What a label stands for.
struct LabelEntry {
  std::string name;                                  ///< "" if only the color is known
  std::optional<std::array<std::uint8_t, 3>> color;  ///< sRGB
  friend bool operator==(const LabelEntry&, const LabelEntry&) = default;
};

/// Names and colors of labels. A table may have labels that do not occur in an image, and vice versa.
using LabelTable = std::map<Label, LabelEntry>;

}  // namespace sulcus
