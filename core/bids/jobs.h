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

/// Which scans of a study are wanted; an empty list wants all.
struct Selection {
  std::vector<std::string> subjects, sessions, tasks, runs;  ///< labels, with or without "sub-" and so on
};

/// What an entity, the suffix or the datatype of a scan must be: one of these; "" stands for none.
using Filter = std::map<std::string, std::vector<std::string>>;

/// The filters of a file: a JSON object with an object for each kind of scan ("dwi", "bold", "t1w",
/// "surface": those that an analysis of the table is run on), whose keys are entities, short or long ("acq",
/// "acquisition"), "suffix", "datatype" or "desc", and whose values are a label, a list of them, or null for
/// none. Kinds of other programs are passed over.
///
/// @throws Error  (bad input) for anything else
std::map<std::string, Filter> openFilters(const std::filesystem::path& file, std::span<const Analysis> table);

/// One run of an analysis on a scan of a study.
struct Job {
  Name scan;                     ///< of what is analyzed, whose entities its results have
  std::filesystem::path folder;  ///< of its results below the output folder: sub-01/ses-1/dwi
  std::map<std::string, std::vector<std::filesystem::path>> inputs;  ///< by the slot of the analysis
  std::vector<std::filesystem::path> gradients;  ///< bval and bvec of a diffusion series, else none
  std::vector<std::filesystem::path> sidecars;   ///< JSON files that describe the scan, the nearest first
  double secondsPerVolume = 0;                   ///< what the sidecars say; 0 where they say nothing
  bool withoutEvents = false;                    ///< the analysis needs events and there are none
  std::string reference;                         ///< label of the space that a registration leads to
  Notes notes;                                   ///< sentences: what was chosen among several
  std::string problem;                           ///< why it cannot be run, a whole sentence; "" where it can

  std::string subject() const { return scan.label("sub"); }
  /// The common part of the names of the results: the scan's entities but desc.
  Name source() const;
};

/// What there is to do in a study.
struct Jobs {
  std::vector<Job> jobs;  ///< sorted by subject
  Notes notes;            ///< sentences: subjects without such a scan, files left out
};

/// Everything that does not come from the study itself.
struct Demand {
  const Analysis* analysis = nullptr;  ///< one that can be run on a study
  Selection selection;
  Filter filter;
  std::string reference;                ///< file to register onto; "" registers sessions onto the first one
  std::vector<std::string> givenSlots;  ///< inputs that are given for all scans and not looked for
  bool joinRuns = false;  ///< the runs of a person, session and task become one job; for activation
};

/// The analyses of a table that a study has scans for, as far as names tell: for a registration, of two
/// sessions of somebody.
std::vector<std::string> analysesWithScans(const Study& study, std::span<const Analysis> table);
/// The input slots that are found in the study and cannot be given.
std::vector<std::string> foundSlots(const Analysis& analysis);

/// Finds the scans for an analysis and what goes with each of them, in raw data and in derivatives.
///
/// @throws Error  (usage) for an unknown subject, (bad input) when there is nothing to do
Jobs findJobs(const Study& study, const Demand& demand);

}  // namespace sulcus::bids
