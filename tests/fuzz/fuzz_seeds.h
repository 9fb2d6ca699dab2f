#pragma once

#include "tests/fuzz/fuzz_main.h"

#include <fstream>
#include <string>
#include <vector>

namespace sulcus::fuzz {

inline std::string bytesOf(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Small layers of each kind, as the project writes them.
inline std::vector<std::string> savedScans(const std::vector<std::string>& extensions) {
  Grid grid;
  grid.size = {4, 3, 2};
  grid.worldFromVoxel.m = {{{-2, 0.1, 0}, {0.1, 2, 0}, {0, 0, 3}}};
  const auto layer = [](LayerContent content) {
    Layer made;
    made.content = std::move(content);
    return made;
  };
  VolumeLayer volume, series;
  volume.series = std::make_shared<const Series<float>>(grid, 1, 1.5f);
  series.series = std::make_shared<const Series<float>>(grid, 3, 2.5f);
  const Layer layers[] = {layer(volume), layer(series),
                          layer(LabelsLayer{std::make_shared<const Volume<std::int32_t>>(grid, 7)}),
                          layer(DisplacementLayer{std::make_shared<const Series<float>>(grid, 3, 0.5f)})};
  std::vector<std::string> seeds;
  for (const auto& extension : extensions)
    for (const Layer& one : layers) {
      const auto file = inputFile("seed" + extension, nullptr, 0);
      io::saveLayer(one, file, true);
      seeds.push_back(bytesOf(file));
    }
  return seeds;
}

/// 2 × 2 × 2 bytes.
inline std::string mghScan() {
  std::string bytes(284 + 8, '\0');
  for (int field = 0; field < 5; ++field) bytes[4 * field + 3] = char(field == 0 || field == 4 ? 1 : 2);
  return bytes;
}

/// A 2 × 2 slice in explicit little-endian.
inline std::string dicomSlice() {
  const auto two = [](unsigned value) { return std::string{char(value), char(value >> 8)}; };
  const auto element = [&](unsigned group, unsigned number, const std::string& type, std::string value) {
    if (value.size() % 2) value += type == "UI" ? '\0' : ' ';
    const bool wide = type == "OW" || type == "OB";
    return two(group) + two(number) + type + (wide ? two(0) : "") + two(unsigned(value.size())) +
           (wide ? two(0) : "") + value;
  };
  const std::string meta = element(2, 2, "UI", "1.2.840.10008.5.1.4.1.1.4") + element(2, 3, "UI", "1.2.3.1") +
                           element(2, 0x10, "UI", "1.2.840.10008.1.2.1");
  std::string bytes =
      std::string(128, '\0') + "DICM" + element(2, 0, "UL", two(unsigned(meta.size())) + two(0)) + meta;
  bytes += element(8, 0x16, "UI", "1.2.840.10008.5.1.4.1.1.4") + element(8, 0x18, "UI", "1.2.3.1") +
           element(8, 0x60, "CS", "MR") + element(0x18, 0x50, "DS", "3") + element(0x20, 0xe, "UI", "1.2.3") +
           element(0x20, 0x13, "IS", "1") + element(0x20, 0x32, "DS", "1\\2\\3") +
           element(0x20, 0x37, "DS", "1\\0\\0\\0\\1\\0") + element(0x28, 2, "US", two(1)) +
           element(0x28, 4, "CS", "MONOCHROME2") + element(0x28, 0x10, "US", two(2)) +
           element(0x28, 0x11, "US", two(2)) + element(0x28, 0x30, "DS", "1\\1") +
           element(0x28, 0x100, "US", two(16)) + element(0x28, 0x101, "US", two(16)) +
           element(0x28, 0x102, "US", two(15)) + element(0x28, 0x103, "US", two(0)) +
           element(0x7fe0, 0x10, "OW", "abcdefgh");
  return bytes;
}

}  // namespace sulcus::fuzz
