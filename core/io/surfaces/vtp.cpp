#include "core/base/error.h"
#include "core/base/parallel/parallel_for.h"
#include "core/base/sanitized.h"
#include "core/base/sentence.h"
#include "core/io/streams/byte_source.h"
#include "core/io/surfaces/mesh_files.h"
#include "core/io/surfaces/point_labels.h"
#include "core/io/surfaces/xml_tree.h"
#include "core/io/tables/label_tables.h"
#include "core/io/volumes/encoded_numbers.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace sulcus::io {
namespace {

constexpr std::uint64_t kBlockBytes = 1 << 16;  // of an array that are compressed together
constexpr std::uint64_t kLongestText = 1 << 22;
constexpr float kNoValue = std::numeric_limits<float>::quiet_NaN();
/// Begins the name of a text with the names and colors of labels; the name of their scalars follows.
constexpr std::string_view kLabelsOf = "Labels of ";

/// The XML of a file, and the appended data that were cut out of it because they need not be XML.
struct VtpFile {
  const std::string& name;
  XmlElement root;
  std::string_view appended;  ///< behind the "_"
  bool appendedBase64 = true, bigEndian = false, compressed = false;
  std::uint64_t headerBytes = 4;  ///< of each whole number before an array
};

VtpFile opened(std::string_view bytes, const std::string& name) {
  VtpFile file{name, {}, {}};
  std::string xml;
  const std::size_t tag = bytes.find("<AppendedData");
  if (tag != bytes.npos) {
    const std::size_t mark = bytes.find('_', bytes.find('>', tag)), end = bytes.rfind("</AppendedData>");
    if (mark == bytes.npos || end == bytes.npos || end <= mark)
      failMesh(name, "its appended data have no end");
    file.appended = bytes.substr(mark + 1, end - mark - 1);
    xml.append(bytes.substr(0, mark)).append(bytes.substr(end));
    bytes = xml;
  }
  file.root = parseXml(bytes, name);
  const XmlElement& root = file.root;
  if (root.name != "VTKFile" || root.attribute("type") != "PolyData")
    throw Error(name + " is no surface of VTK",
                "it holds " + quotedWord(root.name == "VTKFile" ? root.attribute("type") : root.name) +
                    " instead of PolyData",
                "save the surface as PolyData (.vtp)");
  if (const XmlElement* const data = root.child("AppendedData"))
    file.appendedBase64 = data->attribute("encoding") != "raw";
  file.bigEndian = root.attribute("byte_order") == "BigEndian";
  file.headerBytes = root.attribute("header_type") == "UInt64" ? 8 : 4;
  const std::string compressor = root.attribute("compressor");
  file.compressed = !compressor.empty();
  if (file.compressed && compressor != "vtkZLibDataCompressor")
    throw Error(name + " is compressed by " + quotedWord(compressor), "only zlib can be read",
                "save it with zlib or without compression");
  return file;
}

SampleType typeOf(const XmlElement& array, const std::string& name) {
  static const std::map<std::string, SampleType> types{
      {"Int8", SampleType::i8},    {"UInt8", SampleType::u8},   {"Int16", SampleType::i16},
      {"UInt16", SampleType::u16}, {"Int32", SampleType::i32},  {"UInt32", SampleType::u32},
      {"Int64", SampleType::i64},  {"UInt64", SampleType::u64}, {"Float32", SampleType::f32},
      {"Float64", SampleType::f64}};
  const auto found = types.find(array.attribute("type"));
  if (found == types.end()) failMesh(name, quotedWord(array.attribute("type")) + " is no type of numbers");
  return found->second;
}

std::uint64_t countIn(const std::string& text, const std::string& name) {
  if (text.empty()) return 0;
  Words words(text, name);
  const std::int64_t count = words.wholeNumber();
  if (count < 0) failMesh(name, "it announces " + std::to_string(count) + " of something");
  return std::uint64_t(count);
}

/// The bytes of an array that is not ASCII. Throws Error unless they are between `least` and `most`.
std::string bytesOf(const XmlElement& array, std::uint64_t least, std::uint64_t most, const VtpFile& file) {
  const bool appended = array.attribute("format") == "appended";
  const std::uint64_t offset = appended ? countIn(array.attribute("offset"), file.name) : 0;
  if (appended && offset > file.appended.size()) failMesh(file.name, "an array lies behind its end");
  EncodedBytes source(appended ? file.appended.substr(std::size_t(offset)) : std::string_view(array.text),
                      !appended || file.appendedBase64, file.name);
  const auto number = [&] {
    const std::string bytes = source.take(file.headerBytes);
    return file.headerBytes == 8 ? load<std::uint64_t>(bytes.data(), file.bigEndian)
                                 : load<std::uint32_t>(bytes.data(), file.bigEndian);
  };
  const auto require = [&](std::uint64_t announced) {
    if (announced < least || announced > most)
      failMesh(file.name,
               "an array has " + std::to_string(announced) + " bytes instead of " + std::to_string(least));
  };
  if (!file.compressed) {
    const std::uint64_t count = number();
    require(count);
    return source.take(count);
  }
  // The header has the number of blocks, their size, the size of the last block when it differs and else 0,
  // and then the compressed sizes of all blocks.
  const std::uint64_t blocks = number(), size = number(), last = number();
  if (blocks == 0) {
    require(0);
    return {};
  }
  if (blocks > source.room() / file.headerBytes || size > std::max<std::uint64_t>(most, 1) << 32)
    failMesh(file.name,
             "an array has " + std::to_string(blocks) + " blocks of " + std::to_string(size) + " bytes");
  const double total = double(size) * double(last == 0 ? blocks : blocks - 1) + double(last);
  require(std::uint64_t(std::min(total, 1e18)));
  std::vector<std::uint64_t> stored;
  for (std::uint64_t i = 0; i < blocks; ++i) stored.push_back(number());
  std::string bytes;
  for (std::uint64_t i = 0; i < blocks; ++i)
    bytes += inflated(source.take(stored[i]), i + 1 == blocks && last > 0 ? last : size, file.name);
  return bytes;
}

template <class T>
std::vector<T> numbersOf(const XmlElement& array, std::uint64_t count, const VtpFile& file) {
  if (count == 0) return {};
  const SampleType type = typeOf(array, file.name);
  if (array.attribute("format") == "ascii") return numbersIn<T>(array.text, count, file.name);
  const std::uint64_t bytes = count * std::uint64_t(sampleBytes(type));
  requireMemory(bytes + 2 * count * sizeof(T),
                file.name);  // compressed numbers may be a thousand times as many
  return numbersOf<T>(bytesOf(array, bytes, bytes, file), type, file.bigEndian);
}

const XmlElement* arrayNamed(const XmlElement& parent, const std::string& name) {
  for (const XmlElement& array : parent.children)
    if (array.attribute("Name") == name) return &array;
  return nullptr;
}

/// A text that is stored as the codes of its letters.
std::string textOf(const XmlElement& array, const VtpFile& file) {
  if (array.attribute("format") != "ascii") return bytesOf(array, 0, kLongestText, file);
  std::string text;
  Words words(array.text, file.name);
  for (auto word = words.next(); !word.empty() && text.size() < kLongestText; word = words.next()) {
    Words one(word, file.name);
    text += char(one.wholeNumber());
  }
  return text;
}

MeshSpace spaceOf(const XmlElement& poly, const VtpFile& file) {
  const XmlElement* const fields = poly.child("FieldData");
  const XmlElement* const space = fields ? arrayNamed(*fields, "SPACE") : nullptr;
  return space ? spaceIn("SPACE=" + textOf(*space, file)) : MeshSpace::unstated;
}

/// The arrays of whole numbers of the points, which may be labels.
using WholeNumbers = std::map<std::string, std::vector<Label>>;

/// Names and colors of those scalars that are labels, by the names of these.
std::map<std::string, LabelTable> labelTablesIn(const XmlElement& poly, const VtpFile& file) {
  std::map<std::string, LabelTable> tables;
  const XmlElement* const fields = poly.child("FieldData");
  if (!fields) return tables;
  for (const XmlElement& array : fields->children) {
    const std::string name = array.attribute("Name");
    if (!name.starts_with(kLabelsOf) || array.attribute("type") != "String") continue;
    const std::string scalars = sanitizedForDisplay(name.substr(kLabelsOf.size()), kLongestName),
                      text = textOf(array, file);
    tables[scalars] = labelTableIn(text.substr(0, text.find('\0')), file.name);
  }
  return tables;
}

/// Makes whole numbers scalars of the mesh: labels where there is a table for them, or where some are beyond
/// what floats hold.
void addWholeNumbers(const WholeNumbers& all, std::map<std::string, LabelTable> tables, RawMesh& raw,
                     const VtpFile& file) {
  Mesh& mesh = raw.mesh;
  const auto add = [&](const std::string& key, const std::vector<Label>& whole) {
    const auto numbers = pointLabels(whole, tables[key], quotedWord(key) + " of " + file.name);
    auto& values = mesh.pointScalars[key];  // there are some already where another piece has floats
    values.resize(mesh.points.size(), kNoValue);
    for (std::size_t i = 0; i < numbers.size(); ++i)
      if (!std::isnan(numbers[i])) values[i] = numbers[i];
    if (std::ranges::count(whole, std::numeric_limits<Label>::max()) > 0)
      raw.notes.push_back(Note::warning("numbers of " + quotedWord(key) +
                                        " beyond 9223372036854775807 are taken as this one."));
  };
  for (const auto& [key, whole] : all) try {
      add(key, whole);
    } catch (const Error& refused) {  // no reason to refuse the surface
      raw.notes.push_back(Note::warning(std::string("left out: ") + refused.what()));
    }
  for (auto& [key, table] : tables)
    if (!table.empty() && mesh.pointScalars.contains(key))
      mesh.labelTables[key] = std::make_shared<const LabelTable>(std::move(table));
}

/// Reads the polygons or strips of a piece whose first point is `base`. Returns how many have more than three
/// corners.
std::size_t readCells(const XmlElement* cells, std::uint64_t count, bool strips, std::int64_t base,
                      Mesh& mesh, const VtpFile& file) {
  if (count == 0) return 0;
  const XmlElement* const ends = cells ? arrayNamed(*cells, "offsets") : nullptr;
  const XmlElement* const points = cells ? arrayNamed(*cells, "connectivity") : nullptr;
  if (!ends || !points) failMesh(file.name, "its polygons are missing");
  requireTriangles(count, file.name);
  const auto offsets = numbersOf<std::int32_t>(*ends, count, file);
  if (offsets.back() < 0) failMesh(file.name, "the lengths of its polygons do not grow");
  requireTriangles(std::uint64_t(offsets.back()) / 3, file.name);
  const auto connectivity = numbersOf<std::int32_t>(*points, std::uint64_t(offsets.back()), file);
  std::vector<std::int64_t> corners;
  std::int32_t begin = 0;
  std::size_t polygons = 0;
  for (const std::int32_t end : offsets) {
    if (end < begin || std::size_t(end) > connectivity.size())
      failMesh(file.name, "the lengths of its polygons do not grow");
    corners.clear();
    for (std::int32_t i = begin; i < end; ++i) corners.push_back(base + connectivity[std::size_t(i)]);
    polygons += corners.size() > 3;
    strips ? addStrip(mesh, corners, file.name) : addPolygon(mesh, corners, file.name);
    begin = end;
  }
  return strips ? 0 : polygons;
}

std::size_t readPiece(const XmlElement& piece, Mesh& mesh, WholeNumbers& whole, const VtpFile& file) {
  const std::uint64_t points = countIn(piece.attribute("NumberOfPoints"), file.name),
                      base = mesh.points.size();
  requirePoints(base + points, file.name);
  const XmlElement* const places = piece.child("Points");
  if (points > 0 && (!places || places->children.empty())) failMesh(file.name, "its points are missing");
  if (points > 0) {
    const auto numbers = numbersOf<float>(places->children.front(), 3 * points, file);
    for (std::size_t i = 0; i < points; ++i)
      mesh.points.push_back({numbers[3 * i], numbers[3 * i + 1], numbers[3 * i + 2]});
  }
  if (const XmlElement* const data = piece.child("PointData"))
    for (const XmlElement& array : data->children) {
      const std::string components = array.attribute("NumberOfComponents"),
                        key = sanitizedForDisplay(array.attribute("Name"), kLongestName);
      if ((!components.empty() && components != "1") || key.empty() || array.name != "DataArray") continue;
      const auto add = [&]<class T>(std::map<std::string, std::vector<T>>& arrays, T none) {
        std::vector<T>& values = arrays[key];
        if (values.size() > base) return;  // a second array of the same name
        values.resize(std::size_t(base), none);
        const auto numbers = numbersOf<T>(array, points, file);
        values.insert(values.end(), numbers.begin(), numbers.end());
      };
      isFloat(typeOf(array, file.name)) ? add(mesh.pointScalars, kNoValue) : add(whole, kNoLabel);
    }
  for (auto& [key, values] : mesh.pointScalars) values.resize(mesh.points.size(), kNoValue);
  for (auto& [key, values] : whole) values.resize(mesh.points.size(), kNoLabel);
  return readCells(piece.child("Polys"), countIn(piece.attribute("NumberOfPolys"), file.name), false,
                   std::int64_t(base), mesh, file) +
         readCells(piece.child("Strips"), countIn(piece.attribute("NumberOfStrips"), file.name), true,
                   std::int64_t(base), mesh, file);
}

template <class T>
std::string_view rawBytes(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

/// An array as blocks that are compressed by themselves, on all threads.
std::string arrayText(const char* type, const std::string& name, int components, std::string_view bytes) {
  const std::size_t blocks = (bytes.size() + kBlockBytes - 1) / kBlockBytes;
  std::vector<std::string> packed(blocks);
  parallelFor(
      std::int64_t(blocks), Progress(),
      [&](std::int64_t block) {
        packed[std::size_t(block)] = deflated(bytes.substr(std::size_t(block) * kBlockBytes, kBlockBytes));
      },
      1);
  // How many blocks there are, their size, that of the last one where it is another, and the compressed
  // sizes.
  std::vector<std::uint64_t> head{blocks};
  if (blocks > 0) head.insert(head.end(), {kBlockBytes, bytes.size() % kBlockBytes});
  std::string data;
  for (const std::string& block : packed) head.push_back(block.size()), data += block;
  return std::string("<DataArray type=\"") + type + "\" Name=\"" + xmlText(name) +
         "\" NumberOfComponents=\"" + std::to_string(components) + "\" format=\"binary\">" +
         base64Of(rawBytes(head)) + base64Of(data) + "</DataArray>\n";
}

/// A text as the codes of its letters and a zero.
std::string textArray(const std::string& name, std::string_view text) {
  std::string array =
      "<Array type=\"String\" Name=\"" + xmlText(name) + "\" NumberOfTuples=\"1\" format=\"ascii\">";
  for (const char letter : text) array += std::to_string(int(letter)) + ' ';
  return array + "0</Array>\n";
}

}  // namespace

RawMesh readVtp(std::string_view bytes, const std::string& name) {
  const VtpFile file = opened(bytes, name);
  const XmlElement* const poly = file.root.child("PolyData");
  if (!poly) failMesh(name, "it has no PolyData");
  RawMesh raw;
  raw.space = spaceOf(*poly, file);
  WholeNumbers whole;
  std::size_t polygons = 0, others = 0;
  for (const XmlElement& piece : poly->children) {
    if (piece.name != "Piece") continue;
    polygons += readPiece(piece, raw.mesh, whole, file);
    others +=
        countIn(piece.attribute("NumberOfLines"), name) + countIn(piece.attribute("NumberOfVerts"), name);
  }
  addWholeNumbers(whole, labelTablesIn(*poly, file), raw, file);
  raw.notes.emplace_back("Recognized as a surface of VTK.");
  if (polygons > 0) raw.notes.push_back("Cut " + counted(polygons, "polygon") + " into triangles.");
  if (others > 0) raw.notes.push_back("Left out " + std::to_string(others) + " lines and points.");
  return raw;
}

std::string vtpBytes(const Mesh& mesh) {
  std::vector<std::int32_t> offsets;
  offsets.reserve(mesh.triangles.size());
  for (std::size_t i = 1; i <= mesh.triangles.size(); ++i) offsets.push_back(std::int32_t(3 * i));
  std::string text =
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" "
      "header_type=\"UInt64\" compressor=\"vtkZLibDataCompressor\">\n<PolyData>\n<FieldData>\n";
  text += textArray("SPACE", "RAS");
  for (const auto& [scalars, table] : mesh.labelTables)
    text += textArray(std::string(kLabelsOf) + scalars, labelTableText(*table));
  text += "</FieldData>\n<Piece NumberOfPoints=\"" + std::to_string(mesh.points.size()) +
          "\" NumberOfVerts=\"0\" NumberOfLines=\"0\" NumberOfStrips=\"0\" NumberOfPolys=\"" +
          std::to_string(mesh.triangles.size()) + "\">\n<PointData>\n";
  for (const auto& [name, values] : mesh.pointScalars)
    text += arrayText("Float32", name, 1, rawBytes(values));
  text += "</PointData>\n<Points>\n" + arrayText("Float32", "Points", 3, rawBytes(mesh.points)) +
          "</Points>\n<Polys>\n";
  text += arrayText("Int32", "connectivity", 1, rawBytes(mesh.triangles));
  text += arrayText("Int32", "offsets", 1, rawBytes(offsets));
  return text + "</Polys>\n</Piece>\n</PolyData>\n</VTKFile>\n";
}

}  // namespace sulcus::io
