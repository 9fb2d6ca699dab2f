#include "app/cli/progress.h"
#include "app/cli/study/study.h"
#include "core/base/error.h"
#include "core/base/sanitized.h"
#include "core/bids/report/mean_maps.h"
#include "core/bids/report/pages.h"
#include "core/bids/study_lock.h"
#include "core/image/display/layer_kinds.h"
#include "core/io/below.h"
#include "core/io/files.h"
#include "core/io/streams/byte_source.h"
#include "core/io/streams/file_json.h"
#include "core/io/streams/staged_files.h"

#include <algorithm>
#include <iostream>
#include <optional>

namespace sulcus::app::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMeanPictures = 8;  ///< on the page, for one analysis

/// Creates and stages the group-level results of one analysis.
bids::StudySection sectionOf(const std::string& analysis, const std::vector<bids::Record>& records,
                             const fs::path& out, const io::StagedFiles& staged, const Progress& progress) {
  bids::StudySection section;
  section.analysis = analysis;
  section.table = bids::runTable(records, analysis);
  io::writeStaged(staged.file(analysis + "_runs.tsv"), bids::runTableText(section.table));
  std::vector<bids::Record> own;
  std::copy_if(records.begin(), records.end(), std::back_inserter(own),
               [&](const bids::Record& record) { return record.analysis == analysis; });
  const auto groups = bids::mapGroups(own, section.notes);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const Progress part =
        progress.part(double(g) / double(groups.size()), double(g + 1) / double(groups.size()), "mean maps");
    if (g == 0)
      section.notes.emplace_back(
          "Means over participants are not a test: bids … group --analysis group tests them.");
    const auto map = bids::meanMap(groups[g], out, section.notes, part);
    if (map.participants == 0) continue;
    for (const Layer* layer : {&map.mean, &map.sd, &map.count}) {
      const bids::Name name = groups[g].name.with("desc", groups[g].name.label("desc") + " " + layer->name);
      io::writeStaged(staged.file(name.text()), *layer, part);
    }
    if (section.means.size() < kMeanPictures && bids::isPictured(groups[g])) {
      const auto picture = bids::meanPicture(groups[g], map);
      section.means.push_back({picture.caption, io::pngBytes(picture.picture)});
    }
  }
  return section;
}

void printGroup(const StudyRequest& request, const std::vector<bids::StudySection>& sections,
                const Notes& notes, const CliContext& session) {
  nlohmann::ordered_json json{{"out", request.out}};
  for (const auto& section : sections) {
    const auto& rows = section.table.rows;
    const auto failed =
        std::count_if(rows.begin(), rows.end(), [](const auto& row) { return !row.record->done; });
    auto outliers = nlohmann::ordered_json::array();
    for (const auto& row : rows)
      if (row.outlier()) outliers.push_back(row.record->run);
    if (session.json)
      json["analyses"].push_back({{"analysis", section.analysis},
                                  {"runs", rows.size()},
                                  {"failed", failed},
                                  {"outliers", outliers},
                                  {"notes", section.notes}});
    else
      std::cout << section.analysis << ": " << bids::countsText(section.table) << "\n";
    if (!session.json)
      for (const Note& warning : warningsIn(section.notes))
        std::cerr << sanitizedForDisplay(warning.line()) << "\n";
  }
  for (const auto& note : notes) std::cerr << sanitizedForDisplay(note.line()) << "\n";
  if (session.json)
    std::cout << io::jsonText(json);
  else
    std::cout << "The report is " << sanitizedForDisplay((fs::path(request.out) / "group.html").string())
              << "\n";
}

}  // namespace

void writeParticipants(const StudyRequest& request, const bids::Study& study,
                       const std::vector<bids::Record>& records, const std::vector<std::string>& subjects) {
  const fs::path out = request.out;
  const auto table = bids::participantTable(study.front().subjects, records);
  io::writeFile(out / "participants.tsv", table.tsv, true);
  io::writeFile(out / "participants.json", table.json, true);
  for (const auto& subject : subjects) {
    std::vector<bids::Record> own;
    std::copy_if(records.begin(), records.end(), std::back_inserter(own),
                 [&](const bids::Record& record) { return record.subject == subject; });
    if (!own.empty())
      io::writeFile(out / ("sub-" + subject + ".html"), bids::participantPage(subject, own, out), true);
  }
}

int runGroup(const StudyRequest& request, const CliContext& session) {
  if (!request.run.overwrite) bids::requireOwnResults(request.out);
  const bids::Study study = openStudyFor(request);
  const fs::path out = request.out;
  std::optional<bids::StudyLock> tables;  // if anything was run
  std::error_code fault;
  if (fs::is_directory(out / "logs", fault)) tables.emplace(out, "tables").await();
  Notes notes;
  std::vector<std::string> subjects;
  const auto records = bids::openRecords(out, notes);
  if (records.empty())
    throw Error(io::quotedPath(out) + " holds no results of participants",
                notes.empty() ? "a group is made of them" : notes.front().text,
                "run the level participant first, with the same OUT_DIR");
  std::vector<bids::StudySection> sections;
  {
    ProgressDisplay display(session);
    const Progress progress = display.progress();
    const auto analyses = bids::analysesIn(records);
    io::requireInto(out / "group", out);
    auto staged = io::StagedFiles::results(out / "group", {"*.nii.gz", "*.json", "*.tsv"}, true);
    for (std::size_t i = 0; i < analyses.size(); ++i)
      sections.push_back(sectionOf(
          analyses[i], records, out, staged,
          progress.part(double(i) / double(analyses.size()), double(i + 1) / double(analyses.size()), "")));
    staged.publish();
  }
  for (const auto& record : records)
    if (std::find(subjects.begin(), subjects.end(), record.subject) == subjects.end())
      subjects.push_back(record.subject);
  writeParticipants(request, study, records, subjects);
  const std::string& name = study.front().name;
  io::writeFile(out / "group.html",
                bids::studyPage(name.empty() ? study.front().root.filename().string() : name, sections, out),
                true);
  printGroup(request, sections, notes, session);
  return exit_code::done;
}

}  // namespace sulcus::app::cli
