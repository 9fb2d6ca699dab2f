#include "app/analyses/run_support.h"
#include "app/cli/progress.h"
#include "app/cli/report.h"
#include "app/cli/scan.h"
#include "app/cli/study.h"
#include "core/base/error.h"
#include "core/base/file_fault.h"
#include "core/base/parallel_for.h"
#include "core/base/printable.h"
#include "core/bids/outputs.h"
#include "core/bids/write_run.h"
#include "core/io/file_json.h"
#include "core/io/files.h"

#include <algorithm>
#include <iostream>
#include <new>

namespace sulcus::app::cli {
namespace {

namespace fs = std::filesystem;

/// How one job ended.
struct Ended {
  enum class Status { done, doneBefore, failed } status;
  std::string problem;
  int code = exit_code::done;
  std::vector<bids::Figure> figures;
};

/// Runs the jobs of a study one after the other.
class JobRunner {
 public:
  JobRunner(const StudyRequest& request, const bids::Study& study, const Session& session)
      : request_(request), study_(study), session_(session), parameters_(request.parameters()) {}

  /// Throws Cancelled, and Error where not even the failure could be written down.
  Ended run(const bids::Job& job) {
    Ended ended = tried(job);
    if (ended.status == Ended::Status::failed)
      bids::writeFailure(job, analysis().name, ended.problem, request_.out);
    return ended;
  }

 private:
  const Analysis& analysis() const { return *request_.run.analysis; }

  Ended tried(const bids::Job& job) {
    const auto failed = [](const std::string& problem, int code) {
      return Ended{Ended::Status::failed, problem, code, {}};
    };
    try {
      if (!job.problem.empty()) return failed(job.problem, int(ErrorKind::badInput));
      return finished(job);
    } catch (const Error& fault) {
      return failed(fault.what(), int(fault.kind()));
    } catch (const std::bad_alloc&) {
      return failed(
          "The computer ran out of memory (data and result do not fit together): use a smaller image or mask",
          int(ErrorKind::unavailable));
    } catch (const fs::filesystem_error& fault) {
      return failed(fileFault(fault).what(), int(ErrorKind::badInput));
    } catch (const Cancelled&) {
      throw;
    } catch (const std::exception& fault) {
      return failed(std::string("Internal error (") + fault.what() + "): please report it",
                    exit_code::internal);
    }
  }

  Ended finished(const bids::Job& job) {
    ProgressDisplay display(session_);
    const Progress progress = display.progress();
    const auto read = filesOf(job, progress.part(0, 0.05, "checksums"));
    const std::string key = bids::runKey(analysis().name, request_.run.backend, parameters_, read);
    const bool known =
        std::all_of(read.begin(), read.end(), [](const InputFile& file) { return !file.sha256.empty(); });
    if (known && !request_.run.overwrite && bids::isDone(job, analysis().name, key, request_.out))
      return {Ended::Status::doneBefore, "", exit_code::done, {}};
    bids::Finished run{&analysis(), {}, {}, {}, key};
    withThreads(request_.run.threads, [&] {
      RunOutcome outcome = compute(request_.run, opened(job, progress.part(0.05, 0.15, "")), parameters_,
                                   session_.call, progress.part(0.15, 0.9, ""));
      run.inputs = std::move(outcome.inputs), run.result = std::move(outcome.results.front());
      if (outcome.comparison) run.agreement = outcome.comparison->rows;
      for (const auto& file : read)
        if (file.slot == "sidecar") run.result.provenance.inputs.push_back(file);
    });
    const auto record =
        bids::writeRun(job, std::move(run), study_, request_.out, progress.part(0.9, 1, "write"));
    return {Ended::Status::done, "", exit_code::done, record.figures};
  }

  /// Every file that decides the result, with its checksum.
  std::vector<InputFile> filesOf(const bids::Job& job, const Progress& progress) const {
    std::vector<InputFile> files;
    for (const auto& slot : analysis().inputs)
      for (const auto& path : pathsOf(job, slot.name)) files.push_back({slot.name, path.string(), {}});
    for (const auto& path : job.gradients) files.push_back({"gradients", path.string(), {}});
    for (const auto& path : job.sidecars) files.push_back({"sidecar", path.string(), {}});
    std::vector<std::string> notes;  // opening such a file says what is wrong with it
    for (auto& file : files) file.sha256 = analyses::checksum(file.path, progress, notes);
    return files;
  }

  /// What was given for all scans, else what was found for this one.
  std::vector<fs::path> pathsOf(const bids::Job& job, const std::string& slot) const {
    if (const auto given = request_.run.files->bySlot.find(slot); given != request_.run.files->bySlot.end())
      return {given->second.begin(), given->second.end()};
    const auto found = job.inputs.find(slot);
    return found == job.inputs.end() ? std::vector<fs::path>() : found->second;
  }

  AnalysisInputs opened(const bids::Job& job, const Progress& progress) {
    AnalysisInputs inputs;
    for (const auto& slot : analysis().inputs)
      for (const auto& path : pathsOf(job, slot.name)) {
        // What many scans share is read and prepared once: the analyses recognize it by its identity.
        const bool isShared = slot.name == "reference" || request_.run.files->bySlot.count(slot.name) > 0;
        LayerPtr layer = isShared ? shared_[path] : nullptr;
        if (!layer) layer = openedOne(job, slot, path, progress);
        if (isShared) shared_[path] = layer;
        inputs.emplace(slot.name, std::move(layer));
      }
    return inputs;
  }

  static LayerPtr openedOne(const bids::Job& job, const InputSlot& slot, const fs::path& path,
                            const Progress& progress) {
    Layer layer = openInput(slot, path, progress.part(0, 1, "read " + slot.name));
    if (slot.name == kDiffusionSlot && job.gradients.size() == 2)
      layer = withGradients(std::move(layer), {job.gradients[0].string(), job.gradients[1].string(), ""});
    if (auto* series = std::get_if<VolumeLayer>(&layer.content);
        series && slot.name == "bold" && job.secondsPerVolume > 0)
      series->secondsPerVolume = job.secondsPerVolume;
    return std::make_shared<const Layer>(std::move(layer));
  }

  const StudyRequest& request_;
  const bids::Study& study_;
  const Session& session_;
  OptionValues parameters_;
  std::map<fs::path, LayerPtr> shared_;
};

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
    std::cout << ", " << figure.name << " " << shortNumber(figure.value)
              << (figure.unit.empty() ? "" : " " + figure.unit);
  std::cout << std::endl;
}

int tellPlan(const StudyRequest& request, const bids::Jobs& found) {
  for (const auto& job : found.jobs) {
    std::cout << printable(bids::resultName(request.run.analysis->name, job).stem()) << "\n";
    for (const auto& [slot, files] : job.inputs)
      for (const auto& file : files) std::cout << "  " << slot << " " << printable(file.string()) << "\n";
    for (const auto& file : job.gradients) std::cout << "  gradients " << printable(file.string()) << "\n";
    for (const auto& note : job.notes) std::cout << "  " << note << "\n";
    if (!job.problem.empty()) std::cout << "  cannot be run: " << printable(job.problem) << "\n";
  }
  return exit_code::done;
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
  request.parameters();
  const bids::Study study = openStudyFor(request);
  const bids::Jobs found = jobsOf(request, study);
  if (request.dryRun) return tellPlan(request, found);
  requireDevice(request.run);
  fs::create_directories(request.out);
  bids::describeDerivatives(request.out, study);
  if (!session.json && !session.quiet)
    for (const auto& note : found.notes) std::cerr << printable(note) << "\n";

  JobRunner runner(request, study, session);
  auto list = nlohmann::ordered_json::array();
  std::size_t done = 0;
  int code = exit_code::done;
  bool interrupted = false;
  for (const auto& job : found.jobs) {
    const std::string run = bids::resultName(name, job).stem();
    try {
      const Ended ended = runner.run(job);
      code = std::max(code, ended.code);
      done += ended.status != Ended::Status::failed;
      session.json ? list.push_back(jobJson(run, ended)) : tellJob(run, ended);
    } catch (const Cancelled&) {
      interrupted = true;
      break;
    }
  }
  std::vector<std::string> notes, subjects;
  for (const auto& job : found.jobs)
    if (subjects.empty() || subjects.back() != job.subject()) subjects.push_back(job.subject());
  writeParticipants(request, study, bids::openRecords(request.out, notes), subjects);
  if (session.json)
    std::cout << io::jsonText(nlohmann::ordered_json{
        {"analysis", name}, {"out", request.out}, {"runs", list}, {"notes", found.notes}});
  else
    std::cout << done << " of " << found.jobs.size() << " runs are done. Results in "
              << printable(request.out) << "\n";
  if (!interrupted) return code;
  std::cerr << "sulcus-cli: interrupted; what is done stays, and the same command goes on with the rest\n";
  return exit_code::interrupted;
}

}  // namespace sulcus::app::cli
