#include "app/cli/scan.h"

#include "core/base/error.h"
#include "core/base/sanitized.h"
#include "core/image/display/layer_kinds.h"
#include "core/image/grids/axis_change.h"
#include "core/io/files.h"
#include "core/io/streams/byte_source.h"
#include "core/io/streams/zip_archive.h"

#include <iostream>

namespace sulcus::app::cli {
namespace {

Layer openFolder(const std::filesystem::path& folder, const std::string& series, const Progress& progress) {
  if (const auto fixels = io::fixelDirectionsIn(folder); !fixels.empty())
    return io::openVolume(fixels, progress);
  return io::openDicomPlace(folder, series, progress);
}

}  // namespace

std::vector<std::pair<std::string, std::string>> GradientFiles::given() const {
  std::vector<std::pair<std::string, std::string>> files{{"bval", bval}, {"bvec", bvec}, {"grad", grad}};
  std::erase_if(files, [](const auto& file) { return file.second.empty(); });
  return files;
}

Layer openScan(const std::filesystem::path& path, const Progress& progress, io::UnlabeledData unstated,
               const std::string& series) {
  if (std::filesystem::is_directory(path)) return openFolder(path, series, progress);
  const auto refuse = [&](const char* kind) {
    throw Error(io::quoted(path) + " is " + kind, "an image was expected", "give an image");
  };
  const std::string ending = path.extension().string();
  if (io::holdsMesh(path)) refuse("a surface");
  if (io::holdsTracts(path)) refuse("a file of tracts");
  if (std::filesystem::exists(path) && (ending == ".tsv" || ending == ".csv")) refuse("a table");
  const bool severalSeries = !series.empty() && (io::isZip(path) || io::isDicomIndex(path));
  return severalSeries ? io::openDicomPlace(path, series, progress)
                       : io::openVolume(path, progress, unstated);
}

Layer openScanOrSurface(const std::filesystem::path& path, const Progress& progress,
                        const std::string& series) {
  const bool file = !std::filesystem::is_directory(path);
  if (file && io::holdsTracts(path)) return io::openTracts(path, progress);
  const bool surface = file && io::holdsMesh(path);
  return surface ? io::openMesh(path, progress) : openScan(path, progress, io::UnlabeledData::judged, series);
}

std::string described(const Layer& layer) {
  if (const auto* table = std::get_if<TableLayer>(&layer.content))
    return "table of " + std::to_string(table->rows.size()) + " rows and " +
           std::to_string(table->columns.size()) + " columns";
  if (const auto* mesh = std::get_if<MeshLayer>(&layer.content))
    return kindOf(layer) + " of " + std::to_string(mesh->mesh->points.size()) + " points and " +
           std::to_string(mesh->mesh->triangles.size()) + " triangles";
  if (const auto* lines = std::get_if<TractsLayer>(&layer.content))
    return kindOf(layer) + " of " + std::to_string(lines->tracts->lines()) + " lines and " +
           std::to_string(lines->tracts->points.size()) + " points";
  return kindOf(layer) + " of " + describeGrid(*gridOf(layer));
}

void printWarnings(const Layer& layer, const CliContext& session) {
  if (session.json || session.quiet) return;
  std::ostream& out = session.place.empty() ? std::cerr : std::cout;
  for (const auto& warning : namedWarningsOf(layer)) out << sanitizedForDisplay(warning.line()) << "\n";
}

namespace {

void giveGradients(Layer& scan, const GradientFiles& files) {
  if (files.bval.empty() != files.bvec.empty())
    throw Error("--bval and --bvec belong together", "one holds the b-values, the other the directions",
                "give both", ErrorKind::usage);
  if (!files.bval.empty() && !files.grad.empty())
    throw Error("--grad and --bval are both given", "it is not clear which gradients are right",
                "give one of them", ErrorKind::usage);
  const auto* volume = std::get_if<VolumeLayer>(&scan.content);
  const int volumes = volume ? volume->series->count : 0;
  const Grid* grid = gridOf(scan);
  GradientTable gradients;
  if (volume)
    gradients = files.grad.empty() ? io::readFslGradients(files.bval, files.bvec, *grid, volumes)
                                   : io::readMrtrixGradients(files.grad, volumes);
  io::replaceGradients(scan, std::move(gradients));
}

}  // namespace

Layer withGradients(Layer scan, const GradientFiles& files) {
  if (!files.given().empty()) giveGradients(scan, files);
  return files.axes.empty() ? scan : reinterpret(scan, {kAxesReinterpretation + files.axes});
}

}  // namespace sulcus::app::cli
