#include "core/bids/results/review.h"

#include "core/base/error.h"
#include "core/bids/dataset.h"
#include "core/bids/report/outliers.h"
#include "core/image/table_columns.h"
#include "core/io/files.h"
#include "core/io/streams/byte_source.h"
#include "core/io/streams/file_json.h"
#include "core/io/tables/tables.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace sulcus::bids {
namespace {

namespace fs = std::filesystem;

constexpr const char *kParticipants = "participants.tsv", *kReview = "review.tsv", *kFlag = "flag",
                     *kComment = "comment", *kId = "participant_id";

TableLayer openedTable(const fs::path& file) { return std::get<TableLayer>(io::openTable(file).content); }

/// The index of a column, which is added if missing.
std::size_t columnOf(TableLayer& table, const std::string& name) {
  if (const auto found = columnNamed(table, name)) return *found;
  table.columns.push_back(name);
  for (auto& row : table.rows) row.emplace_back("n/a");
  return table.columns.size() - 1;
}

TableLayer openedNotes(const fs::path& results) {
  std::error_code fault;
  const fs::path file = results / kReview;
  return fs::exists(file, fault) ? openedTable(file) : TableLayer{{kId, kFlag, kComment}, {}};
}

/// Text for a cell: one line without tabs.
std::string cellText(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\t' || c == '\n' || c == '\r'; }, ' ');
  return text.empty() ? "n/a" : text;
}

bool holdsResults(const fs::path& folder) {
  std::error_code fault;
  if (!fs::is_regular_file(folder / kParticipants, fault)) return false;
  try {
    const TableLayer table = openedTable(folder / kParticipants);
    return std::any_of(table.columns.begin(), table.columns.end(),
                       [](const std::string& column) { return column.ends_with("_status"); });
  } catch (const Error&) {
    return false;
  }
}

/// The path that a provenance URI (sourceUri()) refers to, by the links in dataset_description.json.
fs::path placeOf(const std::string& uri, const fs::path& results) {
  const std::string scheme = "bids:", local = "file://";
  const auto colon = uri.find(':', scheme.size());
  if (!uri.starts_with(scheme) || colon == uri.npos) return uri;
  const auto json = io::openJson(results / "dataset_description.json");
  const std::string link = uri.substr(scheme.size(), colon - scheme.size());
  if (!json.contains("DatasetLinks") || !json["DatasetLinks"].contains(link)) return {};
  const auto url = json["DatasetLinks"][link].get<std::string>();
  if (!url.starts_with(local)) return {};
  // In file:///C:/study, the slash before the drive is not part of the path.
  const fs::path root = url.substr(local.size()), behindSlash = root.relative_path();
  return (behindSlash.has_root_name() ? behindSlash : root) / uri.substr(colon + 1);
}

bool isShown(const std::string& file) {
  for (const char* ending : {".nii.gz", ".nii", ".vtp", ".surf.gii"})
    if (file.ends_with(ending)) return true;
  return false;
}

std::vector<fs::path> filesOfRun(const Record& record, const fs::path& results) {
  constexpr std::size_t kMost = 3;  // the scan and two maps; others can be opened by a click
  std::vector<fs::path> files;
  if (!record.provenance.inputs.empty())
    if (const auto scan = placeOf(record.provenance.inputs.front().path, results); !scan.empty())
      files.push_back(scan);
  for (const auto& file : record.shown.empty() ? record.files : record.shown)
    if (isShown(file) && files.size() < kMost) files.push_back(results / file);
  return files;
}

[[noreturn]] void failNoStudy(const fs::path& folder) {
  throw Error(io::quotedPath(folder) + " holds no study",
              "there are neither scans named as in BIDS nor results with a participants.tsv",
              "choose the folder of the data set, or that which sulcus-cli bids wrote");
}

/// The scan to show for a participant: T1-weighted anatomy, else the first.
const File* lookedAt(const Dataset& dataset, const std::string& subject) {
  const File* best = nullptr;
  const auto isBetter = [&](const File& file) {
    return !best || (file.name.suffix == "T1w" && best->name.suffix != "T1w");
  };
  for (const File& file : dataset.files)
    if (file.present && isShown(file.name.extension) && file.name.label("sub") == subject && isBetter(file))
      best = &file;
  return best;
}

/// Adds the participants in order, with their entries in participants.tsv.
void addListed(Review& review, const Dataset& dataset) {
  std::error_code fault;
  TableLayer table{{kId}, {}};
  if (const fs::path list = dataset.root / kParticipants; fs::is_regular_file(list, fault))
    table = openedTable(list);
  const std::size_t id = columnOf(table, kId);
  for (const std::string& label : dataset.subjects) {
    ReviewedSubject subject;
    subject.name = "sub-" + label;
    subject.cells.assign(table.columns.size(), "n/a");
    for (const auto& row : table.rows)
      if (row[id] == subject.name) subject.cells = row;
    subject.cells.erase(subject.cells.begin() + std::ptrdiff_t(id));
    review.subjects.push_back(std::move(subject));
  }
  review.columns = table.columns;
  review.columns.erase(review.columns.begin() + std::ptrdiff_t(id));
}

/// Fills in the participants' entries in review.tsv.
void addNotes(Review& review) {
  TableLayer written = openedNotes(review.folder);
  const std::size_t who = columnOf(written, kId), flag = columnOf(written, kFlag),
                    comment = columnOf(written, kComment);
  for (ReviewedSubject& subject : review.subjects)
    for (const auto& note : written.rows)
      if (note[who] == subject.name) {
        subject.flagged = note[flag] == "yes";
        subject.comment = note[comment] == "n/a" ? "" : note[comment];
      }
}

/// A data set without results. Review notes are written to its derivatives: raw data remain untouched.
Review scansOf(const fs::path& folder, std::span<const Analysis> analyses) {
  Study study;
  try {
    study = openStudy(folder, false);
  } catch (const Error&) {
    failNoStudy(folder);
  }
  Review review;
  review.folder = folder / "derivatives";
  review.raw = folder;
  review.analyses = analysesWithScans(study, analyses);
  review.judged = true;  // there are no figures
  addListed(review, study.front());
  for (const File& file : study.front().files)
    for (ReviewedSubject& subject : review.subjects)
      if (file.present && isShown(file.name.extension) && "sub-" + file.name.label("sub") == subject.name)
        subject.scans.push_back(study.front().pathOf(file));
  for (const std::string& subject : study.front().subjects)
    if (const File* scan = lookedAt(study.front(), subject); scan && review.files.empty()) {
      review.filesOf = "sub-" + subject;
      review.files = {study.front().pathOf(*scan)};
    }
  addNotes(review);
  return review;
}

/// The folder with the results of `sulcus-cli bids`: the given folder or one of its derivatives. Empty if
/// there is none.
fs::path resultsIn(const fs::path& folder) {
  if (holdsResults(folder)) return folder;
  std::error_code fault;
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(folder / "derivatives", fault))
    if (holdsResults(entry.path())) found.push_back(entry.path());
  const auto newest = std::max_element(found.begin(), found.end(), [](const fs::path& a, const fs::path& b) {
    return fs::last_write_time(a / kParticipants) < fs::last_write_time(b / kParticipants);
  });
  return newest == found.end() ? fs::path() : *newest;
}

}  // namespace

Review openReview(const fs::path& folder, std::span<const Analysis> analyses) {
  Review review;
  review.folder = resultsIn(folder);
  if (review.folder.empty()) return scansOf(folder, analyses);
  TableLayer table = openedTable(review.folder / kParticipants);
  const std::size_t id = columnOf(table, kId);
  Notes notes;
  const auto records = openRecords(review.folder, notes);
  std::map<std::string, ReviewedSubject> known;
  for (const auto& analysis : analysesIn(records)) {
    std::size_t done = 0;
    for (const auto& row : runTable(records, analysis).rows) {
      ReviewedSubject& subject = known["sub-" + row.record->subject];
      if (row.record->done) {
        ++done;
        if (std::isfinite(row.furthest)) subject.furthest = std::max(subject.furthest, row.furthest);
      } else {
        ++subject.failed;
        subject.problem = row.record->problem;
      }
    }
    review.judged = review.judged || done >= kFewestForZ;
  }
  for (const auto& row : table.rows) {
    ReviewedSubject subject = known[row[id]];
    subject.name = row[id];
    subject.cells = row;
    subject.cells.erase(subject.cells.begin() + std::ptrdiff_t(id));
    review.subjects.push_back(std::move(subject));
  }
  addNotes(review);
  review.columns = table.columns;
  review.columns.erase(review.columns.begin() + std::ptrdiff_t(id));
  std::stable_sort(review.subjects.begin(), review.subjects.end(),
                   [](const ReviewedSubject& a, const ReviewedSubject& b) {
                     return std::tie(a.failed, a.furthest) > std::tie(b.failed, b.furthest);
                   });
  const auto done = std::find_if(records.begin(), records.end(), [](const Record& r) { return r.done; });
  if (done != records.end()) {
    review.filesOf = "sub-" + done->subject;
    review.files = filesOfRun(*done, review.folder);
  }
  return review;
}

fs::path fileOf(const fs::path& file, const std::string& subject, const std::string& other) {
  std::string text = file.generic_string();
  for (auto at = text.find(subject); at != text.npos; at = text.find(subject, at + 1)) {
    const auto end = at + subject.size();
    const bool begins = at == 0 || text[at - 1] == '/' || text[at - 1] == '_';
    const bool ends = end == text.size() || text[end] == '/' || text[end] == '_' || text[end] == '.';
    if (begins && ends) text.replace(at, subject.size(), other);
  }
  return text;
}

void saveReview(const fs::path& results, const ReviewedSubject& subject) {
  TableLayer table = openedNotes(results);
  const std::size_t who = columnOf(table, kId), flag = columnOf(table, kFlag),
                    comment = columnOf(table, kComment);
  auto row = std::find_if(table.rows.begin(), table.rows.end(),
                          [&](const auto& cells) { return cells[who] == subject.name; });
  if (row == table.rows.end()) {
    table.rows.emplace_back(table.columns.size(), "n/a");
    row = std::prev(table.rows.end());
    (*row)[who] = subject.name;
  }
  (*row)[flag] = subject.flagged ? "yes" : "no";
  (*row)[comment] = cellText(subject.comment);
  fs::create_directories(results);
  io::writeFile(results / kReview, io::tableText(table, '\t'), true);
}

}  // namespace sulcus::bids
