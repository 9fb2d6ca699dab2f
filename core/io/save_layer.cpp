#include "core/base/error.h"
#include "core/image/harmonics_image.h"
#include "core/io/byte_source.h"
#include "core/io/companions.h"
#include "core/io/files.h"
#include "core/io/formats.h"
#include "core/io/label_tables.h"
#include "core/io/mesh_files.h"
#include "core/io/staged_files.h"
#include "core/io/tables.h"

#include <system_error>
#include <vector>

namespace sulcus::io {
namespace {

namespace fs = std::filesystem;

bool endsWith(const std::string& text, const std::string& end) {
  return text.size() > end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

/// The text of a layer's sidecar, which keeps what others wrote into the existing one.
std::string sidecarFor(const Layer& layer, const fs::path& json) {
  std::error_code fault;
  return sidecarJson(layer, fs::is_regular_file(json, fault) ? json : fs::path());
}

/// Whether the sidecar that is there says of this layer what its own would: surf.ply has been written of it,
/// and surf.gii is to be.
bool isDescribedBy(const Layer& layer, const fs::path& json) {
  std::error_code fault;
  return fs::is_regular_file(json, fault) && openText(json) == sidecarJson(layer, json);
}

/// Writes a file whose bytes are complete, with its sidecar.
void saveBytes(const Layer& layer, const std::string& bytes, const fs::path& file, bool overwrite) {
  const fs::path json = beside(file, ".json");
  const bool described = isDescribedBy(layer, json);
  StagedFiles files =
      StagedFiles::scan(file, described ? std::vector<fs::path>() : std::vector{json}, overwrite);
  if (!described) writeFile(files.file(json.filename()), sidecarFor(layer, json));
  writeFile(files.file(file.filename()), bytes);
  files.publish();
}

/// Writes tables and curves in the format of the extension.
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

using WriteImage = void(const Layer& layer, const fs::path& to, const fs::path& file, const Progress&);

/// The writer for the extension; throws Error for one that is not of an image.
WriteImage& imageWriter(const fs::path& file) {
  const std::string name = file.filename().string();
  if (endsWith(name, ".nii") || endsWith(name, ".nii.gz")) return writeNifti;
  if (endsWith(name, ".nrrd")) return writeNrrd;
  if (endsWith(name, ".mha")) return writeMetaImage;
  throw Error("Cannot save as " + quoted(file), "its ending names no format to write",
              "end the name in .nii.gz, .nii, .nrrd or .mha", ErrorKind::usage);
}

/// The files next to an image that may be written or removed. Gradients of an earlier series are removed when
/// the new image has none.
std::vector<fs::path> besideImage(const fs::path& file, bool withGradients, bool withNames = false) {
  std::vector<fs::path> files{beside(file, ".json")};
  if (withNames) files.push_back(beside(file, ".tsv"));
  if (withGradients) files.insert(files.end(), {beside(file, ".bval"), beside(file, ".bvec")});
  return files;
}

}  // namespace

void requirePlace(const fs::path& file, bool overwrite) { StagedFiles::scan(file, {}, overwrite); }

void requireImagePlace(const fs::path& file, bool overwrite) {
  imageWriter(file);
  StagedFiles::scan(file, besideImage(file, overwrite), overwrite);
}

void saveLayer(const Layer& layer, const fs::path& file, bool overwrite, const Progress& progress) {
  if (const auto* table = std::get_if<TableLayer>(&layer.content))
    return saveTable(layer, *table, file, overwrite);
  if (const auto* curves = std::get_if<CurveLayer>(&layer.content))
    return saveTable(layer, tableOf(*curves), file, overwrite);
  if (const auto* surface = std::get_if<MeshLayer>(&layer.content))
    return saveMesh(layer, *surface->mesh, file, overwrite);
  // Functions are written as other programs read them, and the sidecar says what they are.
  Layer image = layer;
  if (isFunctionAlone(layer))
    image.content = VolumeLayer{
        std::make_shared<const Series<float>>(harmonicsOf(*std::get<PeaksLayer>(layer.content).tensor))};
  const Grid* const grid = gridOf(layer);
  if (grid->voxels() == 0)
    throw Error("'" + layer.name + "' cannot be saved", "it has no voxels", "choose another layer");
  WriteImage& write = imageWriter(file);
  const fs::path json = beside(file, ".json"), bval = beside(file, ".bval"), bvec = beside(file, ".bvec");
  const auto* const volume = std::get_if<VolumeLayer>(&layer.content);
  const bool diffusion = volume && !volume->gradients.empty();
  const auto* const labels = std::get_if<LabelsLayer>(&layer.content);
  const bool named = labels && labels->names;
  StagedFiles files = StagedFiles::scan(file, besideImage(file, diffusion || overwrite, named), overwrite);
  writeFile(files.file(json.filename()), sidecarFor(layer, json));
  if (named) writeFile(files.file(beside(file, ".tsv").filename()), labelTableText(*labels->names));
  if (diffusion) {
    const FslTexts texts = fslTexts(volume->gradients, *grid);
    writeFile(files.file(bval.filename()), texts.bval);
    writeFile(files.file(bvec.filename()), texts.bvec);
  }
  progress.throwIfCancelled();
  write(image, files.file(file.filename()), file, progress);
  progress.update(1);
  files.publish();
}

}  // namespace sulcus::io
