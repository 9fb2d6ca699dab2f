#include "core/base/error.h"
#include "core/io/atomic_file.h"
#include "core/io/byte_source.h"
#include "core/io/companions.h"
#include "core/io/files.h"
#include "core/io/formats.h"
#include "core/io/mesh_files.h"
#include "core/io/tables.h"

#include <deque>
#include <system_error>

namespace sulcus::io {
namespace {

namespace fs = std::filesystem;

bool endsWith(const std::string& text, const std::string& end) {
  return text.size() > end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

/// What is written as a whole, with the JSON file beside it.
void saveBytes(const Layer& layer, const std::string& bytes, const fs::path& file, bool overwrite) {
  AtomicFile target(file, overwrite);
  const fs::path json = beside(file, ".json");
  std::error_code fault;
  AtomicFile sidecar(json, overwrite);
  sidecar.write(sidecarJson(layer, fs::is_regular_file(json, fault) ? json : fs::path()));
  target.write(bytes);
  target.commit();
  sidecar.commit();
}

/// Tables and curves, by the name's ending.
void saveTable(const Layer& layer, const TableLayer& table, const fs::path& file, bool overwrite) {
  const std::string name = file.filename().string();
  if (!endsWith(name, ".tsv") && !endsWith(name, ".csv"))
    throw Error("'" + layer.name + "' cannot be saved as a scan", "it holds " + kindOf(layer),
                "end the name in .tsv or .csv", ErrorKind::usage);
  saveBytes(layer, tableText(table, endsWith(name, ".csv") ? ',' : '\t'), file, overwrite);
}

void saveMesh(const Layer& layer, const Mesh& mesh, const fs::path& file, bool overwrite) {
  const auto format = meshFormatToWrite(file);
  if (!format)
    throw Error("Cannot save as " + quoted(file), "'" + layer.name + "' is a surface",
                "end the name in .vtp, .ply, .stl, .obj or .gii", ErrorKind::usage);
  if (mesh.triangles.empty())
    throw Error("'" + layer.name + "' cannot be saved", "it has no triangles", "choose another layer");
  saveBytes(layer, meshBytes(mesh, *format), file, overwrite);
}

}  // namespace

void saveLayer(const Layer& layer, const fs::path& file, bool overwrite, const Progress& progress) {
  if (const auto* table = std::get_if<TableLayer>(&layer.content))
    return saveTable(layer, *table, file, overwrite);
  if (const auto* curves = std::get_if<CurveLayer>(&layer.content))
    return saveTable(layer, tableOf(*curves), file, overwrite);
  if (const auto* surface = std::get_if<MeshLayer>(&layer.content))
    return saveMesh(layer, *surface->mesh, file, overwrite);
  const Grid* const grid = gridOf(layer);
  if (grid->voxels() == 0)
    throw Error("'" + layer.name + "' cannot be saved", "it has no voxels", "choose another layer");
  const std::string name = file.filename().string();
  const bool nifti = endsWith(name, ".nii") || endsWith(name, ".nii.gz");
  const bool nrrd = endsWith(name, ".nrrd");
  if (!nifti && !nrrd && !endsWith(name, ".mha"))
    throw Error("Cannot save as " + quoted(file), "its ending names no format to write",
                "end the name in .nii.gz, .nii, .nrrd or .mha", ErrorKind::usage);

  // Every name is checked, and every file complete, before the first one appears.
  AtomicFile target(file, overwrite);
  std::deque<AtomicFile> companions;
  const auto accompany = [&](const fs::path& companion) -> AtomicFile& {
    return companions.emplace_back(companion, overwrite);
  };
  const fs::path json = beside(file, ".json"), bval = beside(file, ".bval"), bvec = beside(file, ".bvec");
  std::error_code fault;
  AtomicFile& sidecar = accompany(json);
  sidecar.write(sidecarJson(layer, fs::is_regular_file(json, fault) ? json : fs::path()));
  const auto* const volume = std::get_if<VolumeLayer>(&layer.content);
  const bool diffusion = volume && !volume->gradients.empty();
  if (diffusion) {
    const FslTexts texts = fslTexts(volume->gradients, *grid);
    accompany(bval).write(texts.bval);
    accompany(bvec).write(texts.bvec);
  }
  progress.throwIfCancelled();
  const auto write = nifti ? writeNifti : nrrd ? writeNrrd : writeMetaImage;
  write(layer, target.temporary(), file, progress);
  progress.update(1);
  target.commit();
  for (auto& companion : companions) companion.commit();
  if (!overwrite || diffusion) return;
  fs::remove(bval, fault), fs::remove(bvec, fault);
}

}  // namespace sulcus::io
