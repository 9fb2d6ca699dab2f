#include "core/base/numbers.h"
#include "core/base/sentence.h"
#include "core/io/surfaces/mesh_files.h"

#include <charconv>

namespace sulcus::io {
namespace {

/// The index of the point of a corner like "7", "7/1/3" or "-1". In the file, points count from 1, and
/// negative numbers count back from the last point.
std::int64_t pointOf(std::string_view corner, std::size_t points, const std::string& name) {
  const std::string_view number = corner.substr(0, corner.find('/'));
  std::int64_t index = 0;
  const auto [end, fault] = std::from_chars(number.data(), number.data() + number.size(), index);
  if (fault != std::errc() || end != number.data() + number.size() || index == 0)
    failMesh(name, quotedWord(corner) + " is not a corner of a face");
  return index > 0 ? index - 1 : std::int64_t(points) + index;
}

/// A line with those that follow it after a backslash at its end, which are stored in `joined`.
std::string_view wholeLine(std::string_view line, std::string_view& bytes, std::string& joined) {
  if (!line.ends_with('\\')) return line;
  joined = line;
  while (joined.ends_with('\\') && !bytes.empty()) {
    joined.back() = ' ';
    joined += takeLine(bytes);
  }
  return joined;
}

void appendNumber(std::string& text, double value) {
  char buffer[32];
  text.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, float(value)).ptr);
}

}  // namespace

RawMesh readObj(std::string_view bytes, const std::string& name) {
  RawMesh raw;
  if (bytes.find('\0') != bytes.npos) failMesh(name, "a surface in OBJ is text, and it holds binary data");
  if (bytes.starts_with("\xef\xbb\xbf")) bytes.remove_prefix(3);  // a byte-order mark
  std::size_t polygons = 0;
  std::vector<std::int64_t> corners;
  std::string joined;
  while (!bytes.empty()) {
    const std::string_view line = takeLine(bytes);
    if (line.starts_with('#')) {
      if (spaceIn(line) != MeshSpace::unstated) raw.space = spaceIn(line);
      continue;
    }
    Words words(wholeLine(line, bytes, joined), name);
    const std::string_view key = words.next();
    if (key == "v") {
      const float x = toFloat(words.number()), y = toFloat(words.number()), z = toFloat(words.number());
      raw.mesh.points.push_back({x, y, z});
      requirePoints(raw.mesh.points.size(), name);
    } else if (key == "f") {
      corners.clear();
      for (auto word = words.next(); !word.empty(); word = words.next())
        corners.push_back(pointOf(word, raw.mesh.points.size(), name));
      if (corners.size() < 3) failMesh(name, "a face has " + std::to_string(corners.size()) + " corners");
      polygons += corners.size() > 3;
      addPolygon(raw.mesh, corners, name);
    }
    // All other lines (normals, textures, materials, groups, lines) do not describe the surface.
  }
  raw.notes.emplace_back("Recognized as OBJ.");
  if (polygons > 0) raw.notes.push_back("Cut " + counted(polygons, "polygon") + " into triangles.");
  return raw;
}

std::string objBytes(const Mesh& mesh) {
  std::string text = std::string("# ") + kSpaceComment + "\n";
  for (const auto& p : mesh.points) {
    text += 'v';
    for (int i = 0; i < 3; ++i) {
      text += ' ';
      appendNumber(text, p[i]);
    }
    text += '\n';
  }
  for (const auto& t : mesh.triangles) {
    text += 'f';
    for (const std::int32_t corner : t) text += ' ' + std::to_string(corner + 1);
    text += '\n';
  }
  return text;
}

}  // namespace sulcus::io
