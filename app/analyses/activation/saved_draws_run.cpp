#include "app/analyses/activation/saved_draws_run.h"

#include "app/analyses/activation/activation_inputs.h"
#include "core/base/error.h"
#include "core/base/sentence.h"
#include "core/base/stage_clock.h"
#include "core/io/files.h"

#include <utility>

namespace sulcus::app::analyses {
namespace {

namespace fs = std::filesystem;

/// The draws_ layers of a run in the order of its regressors.
std::vector<Layer> drawLayers(const fs::path& folder, const std::vector<std::string>& regressors,
                              const Progress& progress) {
  std::vector<Layer> layers;
  const double n = double(regressors.size());
  for (const std::string& regressor : regressors) {
    fs::path file = folder / ("draws_" + regressor + ".nii.gz");
    if (!fs::exists(file)) file.replace_extension();  // a run with --uncompressed
    if (!fs::exists(file))
      throw Error("'" + file.string() + ".gz' is missing", "the draws of each regressor are needed",
                  "make the run with {save-draws}"_message);
    const double done = double(layers.size());
    layers.push_back(
        io::openVolume(file, progress.part(done / n, (done + 1) / n, "read"), io::UnlabeledData::asImage));
  }
  return layers;
}

/// The draws contained in the layers of a run.
activation::SavedDraws drawsOf(TableLayer delta, std::vector<std::string> regressors,
                               const std::vector<Layer>& layers) {
  activation::SavedDraws saved;
  saved.delta = std::move(delta);
  saved.regressors = std::move(regressors);
  for (const Layer& layer : layers) {
    saved.draws.push_back(std::get<VolumeLayer>(layer.content).series);
    saved.unit = layer.unit;
  }
  return saved;
}

Layer openDelta(const fs::path& folder) {
  const fs::path table = folder / "delta.tsv";
  if (!fs::exists(table))
    throw Error("'" + folder.string() + "' is not the folder of an activation run", "it has no delta.tsv",
                "give the {out} of a run with {save-draws}, one of cpu and gpu where it has both"_message);
  return io::openTable(table);
}

}  // namespace

activation::SavedDraws openDraws(const fs::path& folder, const Progress& progress) {
  TableLayer delta = std::get<TableLayer>(openDelta(folder).content);
  std::vector<std::string> regressors = activation::regressorsOfDelta(delta.columns);
  const std::vector<Layer> layers = drawLayers(folder, regressors, progress);
  return drawsOf(std::move(delta), std::move(regressors), layers);
}

std::optional<RunResult> reopenActivation(const fs::path& folder, const OptionValues& values,
                                          const Progress& progress) {
  const auto asked = values.find("save-draws");
  if (asked == values.end() || asked->second != OptionValue(true)) return {};
  Layer delta = openDelta(folder);
  const auto& table = std::get<TableLayer>(delta.content);
  const auto regressors = activation::regressorsOfDelta(table.columns);
  std::vector<Layer> draws = drawLayers(folder, regressors, progress.part(0, 0.5, ""));
  const auto saved = std::make_shared<const activation::SavedDraws>(drawsOf(table, regressors, draws));

  RunResult result;
  const StageClock clock;
  result.adjust = [saved](const OptionValues& changed, const Progress& part) {
    return activation::savedDrawLayers(*saved, activationOptionsFrom(changed), part);
  };
  result.layers = result.adjust(values, progress.part(0.5, 0.9, "maps"));
  result.plots = activation::savedDrawPlots(saved);
  result.stages.push_back({"layers", clock.seconds()});
  for (const char* name : {"sigma2", "rhat", "ess", "mask", "vbeta"})
    for (const char* ending : {".nii.gz", ".nii", ".tsv"})
      if (const fs::path file = folder / (std::string(name) + ending); fs::exists(file))
        result.layers.push_back(io::openLayer(file, progress.part(0.9, 1, "read")));
  result.layers.push_back(std::move(delta));
  for (Layer& layer : draws) result.layers.push_back(std::move(layer));
  for (std::size_t i = 1; i < result.layers.size(); ++i) result.layers[i].display.visible = false;
  result.notes.push_back(text("Made of ", saved->draws.front()->count,
                              " saved draws. Anything that needs the scan (fitted series, shrinkage, a "
                              "comparison) is recomputed from the inputs on request."));
  return result;
}

}  // namespace sulcus::app::analyses
