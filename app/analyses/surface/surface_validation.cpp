#include "app/analyses/surface/surface_validation.h"

#include "app/analyses/surface/surface_inputs.h"
#include "core/base/error.h"
#include "core/base/memory/memo.h"
#include "core/base/numbers.h"
#include "core/base/sentence.h"
#include "core/image/display/layer_values.h"

#include <algorithm>
#include <cmath>

namespace sulcus::app::analyses {
namespace {

using Kind = surface::SurfaceSource::Kind;

// Both are kept for the most recent layers, since a slider requests them repeatedly.

Range rangeOf(const LayerPtr& layer) {
  static Memo<Identity, Range> known(4);
  return known(layer, [&] { return soundRange(*layer); }).value;
}

std::vector<Label> labelsIn(const LayerPtr& layer) {
  static Memo<Identity, std::vector<Label>> known(4);
  return known(layer, [&] { return labelsOf(*layer); }).value;
}

/// "153 000", rounded to three digits, on one line.
std::string aboutText(double number) {
  if (number <= 0) return "0";
  const double unit = std::pow(10, std::max(0.0, std::floor(std::log10(number)) - 2));
  std::string digits = std::to_string(std::llround(std::round(number / unit) * unit));
  for (int at = int(digits.size()) - 3; at > 0; at -= 3) digits.insert(std::size_t(at), "\u00a0");
  return digits;
}

std::string whatIsUsed(const surface::SurfaceSource& source, const surface::SurfaceOptions& options) {
  std::string name = "'" + source.layer->name + "'";
  switch (source.kind) {
    case Kind::mask: {
      const auto labels = labelsIn(source.layer);
      const std::string used = options.label == 0 ? "All of " + name + " that is not 0"
                                                  : text("Label ", options.label, " of ", name);
      return labels.size() > 1 ? used + " (its labels: " + listed(labels) + ")" : used;
    }
    case Kind::image: {
      const Range range = rangeOf(source.layer);
      return name + " above " + numberText(options.threshold) + " (its values: " + numberText(range.low) +
             " to " + numberText(range.high) + ")";
    }
    case Kind::mesh:
      return name + " in " + describeGrid(surface::gridFor(source, options));
    case Kind::phi:
      return name + ", a signed distance in mm";
  }
  return name;
}

}  // namespace

std::string validateSurface(const AnalysisInputs& inputs, const OptionValues& values) {
  const auto options = optionsFrom<surface::SurfaceOptions>(values);
  const surface::SurfaceSource source = surfaceSource(inputs);
  const std::string used = whatIsUsed(source, options);
  const double band = surface::bandEstimate(source, options).voxels;
  if (band == 0) return used + ": no surface there.";
  return used + ". About " + aboutText(band) + " voxels lie within " + numberText(options.delta) +
         (options.delta == 1 ? " voxel" : " voxels") + " of the surface.";
}

std::map<std::string, Range> surfaceSpans(const AnalysisInputs& inputs) {
  std::map<std::string, Range> spans;
  if (const auto image = inputs.find("image"); image != inputs.end() && image->second)
    if (const Range range = rangeOf(image->second); range.low < range.high) spans["threshold"] = range;
  if (const auto mask = inputs.find("mask"); mask != inputs.end() && mask->second)
    if (const auto labels = labelsIn(mask->second); labels.size() > 1)
      spans["label"] = {0, double(labels.back())};
  return spans;
}

surface::BandEstimate bandEstimate(const AnalysisInputs& inputs, const surface::SurfaceOptions& options) {
  try {
    return surface::bandEstimate(surfaceSource(inputs), options);
  } catch (const Error&) {
    return {};  // a run would say why
  }
}

}  // namespace sulcus::app::analyses
