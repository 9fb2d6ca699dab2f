#include "ui/jobs/session_layer.h"

#include "core/image/display/layer_kinds.h"

#include <stdexcept>
#include <type_traits>

namespace sulcus::ui::jobs {
namespace {

/// Restores the exact grid of a layer, since its file has only the digits that its format allows.
void placeOn(Layer& layer, const Grid& grid) {
  const auto place = [&](auto& shared) {
    if (!sameGrid(shared->grid, grid)) return;
    using Values = std::remove_const_t<std::remove_reference_t<decltype(*shared)>>;
    std::const_pointer_cast<Values>(shared)->grid = grid;  // it has just been made and is not shared yet
  };
  if (auto* volume = std::get_if<VolumeLayer>(&layer.content)) place(volume->series);
  if (auto* labels = std::get_if<LabelsLayer>(&layer.content)) place(labels->labels);
  if (auto* peaks = std::get_if<PeaksLayer>(&layer.content)) place(peaks->peaks);
  if (auto* field = std::get_if<DisplacementLayer>(&layer.content)) place(field->displacement);
}

}  // namespace

FieldConvention conventionOf(const Json& json) {
  return json.value("Convention", "itk") == "slicer" ? FieldConvention::slicer : FieldConvention::itk;
}

void restoreBundles(Layer& layer, const Json& json, const LabelsOfNumber& labelsOf) {
  auto* lines = std::get_if<TractsLayer>(&layer.content);
  if (!lines || !json.contains("Bundles")) return;
  lines->bundles =
      std::make_shared<const std::vector<Bundle>>(bundlesFrom(json["Bundles"], *lines->tracts, labelsOf));
}

void restore(Layer& layer, const Json& json) {
  if (json.contains("Grid")) placeOn(layer, readAs<Grid>(json["Grid"]));
  if (auto* volume = std::get_if<VolumeLayer>(&layer.content)) {
    volume->secondsPerVolume = json.at("SecondsPerVolume").get<double>();
    volume->volumeNames = json.at("VolumeNames").get<std::vector<std::string>>();
    volume->colors = json.value("IsPicture", false);
    volume->gradients = {};
    for (const Json& row : json.at("Gradients"))
      volume->gradients.rows.push_back(
          {row.at(0).get<double>(),
           {row.at(1).get<double>(), row.at(2).get<double>(), row.at(3).get<double>()}});
    volume->gradients.source = json.at("GradientSource").get<std::string>();
    const std::size_t count = std::size_t(volume->series->count);
    if ((!volume->gradients.empty() && volume->gradients.rows.size() != count) ||
        (!volume->volumeNames.empty() && volume->volumeNames.size() != count))
      throw std::out_of_range("there are not as many names or gradients as volumes");
  }
  if (auto* field = std::get_if<DisplacementLayer>(&layer.content)) field->convention = conventionOf(json);
  if (auto* surface = std::get_if<MeshLayer>(&layer.content); surface && json.contains("PointLabels")) {
    auto mesh = std::make_shared<Mesh>(*surface->mesh);
    for (const auto& [scalars, table] : json["PointLabels"].items())
      if (mesh->pointScalars.contains(scalars))
        mesh->labelTables[scalars] = std::make_shared<const LabelTable>(labelNamesFrom(table));
    surface->mesh = std::move(mesh);
  }
}

}  // namespace sulcus::ui::jobs
