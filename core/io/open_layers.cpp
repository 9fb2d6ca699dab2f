#include "core/io/companions.h"
#include "core/io/files.h"
#include "core/io/formats.h"
#include "core/io/other_formats.h"
#include "core/io/streams/byte_source.h"
#include "core/io/tables/tables.h"

#include <array>
#include <set>
#include <utility>

namespace sulcus::io {

namespace fs = std::filesystem;

std::vector<Layer> openLayers(const fs::path& file, const Progress& progress, UnlabeledData unstated,
                              const FirstVolume& first) {
  requireReadable(file);
  const bool isMesh = holdsMesh(file);  // also refuses compressed meshes, before they are decompressed to
                                        // look for lines
  if (holdsTracts(file)) return {openTracts(file, progress, first)};
  if (isMesh) return {openMesh(file, progress)};
  static const std::set<std::string> tables{".tsv", ".csv", ".txt", ".mat", ".tfm", ".con"};
  static const std::set<std::string> scans{".mha", ".mhd", ".nrrd", ".nhdr", ".nii",
                                           ".mgh", ".mgz", ".mif",  ".dcm"};
  const std::string extension = withoutPacking(file).extension().string();
  if (scans.count(extension)) return openVolumes(file, progress, unstated, first);
  std::array<char, 4096> start;
  const std::size_t got = ByteSource(file).readSome(start);
  const std::string_view text(start.data(), got);
  const bool isText = isPlainText(text) && !text.starts_with("NRRD") && !text.starts_with("mrtrix image") &&
                      !looksLikeMetaImage(text);
  if (isText) refuseOtherFormat(file, text);
  if (isText || tables.count(extension)) return {openTable(file, progress)};
  return openVolumes(file, progress, unstated, first);
}

Layer openLayer(const fs::path& file, const Progress& progress, UnlabeledData unstated) {
  return std::move(openLayers(file, progress, unstated).front());
}

}  // namespace sulcus::io
