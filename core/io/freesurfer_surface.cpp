#include "core/base/error.h"
#include "core/image/grid.h"
#include "core/io/byte_source.h"
#include "core/io/files.h"
#include "core/io/mesh_files.h"
#include "core/io/samples.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <system_error>

// Surfaces of FreeSurfer (lh.white, lh.pial, …) and numbers for their points (lh.curv, lh.thickness, …): all
// is big-endian. Points are in the frame of the surface, whose axes and origin are those of the middle of the
// conformed volume, which the end of the file describes as text.
namespace sulcus::io {
namespace {

namespace fs = std::filesystem;

constexpr bool kSwapFreeSurfer = std::endian::native == std::endian::little;
constexpr std::string_view kTriangleMark{"\xff\xff\xfe", 3}, kValuesMark{"\xff\xff\xff", 3};
/// Numbers that recon-all leaves beside each surface of a hemisphere.
constexpr const char* kUsualValues[] = {"thickness", "curv", "sulc", "area"};

std::int32_t wholeAt(std::string_view bytes, std::size_t at, const std::string& name) {
  if (at + 4 > bytes.size()) failMesh(name, "it ends before its points do");
  return load<std::int32_t>(bytes.data() + at, kSwapFreeSurfer);
}

/// The three numbers behind "key = " in the text at the end; nullopt without them.
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

/// Turns points from the frame of the surface to the scanner. The frame has x against the columns of the
/// volume, z against its rows and y along its slices, from the volume's middle.
void toScannerFrame(RawMesh& raw, std::string_view footer, const std::string& name) {
  const auto x = footerVector(footer, "xras", name), y = footerVector(footer, "yras", name),
             z = footerVector(footer, "zras", name), middle = footerVector(footer, "cras", name);
  const std::size_t valid = footer.find("valid = ");
  if (!x || !y || !z || !middle || valid == footer.npos ||
      footer[std::min(valid + 8, footer.size() - 1)] != '1') {
    raw.notes.emplace_back(
        "Warning: the file does not say where its volume lies: its points are in FreeSurfer's frame of the "
        "surface, not in that of the scanner.");
    return;
  }
  for (Vec3<float>& p : raw.mesh.points) {
    const Vec3<double> q = *middle - double(p.x) * *x - double(p.z) * *y + double(p.y) * *z;
    p = {toFloat(q.x), toFloat(q.y), toFloat(q.z)};
  }
  raw.notes.emplace_back("Brought from FreeSurfer's frame of the surface to that of the scanner.");
}

}  // namespace

bool looksLikeFreeSurfer(std::string_view start) { return start.starts_with(kTriangleMark); }

RawMesh readFreeSurfer(std::string_view bytes, const std::string& name) {
  RawMesh raw;
  raw.space = MeshSpace::ras;
  raw.notes.emplace_back("Recognized as a surface of FreeSurfer.");
  // A line of text on who made it, and an empty one.
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

void addValuesBeside(Mesh& mesh, const fs::path& file, std::vector<std::string>& notes) {
  const std::string hemisphere = file.stem().string();
  if (hemisphere != "lh" && hemisphere != "rh") return;
  for (const char* const what : kUsualValues) {
    const fs::path beside = file.parent_path() / (hemisphere + "." + what);
    std::error_code fault;
    if (!fs::is_regular_file(beside, fault)) continue;
    try {
      for (auto& [key, values] : openPointValues(beside, mesh.points.size()))
        mesh.pointScalars.insert_or_assign(key, std::move(values));
    } catch (const Error& refused) {  // no reason to refuse the surface
      notes.emplace_back(refused.what());
    }
  }
}

}  // namespace sulcus::io
