#include "core/image/display/reinterpretation.h"

#include "core/base/error.h"
#include "core/base/sanitized.h"
#include "core/image/diffusion/diffusion_tensor.h"
#include "core/image/diffusion/harmonics_image.h"
#include "core/image/grids/axis_change.h"
#include "core/image/layer.h"
#include "core/image/warp.h"

#include <array>

namespace sulcus {
namespace {

[[noreturn]] void refuse(const Layer& layer, const std::string& as) {
  throw Error("'" + layer.name + "' cannot be taken as " + as, "it holds " + kindWithArticle(layer),
              "choose an image whose numbers are that");
}

const Series<float>& seriesOf(const Layer& layer, const std::string& as) {
  const auto* volume = std::get_if<VolumeLayer>(&layer.content);
  if (!volume || volume->colors) refuse(layer, as);
  return *volume->series;
}

void changeAxes(Layer& layer, const AxisChange& change) {
  if (auto* volume = std::get_if<VolumeLayer>(&layer.content); volume && !volume->gradients.empty()) {
    volume->gradients = withAxisChange(volume->gradients, volume->series->grid, change);
    layer.notes.push_back("Gradients: " + describeChange(change) +
                          " along the axes of the image, as chosen here.");
    return;
  }
  auto* peaks = std::get_if<PeaksLayer>(&layer.content);
  if (!peaks || peaks->tensor) refuse(layer, "directions with other axes");
  peaks->peaks = std::make_shared<const Series<float>>(withAxisChange(*peaks->peaks, change));
  layer.notes.push_back("Directions: " + describeChange(change) +
                        " along the axes of the image, as chosen here.");
}

/// Converts triples along FSL's axes of the image to scanner axes.
Series<float> fromImageAxes(const Series<float>& directions) {
  const Affine worldFromImage = worldFromFsl(directions.grid);
  Series<float> world = directions;
  for (int v = 0; v + 2 < world.count; v += 3)
    for (std::int64_t i = 0; i < world.grid.voxels(); ++i) {
      const Vec3<double> d = worldFromImage.vector({world.at(i, v), world.at(i, v + 1), world.at(i, v + 2)});
      for (int c = 0; c < 3; ++c) world.at(i, v + c) = float(d[c]);
    }
  return world;
}

void takePeaks(Layer& layer, bool alongImage) {
  const Series<float>& series = seriesOf(layer, "directions");
  if (series.count % 3 != 0)
    throw Error("'" + layer.name + "' has " + std::to_string(series.count) + " volumes",
                "directions have three each", "choose an image of directions");
  layer.content =
      PeaksLayer{std::make_shared<const Series<float>>(alongImage ? fromImageAxes(series) : series), nullptr};
  layer.notes.push_back(std::string("Taken as directions along the axes of the ") +
                        (alongImage ? "image (FSL)" : "scanner (MRtrix)") + ", as chosen here.");
}

void takeTensor(Layer& layer, const std::string& order) {
  auto tensor = std::make_shared<const Series<float>>(
      diffusionTensor(seriesOf(layer, "a diffusion tensor"), tensorOrderFrom(order)));
  auto peaks = std::make_shared<const Series<float>>(principalDirections(*tensor));
  layer.content = PeaksLayer{std::move(peaks), std::move(tensor)};
  layer.notes.push_back("Taken as a diffusion tensor as " + order + " writes it, as chosen here.");
}

void takeHarmonics(Layer& layer) {
  auto functions = std::make_shared<const Series<float>>(functionsOf(seriesOf(layer, "functions")));
  layer.content = functionLayer(layer.name, std::move(functions)).content;
  layer.notes.emplace_back(
      "Taken as spherical harmonics along the axes of the scanner (MRtrix), as chosen here.");
}

void takeDisplacement(Layer& layer, const Reinterpretation& reinterpretation, const std::string& format) {
  auto field = std::make_shared<const Series<float>>(
      displacementOf(seriesOf(layer, "a displacement"), warpFormatFrom(format), reinterpretation.moving));
  layer.content = DisplacementLayer{std::move(field), FieldConvention::itk};
  layer.unit = "mm";
  layer.notes.push_back(
      "Taken as a displacement (" + format +
      (reinterpretation.moving ? ", moving image: " + describeGrid(*reinterpretation.moving) : "") +
      "), as chosen here.");
}

}  // namespace

Layer reinterpret(const Layer& before, const Reinterpretation& reinterpretation) {
  Layer layer = before;
  const std::size_t gap = reinterpretation.how.find(' ');
  const std::string what = reinterpretation.how.substr(0, gap),
                    how = gap == std::string::npos ? "" : reinterpretation.how.substr(gap + 1);
  if (what == "axes")
    changeAxes(layer, axesFrom(how));
  else if (what == "peaks")
    takePeaks(layer, how == "image");
  else if (what == "tensor")
    takeTensor(layer, how);
  else if (what == "harmonics")
    takeHarmonics(layer);
  else if (what == "displacement")
    takeDisplacement(layer, reinterpretation, how);
  else
    throw Error(inQuotes(reinterpretation.how, 40) + " is an unknown layer interpretation", "it is not known",
                "use the version of Sulcus that wrote it");
  if (what != "axes") layer.display = {};
  layer.reinterpretations.push_back(reinterpretation);
  return layer;
}

}  // namespace sulcus
