#pragma once

#include "core/io/surfaces/mesh_files.h"
#include "core/io/tracts/tract_files.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

// Elements of lines in PolyData, for both formats of VTK.
namespace sulcus::io {

/// Lines as the cells of PolyData define them: the points of each line consecutively.
struct LineCells {
  std::vector<std::int64_t> points, ends;
};

/// Values of points or lines, the components of each adjacent.
struct CellValues {
  std::string name;
  int components;
  std::vector<float> numbers;
};

/// Assembles points, lines and values, keeping the points that lines refer to, in their order. Throws Error
/// for points that do not exist and for offsets that decrease.
class LineBuilder {
 public:
  explicit LineBuilder(const std::filesystem::path& file) : file_(file) {}

  void add(const std::vector<float>& places, const LineCells& cells, const std::vector<CellValues>& ofPoints,
           const std::vector<CellValues>& ofLines);
  /// Everything that was added, in RAS+ mm by the space that the file or its sidecar states.
  TractFile finished(MeshSpace space);

 private:
  const std::filesystem::path& file_;
  Tracts tracts_;
};

/// The decompressed content of a file.
std::string wholeTractFile(const std::filesystem::path& file);

}  // namespace sulcus::io
