#include "core/io/result_folder.h"

#include "core/base/error.h"
#include "core/base/parallel_for.h"
#include "core/base/printable.h"
#include "core/io/byte_source.h"
#include "core/io/file_json.h"
#include "core/io/files.h"

#include <algorithm>
#include <atomic>

#include <fnmatch.h>

namespace sulcus::io {
namespace {

namespace fs = std::filesystem;

constexpr const char* kProvenanceName = "provenance.json";
constexpr std::size_t kLongestShown = 200;

bool isChosen(const ResultChoice& choice, const std::string& stem) {
  return choice.stems.empty() || std::any_of(choice.stems.begin(), choice.stems.end(), [&](const auto& one) {
           return fnmatch(one.c_str(), stem.c_str(), 0) == 0;
         });
}

}  // namespace

std::vector<std::string> resultNames(const std::vector<std::string>& outputs) {
  std::vector<std::string> names;
  for (const auto& output : outputs)
    for (const char* extension : {".nii.gz", ".nii", ".json", ".tsv", ".txt", ".vtp"})
      names.push_back(output + extension);
  names.emplace_back(kProvenanceName);
  return names;
}

void writeResult(const std::vector<Layer>& layers, const std::vector<ResultFile>& files,
                 const Provenance& provenance, const StagedFiles& outputs, const fs::path& folder,
                 const Progress& progress, const ResultChoice& choice) {
  std::vector<const Layer*> wanted;
  for (const Layer& layer : layers)
    if (isChosen(choice, layer.name)) wanted.push_back(&layer);
  std::atomic<int> written{0};
  parallelFor(
      std::int64_t(wanted.size()), {},
      [&](std::int64_t i) {
        const Layer& layer = *wanted[std::size_t(i)];
        std::string extension = usualExtension(layer);
        if (!choice.compressed && extension == ".nii.gz") extension = ".nii";
        const double done = double(written) / double(wanted.size());
        writeStaged(outputs.file(folder / (layer.name + extension)), layer,
                    progress.part(done, done, "write " + layer.name));
        ++written;
      },
      1);
  for (const auto& file : files)
    if (isChosen(choice, fs::path(file.name).stem().string()))
      writeStaged(outputs.file(folder / file.name), file.text);
  writeStaged(outputs.file(folder / kProvenanceName), provenanceJson(provenance));
}

Provenance openProvenance(const fs::path& folder) {
  const fs::path file = folder / kProvenanceName;
  const auto json = openJson(file);
  const auto refuse = [&](const char* what) {
    throw Error(quotedPath(file) + " does not say " + what, "a run is made again of what it says",
                "choose a folder that a run was saved in");
  };
  const auto textOf = [&](const nlohmann::ordered_json& object, const char* key, const char* what) {
    if (!object.is_object() || !object.contains(key) || !object[key].is_string()) refuse(what);
    return object[key].get<std::string>();
  };
  Provenance provenance;
  provenance.analysis = textOf(json, "Analysis", "which analysis was run");
  provenance.backend = textOf(json, "Backend", "where it was run");
  if (!json.contains("Parameters")) refuse("with which parameters it was run");
  provenance.parameters = optionsFromJson(jsonText(json["Parameters"]));
  if (!json.contains("Inputs") || !json["Inputs"].is_array()) refuse("on which inputs it was run");
  for (const auto& input : json["Inputs"])
    provenance.inputs.push_back({textOf(input, "Slot", "what an input was for"),
                                 textOf(input, "Path", "where an input is"),
                                 textOf(input, "Sha256", "what an input was")});
  // What is only shown may be missing.
  const auto shownText = [](const nlohmann::ordered_json& object, const char* key) {
    const auto text = object.is_object() ? object.find(key) : object.end();
    return text != object.end() && text->is_string() ? printable(text->get<std::string>(), kLongestShown)
                                                     : "";
  };
  provenance.device = shownText(json, "Device"), provenance.created = shownText(json, "Created");
  if (const auto made = json.find("GeneratedBy"); made != json.end() && made->is_array() && !made->empty())
    provenance.version = shownText(made->front(), "Version");
  if (const auto stages = json.find("StageSeconds"); stages != json.end() && stages->is_object())
    for (const auto& [name, seconds] : stages->items())
      if (seconds.is_number())
        provenance.stages.push_back({printable(name, kLongestShown), seconds.get<double>()});
  return provenance;
}

}  // namespace sulcus::io
