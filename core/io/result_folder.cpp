#include "core/io/result_folder.h"

#include "core/base/error.h"
#include "core/io/byte_source.h"
#include "core/io/file_json.h"
#include "core/io/files.h"

#include <algorithm>

namespace sulcus::io {
namespace {

namespace fs = std::filesystem;

constexpr const char* kProvenanceName = "provenance.json";

}  // namespace

std::vector<std::string> resultNames(const std::vector<std::string>& outputs) {
  std::vector<std::string> names;
  for (const auto& output : outputs)
    for (const char* extension : {".nii.gz", ".json", ".tsv", ".txt", ".vtp"})
      names.push_back(output + extension);
  names.emplace_back(kProvenanceName);
  return names;
}

void writeResult(const std::vector<Layer>& layers, const std::vector<ResultFile>& files,
                 const Provenance& provenance, const StagedFiles& outputs, const fs::path& folder,
                 const Progress& progress) {
  const double share = 1.0 / double(std::max<std::size_t>(layers.size(), 1));
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const Layer& layer = layers[i];
    saveLayer(layer, outputs.file(folder / (layer.name + usualExtension(layer))), false,
              progress.part(share * double(i), share * double(i + 1), "write " + layer.name));
  }
  for (const auto& file : files) writeFile(outputs.file(folder / file.name), file.text);
  writeFile(outputs.file(folder / kProvenanceName), provenanceJson(provenance));
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
  return provenance;
}

}  // namespace sulcus::io
