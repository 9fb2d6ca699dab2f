#include "app/remote/remote_job.h"

#include "app/cli/commands.h"
#include "app/cli/fault.h"
#include "core/base/error.h"
#include "core/base/platform/files/descriptor.h"
#include "core/base/platform/files/file_lock.h"
#include "core/base/platform/files/file_places.h"
#include "core/base/platform/processes/own_program.h"
#include "core/base/platform/processes/processes.h"
#include "core/base/platform/processes/standard_streams.h"
#include "core/base/sanitized.h"
#include "core/base/sentence.h"
#include "core/bids/slurm_script.h"
#include "core/io/files.h"
#include "core/io/streams/atomic_file.h"
#include "core/io/streams/file_json.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>

namespace sulcus::app::remote {
namespace {

namespace fs = std::filesystem;

constexpr const char *kLock = "lock", *kPid = "pid", *kDescription = "job.json", *kEnd = "ended.json",
                     *kPrinted = "printed", *kProgress = "progress", *kSlurm = "slurm", *kStopped = "stopped";

/// Whether a folder contains a file of this name, even if another machine created it: listing a folder
/// refreshes its contents.
bool holds(const fs::path& folder, const char* name) {
  std::error_code fault;
  const fs::directory_iterator entries(folder, fault);
  return std::any_of(begin(entries), end(entries),
                     [&](const fs::directory_entry& entry) { return entry.path().filename() == name; });
}

/// The first word of a file; "" without one.
std::string wordIn(const fs::path& file) {
  std::string word;
  std::ifstream(file) >> word;
  return word;
}

/// A descriptor with the lock of a job; negative if another process has it.
class JobLock {
 public:
  JobLock(const fs::path& folder, bool make)
      : descriptor_(openToLock(folder / kLock, make)),
        held_(descriptor_ >= 0 && tryLock(descriptor_) == Lock::taken) {}
  ~JobLock() {
    if (descriptor_ >= 0) closeDescriptor(descriptor_);
  }
  JobLock(const JobLock&) = delete;
  JobLock& operator=(const JobLock&) = delete;
  int descriptor() const { return descriptor_; }
  bool exists() const { return descriptor_ >= 0; }
  bool isHeld() const { return held_; }

 private:
  int descriptor_;
  bool held_;
};

/// Gives an input its own name, without a copy if the file system allows it.
void place(const fs::path& input, const fs::path& name) {
  fs::create_directories(name.parent_path());
  std::error_code fault;
  fs::create_hard_link(input, name, fault);
  if (fault) fs::copy_file(input, name, fs::copy_options::overwrite_existing);
}

/// Starts the process of a job in its own session, and passes the lock to it.
int spawnJob(const fs::path& folder, int lock) {
  ProgramStart how;
  how.output = how.complaint = ProgramStart::kNothing;
  how.kept = lock;
  how.group = ProgramStart::Group::session;
  int child = 0;
  const int fault = startProgram({ownProgram().string(), "serve", "--job", folder.string()}, how, child);
  if (fault != 0)
    throw Error("The run cannot be started", std::strerror(fault), "set up Sulcus there again",
                ErrorKind::unavailable);
  return child;
}

/// Submits the job to Slurm; returns its number.
std::string submitJob(const fs::path& folder, const Wire::Json& asked) {
  bids::SlurmPlan plan;
  plan.name = "sulcus-" + asked.at("name").get<std::string>();
  plan.call = {ownProgram().string(), "serve", "--job", folder.string()};
  plan.folder = plan.logs = folder.string();
  plan.partition = asked.at("partition").get<std::string>();
  plan.memoryBytes = asked.at("memoryBytes");
  plan.cpus = asked.at("cpus");
  plan.gpus = asked.at("gpus");
  const fs::path script = folder / "slurm.sh";
  io::writeFile(script, bids::singleScript(plan));
  return cli::submitToSlurm(script, {}, "the run");
}

/// The message on a job that Slurm has ended: its state, and the last line that was printed for it.
std::string endedBySlurm(const fs::path& folder, const std::string& id, const std::string& word) {
  std::string line, last;
  for (std::ifstream log(folder / ("slurm_" + id + ".txt")); std::getline(log, line);)
    if (!line.empty()) last = line;
  std::vector<std::string> known;
  if (!word.empty()) known.push_back(word);
  if (!last.empty()) known.push_back(sanitizedForDisplay(last, 200));
  if (known.empty()) known.emplace_back("it does not say why");
  return "Slurm ended the run (" + joined(known, ": ") +
         "): give the same command again, or check that the nodes can access the home folder and have enough "
         "memory";
}

Wire::Json carriedOut(const Wire::Json& job) {
  cli::CliContext session;
  session.call = job.at("call").get<std::string>();
  session.place = job.at("place").get<std::string>();
  for (const auto& [there, here] : job.at("names").items()) session.names[there] = here.get<std::string>();
  auto words = job.at("words").get<std::vector<std::string>>();
  std::vector<char*> arguments{const_cast<char*>("sulcus-cli")};
  for (auto& word : words) arguments.push_back(word.data());
  try {
    const int code = cli::runProgram(int(arguments.size()), arguments.data(), session);
    std::cout.flush();
    return {{"code", code}, {"complaint", ""}};
  } catch (const Cancelled&) {
    return {{"code", cli::exit_code::interrupted}, {"complaint", "interrupted"}};
  } catch (...) {
    const cli::Fault fault = cli::currentFault();
    return {{"code", fault.code}, {"complaint", fault.sentence}};
  }
}

}  // namespace

RemoteCache::RemoteCache() {
  const char* const cache = std::getenv("XDG_CACHE_HOME");
  const fs::path home = homeFolder();
  if (!(cache && *cache) && home.empty())
    throw Error("There is no home folder", "inputs and results are stored there temporarily", "set HOME",
                ErrorKind::unavailable);
  folder_ = (cache && *cache ? fs::path(cache) : home / ".cache") / "sulcus";
  fs::create_directories(folder_ / "inputs");
  fs::create_directories(folder_ / "jobs");
  fs::permissions(folder_, fs::perms::owner_all);
}

fs::path RemoteCache::input(const std::string& sha256) const { return folder_ / "inputs" / sha256; }

fs::path RemoteCache::job(const std::string& id) const { return folder_ / "jobs" / id; }

double RemoteCache::freeBytes() const { return double(fs::space(folder_).available); }

void RemoteCache::removeOld() const {
  const auto oldest = fs::file_time_type::clock::now() - std::chrono::hours(24 * 30);
  std::error_code fault;
  for (const auto& entry : fs::directory_iterator(folder_ / "inputs", fault))
    if (entry.last_write_time(fault) < oldest) fs::remove(entry.path(), fault);
  for (const auto& entry : fs::directory_iterator(folder_ / "jobs", fault))
    if (entry.last_write_time(fault) < oldest) RemoteJob(entry.path()).remove();
}

std::string RemoteJob::slurmId() const { return wordIn(folder_ / kSlurm); }

const cli::SlurmState& RemoteJob::slurm() const {
  constexpr std::chrono::seconds kBetween(3);  // Slurm serves many users
  const auto now = std::chrono::steady_clock::now();
  if (asked_ == std::chrono::steady_clock::time_point() || now - asked_ >= kBetween) {
    slurm_ = cli::slurmState(slurmId());
    asked_ = now;
  }
  return slurm_;
}

bool RemoteJob::isRunning() const {
  if (!slurmId().empty()) return !holds(folder_, kEnd) && slurm().kind != cli::SlurmState::Kind::over;
  const JobLock lock(folder_, false);
  return lock.exists() && !lock.isHeld();
}

std::string RemoteJob::waiting() const {
  if (slurmId().empty()) return {};
  const cli::SlurmState& state = slurm();
  if (state.kind == cli::SlurmState::Kind::waits)
    return "waiting in the queue (" + (state.reason.empty() ? state.word : state.reason) + ")";
  return state.kind == cli::SlurmState::Kind::unknown ? "Slurm does not answer" : "";
}

std::optional<Wire::Json> RemoteJob::end() const {
  if (holds(folder_, kEnd)) return io::openJson(folder_ / kEnd);
  if (holds(folder_, kStopped))
    return Wire::Json{{"code", cli::exit_code::interrupted}, {"complaint", "interrupted"}};
  const auto ended = [](const std::string& complaint) {
    return Wire::Json{{"code", int(ErrorKind::unavailable)}, {"complaint", complaint}};
  };
  if (const std::string id = slurmId(); !id.empty()) return ended(endedBySlurm(folder_, id, slurm().word));
  if (!holds(folder_, kPid)) return std::nullopt;
  return ended(
      "The run was killed on the other machine (probably for lack of memory, or the machine was switched "
      "off): give the same command again, or use a smaller input");
}

void RemoteJob::start(const RemoteCache& cache, const Wire::Json& request) const {
  fs::create_directories(folder_);
  const JobLock lock(folder_, true);
  if (!lock.isHeld() || (!slurmId().empty() && isRunning())) return;
  for (const auto& entry : fs::directory_iterator(folder_))
    if (entry.path().filename() != kLock) fs::remove_all(entry.path());
  for (const auto& file : request.at("files"))
    place(cache.input(file.at(1).get<std::string>()), folder_ / file.at(0).get<std::string>());
  for (const auto& [name, text] : request.at("texts").items())
    io::writeFile(folder_ / name, text.get<std::string>());
  Wire::Json job = Wire::Json::object();
  for (const char* key : {"words", "call", "place", "names"}) job[key] = request.at(key);
  io::writeFile(folder_ / kDescription, io::jsonText(job));
  try {
    if (request.contains("slurm"))
      io::writeFile(folder_ / kSlurm, submitJob(folder_, request.at("slurm")));
    else
      io::writeFile(folder_ / kPid, std::to_string(spawnJob(folder_, lock.descriptor())) + "\n" + hostName());
  } catch (...) {
    fs::remove_all(folder_);
    throw;
  }
  asked_ = {};
}

void RemoteJob::cancel() const {
  const std::string slurm = slurmId();
  std::ifstream file(folder_ / kPid);
  int id = 0;
  std::string host;
  const bool isProcess = slurm.empty() && file >> id && id > 1 && isRunning();
  // A different machine of the cluster may answer, with the same folders and other processes.
  if (isProcess && file >> host && host != hostName())
    throw Error("The run was not stopped",
                "it continues on " + sanitizedForDisplay(host, 60) + ", and " + hostName() + " answered",
                "let it end there, or end process " + std::to_string(id) + " of that machine",
                ErrorKind::unavailable);
  io::writeFile(folder_ / kStopped, "",
                true);  // a job that has just begun is ended by the signal without a message
  if (!slurm.empty()) return cli::cancelInSlurm(slurm);
  if (isProcess) interruptProgram(id);
}

void RemoteJob::remove() const {
  std::error_code fault;
  if (!isRunning()) fs::remove_all(folder_, fault);
}

std::string RemoteJob::printed() const {
  std::ifstream file(folder_ / kPrinted, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void RemoteJob::carryOut(const fs::path& folder) {
  fs::current_path(folder);
  for (const auto& [stream, file] : {std::pair(kStandardOutput, kPrinted), {kStandardError, kProgress}})
    if (const int code = redirect(stream, file)) io::failWriting(file, code);
  const Wire::Json end = carriedOut(io::openJson(kDescription));
  io::writeFile(kEnd, io::jsonText(end), true);
}

}  // namespace sulcus::app::remote
