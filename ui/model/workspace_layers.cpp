// Workspace: layers that are made of other layers.
#include "core/analysis/image_agreement.h"
#include "core/image/diffusion_tensor.h"
#include "core/image/image_algebra.h"
#include "ui/model/workspace.h"

#include <algorithm>
#include <utility>

namespace sulcus::ui::model {
namespace {

/// The layer as it is called and looks on screen.
Layer asSeen(const LayerState& state) {
  Layer layer = *state.layer;
  layer.name = state.name.toStdString();
  layer.display = state.display;
  return layer;
}

}  // namespace

void Workspace::readFieldAs(LayerId id, FieldConvention convention) {
  const LayerState* state = layers_.find(id);
  if (!state) return;
  quick_.submit(
      [from = state->layer, convention](const Progress&) {
        Layer turned = withConvention(*from, convention);
        const std::string choice = convention == FieldConvention::itk
                                       ? "Read as ITK and ANTs write it (LPS), as chosen here."
                                       : "Read as 3D Slicer writes it (RAS), as chosen here.";
        std::erase_if(turned.notes,
                      [](const std::string& note) { return note.ends_with("as chosen here."); });
        turned.notes.push_back(choice);
        return std::pair(from, std::make_shared<const Layer>(std::move(turned)));
      },
      [this, id](const std::pair<LayerPtr, LayerPtr>& made) {
        const LayerState* now = layers_.find(id);
        if (now && now->layer == made.first) layers_.replaceContent(id, made.second);
      });
}

void Workspace::makeOfPair(const QString& job,
                           Layer (*make)(const Layer&, int, const Layer&, int, const Progress&),
                           const std::function<void(LayerId)>& then) {
  imagePair_.choose();
  const LayerState *upper = layers_.find(imagePair_.upper()), *lower = layers_.find(imagePair_.lower());
  if (!upper || !lower) return;
  fileJobs_.make(
      job.arg(upper->name, lower->name),
      [make, a = asSeen(*upper), volume = upper->volume, b = asSeen(*lower), otherVolume = lower->volume](
          const Progress& progress) { return make(a, volume, b, otherVolume, progress); },
      then);
}

void Workspace::makeDifference() { makeOfPair(tr("%1 minus %2"), differenceOf); }

void Workspace::makeAgreement(const std::function<void(LayerId)>& then) {
  makeOfPair(tr("Agreement of %1 and %2"), imageAgreement, then);
}

void Workspace::makeOfSeries(const QString& job, Layer (*make)(const Layer&, const Progress&)) {
  const LayerState* state = layers_.find(layers_.current());
  if (!state || !player_.canPlay()) return;
  fileJobs_.make(job.arg(state->name), [series = asSeen(*state), make](const Progress& progress) {
    return make(series, progress);
  });
}

void Workspace::makeMean() { makeOfSeries(tr("Mean of %1"), meanOf); }

void Workspace::makeDeviation() { makeOfSeries(tr("Standard deviation of %1"), deviationOf); }

void Workspace::applyField(LayerId field, LayerId layer, LayerId like, const std::string& interpolation) {
  const LayerState *leads = layers_.find(field), *led = layers_.find(layer), *grid = layers_.find(like);
  const auto knows = std::ranges::find_if(
      analyses_, [](const Analysis& analysis) { return analysis.applyField != nullptr; });
  if (!leads || !led || knows == analyses_.end()) return;
  AnalysisInputs inputs;
  for (const auto& [slot, state] : {std::pair("field", leads), {"image", led}, {"like", grid}})
    if (state) inputs.emplace(slot, std::make_shared<const Layer>(asSeen(*state)));
  fileJobs_.make(tr("%1 by %2").arg(led->name, leads->name),
                 [inputs, interpolation, apply = knows->applyField](const Progress& progress) {
                   Layer moved = apply(inputs, {{"interpolation", interpolation}}, progress);
                   moved.name = "warped " + moved.name;
                   moved.display.visible = true;
                   return moved;
                 });
}

void Workspace::makeDiffusionMaps(LayerId id) {
  const LayerState* state = layers_.find(id);
  const auto* peaks = state ? std::get_if<PeaksLayer>(&state->layer->content) : nullptr;
  if (!peaks || !peaks->tensor) return;
  fileJobs_.makeAll(tr("FA, MD, AD and RD of %1").arg(state->name),
                    [tensor = peaks->tensor](const Progress& progress) {
                      std::vector<Layer> maps = diffusionMaps(*tensor, progress);
                      maps.front().display.visible = true;
                      return maps;
                    });
}

}  // namespace sulcus::ui::model
