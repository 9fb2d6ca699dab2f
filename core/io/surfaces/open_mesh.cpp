#include "core/base/error.h"
#include "core/image/grids/assumed_sides.h"
#include "core/io/companions.h"
#include "core/io/files.h"
#include "core/io/streams/byte_source.h"
#include "core/io/surfaces/mesh_files.h"
#include "core/io/volumes/samples.h"

#include <algorithm>
#include <cctype>
#include <new>
#include <system_error>

namespace sulcus::io {
namespace {

namespace fs = std::filesystem;

std::string extensionOf(const fs::path& file) {
  std::string extension = file.extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return std::tolower(c); });
  return extension;
}

std::optional<MeshFormat> formatNamed(const std::string& extension) {
  if (extension == ".vtp") return MeshFormat::vtp;
  if (extension == ".ply") return MeshFormat::ply;
  if (extension == ".stl") return MeshFormat::stl;
  if (extension == ".obj") return MeshFormat::obj;
  if (extension == ".gii") return MeshFormat::gifti;
  return std::nullopt;
}

std::string startOf(const fs::path& file, std::size_t most) {
  std::string start(most, '\0');
  start.resize(openData(file).readSome(0, start));
  return start;
}

/// Whether the number of triangles in the 84-byte header matches the file size exactly.
bool hasSizeOfStl(const std::string& start, std::uint64_t size) {
  if (start.size() < 84) return false;
  const std::uint64_t triangles = load<std::uint32_t>(start.data() + 80, false);
  return triangles > 0 && size == 84 + 50 * triangles;
}

std::string wholeFile(const fs::path& file) {
  const DataFile data = openData(file);
  requireMemory(3 * data.size(), file);
  std::string bytes(std::size_t(data.size()), '\0');
  data.read(0, bytes);
  return bytes;
}

RawMesh readRaw(std::string_view bytes, MeshFormat format, const std::string& name) {
  switch (format) {
    case MeshFormat::vtp:
      return readVtp(bytes, name);
    case MeshFormat::ply:
      return readPly(bytes, name);
    case MeshFormat::stl:
      return readStl(bytes, name);
    case MeshFormat::obj:
      return readObj(bytes, name);
    case MeshFormat::gifti:
      return readGifti(bytes, name);
    case MeshFormat::freeSurfer:
      return readFreeSurfer(bytes, name);
  }
  return {};
}

Note spaceNote(MeshSpace space, const std::string& by) {
  if (space == MeshSpace::unstated)
    return assumedSides(
        "Nothing says in which space its coordinates are: taken as RAS+ mm. A JSON sidecar can state "
        "\"CoordinateSpace\": \"LPS\".");
  return "Coordinates in " + std::string(space == MeshSpace::lps ? "LPS+, turned to RAS+ mm," : "RAS+ mm") +
         " by " + by + ".";
}

}  // namespace

std::optional<MeshFormat> meshFormatOf(const fs::path& file) {
  const std::string extension = extensionOf(file);
  const std::string start = startOf(file, 4096);
  if (start.starts_with("\x1f\x8b")) {
    if (const auto inner = extensionOf(file.stem()); extension == ".gz" && formatNamed(inner))
      throw Error(quoted(file) + " is compressed", "surfaces are read as they are", "unpack it with gunzip");
    return std::nullopt;
  }
  if (looksLikeFreeSurfer(start)) return MeshFormat::freeSurfer;
  if (start.find("<VTKFile") != start.npos) return MeshFormat::vtp;
  if (start.find("<GIFTI") != start.npos) return MeshFormat::gifti;
  if (start.starts_with("ply\n") || start.starts_with("ply\r")) return MeshFormat::ply;
  if (start.starts_with("solid") && start.find("facet") != start.npos) return MeshFormat::stl;
  std::error_code fault;
  if (hasSizeOfStl(start, fs::file_size(file, fault))) return MeshFormat::stl;
  return formatNamed(extension);
}

std::optional<MeshFormat> meshFormatToWrite(const fs::path& file) { return formatNamed(extensionOf(file)); }

bool holdsMesh(const fs::path& file) {
  return meshFormatOf(file).has_value() || !surfaceOfValues(file).empty();
}

Layer openMesh(const fs::path& opened, const Progress& progress) try {
  const FileStamp stamp = stampOf(opened);
  auto format = meshFormatOf(opened);
  const fs::path ofValues = format ? fs::path() : surfaceOfValues(opened);
  const fs::path& file = ofValues.empty() ? opened : ofValues;
  if (!format && !ofValues.empty()) format = meshFormatOf(file);
  const std::string name = quoted(file);
  if (!format)
    throw Error(name + " is not a surface that Sulcus can read",
                "its content is none of VTP, PLY, STL, OBJ, GIFTI and FreeSurfer",
                "check that it is the right file and complete");
  const Sidecar sidecar = readSidecar(file);
  const std::string bytes = wholeFile(file);
  progress.update(0.3);
  RawMesh raw = readRaw(bytes, *format, name);
  progress.update(0.8);
  std::string by = "what the file says";
  if (const MeshSpace beside = spaceIn("SPACE=" + sidecar.space); beside != MeshSpace::unstated)
    raw.space = beside, by = quoted(sidecar.file);
  raw.notes.push_back(spaceNote(raw.space, by));
  raw = finishedMesh(std::move(raw), name);
  if (!ofValues.empty()) {
    addPointValues(raw.mesh, opened);
    raw.notes.push_back("Values of " + quoted(opened) + " on its surface " + name + ".");
  } else if (*format == MeshFormat::freeSurfer) {
    addValuesBeside(raw.mesh, file, raw.notes);
  }
  Layer layer;
  // lh.white is not a file with the extension "white".
  layer.name = *format == MeshFormat::freeSurfer ? opened.filename().string() : stemOf(file);
  layer.unit = sidecar.unit;
  layer.source = opened.string();
  layer.stamp = stamp;
  layer.notes = std::move(raw.notes);
  addNotes(sidecar, layer);
  layer.content = MeshLayer{std::make_shared<const Mesh>(std::move(raw.mesh))};
  progress.update(1);
  return layer;
} catch (const std::bad_alloc&) {
  throw Error(quoted(opened) + " does not fit into memory", "the machine has no room for all of it",
              "close other scans or programs", ErrorKind::unavailable);
}

void addPointValues(Mesh& mesh, const fs::path& file) {
  const std::string name = quoted(file), key = file.filename().string(), bytes = wholeFile(file);
  if (bytes.find("<GIFTI") < 4096) return addGiftiValues(mesh, bytes, name);
  if (looksLikeAnnotation(bytes)) return addAnnotation(mesh, bytes, key, name);
  mesh.pointScalars.insert_or_assign(key, readFreeSurferValues(bytes, mesh.points.size(), name));
  mesh.labelTables.erase(key);
}

std::string meshBytes(const Mesh& mesh, MeshFormat format) {
  switch (format) {
    case MeshFormat::vtp:
      return vtpBytes(mesh);
    case MeshFormat::ply:
      return plyBytes(mesh);
    case MeshFormat::stl:
      return stlBytes(mesh);
    case MeshFormat::obj:
      return objBytes(mesh);
    case MeshFormat::gifti:
      return giftiBytes(mesh);
    case MeshFormat::freeSurfer:
      break;  // read-only format
  }
  return {};
}

}  // namespace sulcus::io
