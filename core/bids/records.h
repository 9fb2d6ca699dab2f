#pragma once

#include "core/analysis/analysis.h"
#include "core/base/note.h"
#include "core/bids/figures.h"
#include "core/bids/jobs.h"
#include "core/io/streams/result_folder.h"

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

// What is known of the runs of a study: one JSON file a run, written with its results, or, for one that
// failed, into the folder logs.
namespace sulcus::bids {

/// A picture of a run.
struct PictureFile {
  std::string file;  ///< below the output folder
  std::string caption;
};

/// How one run went.
struct Record {
  std::string analysis, subject;
  std::string run;  ///< its entities, "sub-01_ses-1_task-a"
  bool done = false;
  std::string problem;  ///< the sentence of one that failed
  std::string key;      ///< JSON text of all that decides the result, see runKey(); "" of one that failed
  Provenance provenance;
  std::vector<Figure> figures;
  std::vector<AgreementRow> agreement;  ///< of two backends, none where one was run
  Notes notes;
  std::vector<std::string> files;    ///< paths below the output folder
  std::vector<std::uint64_t> bytes;  ///< of each of them; none in records that older versions wrote
  std::vector<std::string> shown;    ///< those of them that are seen at first
  std::vector<PictureFile> pictures;
  std::string created;  ///< ISO 8601, UTC
};

/// What makes a run the same as another: analysis, version, backend, parameters, the checksums of all that
/// was read, and what is written where not all is.
std::string runKey(const std::string& analysis, const std::string& backend, const OptionValues& parameters,
                   const std::vector<InputFile>& inputs, const io::ResultChoice& choice = {});

std::string recordText(const Record& record);
/// Throws Error for a file that is no record.
Record openRecord(const std::filesystem::path& file);

/// All records below an output folder, those of failed runs too, sorted by analysis and run. Of a run that
/// was done and failed later the failure. Files that are none are passed over and named in `notes`.
std::vector<Record> openRecords(const std::filesystem::path& out, Notes& notes);

/// The file of a failed run.
std::filesystem::path failurePath(const std::filesystem::path& out, const std::string& analysis,
                                  const Job& job);

/// What is written beside the results of a study: for each participant a status ("done", "failed", "partly
/// failed", "n/a") and the medians of the figures over its runs, for each analysis in `records`.
struct ParticipantTable {
  std::string tsv, json;
};
ParticipantTable participantTable(const std::vector<std::string>& subjects,
                                  const std::vector<Record>& records);

/// Throws Error where the output folder has tables or reports of the names that those of a study have, and
/// its dataset_description.json does not say that Sulcus wrote them.
void requireOwnResults(const std::filesystem::path& out);
/// Writes dataset_description.json, .bidsignore and README where there are none.
///
/// @param sources  the data sets that were read, by the name they have in the URIs of provenance
void describeDerivatives(const std::filesystem::path& out, const Study& sources);
/// "bids:raw:sub-01/dwi/sub-01_dwi.nii.gz" for a file of one of these data sets, else its whole path.
std::string sourceUri(const std::filesystem::path& file, const Study& sources);

}  // namespace sulcus::bids
