#include "core/base/error.h"
#include "core/base/numbers.h"
#include "core/base/sanitized.h"
#include "core/io/streams/block_deflater.h"
#include "core/io/streams/byte_source.h"
#include "core/io/surfaces/mesh_files.h"
#include "core/io/surfaces/point_labels.h"
#include "core/io/surfaces/xml_tree.h"
#include "core/io/volumes/encoded_numbers.h"
#include "core/io/volumes/header_text.h"
#include "core/math/affine.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <map>
#include <span>
#include <utility>

namespace sulcus::io {
namespace {

constexpr const char* kScanner = "NIFTI_XFORM_SCANNER_ANAT";

std::string textOfChild(const XmlElement& parent, const char* name) {
  const XmlElement* const child = parent.child(name);
  return child ? std::string(trimmed(child->text)) : "";
}

/// The numbers of rows and columns that an array announces.
std::pair<std::uint64_t, std::uint64_t> sizeOf(const XmlElement& array, const std::string& name) {
  const auto number = [&](const char* key) {
    const std::string value = array.attribute(key);
    Words words(value, name);
    const std::int64_t count = words.wholeNumber();
    if (count < 0) failMesh(name, "it declares an implausible size of " + std::to_string(count));
    return std::uint64_t(count);
  };
  const std::uint64_t dimensions = number("Dimensionality");
  if (dimensions != 1 && dimensions != 2)
    failMesh(name, "an array has " + std::to_string(dimensions) + " dimensions");
  return {number("Dim0"), dimensions == 2 ? number("Dim1") : 1};
}

SampleType typeOf(const XmlElement& array, const std::string& name) {
  static const std::map<std::string, SampleType> types{{"NIFTI_TYPE_UINT8", SampleType::u8},
                                                       {"NIFTI_TYPE_INT32", SampleType::i32},
                                                       {"NIFTI_TYPE_UINT32", SampleType::u32},
                                                       {"NIFTI_TYPE_FLOAT32", SampleType::f32},
                                                       {"NIFTI_TYPE_FLOAT64", SampleType::f64}};
  const auto found = types.find(array.attribute("DataType"));
  if (found == types.end()) failMesh(name, quotedWord(array.attribute("DataType")) + " is not a number type");
  return found->second;
}

/// The numbers of an array row by row, whatever their order in the file.
template <class T>
std::vector<T> numbersOf(const XmlElement& array, const std::string& name) {
  const auto [rows, columns] = sizeOf(array, name);
  requirePoints(rows / 2, name);  // there may be twice as many triangles as points
  if (columns > 16) failMesh(name, "an array has " + std::to_string(columns) + " columns");
  const std::string encoding = array.attribute("Encoding");
  if (encoding == "ExternalFileBinary" || !array.attribute("ExternalFileName").empty())
    throw Error(name + " keeps its numbers in another file",
                "that is " + quotedWord(array.attribute("ExternalFileName")) + ", and only this one is read",
                "save it again with the numbers inside (base64)");
  const XmlElement* const data = array.child("Data");
  if (!data) failMesh(name, "an array has no numbers");
  const SampleType type = typeOf(array, name);
  const std::uint64_t count = rows * columns, bytes = count * std::uint64_t(sampleBytes(type));
  requireMemory(bytes + 2 * count * sizeof(T), name);  // compression may reach a factor of a thousand
  std::vector<T> numbers;
  if (encoding == "ASCII") {
    numbers = numbersIn<T>(data->text, count, name);
  } else if (encoding == "Base64Binary" || encoding == "GZipBase64Binary") {
    EncodedBytes source(data->text, true, name);
    const std::string raw =
        encoding == "Base64Binary" ? source.take(bytes) : inflated(source.takeAll(), bytes, name);
    numbers = numbersOf<T>(raw, type, array.attribute("Endian") == "BigEndian");
  } else {
    failMesh(name, quotedWord(encoding) + " is not a GIFTI encoding");
  }
  if (array.attribute("ArrayIndexingOrder") != "ColumnMajorOrder" || columns == 1) return numbers;
  std::vector<T> byRow(numbers.size());
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t c = 0; c < columns; ++c) byRow[r * columns + c] = numbers[c * rows + r];
  return byRow;
}

/// The value of a metadata key; "" if missing.
std::string metadata(const XmlElement& array, const std::string& key) {
  if (const XmlElement* const meta = array.child("MetaData"))
    for (const XmlElement& entry : meta->children)
      if (textOfChild(entry, "Name") == key) return textOfChild(entry, "Value");
  return "";
}

std::string nameIn(const XmlElement& array) {
  return sanitizedForDisplay(metadata(array, "Name"), kLongestName);
}

/// The volume that FreeSurfer's mris_convert describes in the metadata of points in its surface frame,
/// without stating a space; nullopt if there is none.
std::optional<VolumeGeometry> volumeGeometry(const XmlElement& points) {
  const auto vectorAt = [&](const std::string& axis) -> std::optional<Vec3<double>> {
    Vec3<double> v;
    for (int i = 0; i < 3; ++i) {
      const auto number = numberOf(metadata(points, "VolGeom" + axis + "_" + "RAS"[i]));
      if (!number || !(std::abs(*number) <= 1e4)) return {};
      v[i] = *number;
    }
    return v;
  };
  const auto middle = vectorAt("C");
  if (!middle) return {};
  VolumeGeometry volume;
  volume.middle = *middle;
  const auto x = vectorAt("X"), y = vectorAt("Y"), z = vectorAt("Z");
  if (x && y && z && std::abs(dot(*x, cross(*y, *z))) > 0.5) {
    volume.x = *x;
    volume.y = *y;
    volume.z = *z;
  }
  return volume;
}

/// The matrix that a file gives for the way to scanner space.
Affine matrixToScanner(const XmlElement& system, const std::string& name) {
  const std::string numbers = textOfChild(system, "MatrixData");
  Words words(numbers, name);
  Affine affine;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) {
      const double value = words.number();
      if (!std::isfinite(value)) failMesh(name, "its matrix to scanner space contains an invalid number");
      if (i < 3) (j < 3 ? affine.m[i][j] : affine.t[i]) = value;
    }
  if (!(std::abs(affine.determinant()) > 1e-9)) failMesh(name, "its matrix to scanner space has no inverse");
  return affine;
}

void moveToScanner(RawMesh& raw, const Affine& scannerFromData) {
  for (auto& p : raw.mesh.points) {
    const Vec3<double> q = scannerFromData.point({p.x, p.y, p.z});
    p = {toFloat(q.x), toFloat(q.y), toFloat(q.z)};
  }
  if (scannerFromData.determinant() < 0)
    for (auto& t : raw.mesh.triangles) std::swap(t[1], t[2]);
  raw.space = MeshSpace::ras;
  raw.notes.emplace_back("Brought to scanner space by its matrix.");
}

/// Transforms points in another space to scanner space by the matrix in the file, and records the space in
/// `raw`.
void toScanner(const XmlElement& points, RawMesh& raw, const std::string& name) {
  std::string space;
  for (const XmlElement& system : points.children) {
    if (system.name != "CoordinateSystemTransformMatrix") continue;
    space = textOfChild(system, "DataSpace");
    if (space == kScanner) break;
    if (textOfChild(system, "TransformedSpace") != kScanner) continue;
    moveToScanner(raw, matrixToScanner(system, name));
    return;
  }
  if (space.empty() || space == "NIFTI_XFORM_UNKNOWN") {
    if (const auto volume = volumeGeometry(points)) surfaceFrameToScanner(raw, *volume);
    return;
  }
  raw.space = MeshSpace::ras;
  if (space == "NIFTI_XFORM_TALAIRACH" || space == "NIFTI_XFORM_MNI_152")
    raw.notes.push_back("Its coordinates are those of a template (" + space + "), not of the scanner.");
}

std::string arrayText(const std::string& intent, const char* type, std::size_t rows, int columns,
                      const std::string& before, std::string_view bytes) {
  std::string text = "<DataArray Intent=\"" + intent + "\" DataType=\"" + type +
                     "\" ArrayIndexingOrder=\"RowMajorOrder\" Dimensionality=\"" +
                     std::to_string(columns > 1 ? 2 : 1) + "\" Dim0=\"" + std::to_string(rows) + "\" ";
  if (columns > 1) text += "Dim1=\"" + std::to_string(columns) + "\" ";
  text +=
      "Encoding=\"GZipBase64Binary\" Endian=\"LittleEndian\" ExternalFileName=\"\" "
      "ExternalFileOffset=\"0\">\n";
  std::string packed;
  BlockDeflater deflater(BlockDeflater::Wrapper::zlib,
                         [&](std::span<const char> some) { packed.append(some.data(), some.size()); });
  deflater.append(bytes);
  deflater.finish();
  return text + before + "<Data>" + base64Of(packed) + "</Data>\n</DataArray>\n";
}

template <class T>
std::string_view rawBytes(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

/// The names and colors of the labels in a file.
LabelTable labelsIn(const XmlElement& root, const std::string& name) {
  constexpr std::size_t kLongest = 80;
  LabelTable table;
  const XmlElement* const entries = root.child("LabelTable");
  if (!entries) return table;
  for (const XmlElement& entry : entries->children) {
    const std::string key = entry.attribute("Key");
    const std::int64_t label = Words(key, name).wholeNumber();
    LabelEntry& made = table[label];
    made.name = sanitizedForDisplay(std::string(trimmed(entry.text)), kLongest);
    std::array<std::uint8_t, 3> color{};
    const char* const parts[] = {"Red", "Green", "Blue"};
    for (std::size_t c = 0; c < 3; ++c) {
      const std::string part = entry.attribute(parts[c]);
      if (part.empty()) break;
      color[c] = std::uint8_t(std::lround(255 * std::clamp(Words(part, name).number(), 0.0, 1.0)));
      if (c == 2) made.color = color;
    }
  }
  return table;
}

/// Adds the arrays with one number per point under their names; returns whether there are any.
bool addValuesIn(const XmlElement& root, Mesh& mesh, const std::string& name) {
  const std::size_t points = mesh.points.size();
  std::map<std::string, std::vector<float>> all;
  std::map<std::string, std::shared_ptr<const LabelTable>> tables;
  std::map<std::string, int> times;  // number of arrays with each name; those of a series share one
  for (const XmlElement& array : root.children) {
    const std::string intent = array.attribute("Intent");
    if (array.name != "DataArray" || intent == "NIFTI_INTENT_POINTSET" || intent == "NIFTI_INTENT_TRIANGLE" ||
        intent == "NIFTI_INTENT_NODE_INDEX")
      continue;
    const auto [rows, columns] = sizeOf(array, name);
    if (columns != 1 || rows != points) continue;
    const std::string key = nameIn(array).empty() ? "values" : nameIn(array);
    std::string own = key;
    while (all.contains(own)) own = key + " " + std::to_string(1 + ++times[key]);
    if (intent != "NIFTI_INTENT_LABEL") {
      all.emplace(own, numbersOf<float>(array, name));
      continue;
    }
    LabelTable table = labelsIn(root, name);
    all.emplace(own, pointLabels(numbersOf<Label>(array, name), table, name));
    tables.emplace(own, std::make_shared<const LabelTable>(std::move(table)));
  }
  for (auto& [key, values] : all) {
    mesh.pointScalars.insert_or_assign(key, std::move(values));
    mesh.labelTables.erase(key);
  }
  for (auto& [key, table] : tables) mesh.labelTables.insert_or_assign(key, std::move(table));
  return !all.empty();
}

bool isLabel(float value) { return std::abs(value) <= float(kGreatestPointLabel); }  // false for NaN

/// The labels of all scalars of a surface in the single table that a GIFTI file has.
struct OneTable {
  LabelTable table;
  std::map<std::string, std::vector<std::int32_t>> labels;  ///< of the points, by the names of the scalars
};

/// A label whose number means something else in another table gets an unused number. A point without a label
/// gets 0, which means no label in GIFTI.
OneTable inOneTable(const Mesh& mesh) {
  const auto labelOf = [](float value) { return isLabel(value) ? std::int32_t(value) : 0; };
  OneTable one;
  std::int32_t next = 1;  // no number below it is free
  for (const auto& [scalars, values] : mesh.pointScalars) {
    const auto names = mesh.labelTables.find(scalars);
    if (names == mesh.labelTables.end()) continue;
    LabelTable own = *names->second;
    for (const float value : values) own.try_emplace(labelOf(value));
    std::map<std::int32_t, std::int32_t> written;
    for (const auto& [label, entry] : own) {
      const auto [same, isFree] = one.table.try_emplace(label, entry);
      written[label] = label;
      if (isFree || same->second == entry) continue;
      while (one.table.contains(next)) ++next;
      one.table.emplace(written[label] = next, entry);
    }
    auto& labels = one.labels[scalars];
    for (const float value : values) labels.push_back(written.at(labelOf(value)));
  }
  return one;
}

std::string tableText(const LabelTable& table) {
  std::string text = "<LabelTable>\n";
  for (const auto& [label, entry] : table) {
    if (entry == LabelEntry()) continue;  // only a number
    text += "<Label Key=\"" + std::to_string(label) + '"';
    for (std::size_t c = 0; entry.color && c < 3; ++c)
      text += std::array{" Red=\"", " Green=\"", " Blue=\""}[c] + numberText((*entry.color)[c] / 255.0) + '"';
    text += std::string(entry.color ? " Alpha=\"1\"" : "") + '>' + xmlText(entry.name) + "</Label>\n";
  }
  return text + "</LabelTable>\n";
}

}  // namespace

void addGiftiValues(Mesh& mesh, std::string_view bytes, const std::string& name) {
  const XmlElement root = parseXml(bytes, name);
  if (root.name != "GIFTI" || !addValuesIn(root, mesh, name))
    throw Error(
        name + " holds no values for this surface",
        "no array of it has one number for each of the " + std::to_string(mesh.points.size()) + " points",
        "choose the file of this surface (.shape.gii, .func.gii, .label.gii)");
}

RawMesh readGifti(std::string_view bytes, const std::string& name) {
  const XmlElement root = parseXml(bytes, name);
  if (root.name != "GIFTI")
    throw Error(name + " is not a GIFTI file", "it holds " + quotedWord(root.name),
                "check that it is the right file");
  const XmlElement *points = nullptr, *triangles = nullptr;
  for (const XmlElement& array : root.children) {
    const std::string intent = array.attribute("Intent");
    if (intent == "NIFTI_INTENT_POINTSET" && !points) points = &array;
    if (intent == "NIFTI_INTENT_TRIANGLE" && !triangles) triangles = &array;
  }
  if (!points || !triangles)
    throw Error(name + " holds no surface", "it has values only, and no points or triangles",
                "choose the file with the surface (.surf.gii)");
  if (sizeOf(*points, name).second != 3 || sizeOf(*triangles, name).second != 3)
    failMesh(name, "its points or triangles are not rows of three numbers");
  RawMesh raw;
  requirePoints(sizeOf(*points, name).first, name);
  const auto places = numbersOf<float>(*points, name);
  for (std::size_t i = 0; i < places.size(); i += 3)
    raw.mesh.points.push_back({places[i], places[i + 1], places[i + 2]});
  requireTriangles(sizeOf(*triangles, name).first, name);
  const auto corners = numbersOf<std::int32_t>(*triangles, name);
  for (std::size_t i = 0; i < corners.size(); i += 3)
    raw.mesh.triangles.push_back({corners[i], corners[i + 1], corners[i + 2]});
  addValuesIn(root, raw.mesh, name);
  raw.notes.emplace_back("Recognized as GIFTI.");
  toScanner(*points, raw, name);
  return raw;
}

std::string giftiBytes(const Mesh& mesh) {
  const OneTable labels = inOneTable(mesh);
  const std::string system = std::string("<CoordinateSystemTransformMatrix>\n<DataSpace>") + kScanner +
                             "</DataSpace>\n<TransformedSpace>" + kScanner +
                             "</TransformedSpace>\n<MatrixData>1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1</MatrixData>\n"
                             "</CoordinateSystemTransformMatrix>\n";
  std::string text =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<GIFTI Version=\"1.0\" NumberOfDataArrays=\"" +
      std::to_string(2 + mesh.pointScalars.size()) + "\">\n<MetaData/>\n" + tableText(labels.table);
  text += arrayText("NIFTI_INTENT_POINTSET", "NIFTI_TYPE_FLOAT32", mesh.points.size(), 3,
                    "<MetaData/>\n" + system, rawBytes(mesh.points));
  text += arrayText("NIFTI_INTENT_TRIANGLE", "NIFTI_TYPE_INT32", mesh.triangles.size(), 3, "<MetaData/>\n",
                    rawBytes(mesh.triangles));
  for (const auto& [name, values] : mesh.pointScalars) {
    const std::string meta =
        "<MetaData>\n<MD><Name>Name</Name><Value>" + xmlText(name) + "</Value></MD>\n</MetaData>\n";
    const auto own = labels.labels.find(name);
    text += own == labels.labels.end() ? arrayText("NIFTI_INTENT_SHAPE", "NIFTI_TYPE_FLOAT32", values.size(),
                                                   1, meta, rawBytes(values))
                                       : arrayText("NIFTI_INTENT_LABEL", "NIFTI_TYPE_INT32", values.size(), 1,
                                                   meta, rawBytes(own->second));
  }
  return text + "</GIFTI>\n";
}

}  // namespace sulcus::io
