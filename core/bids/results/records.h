#pragma once

#include "core/analysis/analysis.h"
#include "core/base/note.h"
#include "core/bids/jobs.h"
#include "core/bids/report/figures.h"
#include "core/io/streams/result_folder.h"

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

// Records of the runs of a study: one JSON file per run, written with its results, or, if it failed, to the
// folder logs.
namespace sulcus::bids {

/// A picture of a run.
struct PictureFile {
  std::string file;  ///< relative to the output folder
  std::string caption;
};

/// The outcome of one run.
struct Record {
  std::string analysis, subject;
  std::string run;  ///< its entities, "sub-01_ses-1_task-a"
  bool done = false;
  std::string problem;  ///< the error message if it failed
  std::string key;      ///< JSON text of everything that determines the result, see runKey(); "" if it failed
  Provenance provenance;
  std::vector<Figure> figures;
  std::vector<AgreementRow> agreement;  ///< of two backends, empty if only one was run
  Notes notes;
  std::vector<std::string> files;    ///< paths below the output folder
  std::vector<std::uint64_t> bytes;  ///< sizes of the files; empty in records of older versions
  std::vector<std::string> shown;    ///< those of the files that are visible at first
  std::vector<PictureFile> pictures;
  std::string created;  ///< ISO 8601, UTC
};

/// The identity of a run: analysis, version, backend, options, the checksums of all files read, and what is
/// written if not everything is.
std::string runKey(const std::string& analysis, const std::string& backend, const OptionValues& parameters,
                   const std::vector<InputFile>& inputs, const io::ResultChoice& choice = {});

std::string recordText(const Record& record);
/// Throws Error for a file that is not a record.
Record openRecord(const std::filesystem::path& file);

/// All records below an output folder, including failed runs, sorted by analysis and run. If a run finished
/// and failed later, the failure counts. Files that are not records are skipped and named in `notes`.
std::vector<Record> openRecords(const std::filesystem::path& out, Notes& notes);

/// The record file of a failed run.
std::filesystem::path failurePath(const std::filesystem::path& out, const std::string& analysis,
                                  const Job& job);

/// A table written beside the results of a study: for each participant a status ("done", "failed", "partly
/// failed", "n/a") and the medians of the figures over its runs, for each analysis in `records`.
struct ParticipantTable {
  std::string tsv, json;
};
ParticipantTable participantTable(const std::vector<std::string>& subjects,
                                  const std::vector<Record>& records);

/// Throws Error if the output folder contains tables or reports named like those of a study and its
/// dataset_description.json does not say that Sulcus wrote them.
void requireOwnResults(const std::filesystem::path& out);
/// Writes dataset_description.json, .bidsignore and README unless they exist.
///
/// @param sources  the data sets that were read, by their names in provenance URIs
void describeDerivatives(const std::filesystem::path& out, const Study& sources);
/// "bids:raw:sub-01/dwi/sub-01_dwi.nii.gz" for a file of one of these data sets, else its full path.
std::string sourceUri(const std::filesystem::path& file, const Study& sources);

}  // namespace sulcus::bids
