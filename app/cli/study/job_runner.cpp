#include "app/cli/study/job_runner.h"

#include "app/analyses/run_support.h"
#include "app/analyses/run_time.h"
#include "app/cli/fault.h"
#include "app/cli/scan.h"
#include "core/analysis/command_line.h"
#include "core/base/error.h"
#include "core/base/parallel/parallel_for.h"
#include "core/bids/results/outputs.h"
#include "core/bids/results/write_run.h"
#include "core/bids/study_lock.h"
#include "core/bids/study_traits.h"
#include "core/io/streams/byte_source.h"

#include <algorithm>

namespace sulcus::app::cli {
namespace {

namespace fs = std::filesystem;

/// @param scanSlot the slot that takes the scan of the job
LayerPtr openOne(const bids::Job& job, const InputSlot& slot, const std::string& scanSlot,
                 const fs::path& path, const Progress& progress) {
  Layer layer = openInput(slot, path, progress.part(0, 1, "read " + slot.name));
  if (slot.name == kDiffusionSlot && job.gradients.size() == 2)
    layer = withGradients(std::move(layer), {job.gradients[0].string(), job.gradients[1].string(), ""});
  if (auto* series = std::get_if<VolumeLayer>(&layer.content);
      series && slot.name == scanSlot && job.secondsPerVolume > 0)
    series->secondsPerVolume = job.secondsPerVolume;
  return std::make_shared<const Layer>(std::move(layer));
}

/// How many files scans can have in common at a time: those given for all, and a reference for each
/// participant in progress.
std::size_t sharedFiles(const StudyRequest& request) {
  std::size_t count = std::size_t(request.atOnce());
  for (const auto& [slot, files] : request.run.files->bySlot) count += files.size();
  return count;
}

/// How many threads a run gets, 0 for all: of several runs at a time each gets twice its share, as others
/// read, write or wait for the GPU meanwhile.
int threadsOfRun(const StudyRequest& request) {
  if (request.atOnce() == 1) return request.run.threads;
  const int all = request.run.threads > 0 ? request.run.threads : threadCount();
  return std::clamp(2 * all / request.atOnce(), 1, all);
}

}  // namespace

JobRunner::JobRunner(const StudyRequest& request, const bids::Study& study, const CliContext& session)
    : request_(request),
      study_(study),
      session_(session),
      parameters_(request.parameters()),
      shared_(sharedFiles(request)) {}

std::string JobRunner::lockNameOf(const bids::Job& job) const {
  return analysis().name + " " + bids::resultName(job).stem();
}

std::optional<JobOutcome> JobRunner::runUnlessTaken(const bids::Job& job, const Progress& progress) {
  const bids::StudyLock lock(request_.out, lockNameOf(job));
  if (!lock.isHeld()) return std::nullopt;
  return runLocked(job, progress);
}

JobOutcome JobRunner::run(const bids::Job& job, const Progress& progress) {
  bids::StudyLock lock(request_.out, lockNameOf(job));
  lock.await(progress.part(0, 0, "another sulcus-cli works on " + job.source().stem()));
  return runLocked(job, progress);
}

JobOutcome JobRunner::runLocked(const bids::Job& job, const Progress& progress) {
  JobOutcome ended = executeCatching(job, progress);
  if (ended.status == JobOutcome::Status::failed)
    bids::writeFailure(job, analysis().name, ended.problem, request_.out);
  return ended;
}

JobOutcome JobRunner::executeCatching(const bids::Job& job, const Progress& progress) {
  const auto failed = [](const std::string& problem, int code) {
    return JobOutcome{JobOutcome::Status::failed, problem, code, {}};
  };
  if (!job.problem.empty()) return failed(job.problem.line(), int(ErrorKind::badInput));
  try {
    return execute(job, progress);
  } catch (const Cancelled&) {
    throw;
  } catch (...) {
    const Fault fault = currentFault();
    return failed(fault.sentence, fault.code);
  }
}

JobOutcome JobRunner::execute(const bids::Job& job, const Progress& progress) {
  const auto read = inputFilesOf(job, progress.part(0, 0.05, "checksums"));
  if (!request_.run.overwrite && isDone(job, read)) {
    bids::forgetFailure(job, analysis().name, request_.out);  // from a failure with other parameters
    return {JobOutcome::Status::doneBefore, "", exit_code::done, {}};
  }
  bids::Finished run{&analysis(), {}, {}, {}, runKeyOf(read), request_.run.choice};
  withThreads(threadsOfRun(request_), [&] {
    gate_.beforeReading(progress.part(0.05, 0.05, "memory"));
    AnalysisInputs inputs = openInputs(job, progress.part(0.05, 0.15, ""));
    const auto pass = gate_.enter(analyses::memoryOfRun(analysis(), inputs, parameters_),
                                  request_.run.backend != "cpu", progress.part(0.15, 0.15, "memory"));
    RunOutcome outcome =
        compute(request_.run, std::move(inputs), parameters_, session_.call, progress.part(0.15, 0.9, ""));
    run.inputs = std::move(outcome.inputs);
    run.result = std::move(outcome.results.front());
    if (outcome.comparison) run.agreement = outcome.comparison->rows;
  });
  for (const auto& file : read)
    for (const auto& used : run.result.provenance.inputs)
      if (used.path == file.path && used.sha256 != file.sha256)
        throw Error(io::quotedPath(file.path) + " changed during the run",
                    "the record would not match the file that was used", "run again");
  for (const auto& file : read)
    if (file.slot == "sidecar") run.result.provenance.inputs.push_back(file);
  const auto record =
      bids::writeRun(job, std::move(run), study_, request_.out, progress.part(0.9, 1, "write"));
  return {JobOutcome::Status::done, "", exit_code::done, record.figures};
}

bool JobRunner::isDone(const bids::Job& job, const Progress& progress) const {
  return isDone(job, inputFilesOf(job, progress));
}

bool JobRunner::isDone(const bids::Job& job, const std::vector<InputFile>& files) const {
  const bool known =
      std::all_of(files.begin(), files.end(), [](const InputFile& file) { return !file.sha256.empty(); });
  return known && bids::isDone(job, analysis().name, runKeyOf(files), request_.out);
}

std::string JobRunner::runKeyOf(const std::vector<InputFile>& files) const {
  return bids::runKey(analysis().name, request_.run.backend, parameters_, files, request_.run.choice);
}

JobRunner::Need JobRunner::needOf(const bids::Job& job, const Progress& progress) {
  const AnalysisInputs inputs = openInputs(job, progress);
  return {analyses::memoryOfRun(analysis(), inputs, parameters_).hostBytes,
          analyses::secondsOfRun(analysis(), inputs, parameters_)};
}

/// Every file that affects the result, with its checksum.
std::vector<InputFile> JobRunner::inputFilesOf(const bids::Job& job, const Progress& progress) const {
  std::vector<InputFile> files;
  for (const auto& slot : analysis().inputs)
    for (const auto& path : pathsOf(job, slot.name)) files.push_back({slot.name, path.string(), {}});
  for (const auto& path : job.gradients) files.push_back({"gradients", path.string(), {}});
  for (const auto& path : job.sidecars) files.push_back({"sidecar", path.string(), {}});
  Notes notes;  // opening such a file reports what is wrong with it
  for (auto& file : files) file.sha256 = analyses::checksum(file.path, progress, notes);
  return files;
}

/// The files given for all scans, else those found for this one.
std::vector<fs::path> JobRunner::pathsOf(const bids::Job& job, const std::string& slot) const {
  if (const auto given = request_.run.files->bySlot.find(slot); given != request_.run.files->bySlot.end())
    return {given->second.begin(), given->second.end()};
  const auto found = job.inputs.find(slot);
  return found == job.inputs.end() ? std::vector<fs::path>() : found->second;
}

AnalysisInputs JobRunner::openInputs(const bids::Job& job, const Progress& progress) {
  AnalysisInputs inputs;
  for (const auto& slot : analysis().inputs)
    for (const auto& path : pathsOf(job, slot.name)) {
      // Inputs shared by scans are read and prepared once: the analyses recognize them by identity.
      const bool isShared = slot.name == "reference" || request_.run.files->bySlot.count(slot.name) > 0;
      const auto open = [&] {
        return openOne(job, slot, bids::studyTraits(analysis()).scans.slot, path, progress);
      };
      inputs.emplace(slot.name, isShared ? shared_(path, open).value : open());
    }
  return inputs;
}

}  // namespace sulcus::app::cli
