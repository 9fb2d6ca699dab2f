#include "core/base/error.h"
#include "core/io/atomic_file.h"
#include "core/io/byte_source.h"
#include "core/io/companions.h"
#include "core/io/files.h"
#include "core/io/formats.h"

namespace sulcus::io {
namespace {

namespace fs = std::filesystem;

bool endsWith(const std::string& text, const std::string& end) {
  return text.size() > end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

}  // namespace

void saveLayer(const Layer& layer, const fs::path& file, bool overwrite) {
  const Grid* const grid = gridOf(layer);
  if (!grid)
    throw Error("'" + layer.name + "' cannot be saved as a scan", "it is a " + kindOf(layer),
                "save it in a format of its own", ErrorKind::usage);
  if (grid->voxels() == 0)
    throw Error("'" + layer.name + "' cannot be saved", "it has no voxels", "choose another layer");
  const std::string name = file.filename().string();
  const bool nifti = endsWith(name, ".nii") || endsWith(name, ".nii.gz");
  const bool nrrd = endsWith(name, ".nrrd");
  if (!nifti && !nrrd && !endsWith(name, ".mha"))
    throw Error("Cannot save as " + quoted(file), "its ending names no format to write",
                "end the name in .nii.gz, .nii, .nrrd or .mha", ErrorKind::usage);

  AtomicFile target(file, overwrite);
  if (nifti)
    writeNifti(layer, target.temporary(), file);
  else
    writeItk(layer, target.temporary(), file, nrrd ? ItkFormat::nrrd : ItkFormat::metaImage);
  // The small files first: the scan under its name is then always accompanied by them.
  writeFile(beside(file, ".json"), sidecarJson(layer), overwrite);
  if (const auto* volume = std::get_if<VolumeLayer>(&layer.content); volume && !volume->gradients.empty()) {
    const FslTexts texts = fslTexts(volume->gradients, *grid);
    writeFile(beside(file, ".bval"), texts.bval, overwrite);
    writeFile(beside(file, ".bvec"), texts.bvec, overwrite);
  }
  target.commit();
}

}  // namespace sulcus::io
