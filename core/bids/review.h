#pragma once

#include "core/bids/records.h"

#include <filesystem>
#include <string>
#include <vector>

// A study as it is reviewed: the worst participant, the files to open, the findings.
namespace sulcus::bids {

/// One participant in the table of a study.
struct ReviewedSubject {
  std::string name;                ///< "sub-01"
  std::vector<std::string> cells;  ///< of participants.tsv, see Review::columns
  int failed = 0;                  ///< runs that are not done
  double furthest = 0;             ///< largest |robust z| of a figure among all runs
  std::string problem;             ///< the sentence of a run that failed; "": none did
  bool flagged = false;
  std::string comment;
  std::vector<std::filesystem::path> scans;  ///< all of one of whom nothing was computed
};

struct Review {
  std::filesystem::path folder;           ///< with the results, or where review.tsv of raw scans goes
  std::filesystem::path raw;              ///< the data set, where nothing was computed of it yet; else ""
  std::vector<std::string> analyses;      ///< that such a data set has scans for
  std::vector<std::string> columns;       ///< without participant_id
  std::vector<ReviewedSubject> subjects;  ///< worst first: failed ones, then those that lie furthest out
  /// The scan and the first maps of a participant whose runs are done, or a scan of one where nothing was
  /// computed; `fileOf` names those of others.
  std::vector<std::filesystem::path> files;
  std::string filesOf;  ///< that participant, "" where no run is done
  bool judged = false;  ///< whether enough runs of an analysis are done to tell which lie far out
};

/// The folder with the results of `sulcus-cli bids`: the one given, or one of its derivatives. Empty where
/// there is none.
std::filesystem::path resultsIn(const std::filesystem::path& folder);

/// Reads tables and records, no image. A data set without results has its participants in their order and a
/// scan of the first. Throws Error for a folder that is neither.
Review openReview(const std::filesystem::path& folder, std::span<const Analysis> analyses);

/// The file of another participant that is called like that of `subject`, wherever its path names the
/// participant; the same file where it names none. `subject` and `other` with "sub-".
std::filesystem::path fileOf(const std::filesystem::path& file, const std::string& subject,
                             const std::string& other);

/// Writes flag and comment of one participant into review.tsv in this folder, which is made. What others
/// wrote there meanwhile stays.
void saveReview(const std::filesystem::path& results, const ReviewedSubject& subject);

}  // namespace sulcus::bids
