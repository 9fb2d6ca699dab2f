#include "app/analyses/preparation/field_inputs.h"
#include "app/analyses/table.h"
#include "app/cli/progress.h"
#include "app/cli/report.h"
#include "app/cli/study/job_runner.h"
#include "app/cli/study/study.h"
#include "app/cli/study/study_outcome.h"
#include "app/remote/remote_target.h"
#include "core/base/error.h"
#include "core/base/parallel/parallel_for.h"
#include "core/base/sanitized.h"
#include "core/bids/results/outputs.h"
#include "core/bids/slurm_script.h"
#include "core/bids/study_lock.h"
#include "core/bids/study_traits.h"
#include "core/io/files.h"
#include "core/io/streams/byte_source.h"
#include "core/io/streams/file_json.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <functional>
#include <iostream>
#include <mutex>
#include <thread>

namespace sulcus::app::cli {
namespace {

namespace fs = std::filesystem;

const char* statusName(JobOutcome::Status status) {
  if (status == JobOutcome::Status::failed) return "failed";
  return status == JobOutcome::Status::done ? "done" : "done before";
}

nlohmann::ordered_json jobJson(const std::string& run, const JobOutcome& ended) {
  nlohmann::ordered_json json{{"run", run}, {"status", statusName(ended.status)}};
  if (!ended.problem.empty()) json["problem"] = ended.problem;
  for (const auto& figure : ended.figures) json["figures"][figure.name] = figure.value;
  return json;
}

void printJob(const std::string& run, const JobOutcome& ended) {
  std::cout << sanitizedForDisplay(run) << ": " << statusName(ended.status);
  if (!ended.problem.empty()) std::cout << ": " << sanitizedForDisplay(ended.problem);
  for (const auto& figure : ended.figures)
    std::cout << ", " << figure.name << " " << bids::shownValue(figure.value)
              << (figure.unit.empty() ? "" : " " + figure.unit);
  std::cout << std::endl;
}

/// A planned run, for --json.
nlohmann::ordered_json planJson(const std::string& run, const bids::Job& job) {
  nlohmann::ordered_json json{{"run", run}};
  for (const auto& [slot, files] : job.inputs)
    for (const auto& file : files) json["inputs"][slot].push_back(file.string());
  for (const auto& file : job.gradients) json["inputs"]["gradients"].push_back(file.string());
  if (!job.notes.empty()) json["notes"] = job.notes;
  if (!job.problem.empty()) json["problem"] = job.problem.line();
  return json;
}

void printPlanned(const std::string& run, const bids::Job& job) {
  std::cout << sanitizedForDisplay(run) << "\n";
  for (const auto& [slot, files] : job.inputs)
    for (const auto& file : files)
      std::cout << "  " << slot << " " << sanitizedForDisplay(file.string()) << "\n";
  for (const auto& file : job.gradients)
    std::cout << "  gradients " << sanitizedForDisplay(file.string()) << "\n";
  for (const auto& note : job.notes) std::cout << "  " << sanitizedForDisplay(note.line()) << "\n";
  if (!job.problem.empty())
    std::cout << "  cannot be run: " << sanitizedForDisplay(job.problem.line()) << "\n";
}

/// Prints the planned runs and their files. Returns the exit code.
int printPlan(const StudyRequest& request, const bids::Jobs& found, const CliContext& session) {
  auto list = nlohmann::ordered_json::array();
  std::size_t sound = 0;
  for (const auto& job : found.jobs) {
    const std::string run = bids::resultName(job).stem();
    session.json ? list.push_back(planJson(run, job)) : printPlanned(run, job);
    sound += job.problem.empty();
  }
  if (session.json)
    std::cout << io::jsonText(nlohmann::ordered_json{
        {"analysis", request.run.analysis->name}, {"runs", list}, {"notes", found.notes}});
  else
    std::cout << sound << " of " << found.jobs.size() << " runs can be made; nothing was run\n";
  return sound == found.jobs.size() ? exit_code::done : int(ErrorKind::badInput);
}

/// Calls work(i) for i = 0, 1, … count − 1, `atOnce` of them at a time. If one throws, no more are started,
/// and the first exception is rethrown when all have ended.
void runConcurrently(std::size_t count, int atOnce, const std::function<void(std::size_t i)>& work) {
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;  // guards `thrown`
  std::exception_ptr thrown;
  const auto workOn = [&] {
    try {
      for (std::size_t i; (i = next++) < count;) work(i);
    } catch (...) {
      next = count;
      const std::scoped_lock lock(mutex);
      if (!thrown) thrown = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> others;
    for (int i = 1; i < std::min(atOnce, int(count)); ++i) others.emplace_back(workOn);
    workOn();
  }
  if (thrown) std::rethrow_exception(thrown);
}

/// Runs what is not done, as many at a time as requested, and reports each when it has ended.
StudyOutcome runJobs(const StudyRequest& request, const bids::Study& study, const bids::Jobs& found,
                     const CliContext& session) {
  JobRunner runner(request, study, session);
  StudyOutcome outcome;
  std::mutex telling;
  std::vector<nlohmann::ordered_json> runs(found.jobs.size());
  const ThreadLimit limit(request.run.threads);
  CliContext talk = session;
  talk.quiet |= request.isWorker;
  ProgressDisplay display(talk);
  const std::size_t count = found.jobs.size();
  const auto progressOf = [&](std::size_t i) {
    return display.progress().part(double(i) / double(count), double(i + 1) / double(count), "");
  };
  const auto tell = [&](std::size_t i, const JobOutcome& ended) {
    const std::scoped_lock lock(telling);
    const std::string run = bids::resultName(found.jobs[i]).stem();
    outcome.code = std::max(outcome.code, ended.code);
    display.wipe();
    session.json ? void(runs[i] = jobJson(run, ended)) : printJob(run, ended);
  };
  try {
    std::vector<char> taken(count);  // by another process
    runConcurrently(count, request.atOnce(), [&](std::size_t i) {
      const auto ended = runner.runUnlessTaken(found.jobs[i], progressOf(i));
      ended ? tell(i, *ended) : void(taken[i] = 1);
    });
    runConcurrently(count, request.atOnce(), [&](std::size_t i) {
      if (taken[i]) tell(i, runner.run(found.jobs[i], progressOf(i)));
    });
  } catch (const Cancelled&) {
    outcome.interrupted = true;
  }
  for (auto& run : runs)
    if (!run.is_null()) outcome.runs.push_back(std::move(run));
  return outcome;
}

}  // namespace

OptionValues StudyRequest::parameters() const {
  return resolveOptions(run.analysis->options, presetValues(run.analysis->presets, run.preset), *run.options,
                        run.params);
}

std::vector<std::string> StudyRequest::call() const {
  return bids::withThoseFirst(words, {folder, out, level});
}

int StudyRequest::atOnce() const {
  constexpr int kOnGpu = 6;
  if (runsAtOnce > 0) return runsAtOnce;
  return run.backend == "gpu" ? kOnGpu : 1;
}

bids::Jobs jobsOf(const StudyRequest& request, const bids::Study& study) {
  bids::Demand demand;
  demand.analysis = request.run.analysis;
  demand.selection = request.selection;
  demand.joinRuns = request.joinRuns;
  if (!request.filterFile.empty())
    demand.filter = bids::openFilters(request.filterFile,
                                      analyses::table())[bids::studyTraits(*demand.analysis).scans.filter];
  for (const auto& [slot, files] : request.run.files->bySlot) demand.givenSlots.push_back(slot);
  const OptionValues values = request.parameters();
  if (const auto prepare = values.find("prepare");
      prepare != values.end() && formatOption(prepare->second) == "off")
    demand.givenSlots.emplace_back(analyses::kAnatomySlot);
  if (const auto given = request.run.files->bySlot.find("reference");
      given != request.run.files->bySlot.end())
    demand.reference = given->second.front();
  return bids::findJobs(study, demand);
}

bids::Study openStudyFor(const StudyRequest& request) {
  std::error_code fault;
  if (fs::equivalent(request.folder, request.out, fault))
    throw Error("OUT_DIR is BIDS_DIR", "results would be among the scans",
                "give another folder, for example BIDS_DIR/derivatives/sulcus", ErrorKind::usage);
  return bids::openStudy(request.folder, !request.skipValidation, request.out);
}

int runParticipants(const StudyRequest& request, const CliContext& session) {
  if (const auto place = remote::remoteTargetOf(request.run.backend))
    throw Error(
        "A study cannot be sent to " + place->host, "its scans would cross the network one by one",
        "run the same command there, next to the scans, or run one scan with --backend " + place->name(),
        ErrorKind::usage);
  request.parameters();  // invalid values are reported before anything is searched
  checkChoice(request.run);
  for (const auto& [slot, files] : request.run.files->bySlot)
    for (const auto& file : files)
      if (!fs::is_directory(file)) io::requireReadable(file);  // a folder contains a DICOM series
  if (!request.run.overwrite) bids::requireOwnResults(request.out);
  const bids::Study study = openStudyFor(request);
  const bids::Jobs found = jobsOf(request, study);
  if (!session.json && !session.quiet)
    for (const auto& note : found.notes) std::cerr << sanitizedForDisplay(note.line()) << "\n";
  if (request.dryRun) return printPlan(request, found, session);
  if (request.slurm.wanted()) return submitParticipants(request, study, found, session);
  if (request.devices.size() < 2) requireDevice(request.run);
  fs::create_directories(request.out);
  bids::describeDerivatives(request.out, study);

  if (request.devices.size() > 1) return runShares(request, study, found, session);
  const StudyOutcome outcome = runJobs(request, study, found, session);
  return endStudy(request, study, found, session, outcome);
}

std::vector<std::string> subjectsOf(const bids::Jobs& found) {
  std::vector<std::string> subjects;
  for (const auto& job : found.jobs)
    if (subjects.empty() || subjects.back() != job.subject()) subjects.push_back(job.subject());
  return subjects;
}

int endStudy(const StudyRequest& request, const bids::Study& study, const bids::Jobs& found,
             const CliContext& session, const StudyOutcome& outcome) {
  const std::string& name = request.run.analysis->name;
  if (session.json)
    std::cout << io::jsonText(nlohmann::ordered_json{
        {"analysis", name}, {"out", request.out}, {"runs", outcome.runs}, {"notes", found.notes}});
  if (!request.isWorker) {
    bids::StudyLock tables(request.out, "tables");
    tables.await();
    bids::describeDerivatives(request.out, study);  // recreated, if it was removed meanwhile
    Notes notes;
    const auto records = bids::openRecords(request.out, notes);
    writeParticipants(request, study, records, subjectsOf(found));
    const auto done = std::count_if(found.jobs.begin(), found.jobs.end(), [&](const bids::Job& job) {
      const std::string run = bids::resultName(job).stem();
      return std::any_of(records.begin(), records.end(), [&](const bids::Record& record) {
        return record.done && record.analysis == name && record.run == run;
      });
    });
    if (!session.json)
      std::cout << done << " of " << found.jobs.size() << " runs are done. Results in "
                << sanitizedForDisplay(request.out) << "\n";
    if (outcome.interrupted)
      std::cerr << "sulcus-cli: interrupted; finished runs are kept, and the same command continues with the "
                   "rest\n";
  }
  return outcome.interrupted ? exit_code::interrupted : outcome.code;
}

}  // namespace sulcus::app::cli
