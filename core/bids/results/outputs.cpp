#include "core/bids/results/outputs.h"

#include "core/bids/study_traits.h"

#include <algorithm>

namespace sulcus::bids {

Name described(Name name, const std::string& stem, const std::string& suffix) {
  name = name.with("desc", stem);
  name.suffix = suffix;
  return name;
}

Name resultName(const Job& job) {
  const Name name = job.source();
  return job.reference.empty() ? name : name.with("space", job.reference);
}

Name outputName(const Analysis& analysis, const Job& job, const std::string& stem,
                const std::string& extension, const std::string& model) {
  const bool isText = extension == ".tsv" || extension == ".txt" || extension == ".json";
  // Tables and transforms that have a BIDS name are named like maps.
  const bool isNamed = stem == "affine" || stem.starts_with("prepared_");
  Name name = isText && !isNamed ? described(resultName(job), analysis.name + " " + stem, "stats")
                                 : studyTraits(analysis).layerName(job, stem, extension, model);
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

std::string modelOf(const Analysis& analysis, const RunResult& result) {
  const auto& own = studyTraits(analysis).modelOf;
  return own ? own(result) : "";
}

Name recordName(const std::string& analysis, const Job& job) {
  Name name = described(resultName(job), analysis, "provenance");
  name.extension = ".json";
  return name;
}

Name pictureName(const std::string& analysis, const Job& job, const std::string& number) {
  Name name = described(resultName(job), analysis, "picture" + number);
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
      add(outputName(analysis, job, stem, extension, "*"));
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

}  // namespace sulcus::bids
