#include "core/io/streams/result_folder.h"

#include "core/base/error.h"
#include "core/base/name_pattern.h"
#include "core/base/parallel/parallel_for.h"
#include "core/base/sanitized.h"
#include "core/io/files.h"
#include "core/io/streams/byte_source.h"
#include "core/io/streams/file_json.h"

#include <algorithm>
#include <atomic>

namespace sulcus::io {
namespace {

namespace fs = std::filesystem;

constexpr const char* kProvenanceName = "provenance.json";
constexpr std::size_t kLongestShown = 200;

using nlohmann::ordered_json;

[[noreturn]] void failProvenance(const fs::path& file, const char* missing) {
  throw Error(quotedPath(file) + " does not say " + missing, "a run is repeated from what it says",
              "choose a folder that a run was saved in");
}

/// A text that a run cannot be repeated without; `what` says what it is about.
std::string neededText(const ordered_json& object, const char* key, const fs::path& file, const char* what) {
  if (!object.is_object() || !object.contains(key) || !object[key].is_string()) failProvenance(file, what);
  return object[key].get<std::string>();
}

/// A text that is only displayed; "" if there is none.
std::string shownText(const ordered_json& object, const char* key) {
  const auto text = object.is_object() ? object.find(key) : object.end();
  if (text == object.end() || !text->is_string()) return "";
  return sanitizedForDisplay(text->get<std::string>(), kLongestShown);
}

std::vector<StageTime> stagesIn(const ordered_json& json) {
  std::vector<StageTime> stages;
  if (const auto found = json.find("StageSeconds"); found != json.end() && found->is_object())
    for (const auto& [name, seconds] : found->items())
      if (seconds.is_number())
        stages.push_back({sanitizedForDisplay(name, kLongestShown), seconds.get<double>()});
  return stages;
}

}  // namespace

bool ResultChoice::takes(const std::string& stem) const {
  return stems.empty() || std::any_of(stems.begin(), stems.end(),
                                      [&](const std::string& one) { return matchesPattern(one, stem); });
}

std::string ResultChoice::extensionOf(const std::string& usual) const {
  return !compressed && usual == ".nii.gz" ? ".nii" : usual;
}

fs::path ResultChoice::fileOf(const std::string& stem, const std::string& usual) const {
  return fs::path(folderOfResult(outputs, stem)) / (stem + extensionOf(usual));
}

std::vector<std::string> resultNames(const std::vector<std::string>& outputs) {
  std::vector<std::string> names;
  for (const auto& output : outputs)
    for (const char* extension :
         {".nii.gz", ".nii", ".json", ".tsv", ".txt", ".vtp", ".vtp.json", ".trx", ".trx.json"})
      names.push_back(output + extension);
  names.emplace_back(kProvenanceName);
  return names;
}

void writeLayers(const std::vector<const Layer*>& layers, const std::function<fs::path(std::size_t)>& fileOf,
                 const Progress& progress) {
  std::atomic<int> written{0};
  parallelFor(std::int64_t(layers.size()), 1, {}, [&](std::int64_t i) {
    const Layer& layer = *layers[std::size_t(i)];
    const double done = double(written) / double(layers.size());
    writeStaged(fileOf(std::size_t(i)), layer, progress.part(done, done, "write " + layer.name));
    ++written;
  });
}

void writeResult(const std::vector<Layer>& layers, const std::vector<ResultFile>& files,
                 const Provenance& provenance, const ResultPlace& place, const Progress& progress) {
  const ResultChoice& choice = place.choice;
  const auto fileAt = [&place](const fs::path& name) { return place.outputs.file(place.folder / name); };
  std::vector<const Layer*> wanted;
  for (const Layer& layer : layers)
    if (choice.takes(layer.name)) wanted.push_back(&layer);
  const auto fileOf = [&](std::size_t i) {
    return fileAt(choice.fileOf(wanted[i]->name, usualExtension(*wanted[i])));
  };
  writeLayers(wanted, fileOf, progress);
  for (const auto& file : files)
    if (choice.takes(fs::path(file.name).stem().string())) writeStaged(fileAt(file.name), file.text);
  writeStaged(fileAt(kProvenanceName), provenanceJson(provenance));
}

Provenance openProvenance(const fs::path& folder) {
  const fs::path file = folder / kProvenanceName;
  const auto json = openJson(file);
  Provenance provenance;
  provenance.analysis = neededText(json, "Analysis", file, "which analysis was run");
  provenance.backend = neededText(json, "Backend", file, "where it was run");
  if (!json.contains("Parameters")) failProvenance(file, "with which parameters it was run");
  provenance.parameters = optionsFromJson(jsonText(json["Parameters"]));
  if (!json.contains("Inputs") || !json["Inputs"].is_array())
    failProvenance(file, "on which inputs it was run");
  for (const auto& input : json["Inputs"])
    provenance.inputs.push_back({neededText(input, "Slot", file, "what an input was for"),
                                 neededText(input, "Path", file, "where an input is"),
                                 neededText(input, "Sha256", file, "what an input was")});
  provenance.device = shownText(json, "Device");
  provenance.created = shownText(json, "Created");
  if (const auto made = json.find("GeneratedBy"); made != json.end() && made->is_array() && !made->empty())
    provenance.version = shownText(made->front(), "Version");
  provenance.stages = stagesIn(json);
  return provenance;
}

}  // namespace sulcus::io
