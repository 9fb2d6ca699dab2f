#include "ui/jobs/saved_run.h"

#include "core/analysis/command_line.h"
#include "core/base/error.h"
#include "core/image/grids/axis_change.h"
#include "core/io/files.h"
#include "core/io/streams/byte_source.h"
#include "core/io/streams/result_folder.h"
#include "ui/model/runs/run_adjuster.h"
#include "ui/model/session/file_names.h"

#include <algorithm>
#include <map>

namespace sulcus::ui::jobs {
namespace {

namespace fs = std::filesystem;

constexpr const char* kInputs = "inputs";

bool isFile(const fs::path& path) {
  std::error_code fault;
  return fs::is_regular_file(path, fault);
}

/// The inputs as they will be found later. Inputs without a file of their own, which were computed or are a
/// folder of slices, are written next to the results.
std::vector<InputFile> savedInputs(const model::Run& run, const io::StagedFiles& outputs,
                                   const Progress& progress) {
  // Of a file as it was read; "" if no longer known.
  const auto checksumOf = [&](const std::string& slot, const std::string& file, const FileStamp& stamp) {
    for (const InputFile& one : run.result->provenance.inputs)
      if (one.slot == slot && one.path == file) return one.sha256;
    return stamp == FileStamp() || stampOf(file) == stamp ? io::rememberedSha256(file, progress)
                                                          : std::string();
  };
  std::vector<InputFile> inputs;
  for (const auto& [slot, layer] : run.inputs) {
    InputFile input{slot, layer->source, {}};
    if (isFile(layer->source) && isAsInItsFile(*layer))
      input.sha256 = checksumOf(slot, layer->source, layer->stamp);
    if (!input.sha256.empty()) {
      input.path = fs::absolute(layer->source).string();
    } else {
      const std::string stem = model::fileStem(QString::fromStdString(layer->name)).toStdString();
      fs::path name = fs::path(kInputs) / (stem + usualExtension(*layer));
      if (fs::exists(outputs.file(name)))
        name.replace_filename(stem + std::to_string(inputs.size()) + usualExtension(*layer));
      const fs::path file = outputs.file(name);
      io::saveLayer(*layer, file, false, progress);
      input.path = name.string();
      input.sha256 = io::sha256OfFile(file, progress);
    }
    inputs.push_back(std::move(input));
  }
  const auto diffusion = run.inputs.find(kDiffusionSlot);
  if (diffusion == run.inputs.end() || !isFile(diffusion->second->source)) return inputs;
  for (const auto& [flag, file, stamp] : gradientFlags(run.inputs))
    inputs.push_back({flag, fs::absolute(file).string(), checksumOf(flag, file, stamp)});
  return inputs;
}

/// Where an input is: at its path, or relative to this folder or one above it, since relative paths of the
/// command line start from the folder it was run in.
fs::path found(const InputFile& input, const fs::path& folder) {
  fs::path from = fs::absolute(folder).lexically_normal();
  while (!isFile(from / input.path)) {  // an absolute path is used as it is
    if (input.path.empty() || from == from.parent_path())
      throw Error("The input '" + input.slot + "' of the run is missing (" + io::quotedPath(input.path) + ")",
                  "the run is repeated from it", "restore it, or open the layers of the run as files");
    from = from.parent_path();
  }
  return from / input.path;
}

/// Where an input is, after checking that it has not changed.
fs::path unchanged(const InputFile& input, const fs::path& folder, const Progress& progress) {
  fs::path file = found(input, folder);
  if (io::sha256OfFile(file, progress) != input.sha256)
    throw Error(io::quotedPath(file) + " has changed since the run was saved",
                "the run would not give the same result",
                "restore the original file, or open the layers of the run as files");
  return file;
}

}  // namespace

std::vector<Layer> saveRun(const model::Run& run, const fs::path& folder, const Progress& progress) {
  auto names = io::resultNames(run.analysis->outputs);
  names.push_back((fs::path(kInputs) / "*").string());
  io::StagedFiles outputs = io::StagedFiles::results(folder, names, false);
  RunResult result = model::shownResult(run, progress.part(0, 0.1, ""));
  result.provenance.analysis = run.analysis->name;
  result.provenance.backend = backendName(run.backend);
  result.provenance.parameters = run.options;
  // An input that is written next to the results includes its gradients.
  const auto diffusion = run.inputs.find(kDiffusionSlot);
  if (std::string axes = gradientAxes(run.inputs); !axes.empty() && isFile(diffusion->second->source))
    result.provenance.parameters[kGradientAxes] = std::move(axes);
  result.provenance.inputs = savedInputs(run, outputs, progress.part(0.1, 0.3, ""));
  io::writeResult(result.layers, result.files, result.provenance,
                  {outputs, {}, {.outputs = run.analysis->outputs}}, progress.part(0.3, 1, ""));
  outputs.publish();
  return std::move(result.layers);
}

SavedRun openRun(const fs::path& folder, const std::function<const Analysis*(const std::string&)>& analysisOf,
                 const Progress& progress) {
  SavedRun run{io::openProvenance(folder), {}, {}, {}};
  const Analysis* const analysis = analysisOf(run.provenance.analysis);
  if (analysis && analysis->reopen)
    if (auto result = analysis->reopen(folder, run.provenance.parameters, progress.part(0, 0.5, ""))) {
      result->provenance = run.provenance;
      for (Layer& layer : result->layers)
        layer.provenance = std::make_shared<const Provenance>(run.provenance);
      run.result = std::make_shared<RunResult>(std::move(*result));
    }
  std::map<std::string, fs::path> gradients;  // by flag, see gradientFlags()
  for (const InputFile& input : run.provenance.inputs) {
    fs::path file;
    try {
      file = unchanged(input, folder, progress);
    } catch (const Error&) {
      if (!run.result) throw;
      run.gone.push_back(input.slot);
      continue;
    }
    if (input.slot == "bval" || input.slot == "bvec" || input.slot == "grad")
      gradients[input.slot] = file;
    else
      run.inputs.emplace_back(input.slot, io::openLayer(file, progress));
  }
  std::string axes;
  if (const auto said = run.provenance.parameters.extract(kGradientAxes); !said.empty())
    if (const auto* text = std::get_if<std::string>(&said.mapped())) axes = *text;
  for (auto& [slot, layer] : run.inputs) {
    const auto* volume = std::get_if<VolumeLayer>(&layer.content);
    if (slot != kDiffusionSlot || !volume) continue;
    const Series<float>& series = *volume->series;
    if (!gradients.empty())
      io::replaceGradients(
          layer, gradients.contains("grad")
                     ? io::readMrtrixGradients(gradients["grad"], series.count)
                     : io::readFslGradients(gradients["bval"], gradients["bvec"], series.grid, series.count));
    if (!axes.empty()) layer = reinterpret(layer, {kAxesReinterpretation + axes});
  }
  return run;
}

}  // namespace sulcus::ui::jobs
