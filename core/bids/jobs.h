#pragma once

#include "core/analysis/analysis.h"
#include "core/base/note.h"
#include "core/bids/dataset.h"

#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sulcus::bids {

/// The scans of a study that are wanted; an empty list selects all.
struct Selection {
  std::vector<std::string> subjects, sessions, tasks, runs;  ///< labels, with or without the prefix, e.g.
                                                             ///< "sub-"
};

/// The allowed labels of an entity, the suffix or the datatype of a scan; "" stands for its absence.
using Filter = std::map<std::string, std::vector<std::string>>;

/// Reads filters from a file: a JSON object with an object for each kind of scan ("dwi", "bold", "t1w",
/// "surface": those that an analysis of the table is run on) whose keys are entities, short or long ("acq",
/// "acquisition"), "suffix", "datatype" or "desc", and whose values are a label, a list of them, or null for
/// none. Kinds known to other programs are ignored.
///
/// @throws Error  (bad input) for anything else
std::map<std::string, Filter> openFilters(const std::filesystem::path& file, std::span<const Analysis> table);

/// One run of an analysis on a scan of a study.
struct Job {
  Name scan;                     ///< of the analyzed scan, whose entities are used for its results
  std::filesystem::path folder;  ///< folder of its results relative to the output folder: sub-01/ses-1/dwi
  std::map<std::string, std::vector<std::filesystem::path>> inputs;  ///< by input slot of the analysis
  std::vector<std::filesystem::path> gradients;  ///< bval and bvec of a diffusion series, else empty
  std::vector<std::filesystem::path> sidecars;   ///< JSON files that describe the scan, nearest first
  double secondsPerVolume = 0;                   ///< from the sidecars; 0 if they do not state it
  bool withoutEvents = false;                    ///< the analysis needs events and there are none
  std::string reference;                         ///< label of the space that a registration maps to
  Notes notes;                                   ///< choices made among several candidates
  Message problem;                               ///< a sentence on why it cannot be run; "" if it can

  std::string subject() const { return scan.label("sub"); }
  /// The common part of the names of its results: the scan's entities except desc.
  Name source() const;
};

/// The jobs of a study.
struct Jobs {
  std::vector<Job> jobs;  ///< sorted by subject
  Notes notes;            ///< about participants without such a scan, files left out
};

/// The parts of a request that do not come from the study itself.
struct Demand {
  const Analysis* analysis = nullptr;  ///< one that can be run on a study
  Selection selection;
  Filter filter;
  std::string reference;                ///< file to register to; "" registers sessions to the first one
  std::vector<std::string> givenSlots;  ///< inputs that are not searched for: they are given once for all
                                        ///< scans, or nothing uses them
  bool joinRuns = false;  ///< the runs of a participant, session and task become one job; for activation
};

/// The analyses of a table for which a study has scans, as far as names tell; for a registration, two
/// sessions of a participant.
std::vector<std::string> analysesWithScans(const Study& study, std::span<const Analysis> table);
/// The input slots that are found in the study and cannot be given by the user.
std::vector<std::string> foundSlots(const Analysis& analysis);

/// Finds the scans for an analysis and the files that belong to each of them, in raw data and derivatives.
///
/// @throws Error  (usage) for an unknown participant, (bad input) if there is nothing to do
Jobs findJobs(const Study& study, const Demand& demand);

}  // namespace sulcus::bids
