#include "core/base/error.h"
#include "core/base/numbers.h"
#include "core/base/sanitized.h"
#include "core/base/sentence.h"
#include "core/io/surfaces/mesh_files.h"
#include "core/io/surfaces/point_labels.h"
#include "core/io/volumes/samples.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <set>
#include <span>

namespace sulcus::io {
namespace {

constexpr std::size_t kMostProperties = 200;

struct Property {
  std::string name;
  SampleType type = SampleType::f32;
  std::optional<SampleType> countType;  ///< of a list
};
struct Element {
  std::string name;
  std::uint64_t count = 0;
  std::vector<Property> properties;
};
enum class PlyEncoding { text, little, big };
struct Header {
  PlyEncoding encoding = PlyEncoding::text;
  std::vector<Element> elements;
  MeshSpace space = MeshSpace::unstated;
};

SampleType typeNamed(std::string_view word, const std::string& name) {
  static const std::map<std::string_view, SampleType> types{
      {"char", SampleType::i8},    {"int8", SampleType::i8},     {"uchar", SampleType::u8},
      {"uint8", SampleType::u8},   {"short", SampleType::i16},   {"int16", SampleType::i16},
      {"ushort", SampleType::u16}, {"uint16", SampleType::u16},  {"int", SampleType::i32},
      {"int32", SampleType::i32},  {"uint", SampleType::u32},    {"uint32", SampleType::u32},
      {"float", SampleType::f32},  {"float32", SampleType::f32}, {"double", SampleType::f64},
      {"float64", SampleType::f64}};
  const auto found = types.find(word);
  if (found == types.end()) failMesh(name, quotedWord(word) + " is not a PLY type");
  return found->second;
}

Property propertyIn(Words& words, const std::string& name) {
  Property property;
  std::string_view type = words.next();
  if (type == "list") {
    property.countType = typeNamed(words.next(), name);
    if (isFloat(*property.countType)) failMesh(name, "the length of a list is not a whole number");
    type = words.next();
  }
  property.type = typeNamed(type, name);
  property.name = sanitizedForDisplay(words.next(), kLongestName);
  return property;
}

PlyEncoding encodingNamed(std::string_view encoding, const std::string& name) {
  if (encoding == "ascii") return PlyEncoding::text;
  if (encoding == "binary_little_endian") return PlyEncoding::little;
  if (encoding == "binary_big_endian") return PlyEncoding::big;
  failMesh(name, quotedWord(encoding) + " is not a PLY format");
}

Element elementIn(Words& words, const std::string& name) {
  Element element;
  element.name = words.next();
  const std::int64_t count = words.wholeNumber();
  if (count < 0) failMesh(name, "it declares " + std::to_string(count) + " of " + quotedWord(element.name));
  element.count = std::uint64_t(count);
  return element;
}

/// Reads the header up to "end_header" and removes it from `bytes`.
Header headerOf(std::string_view& bytes, const std::string& name) {
  if (takeLine(bytes) != "ply")
    throw Error(name + " is not a PLY file", "it does not start with 'ply'",
                "check that it is the right file");
  Header header;
  bool hasFormat = false;
  std::size_t lines = 0;
  while (true) {
    if (bytes.empty()) failMesh(name, "its header has no end");
    const std::string_view line = takeLine(bytes);
    Words words(line, name);
    const std::string_view key = words.next();
    if (key == "end_header") break;
    if (key == "comment" || key == "obj_info") {
      if (spaceIn(line) != MeshSpace::unstated) header.space = spaceIn(line);
    } else if (key == "format") {
      header.encoding = encodingNamed(words.next(), name);
      hasFormat = true;
    } else if (key == "element") {
      header.elements.push_back(elementIn(words, name));
    } else if (key == "property" && !header.elements.empty()) {
      header.elements.back().properties.push_back(propertyIn(words, name));
    } else if (!key.empty()) {
      failMesh(name, "its header has the line " + quotedWord(line));
    }
    if (++lines > kMostProperties) failMesh(name, "its header has too many lines");
  }
  if (!hasFormat) failMesh(name, "its header has no line 'format'");
  return header;
}

/// Reads the numbers of the body sequentially.
class Numbers {
 public:
  Numbers(std::string_view bytes, PlyEncoding encoding, const std::string& name)
      : words_(bytes, name), bytes_(bytes), encoding_(encoding), name_(name) {}

  double next(SampleType type) {
    if (encoding_ == PlyEncoding::text) return words_.number();
    const auto size = std::size_t(sampleBytes(type));
    if (bytes_.size() < size) failMesh(name_, "it ends before all that its header declares");
    std::array<double, 1> value;
    detail::convert<double>(type, bytes_.data(), encoding_ == PlyEncoding::big, {}, value);
    bytes_.remove_prefix(size);
    return value[0];
  }
  std::int64_t nextWhole(SampleType type) {
    const double value = next(type);
    if (!(std::abs(value) < 1e15) || value != std::floor(value))
      failMesh(name_, numberText(value) + " is not an integer");
    return std::int64_t(value);
  }
  /// Throws Error unless `count` more numbers of `bytes` bytes each can follow.
  void requireRoomFor(std::uint64_t count, std::uint64_t bytes) const {
    const bool text = encoding_ == PlyEncoding::text;
    const std::uint64_t least = text ? 2 : std::max<std::uint64_t>(bytes, 1);  // in text, a digit and a blank
    const std::uint64_t room = (text ? words_.rest().size() + 1 : bytes_.size()) / least;
    if (count > room) failMesh(name_, "it ends before all that its header declares");
  }

 private:
  Words words_;
  std::string_view bytes_;
  PlyEncoding encoding_;
  const std::string& name_;
};

void requireRoom(const Numbers& numbers, const Element& element, const std::string& name) {
  if (element.properties.empty())
    failMesh(name, "its elements " + quotedWord(element.name) + " have no properties");
  std::uint64_t bytes = 0;
  for (const Property& p : element.properties)
    bytes += std::uint64_t(sampleBytes(p.countType.value_or(p.type)));
  numbers.requireRoomFor(element.count, bytes);
}

void skip(Numbers& numbers, const Property& property) {
  const std::int64_t count = property.countType ? numbers.nextWhole(*property.countType) : 1;
  for (std::int64_t i = 0; i < count; ++i) numbers.next(property.type);
}

const std::set<std::string> kPlaces{"x", "y", "z"};

/// The coordinate that a vertex property stands for; null for any other property.
float* placeOf(const Property& property, Vec3<float>& point) {
  return kPlaces.contains(property.name) ? &point[property.name[0] - 'x'] : nullptr;
}

/// Vertex properties that are not values: normals, texture coordinates and colors.
const std::set<std::string> kDrawn{"nx",
                                   "ny",
                                   "nz",
                                   "s",
                                   "t",
                                   "u",
                                   "v",
                                   "red",
                                   "green",
                                   "blue",
                                   "alpha",
                                   "diffuse_red",
                                   "diffuse_green",
                                   "diffuse_blue",
                                   "texture_u",
                                   "texture_v"};

/// The values that the vertices have besides their position, each filled vertex by vertex.
class VertexValues {
 public:
  VertexValues(const Element& element, Mesh& mesh) : mesh_(mesh) {
    for (const Property& p : element.properties) {
      const bool isValue = !p.countType && !kPlaces.contains(p.name) && !kDrawn.contains(p.name) &&
                           !mesh.pointScalars.contains(p.name) && !whole_.contains(p.name);
      numbers_.push_back(isValue && isFloat(p.type) ? &mesh.pointScalars[p.name] : nullptr);
      labels_.push_back(isValue && !isFloat(p.type) ? &whole_[p.name] : nullptr);
    }
    for (auto& [key, values] : mesh.pointScalars) values.reserve(element.count);
    for (auto& [key, values] : whole_) values.reserve(element.count);
  }

  void add(std::size_t property, double value) {
    if (numbers_[property]) numbers_[property]->push_back(toFloat(value));
    if (labels_[property]) labels_[property]->push_back(detail::toTarget<Label>(value));
  }

  /// Adds whole numbers, which may be labels, to the mesh.
  void addLabels(const std::string& name) const {
    for (const auto& [key, values] : whole_) {
      LabelTable table;
      mesh_.pointScalars[key] = pointLabels(values, table, name);
      if (!table.empty()) mesh_.labelTables[key] = std::make_shared<const LabelTable>(std::move(table));
    }
  }

 private:
  Mesh& mesh_;
  std::map<std::string, std::vector<Label>> whole_;
  std::vector<std::vector<float>*> numbers_;
  std::vector<std::vector<Label>*> labels_;
};

void readVertices(Numbers& numbers, const Element& element, Mesh& mesh, const std::string& name) {
  requirePoints(element.count, name);
  std::set<std::string> axes;
  for (const Property& p : element.properties)
    if (!p.countType && kPlaces.contains(p.name)) axes.insert(p.name);
  if (axes != kPlaces) failMesh(name, "its vertices have no x, y and z");
  VertexValues values(element, mesh);
  mesh.points.reserve(element.count);
  Vec3<float> point;
  for (std::uint64_t i = 0; i < element.count; ++i) {
    for (std::size_t p = 0; p < element.properties.size(); ++p) {
      const Property& property = element.properties[p];
      if (property.countType) {
        skip(numbers, property);
        continue;
      }
      const double value = numbers.next(property.type);
      if (float* const place = placeOf(property, point)) *place = toFloat(value);
      values.add(p, value);
    }
    mesh.points.push_back(point);
  }
  values.addLabels(name);
}

/// Reads the corners of one polygon or strip.
void readCorners(Numbers& numbers, const Property& list, std::vector<std::int64_t>& corners,
                 const std::string& name) {
  const std::int64_t count = numbers.nextWhole(*list.countType);
  if (count < 0) failMesh(name, "a face has " + std::to_string(count) + " corners");
  numbers.requireRoomFor(std::uint64_t(count), std::uint64_t(sampleBytes(list.type)));
  corners.clear();
  for (std::int64_t c = 0; c < count; ++c) corners.push_back(numbers.nextWhole(list.type));
}

/// Adds strips of triangles, between which there is a −1.
void addStrips(Mesh& mesh, std::span<const std::int64_t> corners, const std::string& name) {
  for (auto end = std::ranges::find(corners, -1); end != corners.end();
       end = std::ranges::find(corners, -1)) {
    addStrip(mesh, corners.first(std::size_t(end - corners.begin())), name);
    corners = corners.subspan(std::size_t(end - corners.begin()) + 1);
  }
  addStrip(mesh, corners, name);
}

/// Reads polygons or strips of triangles. Returns the number of polygons with more than three corners.
std::size_t readFaces(Numbers& numbers, const Element& element, Mesh& mesh, const std::string& name) {
  std::vector<std::int64_t> corners;
  std::size_t polygons = 0;
  for (std::uint64_t i = 0; i < element.count; ++i)
    for (const Property& property : element.properties) {
      if (!property.countType || (property.name != "vertex_indices" && property.name != "vertex_index")) {
        skip(numbers, property);
        continue;
      }
      readCorners(numbers, property, corners, name);
      if (element.name == "face") {
        polygons += corners.size() > 3;
        addPolygon(mesh, corners, name);
      } else {
        addStrips(mesh, corners, name);
      }
    }
  return polygons;
}

template <class T>
void append(std::string& bytes, const T& value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

/// A text as one word, since blanks separate the words of the header.
std::string oneWord(std::string text) {
  for (char& c : text)
    if (c >= 0 && c <= ' ') c = '_';
  return text.empty() ? "value" : text;
}

}  // namespace

RawMesh readPly(std::string_view bytes, const std::string& name) {
  RawMesh raw;
  const Header header = headerOf(bytes, name);
  raw.space = header.space;
  Numbers numbers(bytes, header.encoding, name);
  std::size_t polygons = 0;
  bool vertices = false;
  for (const Element& element : header.elements) {
    requireRoom(numbers, element, name);
    if (element.name == "vertex" && !vertices) {
      readVertices(numbers, element, raw.mesh, name);
      vertices = true;
    } else if (element.name == "face" || element.name == "tristrips") {
      polygons += readFaces(numbers, element, raw.mesh, name);
    } else {
      for (std::uint64_t i = 0; i < element.count; ++i)
        for (const Property& property : element.properties) skip(numbers, property);
    }
  }
  raw.notes.emplace_back(header.encoding == PlyEncoding::text ? "Recognized as ASCII PLY."
                                                              : "Recognized as binary PLY.");
  if (polygons > 0) raw.notes.push_back("Cut " + counted(polygons, "polygon") + " into triangles.");
  return raw;
}

std::string plyBytes(const Mesh& mesh) {
  std::string bytes = std::string("ply\nformat binary_little_endian 1.0\ncomment ") + kSpaceComment + "\n";
  bytes += "element vertex " + std::to_string(mesh.points.size()) + "\n";
  for (const char* axis : {"x", "y", "z"}) bytes += std::string("property float ") + axis + "\n";
  std::set<std::string> taken = kDrawn;
  taken.insert({"x", "y", "z"});
  for (const auto& [name, values] : mesh.pointScalars) {
    std::string word = oneWord(name);
    while (!taken.insert(word).second) word += '_';
    bytes += "property float " + word + "\n";
  }
  bytes += "element face " + std::to_string(mesh.triangles.size()) +
           "\nproperty list uchar int vertex_indices\nend_header\n";
  for (std::size_t i = 0; i < mesh.points.size(); ++i) {
    append(bytes, mesh.points[i]);
    for (const auto& [name, values] : mesh.pointScalars) append(bytes, values[i]);
  }
  for (const auto& triangle : mesh.triangles) {
    bytes += char(3);
    append(bytes, triangle);
  }
  return bytes;
}

}  // namespace sulcus::io
