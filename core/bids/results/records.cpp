#include "core/bids/results/records.h"

#include "core/base/error.h"
#include "core/base/platform/files/folder_entries.h"
#include "core/base/sanitized.h"
#include "core/bids/results/outputs.h"
#include "core/io/below.h"
#include "core/io/files.h"
#include "core/io/streams/byte_source.h"
#include "core/io/streams/file_json.h"

#include <algorithm>
#include <cmath>
#include <system_error>
#include <utility>

namespace sulcus::bids {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

/// The numbers of an AgreementRow that a record keeps.
constexpr std::pair<const char*, double AgreementRow::*> kAgreementNumbers[] = {
    {"Mean", &AgreementRow::mean},
    {"Percentile95", &AgreementRow::percentile95},
    {"Largest", &AgreementRow::maximum},
    {"Tolerance", &AgreementRow::tolerance},
    {"ShareWithin", &AgreementRow::shareWithin},
    {"ShareNeeded", &AgreementRow::shareNeeded}};

ordered_json agreementJson(const std::vector<AgreementRow>& rows) {
  auto list = ordered_json::array();
  for (const auto& row : rows) {
    list.push_back({{"Quantity", row.quantity}, {"Units", row.unit}});
    for (const auto& [key, number] : kAgreementNumbers) list.back()[key] = row.*number;
  }
  return list;
}

/// Reads the keys of a record and checks their types.
class RecordReader {
 public:
  RecordReader(const ordered_json& json, const fs::path& file) : json_(json), file_(file) {
    if (!json.is_object()) fail("an object");
  }

  std::string text(const char* key) const {
    if (!json_.contains(key)) return {};
    if (!json_[key].is_string()) fail(key);
    return json_[key].get<std::string>();
  }
  double number(const char* key) const {
    return json_.contains(key) && json_[key].is_number() ? json_[key].get<double>() : NAN;
  }
  std::vector<std::string> texts(const char* key) const {
    std::vector<std::string> list;
    for (const auto& one : array(key)) {
      if (!one.is_string()) fail(key);
      list.push_back(one.get<std::string>());
    }
    return list;
  }
  /// Paths relative to the output folder.
  std::vector<std::string> paths(const char* key) const {
    std::vector<std::string> list = texts(key);
    for (const auto& path : list) requireBelow(path);
    return list;
  }
  std::string path(const char* key) const {
    std::string path = text(key);
    requireBelow(path);
    return path;
  }
  ordered_json array(const char* key) const {
    if (!json_.contains(key)) return ordered_json::array();
    if (!json_[key].is_array()) fail(key);
    return json_[key];
  }
  void requireBelow(const std::string& path) const {
    if (!io::isNameBelow(path)) fail(sanitizedForDisplay(path, 60));
  }
  [[noreturn]] void fail(const std::string& what) const {
    throw Error(io::quotedPath(file_) + " is not a valid run record", "'" + what + "' is invalid",
                "remove it, and run that participant again");
  }

 private:
  const ordered_json& json_;
  const fs::path& file_;
};

bool isRecord(const fs::path& file) { return file.filename().string().ends_with("_provenance.json"); }

void addRecord(const fs::path& file, std::vector<Record>& records, Notes& notes) {
  try {
    records.push_back(openRecord(file));
  } catch (const Error& fault) {
    notes.emplace_back(fault.message());
  }
}

/// Adds the records in a participant's folder and its subfolders. Hidden entries are being written by another
/// process and may vanish meanwhile.
void addRecordsIn(const fs::path& folder, std::vector<Record>& records, Notes& notes) {
  for (const auto& path : folderEntriesIfAny(folder)) {
    std::error_code fault;
    if (path.filename().string().starts_with('.')) continue;
    if (isRecord(path))
      addRecord(path, records, notes);
    else if (fs::is_directory(fs::symlink_status(path, fault)))
      addRecordsIn(path, records, notes);
  }
}

}  // namespace

std::string runKey(const std::string& analysis, const std::string& backend, const OptionValues& parameters,
                   const std::vector<InputFile>& inputs, const io::ResultChoice& choice) {
  ordered_json key{{"Analysis", analysis}, {"Version", sulcusVersion()}, {"Backend", backend}};
  key["Parameters"] = io::parseJson(io::optionsJson(parameters), "the parameters");
  key["Inputs"] = ordered_json::array();
  for (const auto& input : inputs) key["Inputs"].push_back({input.slot, input.sha256});
  if (!choice.stems.empty()) key["Outputs"] = choice.stems;
  if (!choice.compressed) key["Compressed"] = false;
  return io::jsonText(key, -1);
}

std::string recordText(const Record& record) {
  ordered_json json{{"Status", record.done ? "done" : "failed"},
                    {"Analysis", record.analysis},
                    {"Participant", "sub-" + record.subject},
                    {"Run", record.run},
                    {"Created", record.created}};
  if (!record.done) {
    json["Problem"] = record.problem;
    return io::jsonText(json);
  }
  json["Figures"] = ordered_json::array();
  for (const auto& figure : record.figures) {
    ordered_json one{{"Name", figure.name}, {"Units", figure.unit}, {"Description", figure.help}};
    one["Value"] = std::isfinite(figure.value) ? ordered_json(figure.value) : ordered_json(nullptr);
    json["Figures"].push_back(one);
  }
  if (!record.agreement.empty()) json["Agreement"] = agreementJson(record.agreement);
  json["Notes"] = record.notes;
  json["Files"] = record.files;
  json["Bytes"] = record.bytes;
  json["Shown"] = record.shown;
  json["Pictures"] = ordered_json::array();
  for (const auto& picture : record.pictures)
    json["Pictures"].push_back({{"File", picture.file}, {"Caption", picture.caption}});
  json["Provenance"] = io::parseJson(io::provenanceJson(record.provenance), "the provenance");
  json["Key"] = record.key;
  return io::jsonText(json);
}

Record openRecord(const fs::path& file) {
  const auto json = io::openJson(file);
  const RecordReader reader(json, file);
  Record record;
  record.analysis = reader.text("Analysis");
  record.done = reader.text("Status") == "done";
  record.run = reader.text("Run");
  record.problem = reader.text("Problem");
  record.key = reader.text("Key");
  record.created = reader.text("Created");
  const std::string participant = reader.text("Participant");
  if (!participant.starts_with("sub-") || !isLabel(participant.substr(4)) || record.run.empty())
    reader.fail("Participant");
  if (!isLabel(record.analysis)) reader.fail("Analysis");
  record.subject = participant.substr(4);
  for (const auto& one : reader.array("Figures")) {
    const RecordReader figure(one, file);
    record.figures.push_back(
        {figure.text("Name"), figure.text("Units"), figure.text("Description"), figure.number("Value")});
  }
  for (const auto& one : reader.array("Agreement")) {
    const RecordReader row(one, file);
    AgreementRow agreement;
    agreement.quantity = row.text("Quantity");
    agreement.unit = row.text("Units");
    for (const auto& [key, number] : kAgreementNumbers) agreement.*number = row.number(key);
    record.agreement.push_back(agreement);
  }
  for (const std::string& note : reader.texts("Notes")) record.notes.push_back(Note::from(note));
  record.files = reader.paths("Files");
  for (const auto& bytes : reader.array("Bytes")) {
    if (!bytes.is_number_unsigned()) reader.fail("Bytes");
    record.bytes.push_back(bytes.get<std::uint64_t>());
  }
  if (!record.bytes.empty() && record.bytes.size() != record.files.size()) reader.fail("Bytes");
  record.shown = reader.paths("Shown");
  for (const auto& one : reader.array("Pictures")) {
    const RecordReader picture(one, file);
    record.pictures.push_back({picture.path("File"), picture.text("Caption")});
  }
  if (!record.done) return record;
  const auto made = json.contains("Provenance") ? json["Provenance"] : ordered_json::object();
  const RecordReader provenance(made, file);
  record.provenance.analysis = record.analysis;
  record.provenance.backend = provenance.text("Backend");
  record.provenance.device = provenance.text("Device");
  record.provenance.commandLine = provenance.text("CommandLine");
  if (made.contains("Parameters"))
    record.provenance.parameters = io::optionsFromJson(io::jsonText(made["Parameters"]));
  for (const auto& one : provenance.array("Inputs")) {
    const RecordReader input(one, file);
    record.provenance.inputs.push_back({input.text("Slot"), input.text("Path"), input.text("Sha256")});
  }
  return record;
}

std::vector<Record> openRecords(const fs::path& out, Notes& notes) {
  std::vector<Record> done, failed;
  for (const auto& path : folderEntriesIfAny(out)) {
    const std::string name = path.filename().string();
    if (name == "logs") addRecordsIn(path, failed, notes);
    if (name.starts_with("sub-")) addRecordsIn(path, done, notes);
  }
  std::vector<Record> records = failed;
  for (auto& record : done)
    if (std::none_of(failed.begin(), failed.end(), [&](const Record& other) {
          return other.analysis == record.analysis && other.run == record.run;
        }))
      records.push_back(std::move(record));
  std::sort(records.begin(), records.end(), [](const Record& a, const Record& b) {
    return std::tie(a.analysis, a.run) < std::tie(b.analysis, b.run);
  });
  return records;
}

fs::path failurePath(const fs::path& out, const std::string& analysis, const Job& job) {
  return out / "logs" / recordName(analysis, job).text();
}

}  // namespace sulcus::bids
