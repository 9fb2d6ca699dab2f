#include "core/base/error.h"
#include "core/base/sanitized.h"
#include "core/base/sentence.h"
#include "core/bids/study_traits.h"
#include "core/io/streams/byte_source.h"
#include "core/io/streams/file_json.h"

#include <set>

namespace sulcus::bids {
namespace {

using nlohmann::ordered_json;

/// The entity that a filter names, by its key or its long name; "" for another word.
std::string entityOf(const std::string& word) {
  static const std::map<std::string, std::string> kLong{
      {"subject", "sub"},      {"session", "ses"},    {"acquisition", "acq"}, {"reconstruction", "rec"},
      {"direction", "dir"},    {"inversion", "inv"},  {"ceagent", "ce"},      {"processing", "proc"},
      {"hemisphere", "hemi"},  {"resolution", "res"}, {"density", "den"},     {"description", "desc"},
      {"segmentation", "seg"}, {"modality", "mod"}};
  static const std::set<std::string> kShort{
      "sub",   "ses", "task",  "acq",  "ce",    "rec",       "dir",   "run",    "mod",    "echo",
      "flip",  "inv", "mt",    "part", "proc",  "hemi",      "space", "cohort", "res",    "den",
      "label", "seg", "atlas", "desc", "chunk", "recording", "split", "sample", "suffix", "datatype"};
  if (const auto found = kLong.find(word); found != kLong.end()) return found->second;
  return kShort.count(word) ? word : "";
}

std::vector<std::string> labelsOf(const ordered_json& value, const std::string& where) {
  if (value.is_null()) return {""};
  if (value.is_string()) return {value.get<std::string>()};
  if (value.is_number_integer()) return {std::to_string(value.get<std::int64_t>())};
  std::vector<std::string> labels;
  if (value.is_array() && !value.empty())
    for (const auto& one : value)
      if (!one.is_array())
        for (const auto& label : labelsOf(one, where)) labels.push_back(label);
  if (labels.empty())
    throw Error(where + " is not a label", "scans are chosen by the labels of their names",
                "give a text, a list of texts, or null for scans without it");
  return labels;
}

}  // namespace

std::map<std::string, Filter> openFilters(const std::filesystem::path& file,
                                          std::span<const Analysis> table) {
  // Kinds that other BIDS apps look for: one filter file may serve them all.
  static const std::set<std::string> kOthers{"fmap", "sbref", "flair",  "t2w",  "roi",      "asl",
                                             "pet",  "epi",   "events", "mask", "confounds"};
  std::set<std::string> kinds;
  for (const Analysis* analysis : studyAnalyses(table)) kinds.insert(analysis->study->scans.filter);
  const ordered_json json = io::openJson(file);
  const std::string name = io::quoted(file);
  if (!json.is_object())
    throw Error(name + " is not a JSON object", "it says which scans are wanted",
                R"(write for example {"bold": {"space": "MNI152NLin2009cAsym"}})");
  std::map<std::string, Filter> filters;
  for (const auto& [kind, entities] : json.items()) {
    if (kOthers.count(kind)) continue;
    if (!kinds.count(kind) || !entities.is_object())
      throw Error(name + " filters " + inQuotes(kind, 40), "that is not a kind of scan",
                  "give an object for " + joined(kinds, ", "));
    for (const auto& [word, value] : entities.items()) {
      const std::string entity = entityOf(word);
      if (entity.empty())
        throw Error(name + " asks for " + inQuotes(word, 40), "names of BIDS have no such part",
                    "give an entity such as acquisition, run, space or desc");
      filters[kind][entity] = labelsOf(value, inQuotes(word, 40) + " in " + name);
    }
  }
  return filters;
}

}  // namespace sulcus::bids
