#include "app/analyses/devices.h"
#include "app/cli/child.h"
#include "app/cli/progress.h"
#include "app/cli/study/study.h"
#include "app/cli/study/study_outcome.h"
#include "core/base/error.h"
#include "core/base/parallel/parallel_for.h"
#include "core/base/platform/processes/own_program.h"
#include "core/bids/slurm_script.h"
#include "core/io/streams/file_json.h"

#include <algorithm>
#include <iostream>

namespace sulcus::app::cli {
namespace {

/// The command line for the worker of each GPU: the same words, with its own device, participants and share
/// of the threads.
std::vector<std::vector<std::string>> callsOf(const StudyRequest& request,
                                              const std::vector<std::string>& subjects) {
  const std::size_t count = std::min(request.devices.size(), subjects.size());
  const auto kept = bids::withoutFlags(request.call(), {}, {"--device", "--participant-label"}, {});
  std::vector<std::vector<std::string>> calls;
  for (std::size_t q = 0; q < count; ++q) {
    std::vector<std::string> call{ownProgram().string()};
    call.insert(call.end(), kept.begin(), kept.end());
    call.insert(call.end(), {"--worker", "--device", std::to_string(request.devices[q])});
    if (request.run.threads == 0)
      call.insert(call.end(), {"--threads", std::to_string(std::max(1, threadCount() / int(count)))});
    call.emplace_back("--participant-label");
    for (std::size_t s = q; s < subjects.size(); s += count) call.push_back(subjects[s]);
    calls.push_back(std::move(call));
  }
  return calls;
}

void requireDevices(const StudyRequest& request) {
  if (request.run.backend == "cpu") throw severalDevicesOnCpu();
  const DeviceReport report = analyses::listDevices();
  for (const int device : request.devices)
    if (std::count(request.devices.begin(), request.devices.end(), device) > 1)
      throw Error("GPU " + std::to_string(device) + " is named more than once",
                  "a GPU has one share of the runs",
                  "name each once; --jobs says how many runs it makes at a time", ErrorKind::usage);
    else if (device >= int(report.devices.size()))
      throw Error("There is no GPU number " + std::to_string(device),
                  report.devices.empty() ? report.reason
                                         : "this machine has " + std::to_string(report.devices.size()),
                  "see sulcus-cli devices", ErrorKind::unavailable);
}

}  // namespace

int runShares(const StudyRequest& request, const bids::Study& study, const bids::Jobs& found,
              const CliContext& session) {
  requireDevices(request);
  std::vector<ChildAnswer> answers;
  StudyOutcome outcome;
  {
    CliContext silent;
    silent.quiet = true;
    ProgressDisplay display(silent);
    const Progress progress = display.progress();
    answers = callSideBySide(callsOf(request, subjectsOf(found)), !session.json,
                             [&] { return progress.stopRequested(); });
    outcome.interrupted = progress.stopRequested();
  }
  for (std::size_t q = 0; q < answers.size(); ++q) {
    outcome.code = std::max(outcome.code, answers[q].code < 0 ? exit_code::internal : answers[q].code);
    if (answers[q].code < 0)
      std::cerr << "sulcus-cli: the runs on GPU " << request.devices[q] << " ended: " << answers[q].complaint
                << "; the same command continues with the rest\n";
    if (session.json && !answers[q].out.empty() && answers[q].code >= 0)
      for (const auto& run : io::parseJson(answers[q].out, "what the program of a GPU printed")["runs"])
        outcome.runs.push_back(run);
  }
  return endStudy(request, study, found, session, outcome);
}

}  // namespace sulcus::app::cli
