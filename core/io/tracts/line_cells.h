#pragma once

#include "core/io/surfaces/mesh_files.h"
#include "core/io/tracts/tract_files.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

// What lines of PolyData are made of, in either format of VTK.
namespace sulcus::io {

/// Lines as cells of PolyData give them: the points of one after the other.
struct LineCells {
  std::vector<std::int64_t> points, ends;
};

/// Numbers of points or lines, the components of one beside each other.
struct CellValues {
  std::string name;
  int components;
  std::vector<float> numbers;
};

/// Puts points, lines and numbers together: points that lines name, in their order. Throws Error for points
/// that do not exist and lines whose lengths do not grow.
class LineBuilder {
 public:
  explicit LineBuilder(const std::filesystem::path& file) : file_(file) {}

  void add(const std::vector<float>& places, const LineCells& cells, const std::vector<CellValues>& ofPoints,
           const std::vector<CellValues>& ofLines);
  /// All that was added, turned to RAS+ mm by the space that the file or the sidecar beside it says.
  TractFile finished(MeshSpace space);

 private:
  const std::filesystem::path& file_;
  Tracts tracts_;
};

/// The bytes of a file, decompressed.
std::string wholeTractFile(const std::filesystem::path& file);

}  // namespace sulcus::io
