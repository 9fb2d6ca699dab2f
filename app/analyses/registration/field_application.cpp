#include "app/analyses/registration/field_application.h"

#include "app/analyses/input_layers.h"
#include "app/analyses/run_support.h"
#include "core/analysis/command_line.h"
#include "core/base/error.h"
#include "core/base/numbers.h"
#include "core/image/grids/assumed_sides.h"
#include "core/image/transform_table.h"
#include "core/registration/results/apply_field.h"

#include <algorithm>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace sulcus::app::analyses {
namespace {

LayerPtr layerIn(const AnalysisInputs& inputs, const char* slot) {
  const auto found = inputs.find(slot);
  return found == inputs.end() ? nullptr : found->second;
}

registration::Transform transformIn(const Layer& layer) {
  if (const auto* field = std::get_if<DisplacementLayer>(&layer.content)) return {{}, field->displacement};
  if (isTransform(layer)) return {transformOf(layer, "transform")};
  throw Error("'" + layer.name + "' is not a transform", "it holds " + kindWithArticle(layer),
              "give a field written by registration (displacement.nii.gz), its affine.txt, or a transform of "
              "ITK and ANTs; use {flirt} for a matrix of FSL's FLIRT, with both images"_message);
}

/// Whether a number occurs in a text of numbers.
bool isAmong(std::size_t number, const std::string& numbers) {
  std::istringstream words(numbers);
  for (std::size_t word = 0; words >> word;)
    if (word == number) return true;
  return false;
}

/// The grid of an image result; any grid if points are moved.
const Grid* gridOfResult(const LayerPtr& image, const LayerPtr& like, const Layer& last,
                         const registration::Transform& transform) {
  if (like && !gridOf(*like))
    throw Error("'" + like->name + "' gives no grid for the result", "it holds " + kindWithArticle(*like),
                "give an image");
  if (like) return gridOf(*like);
  if (transform.field && !transform.inverse) return &transform.field->grid;
  if (gridOf(*image)) {
    if (!transform.field)
      throw Error("The grid of the result is not defined",
                  "the last transform, '" + last.name + "', is linear and has none",
                  "give {like} an image in the space that it leads to, such as the reference"_message,
                  ErrorKind::usage);
    throw Error("The grid of the result is not defined",
                "the last transform, '" + last.name + "', is inverted: its grid is not that of the result",
                "give {like} an image in the space that it leads to, such as the template"_message,
                ErrorKind::usage);
  }
  static const Grid none;
  return &none;
}

std::optional<registration::Interpolation> interpolationOf(const std::string& name) {
  const auto found = std::ranges::find(kInterpolationNames, name);
  if (found == kInterpolationNames.end()) return {};
  return registration::Interpolation(found - kInterpolationNames.begin());
}

}  // namespace

Layer applyField(const AnalysisInputs& inputs, const OptionValues& values, const Progress& progress) {
  const LayerPtr image = layerIn(inputs, "image"), like = layerIn(inputs, "like");
  const std::vector<const Layer*> given = layersOf(inputs, "field");
  const auto textOf = [&](const char* option, const char* standard) {
    const auto found = values.find(option);
    return found == values.end() ? std::string(standard) : std::get<std::string>(found->second);
  };
  const std::string interpolation = textOf("interpolation", "auto"), fill = textOf("fill", "auto"),
                    inverse = textOf("inverse", "");
  std::vector<registration::Transform> transforms;
  for (const Layer* layer : given) {
    transforms.push_back(transformIn(*layer));
    transforms.back().inverse = isAmong(transforms.size(), inverse);
  }
  const Grid* grid = gridOfResult(image, like, *given.back(), transforms.back());

  Provenance provenance;
  Notes notes;
  std::string call = "sulcus-cli apply", convention;
  const auto record = [&](const std::string& slot, const std::string& flag, const Layer& layer) {
    provenance.inputs.push_back(inputFile(slot, layer, progress.part(0, 0.1, "checksums"), notes));
    call += " --" + flag + ' ' + shellQuoted(fileOf(layer));
  };
  std::vector<const Layer*> met{image.get(), like.get()};
  for (std::size_t i = 0; i < given.size(); ++i) {
    record("field", transforms[i].inverse ? "inverse" : "field", *given[i]);
    if (const auto* field = std::get_if<DisplacementLayer>(&given[i]->content))
      convention = field->convention == FieldConvention::itk ? "itk" : "slicer";
    met.push_back(given[i]);
  }
  record("image", "image", *image);
  if (like) record("like", "like", *like);
  provenance.parameters["interpolation"] = interpolation;
  if (!convention.empty()) provenance.parameters["field-convention"] = convention;
  if (fill != "auto") provenance.parameters["fill"] = fill;
  if (!inverse.empty()) provenance.parameters["inverse"] = inverse;
  if (!convention.empty()) call += " --field-convention " + convention;
  if (interpolation != "auto") call += " --interpolation " + interpolation;
  if (fill != "auto") call += " --fill " + fill;
  registration::ApplyOptions options{interpolationOf(interpolation), {}};
  if (fill != "auto") options.fill = numberIn(fill);
  Layer result =
      registration::applyField(*image, transforms, *grid, options, progress.part(0.1, 1, "deform"));
  for (Note& warning : sideWarnings(met)) notes.push_back(std::move(warning));
  result.notes.insert(result.notes.end(), notes.begin(), notes.end());
  provenance.analysis = "apply";
  provenance.version = sulcusVersion();
  provenance.backend = backendName(Backend::cpu);
  provenance.device = cpuName();
  provenance.commandLine = call + " --out " + shellQuoted("warped_" + image->name + usualExtension(result));
  provenance.created = utcNow();
  result.provenance = std::make_shared<const Provenance>(std::move(provenance));
  return result;
}

}  // namespace sulcus::app::analyses
