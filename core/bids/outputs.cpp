#include "core/bids/outputs.h"

#include <algorithm>
#include <array>

namespace sulcus::bids {
namespace {

/// The name with what every kind of file is called whose results have no name in BIDS.
Name described(Name name, const std::string& stem, const std::string& suffix) {
  name = name.with("desc", stem);
  name.suffix = suffix;
  return name;
}

Name activationName(const Name& source, const std::string& stem) {
  const auto cut = stem.find('_');
  static constexpr std::array kStatistics{"ppm", "lfdr", "shown", "mean", "sd",   "interval",
                                          "t",   "z",    "f",     "hpd",  "norm", "draws"};
  std::string statistic = stem.substr(0, cut);
  Name name = source;
  if (cut != stem.npos && std::find(kStatistics.begin(), kStatistics.end(), statistic) != kStatistics.end())
    name = name.with("contrast", stem.substr(cut + 1));
  else
    statistic = stem;
  if (statistic == "mask") return described(source, "analyzed", "mask");
  name = name.with("stat", statistic == "mean" ? "effect" : statistic);
  name.suffix = "statmap";
  return name;
}

Name registrationName(const Name& source, const Name& moved, const std::string& reference,
                      const std::string& stem) {
  Name transform = moved.with("mode", "image");
  transform.suffix = "xfm";
  if (stem == "displacement") return transform.with("from", "T1w").with("to", reference);
  if (stem == "affine") return transform.with("from", "T1w").with("to", reference).with("desc", "affine");
  if (stem == "inverse") return transform.with("from", reference).with("to", "T1w");
  if (stem == "warped" || stem == "aligned") return described(source, stem, "T1w");
  return described(source, stem, "xfmmap");
}

}  // namespace

Name resultName(const std::string& analysis, const Job& job) {
  const Name name = job.source();
  return analysis == "registration" ? name.with("space", job.reference) : name;
}

Name outputName(const std::string& analysis, const Job& job, const std::string& stem,
                const std::string& extension, const std::string& model) {
  const Name source = resultName(analysis, job);
  Name name;
  if (stem == "affine")
    name = registrationName(source, job.source(), job.reference, stem);
  else if (extension == ".tsv" || extension == ".txt" || extension == ".json")
    name = described(source, analysis + " " + stem, "stats");
  else if (analysis == "fibers" && stem == "response_voxels")
    name = described(source, "response", "dseg");
  else if (analysis == "fibers")
    name = source.with("model", model).with("param", stem), name.suffix = "dwimap";
  else if (analysis == "activation")
    name = activationName(source, stem);
  else if (analysis == "registration")
    name = registrationName(source, job.source(), job.reference, stem);
  else if (extension == ".vtp")
    name = described(source, stem == "surface" ? "denoised" : stem, "surface");
  else
    name = described(source, stem == "mask" ? "denoised" : stem, stem == "mask" ? "mask" : "levelset");
  name.extension = extension == ".vtp" ? ".surf.gii" : extension;
  return name;
}

Name freeName(const Name& name, const std::vector<Name>& taken) {
  const auto isTaken = [&](const Name& wanted) {
    return std::any_of(taken.begin(), taken.end(),
                       [text = wanted.text()](const Name& other) { return other.text() == text; });
  };
  const char* const key = name.label("contrast").empty() ? "desc" : "contrast";
  Name free = name;
  for (int n = 2; isTaken(free); ++n) free = name.with(key, name.label(key) + std::to_string(n));
  return free;
}

std::string modelOf(const RunResult& result) {
  if (result.provenance.analysis != "fibers") return {};
  const auto asked = result.provenance.parameters.find("model");
  if (asked != result.provenance.parameters.end() && formatOption(asked->second) != "auto")
    return formatOption(asked->second);
  const auto hasLayer = [&](const char* name) {
    return std::any_of(result.layers.begin(), result.layers.end(),
                       [&](const Layer& layer) { return layer.name == name; });
  };
  if (hasLayer("volumes")) return "msmt";
  const bool hasResponse = std::any_of(result.files.begin(), result.files.end(),
                                       [](const ResultFile& file) { return file.name == "response.txt"; });
  return hasResponse ? "csd" : "adc";
}

Name recordName(const std::string& analysis, const Job& job) {
  Name name = described(resultName(analysis, job), analysis, "provenance");
  name.extension = ".json";
  return name;
}

Name pictureName(const std::string& analysis, const Job& job, const std::string& number) {
  Name name = described(resultName(analysis, job), analysis, "picture" + number);
  name.extension = ".png";
  return name;
}

std::vector<std::string> possibleNames(const Analysis& analysis, const Job& job) {
  std::vector<std::string> names{recordName(analysis.name, job).text(),
                                 pictureName(analysis.name, job, "*").text()};
  const auto add = [&](Name name) {
    names.push_back(name.text());
    name.extension = ".json";
    names.push_back(name.text());
  };
  for (std::string stem : analysis.outputs) {
    if (stem.ends_with('*') && !stem.ends_with("_*")) stem.pop_back();
    for (const char* extension : {".nii.gz", ".nii", ".tsv", ".txt", ".vtp"})
      add(outputName(analysis.name, job, stem, extension, "*"));
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

}  // namespace sulcus::bids
