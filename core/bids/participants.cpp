#include "core/base/error.h"
#include "core/base/numbers.h"
#include "core/base/platform/files/folder_entries.h"
#include "core/bids/report/outliers.h"
#include "core/bids/results/records.h"
#include "core/io/files.h"
#include "core/io/streams/byte_source.h"
#include "core/io/streams/file_json.h"
#include "core/io/tables/tables.h"
#include "core/math/statistics.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <system_error>

namespace sulcus::bids {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

/// The name of a data set in URIs.
std::string linkName(const Dataset& dataset) {
  return dataset.derivative ? labelOf(dataset.root.filename().string()) : "raw";
}

/// The records of a participant for one analysis.
std::vector<const Record*> runsOf(const std::vector<Record>& records, const std::string& analysis,
                                  const std::string& subject) {
  std::vector<const Record*> runs;
  for (const auto& record : records)
    if (record.analysis == analysis && record.subject == subject) runs.push_back(&record);
  return runs;
}

std::string statusOf(const std::vector<const Record*>& runs) {
  const auto done = std::count_if(runs.begin(), runs.end(), [](const Record* run) { return run->done; });
  if (runs.empty()) return "n/a";
  if (done == std::ptrdiff_t(runs.size())) return "done";
  return done == 0 ? "failed" : "partly failed";
}

/// The median of a figure over runs; "n/a" if none has it.
std::string medianText(const std::vector<const Record*>& runs, const std::string& name) {
  std::vector<float> values;
  for (const Record* run : runs)
    for (const auto& figure : run->figures)
      if (figure.name == name && std::isfinite(figure.value)) values.push_back(float(figure.value));
  return values.empty() ? "n/a" : numberText(interpolatedQuantile(std::span(values), 0.5));
}

}  // namespace

ParticipantTable participantTable(const std::vector<std::string>& subjects,
                                  const std::vector<Record>& records) {
  std::set<std::string> everyone(subjects.begin(), subjects.end());
  for (const auto& record : records) everyone.insert(record.subject);
  TableLayer table{{"participant_id"}, {}};
  ordered_json json = ordered_json::object();
  json["participant_id"] = {{"Description", "Participant"}};
  for (const auto& subject : everyone) table.rows.push_back({"sub-" + subject});
  for (const auto& analysis : analysesIn(records)) {
    const auto figures = figuresOf(records, analysis);
    table.columns.push_back(analysis + "_status");
    json[table.columns.back()] = {
        {"Description", "Status of the runs of " + analysis + " of this participant"},
        {"Levels", {{"done", "all are done"}, {"failed", "none is"}, {"partly failed", "some are"}}}};
    table.columns.push_back(analysis + "_runs");
    json[table.columns.back()] = {{"Description", "Runs of " + analysis + ", failed ones too"}};
    for (const auto& figure : figures) {
      table.columns.push_back(analysis + "_" + figure.name);
      auto& column =
          json[table.columns.back()] = {{"Description", figure.help + " (the median of several runs)"}};
      if (!figure.unit.empty()) column["Units"] = figure.unit;
    }
    auto row = table.rows.begin();
    for (const auto& subject : everyone) {
      const auto runs = runsOf(records, analysis, subject);
      row->push_back(statusOf(runs));
      row->push_back(std::to_string(runs.size()));
      for (const auto& figure : figures) row->push_back(medianText(runs, figure.name));
      ++row;
    }
  }
  return {io::tableText(table, '\t'), io::jsonText(json)};
}

void requireOwnResults(const fs::path& out) {
  const auto description = io::openCompanionJson(out / "dataset_description.json").object;
  if (const auto by = description.find("GeneratedBy"); by != description.end() && by->is_array())
    for (const auto& one : *by)
      if (one.is_object() && one.contains("Name") && one["Name"] == "Sulcus") return;
  for (const auto& path : folderEntriesIfAny(out)) {
    const std::string name = path.filename().string();
    const bool isReport = name == "group.html" || (name.starts_with("sub-") && name.ends_with(".html"));
    if (isReport || name == "participants.tsv" || name == "participants.json")
      throw Error(io::quotedPath(out) + " holds results of another program",
                  io::quoted(path) + " would be replaced",
                  "give a folder of its own, or {overwrite} to replace its tables and reports"_message,
                  ErrorKind::usage);
  }
}

void describeDerivatives(const fs::path& out, const Study& sources) {
  const auto urlOf = [](const fs::path& folder) {  // file:///home/study, file:///C:/study
    const std::string path = folder.generic_string();
    return (path.starts_with('/') ? "file://" : "file:///") + path;
  };
  // Concurrent commands write the same content, each atomically.
  const auto write = [&](const char* name, const std::string& text) {
    std::error_code fault;
    if (!fs::exists(out / name, fault)) io::writeFile(out / name, text, true);
  };
  ordered_json json{
      {"Name", "Sulcus on " + (sources.front().name.empty() ? sources.front().root.filename().string()
                                                            : sources.front().name)},
      {"BIDSVersion", "1.10.0"},
      {"DatasetType", "derivative"},
      {"GeneratedBy", {{{"Name", "Sulcus"}, {"Version", sulcusVersion()}}}}};
  json["SourceDatasets"] = ordered_json::array();
  json["DatasetLinks"] = ordered_json::object();
  for (const auto& dataset : sources) {
    json["SourceDatasets"].push_back({{"URL", urlOf(dataset.root)}});
    json["DatasetLinks"][linkName(dataset)] = urlOf(dataset.root);
  }
  write("dataset_description.json", io::jsonText(json));
  write(".bidsignore",
        "# Results that BIDS has no name for yet.\n*_provenance.json\n*.png\n*_stats.*\n*_xfmmap.*\n"
        "*_levelset.*\n*_xfm.*\n*_dwimap.*\n*_statmap.*\n*.surf.gii\n*_surface.json\n*."
        "html\nlogs\ngroup\nreview.tsv\n");
  write(
      "README",
      "Results of Sulcus, one folder per participant. participants.tsv gives the status of each and its key\n"
      "figures; the HTML files show the results. Every image has a JSON sidecar with its source,\n"
      "parameters and units. Research use only.\n");
}

std::string sourceUri(const fs::path& given, const Study& sources) {
  std::error_code fault;
  const fs::path file = fs::weakly_canonical(given, fault);
  // If data sets are nested, the innermost is taken.
  const Dataset* found = nullptr;
  for (const auto& dataset : sources) {
    const auto inside = std::mismatch(dataset.root.begin(), dataset.root.end(), file.begin(), file.end());
    if (inside.first == dataset.root.end() &&
        (!found || dataset.root.string().size() > found->root.string().size()))
      found = &dataset;
  }
  if (!found) return file.string();
  return "bids:" + linkName(*found) + ":" + file.lexically_relative(found->root).generic_string();
}

}  // namespace sulcus::bids
