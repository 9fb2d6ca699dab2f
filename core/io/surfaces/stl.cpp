#include "core/io/surfaces/mesh_files.h"
#include "core/io/volumes/samples.h"

#include <cstring>

namespace sulcus::io {
namespace {

constexpr std::size_t kHeader = 80, kStart = 84, kTriangle = 50;

void addCorner(Mesh& mesh, const Vec3<float>& corner) { mesh.points.push_back(corner); }

/// A surface in which every three consecutive points are a triangle, with equal points merged.
RawMesh shared(RawMesh raw, const char* kind) {
  Mesh& mesh = raw.mesh;
  for (std::int32_t i = 0; std::size_t(i) + 2 < mesh.points.size(); i += 3)
    mesh.triangles.push_back({i, i + 1, i + 2});
  mesh = welded(mesh);
  raw.notes.insert(raw.notes.begin(), std::string("Recognized as ") + kind +
                                          " STL: corners that are the same became one point.");
  return raw;
}

bool isText(std::string_view bytes, const std::uint64_t announced) {
  if (bytes.size() >= kStart && bytes.size() == kStart + kTriangle * announced) return false;
  return bytes.starts_with("solid") && bytes.find('\0') == bytes.npos;
}

void skipWords(Words& words, int count) {
  for (int i = 0; i < count; ++i) words.next();
}

RawMesh readText(std::string_view bytes, const std::string& name) {
  RawMesh raw;
  Words words(bytes, name);
  int corners = 0;  // of the current facet
  bool ended = false;
  for (auto word = words.next(); !word.empty(); word = words.next()) {
    ended = false;
    if (word == "solid" || word == "endsolid") {
      std::string_view rest = words.rest();
      const std::string_view title = takeLine(rest);
      if (word == "solid" && spaceIn(title) != MeshSpace::unstated) raw.space = spaceIn(title);
      words = Words(rest, name);
      ended = word == "endsolid";
    } else if (word == "vertex") {
      const float x = toFloat(words.number()), y = toFloat(words.number()), z = toFloat(words.number());
      addCorner(raw.mesh, {x, y, z});
      ++corners;
      requirePoints(raw.mesh.points.size() / 3, name);
    } else if (word == "endfacet") {
      if (corners != 3) failMesh(name, "a facet has " + std::to_string(corners) + " corners instead of 3");
      corners = 0;
    } else if (word == "normal") {
      skipWords(words, 3);  // the order of the corners determines the normal
    } else if (word != "facet" && word != "outer" && word != "loop" && word != "endloop") {
      failMesh(name, quotedWord(word) + " is not an STL keyword");
    }
  }
  if (corners > 0 || !ended) failMesh(name, "it ends before 'endsolid'");
  return shared(std::move(raw), "ASCII");
}

}  // namespace

RawMesh readStl(std::string_view bytes, const std::string& name) {
  const std::uint64_t announced =
      bytes.size() < kStart ? 0 : load<std::uint32_t>(bytes.data() + kHeader, false);
  if (isText(bytes, announced)) return readText(bytes, name);
  if (bytes.size() < kStart) failMesh(name, "it has " + std::to_string(bytes.size()) + " bytes, a header 84");
  requireTriangles(announced, name);
  if (bytes.size() - kStart < kTriangle * announced)
    failMesh(name, "it declares " + std::to_string(announced) + " triangles and ends after " +
                       std::to_string((bytes.size() - kStart) / kTriangle));
  RawMesh raw;
  raw.space = spaceIn(bytes.substr(0, kHeader));
  raw.mesh.points.reserve(3 * announced);
  for (std::uint64_t t = 0; t < announced; ++t) {
    const char* const corners = bytes.data() + kStart + t * kTriangle + 12;  // after the normal
    for (int c = 0; c < 3; ++c)
      addCorner(raw.mesh, {load<float>(corners + 12 * c, false), load<float>(corners + 12 * c + 4, false),
                           load<float>(corners + 12 * c + 8, false)});
  }
  if (bytes.size() > kStart + kTriangle * announced)
    raw.notes.emplace_back("Bytes after the last triangle were ignored.");
  return shared(std::move(raw), "binary");
}

std::string stlBytes(const Mesh& mesh) {
  std::string bytes(kStart + kTriangle * mesh.triangles.size(), '\0');
  std::memcpy(bytes.data(), kSpaceComment, std::strlen(kSpaceComment));
  const auto count = std::uint32_t(mesh.triangles.size());
  std::memcpy(bytes.data() + kHeader, &count, sizeof count);
  char* to = bytes.data() + kStart;
  for (const auto& t : mesh.triangles) {
    const Vec3<float>&a = mesh.points[std::size_t(t[0])], &b = mesh.points[std::size_t(t[1])],
          &c = mesh.points[std::size_t(t[2])];
    Vec3<float> normal = cross(b - a, c - a);
    if (const float length = norm(normal); length > 0) normal = (1 / length) * normal;
    for (const auto& v : {normal, a, b, c}) {
      const float numbers[] = {v.x, v.y, v.z};
      std::memcpy(to, numbers, sizeof numbers);
      to += sizeof numbers;
    }
    to += 2;  // no attributes
  }
  return bytes;
}

}  // namespace sulcus::io
