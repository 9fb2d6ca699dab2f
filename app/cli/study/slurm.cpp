#include "app/cli/progress.h"
#include "app/cli/study/job_runner.h"
#include "app/cli/study/slurm_queue.h"
#include "core/base/error.h"
#include "core/base/platform/processes/own_program.h"
#include "core/base/sanitized.h"
#include "core/bids/slurm_script.h"
#include "core/bids/study_lock.h"
#include "core/io/below.h"
#include "core/io/files.h"
#include "core/io/streams/file_json.h"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <map>
#include <optional>

namespace sulcus::app::cli {
namespace {

namespace fs = std::filesystem;

constexpr double kGroupBytes = 2e9;   ///< for the group level, which holds a few maps at a time
constexpr double kThreadsOfGpu = 16;  ///< assumed equivalent of a GPU; an H200 was equivalent to 50 to 150

/// Throws Error while a job that was submitted for this analysis is waiting or running: the work would be
/// done twice.
void requireNotRunning(const fs::path& ticket) {
  std::error_code fault;
  if (!fs::exists(ticket, fault)) return;
  const auto json = io::openJson(ticket);
  const std::string id = json.is_object() ? json.value("ArrayJob", "") : "";
  if (id.empty()) return;
  const SlurmState::Kind state = slurmState(id).kind;
  if (state == SlurmState::Kind::waits || state == SlurmState::Kind::runs)
    throw Error("This analysis of the study is already in the queue, as job " + id,
                "everything would be run twice", "wait for it, or end it: scancel " + id,
                ErrorKind::unavailable);
}

/// The work left for Slurm.
struct Open {
  std::vector<std::string> participants;
  std::size_t runs = 0;        ///< of the participant with the most
  JobRunner::Need need;        ///< of the run on the largest scan
  std::size_t done = 0;        ///< runs
  int code = exit_code::done;  ///< the worst among those that cannot be run
};

std::uintmax_t inputBytes(const bids::Job& job) {
  std::uintmax_t bytes = 0;
  std::error_code fault;
  for (const auto& [slot, files] : job.inputs)
    for (const auto& file : files)
      if (const auto size = fs::file_size(file, fault); !fault) bytes += size;
  return bytes;
}

Open openJobs(const StudyRequest& request, const bids::Study& study, const bids::Jobs& found,
              const CliContext& session) {
  JobRunner runner(request, study, session);
  ProgressDisplay display(session);
  const Progress progress = display.progress();
  Open open;
  const bids::Job* largest = nullptr;
  std::uintmax_t most = 0;
  std::size_t runs = 0;  // of the last participant
  for (std::size_t i = 0; i < found.jobs.size(); ++i) {
    const bids::Job& job = found.jobs[i];
    progress.update(double(i) / double(found.jobs.size()));
    if (!job.problem.empty()) {
      std::cerr << sanitizedForDisplay(job.source().stem())
                << " cannot be run: " << sanitizedForDisplay(job.problem.line()) << "\n";
      if (!request.slurm.dryRun) runner.run(job, progress);  // records the failure
      open.code = int(ErrorKind::badInput);
      continue;
    }
    if (!request.run.overwrite && runner.isDone(job, progress.part(0, 0, "checksums"))) {
      ++open.done;
      continue;
    }
    if (open.participants.empty() || open.participants.back() != job.subject()) {
      open.participants.push_back(job.subject());
      runs = 0;
    }
    open.runs = std::max(open.runs, ++runs);
    const std::uintmax_t bytes = inputBytes(job);
    if (bytes < most) continue;
    most = bytes;
    largest = &job;
  }
  try {
    if (largest) open.need = runner.needOf(*largest, progress.part(1, 1, "memory"));
  } catch (const Error& fault) {
    std::cerr << "Memory and time of a task are not known: " << sanitizedForDisplay(fault.what()) << "\n";
  }
  return open;
}

/// The longest time in seconds that a participant took with the same parameters; 0 if none is done.
double measuredSeconds(const StudyRequest& request) {
  Notes notes;
  std::map<std::string, double> seconds;  // by participant
  for (const auto& record : bids::openRecords(request.out, notes)) {
    const Provenance& made = record.provenance;
    if (!record.done || record.analysis != request.run.analysis->name ||
        made.backend != request.run.backend ||
        io::optionsJson(made.parameters) != io::optionsJson(request.parameters()))
      continue;
    for (const auto& figure : record.figures)
      if (figure.name == "seconds") seconds[record.subject] += figure.value;
  }
  double longest = 0;
  for (const auto& [subject, sum] : seconds) longest = std::max(longest, sum);
  return longest;
}

/// The analysis's estimate in seconds for all runs of a participant; 0 if it has none.
double estimatedSeconds(const StudyRequest& request, const Open& open) {
  const double threads = request.run.backend == "gpu" ? kThreadsOfGpu : std::max(1, request.run.threads);
  return double(open.runs) * open.need.seconds / threads;
}

/// Minutes for a task: three times the known or estimated time, and ten for reading and writing. "" if
/// nothing is known: the partition's limit.
std::string timeOf(const StudyRequest& request, const Open& open) {
  const double measured = measuredSeconds(request);
  const double seconds = measured > 0 ? measured : estimatedSeconds(request, open);
  return seconds > 0 ? std::to_string(std::llround(std::ceil(3 * seconds / 60)) + 10) : "";
}

bids::SlurmPlan planOf(const StudyRequest& request, const Open& open) {
  bids::SlurmPlan plan;
  plan.name = "sulcus-" + request.run.analysis->name;
  plan.call = {ownProgram().string()};
  const auto words = bids::withoutFlags(request.call(), {"--partition", "--time", "--gpus", "--max-jobs"},
                                        {"--participant-label"}, {"--slurm", "--slurm-dry-run"});
  plan.call.insert(plan.call.end(), words.begin(), words.end());
  plan.call.insert(plan.call.end(), {"--jobs", "1"});  // the requested memory is that of one run
  plan.participants = open.participants;
  plan.folder = fs::current_path().string();
  plan.logs = (fs::absolute(request.out) / "logs").lexically_normal().string();
  plan.partition = request.slurm.partition;
  plan.time = request.slurm.time.empty() ? timeOf(request, open) : request.slurm.time;
  plan.memoryBytes = open.need.bytes;
  plan.cpus = request.run.threads;
  plan.gpus = request.slurm.gpus.value_or(request.run.backend != "cpu");
  plan.most = request.slurm.jobs;
  return plan;
}

/// @param participants of the study; a minute is requested for each: reports and means take seconds
bids::SlurmPlan groupPlanOf(const StudyRequest& request, const bids::SlurmPlan& array,
                            std::size_t participants) {
  constexpr std::size_t kDay = 24 * 60;  // minutes
  bids::SlurmPlan plan = array;
  plan.name = "sulcus-group";
  plan.call = {array.call.front(), "bids", request.folder, request.out, "group"};
  if (request.skipValidation) plan.call.emplace_back("--skip-bids-validation");
  plan.time = std::to_string(std::min(kDay, 10 + participants));
  plan.memoryBytes = kGroupBytes;
  plan.cpus = plan.gpus = 0;
  return plan;
}

}  // namespace

int submitParticipants(const StudyRequest& request, const bids::Study& study, const bids::Jobs& found,
                       const CliContext& session) {
  const std::string& name = request.run.analysis->name;
  if (!request.devices.empty())
    throw Error("--device does not belong to --slurm", "a task uses the GPU that Slurm gives it",
                "leave it out", ErrorKind::usage);
  if (request.runsAtOnce > 0)
    throw Error("--jobs does not belong to --slurm", "a task makes its runs one after another",
                "leave it out; --max-jobs says how many tasks run at a time", ErrorKind::usage);
  if (request.slurm.gpus.value_or(0) > 1)
    throw Error("--gpus " + std::to_string(*request.slurm.gpus) + " is more than a task uses",
                "a task is one participant, on one GPU",
                "leave it out: several participants are processed at a time, see --max-jobs",
                ErrorKind::usage);
  const fs::path logs = fs::path(request.out) / "logs", ticket = logs / ("slurm_" + name + ".json");
  std::optional<bids::StudyLock> submitting;  // the same command may be given twice at the same time
  if (!request.slurm.dryRun) {
    io::requireInto(logs, request.out);
    fs::create_directories(logs);
    submitting.emplace(request.out, "slurm " + name).await();
    requireNotRunning(ticket);
    bids::describeDerivatives(request.out, study);
  }
  const Open open = openJobs(request, study, found, session);
  if (open.participants.empty()) {
    if (session.json)
      std::cout << io::jsonText(nlohmann::ordered_json{
          {"Participants", nlohmann::json::array()}, {"Done", open.done}, {"Runs", found.jobs.size()}});
    else
      std::cout << "There is nothing to submit to Slurm: " << open.done << " of " << found.jobs.size()
                << " runs are done.\n";
    return open.code;
  }
  const bids::SlurmPlan plan = planOf(request, open),
                        group = groupPlanOf(request, plan, study.front().subjects.size());
  if (request.slurm.dryRun) {
    std::cout << bids::arrayScript(plan) << "\n" << bids::singleScript(group);
    return open.code;
  }
  const fs::path script = logs / ("slurm_" + name + ".sh"), after = logs / "slurm_group.sh";
  io::writeFile(script, bids::arrayScript(plan), true);
  io::writeFile(after, bids::singleScript(group), true);
  const std::string array = submitToSlurm(script, {}, "the participants");
  nlohmann::ordered_json json{{"ArrayJob", array}, {"Participants", open.participants}};
  io::writeFile(ticket, io::jsonText(json), true);
  json["GroupJob"] = submitToSlurm(after, {"--dependency=afterany:" + array},
                                   "the group level; the participants were submitted as job " + array);
  io::writeFile(ticket, io::jsonText(json), true);
  if (session.json)
    std::cout << io::jsonText(json);
  else
    std::cout << open.participants.size() << " participants were submitted to Slurm as job " << array
              << ", the group level after them as job " << json["GroupJob"].get<std::string>()
              << ". squeue shows them; if some fail, give the same command again.\n";
  return open.code;
}

}  // namespace sulcus::app::cli
