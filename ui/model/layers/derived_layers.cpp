#include "ui/model/layers/derived_layers.h"

#include "core/analysis/image_agreement.h"
#include "core/image/diffusion/diffusion_tensor.h"
#include "core/image/grids/image_algebra.h"

#include <algorithm>
#include <utility>

namespace sulcus::ui::model {
namespace {

/// The layer with its name and display on screen.
Layer asSeen(const LayerState& state) {
  Layer layer = *state.layer;
  layer.name = state.name.toStdString();
  layer.display = state.display;
  return layer;
}

}  // namespace

void DerivedLayers::readFieldAs(LayerId id, FieldConvention convention) {
  const LayerState* state = layers_.find(id);
  if (!state) return;
  parts_.quick.submit(
      [from = state->layer, convention](const Progress&) {
        Layer turned = withConvention(*from, convention);
        Note choice(convention == FieldConvention::itk
                        ? "Read as ITK and ANTs write it (LPS), as chosen here."
                        : "Read as 3D Slicer writes it (RAS), as chosen here.");
        replaceNote(turned.notes, std::move(choice).about(Subject::fieldConvention));
        return std::pair(from, std::make_shared<const Layer>(std::move(turned)));
      },
      [this, id](const std::pair<LayerPtr, LayerPtr>& made) {
        const LayerState* now = layers_.find(id);
        if (now && now->layer == made.first) layers_.replaceContent(id, made.second);
      });
}

void DerivedLayers::makeOfPair(const QString& job,
                               Layer (*make)(const Layer&, int, const Layer&, int, const Progress&),
                               const std::function<void(LayerId)>& then) {
  parts_.overlay.choose();
  const LayerState *upper = layers_.find(parts_.overlay.upper()),
                   *lower = layers_.find(parts_.overlay.lower());
  if (!upper || !lower) return;
  parts_.files.make(
      job.arg(upper->name, lower->name),
      [make, a = asSeen(*upper), volume = upper->volume, b = asSeen(*lower), otherVolume = lower->volume](
          const Progress& progress) { return make(a, volume, b, otherVolume, progress); },
      then);
}

void DerivedLayers::makeDifference() { makeOfPair(tr("%1 minus %2"), differenceOf); }

void DerivedLayers::makeAgreement(const std::function<void(LayerId)>& then) {
  makeOfPair(tr("Agreement of %1 and %2"), imageAgreement, then);
}

void DerivedLayers::makeOfSeries(const QString& job, Layer (*make)(const Layer&, const Progress&)) {
  const LayerState* state = layers_.find(layers_.current());
  if (!state || !parts_.player.canPlay()) return;
  parts_.files.make(job.arg(state->name), [series = asSeen(*state), make](const Progress& progress) {
    return make(series, progress);
  });
}

void DerivedLayers::makeMean() { makeOfSeries(tr("Mean of %1"), meanOf); }

void DerivedLayers::makeDeviation() { makeOfSeries(tr("Standard deviation of %1"), deviationOf); }

void DerivedLayers::applyField(const FieldApplication& wanted) {
  const LayerState *led = layers_.find(wanted.layer), *grid = layers_.find(wanted.like);
  const auto knows = std::ranges::find_if(
      parts_.analyses, [](const Analysis& analysis) { return analysis.applyField != nullptr; });
  if (!led || wanted.transforms.empty() || knows == parts_.analyses.end()) return;
  AnalysisInputs inputs;
  const auto give = [&](const char* slot, const LayerState* state) {
    if (state) inputs.emplace(slot, std::make_shared<const Layer>(asSeen(*state)));
  };
  QStringList names;
  std::string inverse;
  for (std::size_t i = 0; i < wanted.transforms.size(); ++i) {
    const LayerState* transform = layers_.find(wanted.transforms[i].layer);
    if (!transform) return;
    give("field", transform);
    names << transform->name;
    if (wanted.transforms[i].inverse) inverse += (inverse.empty() ? "" : " ") + std::to_string(i + 1);
  }
  give("image", led), give("like", grid);
  OptionValues values{{"interpolation", wanted.interpolation}};
  if (!inverse.empty()) values["inverse"] = inverse;
  if (wanted.fill != "auto") values["fill"] = wanted.fill;
  parts_.files.make(tr("%1 by %2").arg(led->name, names.join(tr(" and "))),
                    [inputs, values, apply = knows->applyField](const Progress& progress) {
                      Layer moved = apply(inputs, values, progress);
                      moved.name = "warped " + moved.name;
                      moved.display.visible = true;
                      return moved;
                    });
}

void DerivedLayers::makeDiffusionMaps(LayerId id) {
  const LayerState* state = layers_.find(id);
  const auto* peaks = state ? std::get_if<PeaksLayer>(&state->layer->content) : nullptr;
  if (!peaks || !peaks->tensor) return;
  parts_.files.makeAll(tr("FA, MD, AD and RD of %1").arg(state->name),
                       [tensor = peaks->tensor](const Progress& progress) {
                         std::vector<Layer> maps = diffusionMaps(*tensor, progress);
                         maps.front().display.visible = true;
                         return maps;
                       });
}

}  // namespace sulcus::ui::model
