#pragma once

#include "core/bids/results/records.h"

#include <filesystem>
#include <string>
#include <vector>

// The review of a study: the worst participants, the files to open, the findings.
namespace sulcus::bids {

/// One participant in the table of a study.
struct ReviewedSubject {
  std::string name;                ///< "sub-01"
  std::vector<std::string> cells;  ///< from participants.tsv, see Review::columns
  int failed = 0;                  ///< number of runs that are not done
  double furthest = 0;             ///< largest |robust z| of any figure of its runs
  std::string problem;             ///< the error message of a failed run; "": none failed
  bool flagged = false;
  std::string comment;
  std::vector<std::filesystem::path> scans;  ///< all scans of a participant for whom nothing was computed
};

struct Review {
  std::filesystem::path folder;           ///< with the results, or for review.tsv of raw scans
  std::filesystem::path raw;              ///< the data set, if nothing was computed from it yet; else ""
  std::vector<std::string> analyses;      ///< analyses that such a data set has scans for
  std::vector<std::string> columns;       ///< without participant_id
  std::vector<ReviewedSubject> subjects;  ///< worst first: failed ones, then those farthest out
  /// The scan and the first maps of a participant whose runs are done, or a scan of one for whom nothing was
  /// computed; `fileOf` names the corresponding files of others.
  std::vector<std::filesystem::path> files;
  std::string filesOf;  ///< that participant, "" if no run is done
  bool judged = false;  ///< whether enough runs of an analysis are done to identify outliers
};

/// Reads tables and records, but no image. A data set without results lists its participants in order and a
/// scan of the first. Throws Error for a folder that is neither.
Review openReview(const std::filesystem::path& folder, std::span<const Analysis> analyses);

/// The file of another participant that corresponds to that of `subject`, wherever its path names the
/// participant; the same file if it names none. `subject` and `other` include "sub-".
std::filesystem::path fileOf(const std::filesystem::path& file, const std::string& subject,
                             const std::string& other);

/// Writes flag and comment of one participant to review.tsv in this folder, which is created. What others
/// wrote there meanwhile is kept.
void saveReview(const std::filesystem::path& results, const ReviewedSubject& subject);

}  // namespace sulcus::bids
