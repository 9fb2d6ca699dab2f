#pragma once

#include "tests/fuzz/fuzz_main.h"
#include "tests/support/temporary_folder.h"

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
                          layer(LabelsLayer{std::make_shared<const Volume<Label>>(grid, 7)}),
                          layer(DisplacementLayer{std::make_shared<const Series<float>>(grid, 3, 0.5f)})};
  const test::TemporaryFolder folder;
  std::vector<std::string> seeds;
  for (const auto& extension : extensions)
    for (const Layer& one : layers) {
      // Each has its own name: scans with the same stem would share the JSON file.
      const auto file = folder / ("seed" + std::to_string(seeds.size()) + extension);
      io::saveLayer(one, file);
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

}  // namespace sulcus::fuzz
