#include "app/cli/job_runner.h"
#include "app/cli/report.h"
#include "app/cli/study.h"
#include "app/elsewhere/place.h"
#include "core/base/error.h"
#include "core/base/printable.h"
#include "core/bids/outputs.h"
#include "core/bids/study_lock.h"
#include "core/io/file_json.h"
#include "core/io/files.h"

#include <algorithm>
#include <iostream>

namespace sulcus::app::cli {
namespace {

namespace fs = std::filesystem;

const char* statusName(Ended::Status status) {
  return status == Ended::Status::failed ? "failed" : status == Ended::Status::done ? "done" : "done before";
}

nlohmann::ordered_json jobJson(const std::string& run, const Ended& ended) {
  nlohmann::ordered_json json{{"run", run}, {"status", statusName(ended.status)}};
  if (!ended.problem.empty()) json["problem"] = ended.problem;
  for (const auto& figure : ended.figures) json["figures"][figure.name] = figure.value;
  return json;
}

void tellJob(const std::string& run, const Ended& ended) {
  std::cout << printable(run) << ": " << statusName(ended.status);
  if (!ended.problem.empty()) std::cout << ": " << printable(ended.problem);
  for (const auto& figure : ended.figures)
    std::cout << ", " << figure.name << " " << bids::shownValue(figure.value)
              << (figure.unit.empty() ? "" : " " + figure.unit);
  std::cout << std::endl;
}

/// What would be run, for --json.
nlohmann::ordered_json planJson(const std::string& run, const bids::Job& job) {
  nlohmann::ordered_json json{{"run", run}};
  for (const auto& [slot, files] : job.inputs)
    for (const auto& file : files) json["inputs"][slot].push_back(file.string());
  for (const auto& file : job.gradients) json["inputs"]["gradients"].push_back(file.string());
  if (!job.notes.empty()) json["notes"] = job.notes;
  if (!job.problem.empty()) json["problem"] = job.problem;
  return json;
}

void tellPlanned(const std::string& run, const bids::Job& job) {
  std::cout << printable(run) << "\n";
  for (const auto& [slot, files] : job.inputs)
    for (const auto& file : files) std::cout << "  " << slot << " " << printable(file.string()) << "\n";
  for (const auto& file : job.gradients) std::cout << "  gradients " << printable(file.string()) << "\n";
  for (const auto& note : job.notes) std::cout << "  " << printable(note) << "\n";
  if (!job.problem.empty()) std::cout << "  cannot be run: " << printable(job.problem) << "\n";
}

/// Tells what would be run, and on which files. Returns the exit code that those give it which cannot be run.
int tellPlan(const StudyRequest& request, const bids::Jobs& found, const Session& session) {
  auto list = nlohmann::ordered_json::array();
  std::size_t sound = 0;
  for (const auto& job : found.jobs) {
    const std::string run = bids::resultName(request.run.analysis->name, job).stem();
    session.json ? list.push_back(planJson(run, job)) : tellPlanned(run, job);
    sound += job.problem.empty();
  }
  if (session.json)
    std::cout << io::jsonText(nlohmann::ordered_json{
        {"analysis", request.run.analysis->name}, {"runs", list}, {"notes", found.notes}});
  else
    std::cout << sound << " of " << found.jobs.size() << " runs can be made; nothing was run\n";
  return sound == found.jobs.size() ? exit_code::done : int(ErrorKind::badInput);
}

}  // namespace

OptionValues StudyRequest::parameters() const {
  return resolveOptions(run.analysis->options, presetValues(run.analysis->presets, run.preset), *run.options,
                        run.params);
}

bids::Jobs jobsOf(const StudyRequest& request, const bids::Study& study) {
  bids::Demand demand;
  demand.analysis = request.run.analysis->name;
  demand.selection = request.selection;
  demand.joinRuns = request.joinRuns;
  if (!request.filterFile.empty())
    demand.filter = bids::openFilters(request.filterFile)[bids::scanKind(demand.analysis)];
  for (const auto& [slot, files] : request.run.files->bySlot) demand.givenSlots.push_back(slot);
  if (const auto given = request.run.files->bySlot.find("reference");
      given != request.run.files->bySlot.end())
    demand.reference = given->second.front();
  return bids::findJobs(study, demand);
}

bids::Study openStudyFor(const StudyRequest& request) {
  std::error_code fault;
  if (fs::equivalent(request.folder, request.out, fault))
    throw Error("OUT_DIR is BIDS_DIR", "results would lie among the scans",
                "give another folder, for example BIDS_DIR/derivatives/sulcus", ErrorKind::usage);
  return bids::openStudy(request.folder, !request.skipValidation, request.out);
}

int runParticipants(const StudyRequest& request, const Session& session) {
  const std::string& name = request.run.analysis->name;
  if (const auto place = elsewhere::placeOf(request.run.backend))
    throw Error(
        "A study is not sent to " + place->host, "its scans would cross the network one by one",
        "give the same command there, beside the scans, or run one scan with --backend " + place->name(),
        ErrorKind::usage);
  request.parameters();  // what they cannot be is said before anything is looked for
  checkChoice(request.run);
  const bids::Study study = openStudyFor(request);
  const bids::Jobs found = jobsOf(request, study);
  if (!session.json && !session.quiet)
    for (const auto& note : found.notes) std::cerr << printable(note) << "\n";
  if (request.dryRun) return tellPlan(request, found, session);
  if (request.slurm.wanted()) return submitParticipants(request, study, found, session);
  if (request.devices.size() < 2) requireDevice(request.run);
  fs::create_directories(request.out);
  bids::describeDerivatives(request.out, study);

  if (request.devices.size() > 1) return runQueues(request, study, found, session);

  JobRunner runner(request, study, session);
  auto list = nlohmann::ordered_json::array();
  int code = exit_code::done;
  bool interrupted = false;
  const auto tell = [&](const bids::Job& job, const Ended& ended) {
    const std::string run = bids::resultName(name, job).stem();
    code = std::max(code, ended.code);
    session.json ? list.push_back(jobJson(run, ended)) : tellJob(run, ended);
  };
  try {
    std::vector<const bids::Job*> taken;  // by another process
    for (const auto& job : found.jobs)
      if (const auto ended = runner.runUnlessTaken(job))
        tell(job, *ended);
      else
        taken.push_back(&job);
    for (const bids::Job* job : taken) tell(*job, runner.run(*job));
  } catch (const Cancelled&) {
    interrupted = true;
  }
  return endStudy(request, study, found, session, list, interrupted, code);
}

std::vector<std::string> subjectsOf(const bids::Jobs& found) {
  std::vector<std::string> subjects;
  for (const auto& job : found.jobs)
    if (subjects.empty() || subjects.back() != job.subject()) subjects.push_back(job.subject());
  return subjects;
}

int endStudy(const StudyRequest& request, const bids::Study& study, const bids::Jobs& found,
             const Session& session, const nlohmann::ordered_json& runs, bool interrupted, int code) {
  const std::string& name = request.run.analysis->name;
  if (session.json)
    std::cout << io::jsonText(nlohmann::ordered_json{
        {"analysis", name}, {"out", request.out}, {"runs", runs}, {"notes", found.notes}});
  if (!request.isQueue) {
    bids::StudyLock tables(request.out, "tables");
    tables.await();
    bids::describeDerivatives(request.out, study);  // who removed the folder meanwhile has it anew
    std::vector<std::string> notes;
    const auto records = bids::openRecords(request.out, notes);
    writeParticipants(request, study, records, subjectsOf(found));
    const auto done = std::count_if(found.jobs.begin(), found.jobs.end(), [&](const bids::Job& job) {
      const std::string run = bids::resultName(name, job).stem();
      return std::any_of(records.begin(), records.end(), [&](const bids::Record& record) {
        return record.done && record.analysis == name && record.run == run;
      });
    });
    if (!session.json)
      std::cout << done << " of " << found.jobs.size() << " runs are done. Results in "
                << printable(request.out) << "\n";
    if (interrupted)
      std::cerr
          << "sulcus-cli: interrupted; what is done stays, and the same command goes on with the rest\n";
  }
  return interrupted ? exit_code::interrupted : code;
}

}  // namespace sulcus::app::cli
