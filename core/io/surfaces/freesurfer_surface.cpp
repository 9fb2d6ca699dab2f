#include "core/base/error.h"
#include "core/base/sanitized.h"
#include "core/image/grid.h"
#include "core/io/files.h"
#include "core/io/streams/byte_source.h"
#include "core/io/surfaces/mesh_files.h"
#include "core/io/surfaces/point_labels.h"
#include "core/io/volumes/samples.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <system_error>
#include <utility>

// FreeSurfer surfaces (lh.white, lh.pial, …), and numbers (lh.curv, lh.thickness, …) and labels
// (lh.aparc.annot, …) for their points, all big-endian. Points are in the surface frame, whose axes and
// origin are those of the center of the conformed volume, described by the text at the end of the file.
namespace sulcus::io {
namespace {

namespace fs = std::filesystem;

constexpr bool kSwapFreeSurfer = std::endian::native == std::endian::little;
constexpr std::string_view kTriangleMark{"\xff\xff\xfe", 3}, kValuesMark{"\xff\xff\xff", 3};
/// Surfaces of a hemisphere made by recon-all; all have the same points.
constexpr const char* kUsualSurfaces[] = {"white", "pial", "smoothwm", "inflated"};
/// Values that recon-all writes beside each surface of a hemisphere.
constexpr const char* kUsualValues[] = {"thickness", "curv", "sulc", "area"};
/// Parcellations that it writes to the folder `label`.
constexpr const char* kUsualLabels[] = {"aparc.annot", "aparc.a2009s.annot", "aparc.DKTatlas.annot"};

std::int32_t wholeAt(std::string_view bytes, std::size_t at, const std::string& name) {
  if (at + 4 > bytes.size()) failMesh(name, "it ends before its points do");
  return load<std::int32_t>(bytes.data() + at, kSwapFreeSurfer);
}

/// The three numbers after "key = " in the text at the end; nullopt if missing.
std::optional<Vec3<double>> footerVector(std::string_view footer, const std::string& key,
                                         const std::string& name) {
  const std::size_t at = footer.find(key);
  if (at == footer.npos) return {};
  const std::size_t equals = footer.find('=', at);
  if (equals == footer.npos) return {};
  Words words(footer.substr(equals + 1, 200), name);
  Vec3<double> v;
  for (int i = 0; i < 3; ++i) {
    v[i] = words.number();
    if (!std::isfinite(v[i]) || std::abs(v[i]) > 1e4) return {};
  }
  return v;
}

/// Transforms points from the surface frame to the scanner by the text at the end.
void toScannerFrame(RawMesh& raw, std::string_view footer, const std::string& name) {
  const auto x = footerVector(footer, "xras", name), y = footerVector(footer, "yras", name),
             z = footerVector(footer, "zras", name), middle = footerVector(footer, "cras", name);
  const std::size_t valid = footer.find("valid = ");
  if (!x || !y || !z || !middle || valid == footer.npos ||
      footer[std::min(valid + 8, footer.size() - 1)] != '1') {
    raw.notes.push_back(Note::warning(
        "the file does not say where its volume lies: its points are in FreeSurfer's frame of the "
        "surface, not in that of the scanner."));
    return;
  }
  surfaceFrameToScanner(raw, {*x, *y, *z, *middle});
}

/// Reads a file of labels sequentially.
class AnnotationText {
 public:
  AnnotationText(std::string_view bytes, const std::string& name) : bytes_(bytes), name_(name) {}

  std::int32_t whole() {
    const std::int32_t number = wholeAt(bytes_, at_, name_);
    at_ += 4;
    return number;
  }
  std::string word() {
    constexpr std::size_t kLongest = 80;
    const std::int32_t length = whole();
    if (length < 0 || std::size_t(length) > bytes_.size() - at_) failMesh(name_, "it ends within a name");
    const std::string_view text = bytes_.substr(at_, std::size_t(length));
    at_ += text.size();
    return sanitizedForDisplay(std::string(text.substr(0, text.find('\0'))), kLongest);
  }
  std::uint8_t byte() {
    const std::int32_t number = whole();
    if (number < 0 || number > 255) failMesh(name_, "a color has a part that is not 0…255");
    return std::uint8_t(number);
  }
  bool isAtEnd() const { return at_ == bytes_.size(); }

 private:
  std::string_view bytes_;
  const std::string& name_;
  std::size_t at_ = 0;
};

/// The table at the end of a file of labels. `labelOf` receives the label of each color, which points refer
/// to.
LabelTable annotationTable(AnnotationText& text, std::map<std::int32_t, std::int32_t>& labelOf,
                           const std::string& name) {
  constexpr std::int32_t kTableFollows = 1, kNumbered = -2;
  if (text.isAtEnd() || text.whole() != kTableFollows)
    throw Error(name + " names no labels",
                "it has colors of points alone, and no table that says what they are",
                "write it again with its table of colors");
  std::int32_t entries = text.whole();
  const bool numbered = entries < 0;  // otherwise a label is its position in the table
  if (numbered && entries != kNumbered) failMesh(name, "its table is of an unknown version");
  if (numbered) text.whole();  // the largest label
  text.word();                 // the file that the table was made from
  if (numbered) entries = text.whole();
  LabelTable table;
  for (std::int32_t i = 0; i < entries; ++i) {
    const std::int32_t label = numbered ? text.whole() : i;
    if (label < 0) failMesh(name, "it has a label " + std::to_string(label));
    const std::string what = text.word();
    const std::uint8_t red = text.byte(), green = text.byte(), blue = text.byte();
    text.whole();  // opacity, which no program uses
    table[label] = {what, {{red, green, blue}}};
    labelOf.try_emplace(red | green << 8 | blue << 16, label);
  }
  return table;
}

bool holdsPointValues(const fs::path& file) {
  std::string start(15, '\0');
  const DataFile data = openData(file);
  start.resize(data.readSome(0, start));
  if (start.starts_with(kValuesMark)) return true;
  if (file.extension() != ".annot" || start.size() < 4) return false;
  const auto points = load<std::int32_t>(start.data(), kSwapFreeSurfer);
  return points > 0 && data.size() / 8 >= std::uint64_t(points);
}

}  // namespace

fs::path surfaceOfValues(const fs::path& file) {
  const std::string name = file.filename().string(), hemisphere = name.substr(0, name.find('.'));
  if ((hemisphere != "lh" && hemisphere != "rh") || !holdsPointValues(file)) return {};
  for (const fs::path& folder : {file.parent_path(), file.parent_path() / ".." / "surf"})
    for (const char* const what : kUsualSurfaces) {
      const fs::path surface = folder / (hemisphere + "." + what);
      std::error_code fault;
      if (fs::is_regular_file(surface, fault)) return surface;
    }
  return {};
}

void surfaceFrameToScanner(RawMesh& raw, const VolumeGeometry& volume) {
  for (Vec3<float>& p : raw.mesh.points) {
    const Vec3<double> q =
        volume.middle - double(p.x) * volume.x - double(p.z) * volume.y + double(p.y) * volume.z;
    p = {toFloat(q.x), toFloat(q.y), toFloat(q.z)};
  }
  raw.space = MeshSpace::ras;
  raw.notes.emplace_back("Brought from FreeSurfer's frame of the surface to that of the scanner.");
}

bool looksLikeFreeSurfer(std::string_view start) { return start.starts_with(kTriangleMark); }

RawMesh readFreeSurfer(std::string_view bytes, const std::string& name) {
  RawMesh raw;
  raw.space = MeshSpace::ras;
  raw.notes.emplace_back("Recognized as a surface of FreeSurfer.");
  // A line of text about its origin, and an empty one.
  const std::size_t text = bytes.find("\n\n");
  if (!looksLikeFreeSurfer(bytes) || text == bytes.npos)
    failMesh(name, "its beginning is not that of a surface");
  std::size_t at = text + 2;
  const std::int32_t points = wholeAt(bytes, at, name), triangles = wholeAt(bytes, at + 4, name);
  at += 8;
  if (points < 1 || triangles < 1) failMesh(name, "it says that it has no points or triangles");
  requirePoints(std::uint64_t(points), name);
  requireTriangles(std::uint64_t(triangles), name);
  if (bytes.size() < at + 12 * (std::uint64_t(points) + std::uint64_t(triangles)))
    failMesh(name, "it ends before its points and triangles do");
  const auto floatAt = [&](std::size_t place) { return load<float>(bytes.data() + place, kSwapFreeSurfer); };
  for (std::int32_t i = 0; i < points; ++i, at += 12)
    raw.mesh.points.push_back({floatAt(at), floatAt(at + 4), floatAt(at + 8)});
  for (std::int32_t i = 0; i < triangles; ++i, at += 12)
    raw.mesh.triangles.push_back(
        {wholeAt(bytes, at, name), wholeAt(bytes, at + 4, name), wholeAt(bytes, at + 8, name)});
  toScannerFrame(raw, bytes.substr(at), name);
  return raw;
}

std::vector<float> readFreeSurferValues(std::string_view bytes, std::size_t points, const std::string& name) {
  if (!bytes.starts_with(kValuesMark)) failMesh(name, "its beginning is not that of values of FreeSurfer");
  const std::int32_t count = wholeAt(bytes, 3, name), each = wholeAt(bytes, 11, name);
  if (count < 0 || std::size_t(count) != points || each != 1)
    throw Error(name + " has " + std::to_string(count) + " values",
                "the surface has " + std::to_string(points) + " points", "choose the file of this surface");
  if (bytes.size() < 15 + 4 * points) failMesh(name, "it ends before its values do");
  std::vector<float> values(points);
  for (std::size_t i = 0; i < points; ++i)
    values[i] = load<float>(bytes.data() + 15 + 4 * i, kSwapFreeSurfer);
  return values;
}

bool looksLikeAnnotation(std::string_view bytes) {
  if (bytes.size() < 4) return false;
  const auto count = load<std::int32_t>(bytes.data(), kSwapFreeSurfer);
  return count > 0 && (bytes.size() - 4) / 8 >= std::size_t(count);
}

void addAnnotation(Mesh& mesh, std::string_view bytes, const std::string& key, const std::string& name) {
  AnnotationText text(bytes, name);
  const std::size_t points = mesh.points.size();
  if (const std::int32_t count = text.whole(); count < 0 || std::size_t(count) != points)
    throw Error(name + " has labels of " + std::to_string(count) + " points",
                "the surface has " + std::to_string(points), "choose the file of this surface");
  std::vector<std::int32_t> colors(points, -1);
  for (std::size_t i = 0; i < points; ++i) {
    const std::int32_t point = text.whole(), color = text.whole();
    if (point < 0 || std::size_t(point) >= points)
      failMesh(name, "it has a label for point " + std::to_string(point) + ", which does not exist");
    colors[std::size_t(point)] = color;
  }
  std::map<std::int32_t, std::int32_t> labelOf;
  LabelTable table = annotationTable(text, labelOf, name);
  std::vector<Label> labels(points);
  std::transform(colors.begin(), colors.end(), labels.begin(), [&](std::int32_t color) {
    const auto label = labelOf.find(color);
    return label == labelOf.end() ? kNoLabel : label->second;
  });
  mesh.pointScalars.insert_or_assign(key, pointLabels(labels, table, name));
  mesh.labelTables.insert_or_assign(key, std::make_shared<const LabelTable>(std::move(table)));
}

void addValuesBeside(Mesh& mesh, const fs::path& file, Notes& notes) {
  const std::string hemisphere = file.stem().string();
  if (hemisphere != "lh" && hemisphere != "rh") return;
  const auto add = [&](const fs::path& folder, const char* what) {
    const fs::path beside = folder / (hemisphere + "." + what);
    std::error_code fault;
    if (!fs::is_regular_file(beside, fault)) return;
    try {
      addPointValues(mesh, beside);
    } catch (const Error& refused) {  // not a reason to refuse the surface
      notes.emplace_back(refused.what());
    }
  };
  const fs::path folder = file.parent_path();
  for (const char* const what : kUsualValues) add(folder, what);
  for (const char* const what : kUsualLabels)
    for (const fs::path& place : {folder, folder / ".." / "label"}) add(place, what);
}

}  // namespace sulcus::io
