#include "core/bids/pictures.h"

#include "core/bids/figures.h"
#include "core/bids/slices.h"
#include "core/image/assumed_sides.h"
#include "core/image/layer_kinds.h"
#include "core/image/layer_values.h"
#include "core/image/value_check.h"
#include "core/math/statistics.h"

#include <algorithm>
#include <cmath>

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

/// The first volume of an input or of a layer of the result; an empty one where there is none.
Volume<float> backgroundOf(const Layer* layer) {
  return layer && (isVolume(*layer) || isMask(*layer) || std::holds_alternative<VolumeLayer>(layer->content))
             ? firstVolume(*layer, "picture")
             : Volume<float>();
}

/// Where there is something to see: above a tenth of the brightest hundredth.
std::function<bool(std::int64_t)> objectIn(const Volume<float>& volume) {
  std::vector<float> sound;
  for (const float value : volume.values)
    if (isSound(value)) sound.push_back(value);
  const float level = sound.empty() ? 0.f : 0.1f * lowerQuantile(std::span(sound), 0.99);
  return [&volume, level](std::int64_t i) { return volume.values[std::size_t(i)] > level; };
}

std::vector<ReportPicture> fiberPictures(const RunResult& result, const AnalysisInputs& inputs) {
  const Layer* layer = layerNamed(result, "peaks");
  const auto* found = layer ? std::get_if<PeaksLayer>(&layer->content) : nullptr;
  Volume<float> series = backgroundOf(inputLayer(inputs, "dwi"));
  if (!found || series.values.empty() || !sameGrid(found->peaks->grid, series.grid)) return {};
  const Series<float>& peaks = *found->peaks;
  const auto gray = grays(series.values);
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
       slices(series.grid, color, objectIn(series))}};
}

std::vector<ReportPicture> activationPictures(const RunResult& result, const AnalysisInputs& inputs) {
  const Volume<float> series = backgroundOf(inputLayer(inputs, "bold"));
  if (series.values.empty()) return {};
  const auto gray = grays(series.values);
  std::vector<ReportPicture> pictures;
  for (const auto& effect : effectsOf(result, inputs)) {
    const Volume<float> shown = backgroundOf(layerNamed(result, "shown_" + effect)),
                        value = backgroundOf(layerNamed(result, "mean_" + effect));
    if (value.values.empty() || !sameGrid(shown.grid, series.grid) || pictures.size() == kMostEffects)
      continue;
    const auto color = [&](std::int64_t i) {
      const float voxel = shown.values[std::size_t(i)], size = value.values[std::size_t(i)];
      if (!isSound(voxel) || voxel == 0) return gray(i);
      return blended(gray(i), size < 0 ? Color{60, 140, 255} : Color{255, 120, 20}, 0.8);
    };
    pictures.push_back(
        {"Where the effect " + effect + " is shown (orange: above 0, blue: below) over the first volume.",
         slices(series.grid, color, objectIn(series))});
  }
  return pictures;
}

std::vector<ReportPicture> registrationPictures(const RunResult& result, const AnalysisInputs& inputs) {
  const Volume<float> reference = backgroundOf(inputLayer(inputs, "reference")),
                      warped = backgroundOf(layerNamed(result, "warped")),
                      ratio = backgroundOf(layerNamed(result, "logjac"));
  if (reference.values.empty() || warped.values.empty() || !sameGrid(reference.grid, warped.grid)) return {};
  std::vector<float> inside;
  const auto object = objectIn(reference);
  for (std::int64_t i = 0; i < reference.grid.voxels(); ++i)
    if (object(i)) inside.push_back(reference.values[std::size_t(i)]);
  const auto edge = edges(reference, inside.empty() ? 0.f : upperMedian(std::span(inside)));
  const auto gray = grays(warped.values);
  std::vector<ReportPicture> pictures;
  pictures.push_back({"The deformed image, with the edges of the reference in red.",
                      slices(
                          reference.grid,
                          [&](std::int64_t i) {
                            return edge(i) ? blended(gray(i), {255, 30, 30}, 0.8) : gray(i);
                          },
                          object)});
  if (ratio.values.empty()) return pictures;
  const auto below = grays(reference.values);
  pictures.push_back(
      {"How volumes changed over the reference: blue where the image had to shrink there, red "
       "where it had to grow (full color: by the factor e).",
       slices(
           reference.grid,
           [&](std::int64_t i) {
             const float log = ratio.values[std::size_t(i)];
             return isSound(log)
                        ? blended(below(i), divergingColor(log), 0.2 + 0.6 * std::min(1.f, std::abs(log)))
                        : below(i);
           },
           object)});
  return pictures;
}

std::vector<ReportPicture> surfacePictures(const RunResult& result, const AnalysisInputs& inputs) {
  const Layer* input = inputLayer(inputs, "image");
  const Volume<float> image = backgroundOf(input ? input : inputLayer(inputs, "mask"));
  Volume<float> inside = backgroundOf(layerNamed(result, "phi"));
  if (image.values.empty() || inside.values.empty() || !sameGrid(image.grid, inside.grid)) return {};
  for (float& value : inside.values) value = -value;
  const auto gray = grays(image.values);
  const auto edge = edges(inside, 0);
  return {{"The denoised surface in red over what it was made of.",
           slices(
               image.grid,
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
