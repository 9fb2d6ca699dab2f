#include "core/base/error.h"
#include "core/base/sanitized.h"
#include "core/base/sentence.h"
#include "core/io/surfaces/mesh_files.h"
#include "core/io/surfaces/point_labels.h"
#include "core/io/surfaces/vtp_arrays.h"
#include "core/io/tables/label_tables.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace sulcus::io {
namespace {

constexpr float kNoValue = std::numeric_limits<float>::quiet_NaN();
/// Prefix of the name of a text with the names and colors of labels; the name of their scalars follows.
constexpr std::string_view kLabelsOf = "Labels of ";

/// The integer arrays of the points, which may be labels.
using WholeNumbers = std::map<std::string, std::vector<Label>>;

/// Names and colors of those scalars that are labels, by scalar name.
std::map<std::string, LabelTable> labelTablesIn(const XmlElement& poly, const VtpFile& file) {
  std::map<std::string, LabelTable> tables;
  const XmlElement* const fields = poly.child("FieldData");
  if (!fields) return tables;
  for (const XmlElement& array : fields->children) {
    const std::string name = array.attribute("Name");
    if (!name.starts_with(kLabelsOf) || array.attribute("type") != "String") continue;
    const std::string scalars = sanitizedForDisplay(name.substr(kLabelsOf.size()), kLongestName),
                      text = vtpText(array, file);
    tables[scalars] = labelTableIn(text.substr(0, text.find('\0')), file.name);
  }
  return tables;
}

/// Makes integers scalars of the mesh: labels if there is a table for them, or if some exceed what floats
/// hold exactly.
void addWholeNumbers(const WholeNumbers& all, std::map<std::string, LabelTable> tables, RawMesh& raw,
                     const VtpFile& file) {
  Mesh& mesh = raw.mesh;
  const auto add = [&](const std::string& key, const std::vector<Label>& whole) {
    const auto numbers = pointLabels(whole, tables[key], quotedWord(key) + " of " + file.name);
    auto& values = mesh.pointScalars[key];  // not empty if another piece has floats
    values.resize(mesh.points.size(), kNoValue);
    for (std::size_t i = 0; i < numbers.size(); ++i)
      if (!std::isnan(numbers[i])) values[i] = numbers[i];
    if (std::ranges::count(whole, std::numeric_limits<Label>::max()) > 0)
      raw.notes.push_back(Note::warning("numbers of " + quotedWord(key) +
                                        " beyond 9223372036854775807 are taken as this one."));
  };
  for (const auto& [key, whole] : all) try {
      add(key, whole);
    } catch (const Error& refused) {  // not a reason to refuse the surface
      raw.notes.push_back(Note::warning(std::string("left out: ") + refused.what()));
    }
  for (auto& [key, table] : tables)
    if (!table.empty() && mesh.pointScalars.contains(key))
      mesh.labelTables[key] = std::make_shared<const LabelTable>(std::move(table));
}

/// Reads the polygons or strips of a piece whose first point is `base`. Returns the number of those with more
/// than three corners.
std::size_t readCells(const XmlElement* cells, std::uint64_t count, bool strips, std::int64_t base,
                      Mesh& mesh, const VtpFile& file) {
  if (count == 0) return 0;
  const XmlElement* const ends = cells ? vtpArrayNamed(*cells, "offsets") : nullptr;
  const XmlElement* const points = cells ? vtpArrayNamed(*cells, "connectivity") : nullptr;
  if (!ends || !points) failMesh(file.name, "its polygons are missing");
  requireTriangles(count, file.name);
  const auto offsets = vtpNumbers<std::int32_t>(*ends, count, file);
  if (offsets.back() < 0) failMesh(file.name, "the lengths of its polygons do not grow");
  requireTriangles(std::uint64_t(offsets.back()) / 3, file.name);
  const auto connectivity = vtpNumbers<std::int32_t>(*points, std::uint64_t(offsets.back()), file);
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

/// Adds the values of the last points of the mesh, those of a piece.
void readPointData(const XmlElement& data, std::uint64_t points, Mesh& mesh, WholeNumbers& whole,
                   const VtpFile& file) {
  const std::size_t base = mesh.points.size() - points;
  for (const XmlElement& array : data.children) {
    const std::string components = array.attribute("NumberOfComponents"),
                      key = sanitizedForDisplay(array.attribute("Name"), kLongestName);
    if ((!components.empty() && components != "1") || key.empty() || array.name != "DataArray") continue;
    const auto add = [&]<class T>(std::map<std::string, std::vector<T>>& arrays, T none) {
      std::vector<T>& values = arrays[key];
      if (values.size() > base) return;  // a second array of the same name
      values.resize(base, none);
      const auto numbers = vtpNumbers<T>(array, points, file);
      values.insert(values.end(), numbers.begin(), numbers.end());
    };
    isFloat(vtpType(array, file.name)) ? add(mesh.pointScalars, kNoValue) : add(whole, kNoLabel);
  }
}

std::size_t readPiece(const XmlElement& piece, Mesh& mesh, WholeNumbers& whole, const VtpFile& file) {
  const std::uint64_t points = vtpCount(piece.attribute("NumberOfPoints"), file.name),
                      base = mesh.points.size();
  requirePoints(base + points, file.name);
  const XmlElement* const places = piece.child("Points");
  if (points > 0 && (!places || places->children.empty())) failMesh(file.name, "its points are missing");
  if (points > 0) {
    const auto numbers = vtpNumbers<float>(places->children.front(), 3 * points, file);
    for (std::size_t i = 0; i < points; ++i)
      mesh.points.push_back({numbers[3 * i], numbers[3 * i + 1], numbers[3 * i + 2]});
  }
  if (const XmlElement* const data = piece.child("PointData"))
    readPointData(*data, points, mesh, whole, file);
  for (auto& [key, values] : mesh.pointScalars) values.resize(mesh.points.size(), kNoValue);
  for (auto& [key, values] : whole) values.resize(mesh.points.size(), kNoLabel);
  return readCells(piece.child("Polys"), vtpCount(piece.attribute("NumberOfPolys"), file.name), false,
                   std::int64_t(base), mesh, file) +
         readCells(piece.child("Strips"), vtpCount(piece.attribute("NumberOfStrips"), file.name), true,
                   std::int64_t(base), mesh, file);
}

}  // namespace

RawMesh readVtp(std::string_view bytes, const std::string& name) {
  const VtpFile file = openedVtp(bytes, name);
  const XmlElement* const poly = file.root.child("PolyData");
  if (!poly) failMesh(name, "it has no PolyData");
  RawMesh raw;
  raw.space = vtpSpace(*poly, file);
  WholeNumbers whole;
  std::size_t polygons = 0, others = 0;
  for (const XmlElement& piece : poly->children) {
    if (piece.name != "Piece") continue;
    polygons += readPiece(piece, raw.mesh, whole, file);
    others +=
        vtpCount(piece.attribute("NumberOfLines"), name) + vtpCount(piece.attribute("NumberOfVerts"), name);
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
  text += vtpTextArray("SPACE", "RAS");
  for (const auto& [scalars, table] : mesh.labelTables)
    text += vtpTextArray(std::string(kLabelsOf) + scalars, labelTableText(*table));
  text += "</FieldData>\n<Piece NumberOfPoints=\"" + std::to_string(mesh.points.size()) +
          "\" NumberOfVerts=\"0\" NumberOfLines=\"0\" NumberOfStrips=\"0\" NumberOfPolys=\"" +
          std::to_string(mesh.triangles.size()) + "\">\n<PointData>\n";
  for (const auto& [name, values] : mesh.pointScalars)
    text += vtpArray("Float32", name, 1, vtpBytesOf(values));
  text += "</PointData>\n<Points>\n" + vtpArray("Float32", "Points", 3, vtpBytesOf(mesh.points)) +
          "</Points>\n<Polys>\n";
  text += vtpArray("Int32", "connectivity", 1, vtpBytesOf(mesh.triangles));
  text += vtpArray("Int32", "offsets", 1, vtpBytesOf(offsets));
  return text + "</Polys>\n</Piece>\n</PolyData>\n</VTKFile>\n";
}

}  // namespace sulcus::io
