#include "app/analyses/registration/template_making.h"

#include "core/base/numbers.h"
#include "core/base/sentence.h"
#include "core/registration/linear/linear_alignment.h"
#include "core/toolkits/bias_field.h"
#include "gpu/registration/registration.h"

#include <memory>
#include <utility>

namespace sulcus::app::analyses {

registration::PopulationInput computedOn(Backend backend, registration::PopulationInput input) {
  const bool isGpu = backend == Backend::gpu;
  input.alignLinearly = isGpu ? gpu::registration::alignLinearly : registration::alignLinearly;
  input.registerImages = isGpu ? gpu::registration::registerImages : registration::registerImages;
  input.findBiasField = toolkits::n4BiasField;
  return input;
}

std::vector<Layer> templateLayers(const registration::PopulationTemplate& made) {
  std::vector<Layer> layers;
  layers.push_back(mapLayer("template", "", "gray", Series<float>(made.average)));
  layers.front().display.visible = true;
  layers.front().display.colorBar = false;
  layers.push_back(mapLayer("template_sd", "", "magma", Series<float>(made.sd)));
  if (made.labels) layers.push_back(labelsLayer("template_labels", made.labels));
  return layers;
}

std::vector<std::pair<std::string, Layer>> personLayers(const std::string& name,
                                                        registration::TemplatePerson person) {
  std::vector<std::pair<std::string, Layer>> layers;
  const auto add = [&](const std::string& kind, Layer layer) {
    layer.name = name + "_" + kind;
    layers.emplace_back(kind, std::move(layer));
  };
  Layer warped = mapLayer("", "", "gray", Series<float>(std::move(person.warped)));
  warped.display.colorBar = false;
  add("warped", std::move(warped));
  Layer logJacobian =
      mapLayer("", "log volume ratio", "cool-warm", Series<float>(std::move(person.logJacobian)));
  logJacobian.display.range = Range{-0.5, 0.5};
  logJacobian.notes.emplace_back("Above 0 where this person is larger than the template.");
  add("logjac", std::move(logJacobian));
  Layer field;
  field.unit = "mm";
  field.content = DisplacementLayer{std::make_shared<const Series<float>>(std::move(person.displacement))};
  field.display.visible = false;
  add("displacement", std::move(field));
  return layers;
}

TableLayer roundsTable(const std::vector<registration::RoundFigures>& rounds) {
  TableLayer table;
  table.columns = {"round", "spacing", "moved", "correlation"};
  for (std::size_t r = 0; r < rounds.size(); ++r)
    table.rows.push_back({std::to_string(r + 1), numberText(rounds[r].spacing), numberText(rounds[r].moved),
                          numberText(rounds[r].correlation)});
  return table;
}

Notes templateSummary(const registration::PopulationTemplate& made, std::size_t people) {
  Notes lines = made.notes;
  if (!made.figures.empty()) {
    const auto& last = made.figures.back();
    lines.push_back(text(counted(std::int64_t(people), "person", "people"), ", ",
                         counted(std::int64_t(made.figures.size()), "round"), ": in the last, people stood ",
                         last.moved, " voxels from the middle and correlate with the average by ",
                         last.correlation, "."));
  }
  lines.push_back(text("The mean of log J over people is ", made.meanLogJacobian, " in the object."));
  return lines;
}

}  // namespace sulcus::app::analyses
