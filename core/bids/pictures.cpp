#include "core/bids/pictures.h"

#include "core/bids/figures.h"
#include "core/bids/slices.h"
#include "core/image/display/layer_kinds.h"
#include "core/image/display/layer_values.h"
#include "core/image/grids/assumed_sides.h"
#include "core/image/grids/value_check.h"
#include "core/math/statistics.h"
#include "core/math/strided_sample.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace sulcus::bids {
namespace {

constexpr std::size_t kMostEffects = 4;  ///< pictures of one activation run

const Layer* layerNamed(const RunResult& result, const std::string& name) {
  for (const Layer& layer : result.layers)
    if (layer.name == name) return &layer;
  return nullptr;
}

const Layer* inputLayer(const AnalysisInputs& inputs, const std::string& slot) {
  const auto found = inputs.find(slot);
  return found == inputs.end() ? nullptr : found->second.get();
}

/// The first volume of an input or of a layer of the result, which is not copied.
struct Image {
  std::shared_ptr<const Series<float>> series;  ///< null where there is none

  explicit operator bool() const { return series && series->count > 0 && series->grid.voxels() > 0; }
  const Grid& grid() const { return series->grid; }
  VolumeView<const float> volume() const { return series->volume(0); }
  std::span<const float> values() const {
    return std::span(series->values).first(std::size_t(grid().voxels()));
  }
  float operator[](std::int64_t voxel) const { return series->values[std::size_t(voxel)]; }
};

Image imageOf(const Layer* layer) {
  if (!layer) return {};
  if (const auto* volume = std::get_if<VolumeLayer>(&layer->content)) return {volume->series};
  if (!std::holds_alternative<LabelsLayer>(layer->content)) return {};
  return {std::make_shared<const Series<float>>(firstVolume(*layer, "picture"))};
}

/// Above which value there is something to see: a tenth of the brightest hundredth.
float levelOf(const Image& image) {
  std::vector<float> sound = stridedSample(image.values(), isSound);
  return sound.empty() ? 0.f : 0.1f * lowerQuantile(std::span(sound), 0.99);
}

/// Where there is something to see.
std::function<bool(std::int64_t)> objectIn(const Image& image) {
  return [image, level = levelOf(image)](std::int64_t i) { return image[i] > level; };
}

std::vector<ReportPicture> fiberPictures(const RunResult& result, const AnalysisInputs& inputs) {
  const Layer* layer = layerNamed(result, "peaks");
  const auto* found = layer ? std::get_if<PeaksLayer>(&layer->content) : nullptr;
  const Image first = imageOf(inputLayer(inputs, "dwi"));
  if (!found || !first || !sameGrid(found->peaks->grid, first.grid())) return {};
  const Series<float>& peaks = *found->peaks;
  const auto gray = grays(first.values());
  const auto color = [&](std::int64_t i) {
    const float x = peaks.at(i, 0), y = peaks.at(i, 1), z = peaks.at(i, 2);
    const float length = std::sqrt(x * x + y * y + z * z);
    if (!(length > 0)) return gray(i);
    const auto part = [&](float v) { return std::uint8_t(std::lround(255 * std::abs(v) / length)); };
    return blended(gray(i), {part(x), part(y), part(z)}, 0.65);
  };
  return {
      {"Directions of the largest fiber (red: left and right, green: front and back, blue: up and down) "
       "over the first volume.",
       slices(first.grid(), color, objectIn(first))}};
}

std::vector<ReportPicture> activationPictures(const RunResult& result, const AnalysisInputs& inputs) {
  const Image first = imageOf(inputLayer(inputs, "bold"));
  if (!first) return {};
  const auto gray = grays(first.values());
  const auto object = objectIn(first);
  std::vector<ReportPicture> pictures;
  for (const auto& effect : effectsOf(result, inputs)) {
    const Image shown = imageOf(layerNamed(result, "shown_" + effect)),
                value = imageOf(layerNamed(result, "mean_" + effect));
    if (!shown || !value || !sameGrid(shown.grid(), first.grid()) || pictures.size() == kMostEffects)
      continue;
    const auto color = [&](std::int64_t i) {
      const float voxel = shown[i], size = value[i];
      if (!isSound(voxel) || voxel == 0) return gray(i);
      return blended(gray(i), size < 0 ? Color{60, 140, 255} : Color{255, 120, 20}, 0.8);
    };
    pictures.push_back(
        {"Where the effect " + effect + " is shown (orange: above 0, blue: below) over the first volume.",
         slices(first.grid(), color, object)});
  }
  return pictures;
}

std::vector<ReportPicture> registrationPictures(const RunResult& result, const AnalysisInputs& inputs) {
  const Image reference = imageOf(inputLayer(inputs, "reference")),
              warped = imageOf(layerNamed(result, "warped")), ratio = imageOf(layerNamed(result, "logjac"));
  if (!reference || !warped || !sameGrid(reference.grid(), warped.grid())) return {};
  const auto object = objectIn(reference);
  std::vector<float> inside =
      stridedSample(reference.values(), [level = levelOf(reference)](float value) { return value > level; });
  const auto edge = edges(reference.volume(), inside.empty() ? 0.f : upperMedian(std::span(inside)));
  const auto gray = grays(warped.values());
  std::vector<ReportPicture> pictures;
  pictures.push_back({"The deformed image, with the edges of the reference in red.",
                      slices(
                          reference.grid(),
                          [&](std::int64_t i) {
                            return edge(i) ? blended(gray(i), {255, 30, 30}, 0.8) : gray(i);
                          },
                          object)});
  if (!ratio) return pictures;
  const auto below = grays(reference.values());
  pictures.push_back(
      {"How volumes changed over the reference: blue where the image had to shrink there, red "
       "where it had to grow (full color: by the factor e).",
       slices(
           reference.grid(),
           [&](std::int64_t i) {
             const float log = ratio[i];
             return isSound(log)
                        ? blended(below(i), divergingColor(log), 0.2 + 0.6 * std::min(1.f, std::abs(log)))
                        : below(i);
           },
           object)});
  return pictures;
}

std::vector<ReportPicture> surfacePictures(const RunResult& result, const AnalysisInputs& inputs) {
  const Layer* input = inputLayer(inputs, "image");
  const Image image = imageOf(input ? input : inputLayer(inputs, "mask")),
              phi = imageOf(layerNamed(result, "phi"));
  if (!image || !phi || !sameGrid(image.grid(), phi.grid())) return {};
  std::vector<float> inside(phi.values().size());
  std::transform(phi.values().begin(), phi.values().end(), inside.begin(), std::negate<>());
  const auto gray = grays(image.values());
  const auto edge = edges({inside.data(), phi.grid().size}, 0);
  return {{"The denoised surface in red over what it was made of.",
           slices(
               image.grid(),
               [&](std::int64_t i) {
                 return edge(i) ? Color{255, 40, 40} : gray(i);
               },
               objectIn(image))}};
}

}  // namespace

std::vector<ReportPicture> resultPictures(const RunResult& result, const AnalysisInputs& inputs) {
  const std::string& analysis = result.provenance.analysis;
  std::vector<ReportPicture> pictures;
  if (analysis == "fibers") pictures = fiberPictures(result, inputs);
  if (analysis == "activation") pictures = activationPictures(result, inputs);
  if (analysis == "registration") pictures = registrationPictures(result, inputs);
  if (analysis == "surface") pictures = surfacePictures(result, inputs);
  const bool assumed =
      std::ranges::any_of(inputs, [](const auto& input) { return sidesAreAssumed(*input.second); });
  for (ReportPicture& one : pictures) one.caption += " " + sidesSentence(assumed);
  return pictures;
}

}  // namespace sulcus::bids
