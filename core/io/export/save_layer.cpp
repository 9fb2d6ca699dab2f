#include "core/base/error.h"
#include "core/image/diffusion/harmonics_image.h"
#include "core/image/display/layer_kinds.h"
#include "core/io/companions.h"
#include "core/io/files.h"
#include "core/io/formats.h"
#include "core/io/streams/byte_source.h"
#include "core/io/streams/staged_files.h"
#include "core/io/surfaces/mesh_files.h"
#include "core/io/tables/label_tables.h"
#include "core/io/tables/tables.h"
#include "core/io/tracts/tract_files.h"

#include <functional>
#include <system_error>
#include <vector>

namespace sulcus::io {
namespace {

namespace fs = std::filesystem;

bool endsWith(const std::string& text, const std::string& end) {
  return text.size() > end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

/// The text of a layer's sidecar, keeping the keys that others wrote to the sidecar of the replaced file.
std::string sidecarFor(const Layer& layer, const fs::path& file) {
  std::error_code fault;
  if (const fs::path own = sidecarOf(file); fs::is_regular_file(own, fault)) return sidecarJson(layer, own);
  const fs::path stem =
      beside(file, ".json");  // of a surface saved by a version that named the sidecar like this
  const bool isIts = fs::exists(file, fault) && fs::is_regular_file(stem, fault);
  return sidecarJson(layer, isIts ? stem : fs::path());
}

using WriteImage = void(const Layer& layer, const fs::path& to, const fs::path& file, const Progress&);

/// The writer for the extension; throws Error if it is not that of an image.
WriteImage& imageWriter(const fs::path& file) {
  const std::string name = file.filename().string();
  if (endsWith(name, ".nii") || endsWith(name, ".nii.gz")) return writeNifti;
  if (endsWith(name, ".nrrd")) return writeNrrd;
  if (endsWith(name, ".mha")) return writeMetaImage;
  throw Error("Cannot save as " + quoted(file), "its ending names no format to write",
              "end the name in .nii.gz, .nii, .nrrd or .mha", ErrorKind::usage);
}

/// The files next to an image that may be written or removed. Gradients of an earlier series are removed if
/// the new image has none.
std::vector<fs::path> besideImage(const fs::path& file, bool withGradients, bool withNames = false) {
  std::vector<fs::path> files{beside(file, ".json")};
  if (withNames) files.push_back(beside(file, ".tsv"));
  if (withGradients) files.insert(files.end(), {beside(file, ".bval"), beside(file, ".bvec")});
  return files;
}

bool isTable(const fs::path& file) {
  const std::string name = file.filename().string();
  return endsWith(name, ".tsv") || endsWith(name, ".csv");
}

/// Throws Error for an empty layer and for a format that does not suit its kind.
void requireFormat(const Layer& layer, const fs::path& file) {
  if (const auto* surface = std::get_if<MeshLayer>(&layer.content)) {
    if (!meshFormatToWrite(file))
      throw Error("Cannot save as " + quoted(file), "'" + layer.name + "' is a surface",
                  "end the name in .vtp, .ply, .stl, .obj or .gii", ErrorKind::usage);
    if (surface->mesh->triangles.empty())
      throw Error("'" + layer.name + "' cannot be saved", "it has no triangles", "choose another layer");
  } else if (isTracts(layer)) {
    if (!tractFormatToWrite(file))
      throw Error("Cannot save as " + quoted(file), "'" + layer.name + "' holds tracts",
                  "end the name in .trx, .tck, .trk, .vtp or .vtk", ErrorKind::usage);
  } else if (const Grid* const grid = gridOf(layer)) {
    const auto* const volume = std::get_if<VolumeLayer>(&layer.content);
    if (&imageWriter(file) != &writeNifti && volume && volume->colors)
      throw Error("'" + layer.name + "' cannot be saved as " + quoted(file),
                  "images of colors are written as NIfTI alone", "end the name in .nii.gz or .nii",
                  ErrorKind::usage);
    if (grid->voxels() == 0)
      throw Error("'" + layer.name + "' cannot be saved", "it has no voxels", "choose another layer");
  } else if (!isTable(file)) {
    throw Error("'" + layer.name + "' cannot be saved as a scan", "it holds " + kindWithArticle(layer),
                "end the name in .tsv or .csv", ErrorKind::usage);
  }
}

/// The bytes of a layer that is not an image.
std::string bytesOf(const Layer& layer, const fs::path& file) {
  if (const auto* surface = std::get_if<MeshLayer>(&layer.content))
    return meshBytes(*surface->mesh, *meshFormatToWrite(file));
  const auto* const curves = std::get_if<CurveLayer>(&layer.content);
  const char separator = endsWith(file.filename().string(), ".csv") ? ',' : '\t';
  return tableText(curves ? tableOf(*curves) : std::get<TableLayer>(layer.content), separator);
}

/// The layer as a diffusion series, which has gradient files; null for others.
const VolumeLayer* diffusionOf(const Layer& layer) {
  const auto* const volume = std::get_if<VolumeLayer>(&layer.content);
  return volume && !volume->gradients.empty() ? volume : nullptr;
}

/// The names of labels, which have their own file; null if there are none.
const LabelTable* namesOf(const Layer& layer) {
  const auto* const labels = std::get_if<LabelsLayer>(&layer.content);
  return labels ? labels->names.get() : nullptr;
}

/// Whether the table of names next to labels is written or removed: they have names, or the labels that they
/// replace had some, which would otherwise name the new ones.
bool hasTableOfNames(const Layer& layer, const fs::path& file, bool overwrite) {
  if (namesOf(layer)) return true;
  std::error_code fault;
  if (!overwrite || !std::holds_alternative<LabelsLayer>(layer.content) || !fs::exists(file, fault))
    return false;
  try {
    return !openLabelNames(beside(file, ".tsv")).empty();
  } catch (const Error&) {
    return false;
  }
}

/// Writes a layer and the files next to it except its sidecar. `place` gives the staged path of each.
void writeFiles(const Layer& layer, const fs::path& file,
                const std::function<fs::path(const fs::path& file)>& place, const Progress& progress,
                bool halfPositions = false) {
  const Grid* const grid = gridOf(layer);
  if (const auto* lines = std::get_if<TractsLayer>(&layer.content)) {
    std::vector<Tracts::Group> groups = lines->tracts->groups;
    if (lines->bundles)
      for (const Bundle& bundle : *lines->bundles) groups.push_back({bundle.name, bundle.lines});
    return writeTracts(*lines->tracts, groups, {place(file), file, lines->scan, halfPositions}, progress);
  }
  if (!grid) return writeStaged(place(file), bytesOf(layer, file));
  if (const auto* names = namesOf(layer)) writeStaged(place(beside(file, ".tsv")), labelTableText(*names));
  if (const auto* volume = diffusionOf(layer)) {
    const FslTexts texts = fslTexts(volume->gradients, *grid);
    writeStaged(place(beside(file, ".bval")), texts.bval);
    writeStaged(place(beside(file, ".bvec")), texts.bvec);
  }
  progress.throwIfCancelled();
  Layer image = layer;
  if (isFunctionAlone(layer))  // in the form that other programs read; the sidecar says what it is
    image.content = VolumeLayer{
        std::make_shared<const Series<float>>(harmonicsOf(*std::get<PeaksLayer>(layer.content).tensor))};
  imageWriter(file)(image, place(file), file, progress);
  progress.update(1);
}

}  // namespace

void requirePlace(const fs::path& file, bool overwrite) { StagedFiles::scan(file, {}, overwrite); }

void requireImagePlace(const fs::path& file, bool overwrite) {
  imageWriter(file);
  StagedFiles::scan(file, besideImage(file, overwrite), overwrite);
}

void requireLayerPlace(const fs::path& file, bool overwrite) {
  meshFormatToWrite(file) || tractFormatToWrite(file) || isTable(file) ? requirePlace(file, overwrite)
                                                                       : requireImagePlace(file, overwrite);
}

void saveLayer(const Layer& layer, const fs::path& file, bool overwrite, const Progress& progress,
               bool halfPositions) {
  requireFormat(layer, file);
  if (halfPositions && !(isTracts(layer) && tractFormatToWrite(file) == TractFormat::trx))
    throw Error("Positions of 16 bits cannot be written to " + quoted(file), "only tracts as .trx have them",
                "leave out {half}"_message, ErrorKind::usage);
  const fs::path json = sidecarOf(file);
  const auto next = gridOf(layer) ? besideImage(file, diffusionOf(layer) || overwrite,
                                                hasTableOfNames(layer, file, overwrite))
                                  : std::vector{json};
  StagedFiles files = StagedFiles::scan(file, next, overwrite);
  const auto place = [&](const fs::path& each) { return files.file(each.filename()); };
  writeStaged(place(json), sidecarFor(layer, file));
  writeFiles(layer, file, place, progress, halfPositions);
  files.publish();
}

void writeStaged(const fs::path& to, const Layer& layer, const Progress& progress) {
  requireFormat(layer, to);
  writeStaged(sidecarOf(to), sidecarJson(layer));
  writeFiles(layer, to, std::identity(), progress);
}

}  // namespace sulcus::io
