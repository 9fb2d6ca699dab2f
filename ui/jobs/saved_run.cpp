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

/// The checksum of a file as it was read; "" if no longer known.
std::string checksumOf(const InputFile& input, const FileStamp& stamp, const Provenance& made,
                       const Progress& progress) {
  for (const InputFile& one : made.inputs)
    if (one.slot == input.slot && one.path == input.path) return one.sha256;
  if (stamp != FileStamp() && stampOf(input.path) != stamp) return {};
  return io::rememberedSha256(input.path, progress);
}

/// Writes a layer next to the results, under a name with this number if its own is taken.
InputFile writtenInput(const std::string& slot, const Layer& layer, std::size_t number,
                       const io::StagedFiles& outputs, const Progress& progress) {
  const std::string stem = model::fileStem(QString::fromStdString(layer.name)).toStdString();
  fs::path name = fs::path(kInputs) / (stem + usualExtension(layer));
  if (fs::exists(outputs.file(name)))
    name.replace_filename(stem + std::to_string(number) + usualExtension(layer));
  const fs::path file = outputs.file(name);
  io::saveLayer(layer, file, false, progress);
  return {slot, name.string(), io::sha256OfFile(file, progress)};
}

/// The inputs as they will be found later. Inputs without a file of their own, which were computed or are a
/// folder of slices, are written next to the results.
std::vector<InputFile> savedInputs(const model::Run& run, const io::StagedFiles& outputs,
                                   const Progress& progress) {
  const Provenance& made = run.result->provenance;
  std::vector<InputFile> inputs;
  for (const auto& [slot, layer] : run.inputs) {
    InputFile input{slot, layer->source, {}};
    if (isFile(layer->source) && isAsInItsFile(*layer))
      input.sha256 = checksumOf(input, layer->stamp, made, progress);
    if (input.sha256.empty())
      input = writtenInput(slot, *layer, inputs.size(), outputs, progress);
    else
      input.path = fs::absolute(layer->source).string();
    inputs.push_back(std::move(input));
  }
  const auto diffusion = run.inputs.find(kDiffusionSlot);
  if (diffusion == run.inputs.end() || !isFile(diffusion->second->source)) return inputs;
  for (const auto& [flag, file, stamp] : gradientFlags(run.inputs))
    inputs.push_back(
        {flag, fs::absolute(file).string(), checksumOf({flag, file, {}}, stamp, made, progress)});
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

/// The result of a run as its files tell it; null if the analysis cannot read it back.
std::shared_ptr<RunResult> reopened(const Analysis* analysis, const fs::path& folder,
                                    const Provenance& provenance, const Progress& progress) {
  if (!analysis || !analysis->reopen) return nullptr;
  auto result = analysis->reopen(folder, provenance.parameters, progress);
  if (!result) return nullptr;
  result->provenance = provenance;
  const auto made = std::make_shared<const Provenance>(provenance);
  for (Layer& layer : result->layers) layer.provenance = made;
  return std::make_shared<RunResult>(std::move(*result));
}

/// Gives a series the gradients with which the run was made.
///
/// @param files by flag, see gradientFlags(); none: those of the series
/// @param axes  how they were reinterpreted; "": not
void giveGradients(Layer& layer, std::map<std::string, fs::path> files, const std::string& axes) {
  const Series<float>& series = *std::get<VolumeLayer>(layer.content).series;
  if (files.contains("grad"))
    io::replaceGradients(layer, io::readMrtrixGradients(files["grad"], series.count));
  else if (!files.empty())
    io::replaceGradients(layer,
                         io::readFslGradients(files["bval"], files["bvec"], series.grid, series.count));
  if (!axes.empty()) layer = reinterpret(layer, {kAxesReinterpretation + axes});
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
  run.result =
      reopened(analysisOf(run.provenance.analysis), folder, run.provenance, progress.part(0, 0.5, ""));
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
  for (auto& [slot, layer] : run.inputs)
    if (slot == kDiffusionSlot && std::holds_alternative<VolumeLayer>(layer.content))
      giveGradients(layer, gradients, axes);
  return run;
}

}  // namespace sulcus::ui::jobs
