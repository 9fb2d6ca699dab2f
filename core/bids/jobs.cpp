#include "core/bids/jobs.h"

#include "core/base/error.h"
#include "core/base/sanitized.h"
#include "core/base/word_list.h"
#include "core/bids/companions.h"
#include "core/bids/study_traits.h"

#include <algorithm>
#include <set>

namespace sulcus::bids {
namespace {

namespace fs = std::filesystem;

bool wanted(const std::vector<std::string>& labels, const std::string& label, std::string_view prefix) {
  return labels.empty() || std::any_of(labels.begin(), labels.end(), [&](std::string_view given) {
           if (given.starts_with(prefix)) given.remove_prefix(prefix.size());
           return sameLabel(given, label);
         });
}

bool passes(const File& file, const Filter& filter) {
  return std::all_of(filter.begin(), filter.end(), [&](const auto& entry) {
    const auto& [key, labels] = entry;
    std::string own = key == "suffix" ? file.name.suffix : file.name.label(key);
    if (key == "datatype") own = file.datatype;
    return std::any_of(labels.begin(), labels.end(),
                       [&](const std::string& label) { return label == own || sameLabel(label, own); });
  });
}

/// Whether a file is a scan for this analysis, apart from the requested entities.
bool isScan(const File& file, const Dataset& dataset, const ScanTraits& kind, const Filter& filter) {
  const Name& name = file.name;
  const auto free = [&](const char* key) { return filter.count(key) > 0; };
  if (name.extension != ".nii" && name.extension != ".nii.gz") return false;
  if (!free("datatype") && file.datatype != kind.datatype) return false;
  if (name.label("part") == "phase" || name.label("part") == "imag" || name.label("part") == "real")
    return false;
  const std::string desc = name.label("desc");
  if (kind.accepts) return kind.accepts(name, filter);
  if (!free("suffix") && name.suffix != kind.suffix) return false;
  return free("desc") || (dataset.derivative ? desc == "preproc" : desc.empty());
}

struct Candidate {
  const Dataset* dataset;
  const File* file;
};

/// The common part of the names of candidates for one measurement: everything but the processing.
std::string measurementOf(const Name& name) {
  Name bare = name;
  for (const char* key : {"space", "res", "den", "desc", "cohort"}) bare = bare.with(key, "");
  bare.suffix.clear();
  bare.extension.clear();
  return bare.stem();
}

/// Keeps the best candidates of one measurement: processed ones first, then those in the preferred space.
/// More than one remains if it is not clear which is meant.
std::vector<Candidate> best(std::vector<Candidate> candidates, const ScanTraits& kind) {
  const auto keep = [&](const auto& isBetter) {
    if (std::any_of(candidates.begin(), candidates.end(), isBetter))
      std::erase_if(candidates, [&](const Candidate& c) { return !isBetter(c); });
  };
  keep([](const Candidate& c) { return c.dataset->derivative; });
  for (const auto& space : kind.spaces) {
    const auto isThere = [&](const Candidate& c) { return c.file->name.label("space") == space; };
    if (!std::any_of(candidates.begin(), candidates.end(), isThere)) continue;
    keep(isThere);
    break;
  }
  keep([](const Candidate& c) { return c.file->name.suffix == "probseg"; });
  keep([](const Candidate& c) { return c.file->name.label("res").empty(); });
  return candidates;
}

std::string namesOf(const std::vector<Candidate>& candidates) {
  std::string names;
  for (const auto& c : candidates)
    names += (names.empty() ? "'" : " and '") + sanitizedForDisplay(c.file->name.text(), 120) + "'";
  return names;
}

Job jobOf(const Study& study, const std::vector<Candidate>& all, const ScanTraits& kind,
          const Demand& demand) {
  const auto chosen = best(all, kind);
  const File& scan = *chosen.front().file;
  Job job;
  job.scan = scan.name;
  job.folder = scan.folder.empty() ? fs::path(kind.datatype) : scan.folder;
  job.inputs[kind.slotFor ? kind.slotFor(scan.name) : kind.slot] = {chosen.front().dataset->pathOf(scan)};
  job.withoutEvents = lacksEvents(study, *chosen.front().dataset, scan, kind.companions, demand.givenSlots);
  try {
    if (chosen.size() > 1)
      throw Error(namesOf(chosen) + " both match", "it is ambiguous which to analyze",
                  "choose by {filter}, for example by its space or desc"_message);
    if (all.size() > 1)
      job.notes.push_back("Of " + std::to_string(all.size()) + " versions of the scan, " +
                          inQuotes(scan.name.text(), 120) + " is used.");
    presentPath(*chosen.front().dataset, scan);
    addCompanions(job, study, *chosen.front().dataset, scan, kind.companions, demand.givenSlots);
  } catch (const Error& fault) {
    job.problem = fault.message();
  }
  return job;
}

/// Whether this is a resting-state scan, with no task and no events.
bool isRest(const Job& job) {
  return job.scan.suffix == "bold" && job.scan.label("task").starts_with("rest") && job.withoutEvents;
}

void requireSubjects(const Study& study, const Selection& selection) {
  std::string known;
  for (const auto& subject : study.front().subjects)
    if (known.size() < 100) known += (known.empty() ? "" : ", ") + sanitizedForDisplay(subject, 40);
  for (const auto& asked : selection.subjects)
    if (std::none_of(study.front().subjects.begin(), study.front().subjects.end(),
                     [&](const auto& subject) { return wanted({asked}, subject, "sub-"); }))
      throw Error("There is no participant " + inQuotes(asked, 40),
                  "the study has " + std::to_string(study.front().subjects.size()) + ": " + known,
                  "check {participant-label}"_message, ErrorKind::usage);
}

/// Makes the first session of each participant the reference that its other sessions are registered to.
void registerSessions(Jobs& found, const ScanTraits& kind) {
  std::vector<Job> jobs;
  for (auto begin = found.jobs.begin(); begin != found.jobs.end();) {
    const auto end = std::find_if(begin, found.jobs.end(),
                                  [&](const Job& job) { return job.subject() != begin->subject(); });
    const std::string who = "sub-" + begin->subject(), session = begin->scan.label("ses");
    const auto others =
        std::find_if(begin, end, [&](const Job& job) { return job.scan.label("ses") != session; });
    if (others == end) {
      found.notes.push_back(
          {who + " has one session only: there is nothing to register onto, unless one is given.",
           "reference"});
    } else {
      for (auto job = others; job != end; ++job) {
        job->inputs["reference"] = begin->inputs[kind.slot];
        job->reference = labelOf("ses-" + session);
        if (others - begin > 1 && job->problem.empty())
          job->problem = "The first session of " + who +
                         " has several T1w scans (it is not clear which is the reference): choose by "
                         "{filter}, or give {reference}"_message;
        if (job->problem.empty()) job->problem = begin->problem;
        jobs.push_back(std::move(*job));
      }
    }
    begin = end;
  }
  found.jobs = std::move(jobs);
}

/// Adds the files and notes of another run of the same measurement to a job.
void addRun(Job& whole, const Job& run, const ScanTraits& kind) {
  for (const auto& file : run.sidecars)
    if (std::ranges::find(whole.sidecars, file) == whole.sidecars.end()) whole.sidecars.push_back(file);
  if (whole.problem.empty() && run.secondsPerVolume != whole.secondsPerVolume)
    whole.problem =
        "The sidecars of the runs of " + inQuotes(whole.scan.text(), 120) +
        " do not all state the same repetition time (one model has one): correct them, or leave out "
        "{join-runs}"_message;
  for (const std::string& slot : kind.joined) {
    const auto found = run.inputs.find(slot);
    if (found == run.inputs.end()) continue;
    auto& files = whole.inputs[slot];
    files.insert(files.end(), found->second.begin(), found->second.end());
  }
  whole.notes.insert(whole.notes.end(), run.notes.begin(), run.notes.end());
}

/// Joins the runs of one measurement into one job: their series, tables and confounds in the order of the
/// runs, with the mask of the first.
///
/// @param runs  two or more, by number
Job joined(std::vector<Job> runs, const ScanTraits& kind) {
  Job whole = runs.front();
  whole.scan = whole.scan.with("run", "");
  std::vector<std::string> labels;
  for (const Job& run : runs) {
    labels.push_back(sanitizedForDisplay(run.scan.label("run"), 20));
    if (whole.problem.empty()) whole.problem = run.problem;
    if (&run != &runs.front()) addRun(whole, run, kind);
  }
  whole.notes.push_back("Runs " + wordList(labels) + " are analyzed in one model.");
  const auto confounds = whole.inputs.find("confounds");
  if (whole.problem.empty() && confounds != whole.inputs.end() && !confounds->second.empty() &&
      confounds->second.size() != whole.inputs[kind.slot].size())
    whole.problem = "Some runs of " + inQuotes(whole.scan.text(), 120) +
                    " have confounds and others have none (in one model all need them): give the missing "
                    "files, or leave out {join-runs}"_message;
  return whole;
}

/// Joins the runs of each participant, session and task into one job.
void joinRuns(std::vector<Job>& jobs, const ScanTraits& kind) {
  std::vector<std::pair<std::string, std::vector<Job>>> measured;
  for (Job& job : jobs) {
    const std::string name = job.source().with("run", "").stem();
    auto same =
        std::find_if(measured.begin(), measured.end(), [&](const auto& one) { return one.first == name; });
    if (same == measured.end()) same = measured.insert(same, {name, {}});
    same->second.push_back(std::move(job));
  }
  jobs.clear();
  for (auto& [name, runs] : measured) {
    std::sort(runs.begin(), runs.end(), [](const Job& a, const Job& b) {
      return labelBefore(a.scan.label("run"), b.scan.label("run"));
    });
    jobs.push_back(runs.size() == 1 ? std::move(runs.front()) : joined(std::move(runs), kind));
  }
}

}  // namespace

Name Job::source() const {
  Name name = scan.with("desc", "");
  name.suffix.clear();
  name.extension.clear();
  return name;
}

std::vector<std::string> analysesWithScans(const Study& study, std::span<const Analysis> table) {
  std::vector<std::string> analyses;
  for (const Analysis* analysis : studyAnalyses(table)) {
    const ScanTraits& kind = analysis->study->scans;
    std::map<std::string, std::set<std::string>> sessions;  // of each participant with a scan
    for (const auto& dataset : study)
      for (const File& file : dataset.files)
        if (isScan(file, dataset, kind, {})) sessions[file.name.label("sub")].insert(file.name.label("ses"));
    const std::size_t fewest = kind.ontoReference ? 2 : 1;
    if (std::any_of(sessions.begin(), sessions.end(),
                    [fewest](const auto& subject) { return subject.second.size() >= fewest; }))
      analyses.push_back(analysis->name);
  }
  return analyses;
}

std::vector<std::string> foundSlots(const Analysis& analysis) {
  const ScanTraits& kind = studyTraits(analysis).scans;
  std::vector<std::string> slots{kind.slot};
  slots.insert(slots.end(), kind.alternatives.begin(), kind.alternatives.end());
  return slots;
}

namespace {

bool isSelected(const Selection& selection, const Name& name) {
  return wanted(selection.subjects, name.label("sub"), "sub-") &&
         wanted(selection.sessions, name.label("ses"), "ses-") &&
         wanted(selection.tasks, name.label("task"), "task-") &&
         wanted(selection.runs, name.label("run"), "run-");
}

/// The scans that are wanted, by measurement.
std::map<std::string, std::vector<Candidate>> measurementsOf(const Study& study, const ScanTraits& kind,
                                                             const Demand& demand) {
  std::map<std::string, std::vector<Candidate>> measurements;
  for (const auto& dataset : study)
    for (const File& file : dataset.files)
      if (isSelected(demand.selection, file.name) && isScan(file, dataset, kind, demand.filter) &&
          passes(file, demand.filter))
        measurements[measurementOf(file.name)].push_back({&dataset, &file});
  return measurements;
}

/// Gives each job the reference onto which its analysis maps the scan: the one asked for, or a session.
void chooseReferences(Jobs& found, const ScanTraits& kind, const Demand& demand) {
  if (!kind.ontoReference) return;
  if (demand.reference.empty()) registerSessions(found, kind);
  for (Job& job : found.jobs)
    if (job.reference.empty()) job.reference = referenceLabel(demand.reference);
}

}  // namespace

Jobs findJobs(const Study& study, const Demand& demand) {
  const ScanTraits& kind = studyTraits(*demand.analysis).scans;
  const std::string& name = demand.analysis->name;
  requireSubjects(study, demand.selection);
  Jobs found;
  for (const auto& dataset : study)
    found.notes.insert(found.notes.end(), dataset.notes.begin(), dataset.notes.end());

  std::set<std::string> with;
  for (const auto& [measurement, candidates] : measurementsOf(study, kind, demand)) {
    Job job = jobOf(study, candidates, kind, demand);
    with.insert(job.subject());
    if (isRest(job))
      found.notes.push_back(inQuotes(job.scan.text(), 120) +
                            " was skipped: a resting-state run has no events.");
    else
      found.jobs.push_back(std::move(job));
  }
  std::stable_sort(found.jobs.begin(), found.jobs.end(), [](const Job& a, const Job& b) {
    if (a.subject() != b.subject()) return a.subject() < b.subject();
    return labelBefore(a.scan.label("ses"), b.scan.label("ses"));
  });
  if (demand.joinRuns) joinRuns(found.jobs, kind);
  for (const auto& subject : study.front().subjects)
    if (!with.count(subject) && wanted(demand.selection.subjects, subject, "sub-"))
      found.notes.push_back("sub-" + sanitizedForDisplay(subject, 40) + " has no scan for " + name + ".");
  chooseReferences(found, kind, demand);
  if (found.jobs.empty())
    throw Error("There is nothing to do for " + name,
                found.notes.empty() ? Message("no scan fits") : found.notes.back().message(),
                "check the labels and {filter}, or choose another analysis"_message);
  return found;
}

}  // namespace sulcus::bids
