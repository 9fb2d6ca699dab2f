#include "core/bids/report/report_image.h"

#include "core/image/display/layer_values.h"
#include "core/image/grids/value_check.h"
#include "core/math/statistics.h"
#include "core/math/strided_sample.h"

namespace sulcus::bids {

ReportImage imageOf(const Layer* layer) {
  if (!layer) return {};
  if (const auto* volume = std::get_if<VolumeLayer>(&layer->content)) return {volume->series};
  if (!std::holds_alternative<LabelsLayer>(layer->content)) return {};
  return {std::make_shared<const Series<float>>(firstVolume(*layer, "picture"))};
}

ReportImage inputImage(const AnalysisInputs& inputs, const std::string& slot) {
  const auto found = inputs.find(slot);
  return found == inputs.end() ? ReportImage{} : imageOf(found->second.get());
}

float visibleLevel(const ReportImage& image) {
  std::vector<float> sound = stridedSample(image.values(), isSound);
  return sound.empty() ? 0.f : 0.1f * lowerQuantile(std::span(sound), 0.99);
}

std::function<bool(std::int64_t)> visibleIn(const ReportImage& image) {
  return [image, level = visibleLevel(image)](std::int64_t i) { return image[i] > level; };
}

}  // namespace sulcus::bids
