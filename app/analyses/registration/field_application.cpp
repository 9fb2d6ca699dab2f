#include "app/analyses/registration/field_application.h"

#include "app/analyses/run_support.h"
#include "core/analysis/command_line.h"
#include "core/base/error.h"
#include "core/registration/apply_field.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace sulcus::app::analyses {
namespace {

LayerPtr layerIn(const AnalysisInputs& inputs, const char* slot) {
  const auto found = inputs.find(slot);
  return found == inputs.end() ? nullptr : found->second;
}

std::optional<registration::Interpolation> interpolationOf(const std::string& name) {
  const auto found = std::ranges::find(kInterpolationNames, name);
  if (found == kInterpolationNames.end()) return {};
  return registration::Interpolation(found - kInterpolationNames.begin());
}

}  // namespace

Layer applyField(const AnalysisInputs& inputs, const OptionValues& values, const Progress& progress) {
  const LayerPtr field = layerIn(inputs, "field"), image = layerIn(inputs, "image"),
                 like = layerIn(inputs, "like");
  const auto* displacement = std::get_if<DisplacementLayer>(&field->content);
  if (!displacement)
    throw Error("'" + field->name + "' is no displacement field", "it holds " + kindOf(*field),
                "give a field as registration writes it (displacement.nii.gz)");
  const Grid* grid = gridOf(like ? *like : *field);
  if (!grid)
    throw Error("'" + like->name + "' gives no grid for the result", "it holds " + kindOf(*like),
                "give an image");
  const std::string interpolation = std::get<std::string>(values.at("interpolation"));

  Provenance provenance;
  std::vector<std::string> notes;
  std::string call = "sulcus-cli apply";
  for (const auto& [slot, layer] : {std::pair("field", field), {"image", image}, {"like", like}}) {
    if (!layer) continue;
    provenance.inputs.push_back(inputFile(slot, *layer, progress.part(0, 0.1, "checksums"), notes));
    call += std::string(" --") + slot + ' ' + shellQuoted(fileOf(*layer));
  }
  const std::string convention = displacement->convention == FieldConvention::itk ? "itk" : "slicer";
  call += " --field-convention " + convention;
  if (interpolation != "auto") call += " --interpolation " + interpolation;
  Layer result = registration::applyField(*image, *displacement->displacement, *grid,
                                          interpolationOf(interpolation), progress.part(0.1, 1, "deform"));
  result.notes.insert(result.notes.end(), notes.begin(), notes.end());
  provenance.analysis = "apply";
  provenance.version = sulcusVersion();
  provenance.parameters = {{"field-convention", convention}, {"interpolation", interpolation}};
  provenance.backend = backendName(Backend::cpu);
  provenance.device = cpuName();
  provenance.commandLine = call + " --out " + shellQuoted("warped_" + image->name + usualExtension(result));
  provenance.created = utcNow();
  result.provenance = std::make_shared<const Provenance>(std::move(provenance));
  return result;
}

}  // namespace sulcus::app::analyses
