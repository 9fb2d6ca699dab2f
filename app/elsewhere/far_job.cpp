#include "app/elsewhere/far_job.h"

#include "app/cli/commands.h"
#include "app/cli/fault.h"
#include "core/base/error.h"
#include "core/base/own_program.h"
#include "core/io/atomic_file.h"
#include "core/io/file_json.h"
#include "core/io/files.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>

#include <fcntl.h>
#include <spawn.h>
#include <sys/file.h>
#include <unistd.h>

namespace sulcus::app::elsewhere {
namespace {

namespace fs = std::filesystem;

constexpr const char *kLock = "lock", *kPid = "pid", *kDescription = "job.json", *kEnd = "ended.json",
                     *kPrinted = "printed";

/// A descriptor with the lock of a job; negative where another process has it.
class JobLock {
 public:
  JobLock(const fs::path& folder, int flags)
      : descriptor_(open((folder / kLock).c_str(), O_RDWR | O_CLOEXEC | flags, 0600)),
        held_(descriptor_ >= 0 && flock(descriptor_, LOCK_EX | LOCK_NB) == 0) {}
  ~JobLock() {
    if (descriptor_ >= 0) close(descriptor_);
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

/// Gives an input its own name, without a copy where the file system allows.
void place(const fs::path& input, const fs::path& name) {
  fs::create_directories(name.parent_path());
  std::error_code fault;
  fs::create_hard_link(input, name, fault);
  if (fault) fs::copy_file(input, name, fs::copy_options::overwrite_existing);
}

/// Starts the process of a job in a session of its own, to which it leaves the lock.
pid_t spawnJob(const fs::path& folder, int lock) {
  constexpr int kInherited = 3;  // the first that is no standard stream
  const std::string program = ownProgram().string(), name = folder.string();
  const char* const words[] = {program.c_str(), "serve", "--job", name.c_str(), nullptr};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, lock, kInherited);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  for (const auto& [stream, file] : {std::pair(STDOUT_FILENO, kPrinted), {STDERR_FILENO, "progress"}})
    posix_spawn_file_actions_addopen(&actions, stream, (folder / file).c_str(), O_WRONLY | O_CREAT | O_APPEND,
                                     0600);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);
  pid_t child = 0;
  const int fault = posix_spawn(&child, words[0], &actions, &attributes, const_cast<char**>(words), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (fault != 0)
    throw Error("The run cannot be started", std::strerror(fault), "set Sulcus up there anew",
                ErrorKind::unavailable);
  return child;
}

Wire::Json carriedOut(const Wire::Json& job) {
  cli::Session session;
  session.call = job["call"].get<std::string>();
  session.place = job["place"].get<std::string>();
  for (const auto& [there, here] : job["names"].items()) session.names[there] = here.get<std::string>();
  auto words = job["words"].get<std::vector<std::string>>();
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

FarCache::FarCache() {
  const char *const cache = std::getenv("XDG_CACHE_HOME"), *const home = std::getenv("HOME");
  if (!(cache && *cache) && !(home && *home))
    throw Error("There is no home folder", "inputs and results are kept there for a while", "set HOME",
                ErrorKind::unavailable);
  folder_ = (cache && *cache ? fs::path(cache) : fs::path(home) / ".cache") / "sulcus";
  fs::create_directories(folder_ / "inputs");
  fs::create_directories(folder_ / "jobs");
  fs::permissions(folder_, fs::perms::owner_all);
}

fs::path FarCache::input(const std::string& sha256) const { return folder_ / "inputs" / sha256; }

fs::path FarCache::job(const std::string& id) const { return folder_ / "jobs" / id; }

double FarCache::freeBytes() const { return double(fs::space(folder_).available); }

void FarCache::removeOld() const {
  const auto oldest = fs::file_time_type::clock::now() - std::chrono::hours(24 * 30);
  std::error_code fault;
  for (const auto& entry : fs::directory_iterator(folder_ / "inputs", fault))
    if (entry.last_write_time(fault) < oldest) fs::remove(entry.path(), fault);
  for (const auto& entry : fs::directory_iterator(folder_ / "jobs", fault))
    if (entry.last_write_time(fault) < oldest) FarJob(entry.path()).remove();
}

bool FarJob::isRunning() const {
  const JobLock lock(folder_, 0);
  return lock.exists() && !lock.isHeld();
}

std::optional<Wire::Json> FarJob::end() const {
  std::error_code fault;
  if (fs::exists(folder_ / kEnd, fault)) return io::openJson(folder_ / kEnd);
  if (!fs::exists(folder_ / kPid, fault)) return std::nullopt;
  return Wire::Json{{"code", int(ErrorKind::unavailable)},
                    {"complaint",
                     "The run was ended by its machine (most likely for memory, or it was switched off): "
                     "give the same command again, or work on less"}};
}

void FarJob::start(const FarCache& cache, const Wire::Json& request) const {
  fs::create_directories(folder_);
  const JobLock lock(folder_, O_CREAT);
  if (!lock.isHeld()) return;
  for (const auto& entry : fs::directory_iterator(folder_))
    if (entry.path().filename() != kLock) fs::remove_all(entry.path());
  for (const auto& file : request["files"])
    place(cache.input(file[1].get<std::string>()), folder_ / file[0].get<std::string>());
  for (const auto& [name, text] : request["texts"].items())
    io::writeFile(folder_ / name, text.get<std::string>());
  Wire::Json job;
  for (const char* key : {"words", "call", "place", "names"}) job[key] = request[key];
  io::writeFile(folder_ / kDescription, io::jsonText(job));
  const pid_t id = spawnJob(folder_, lock.descriptor());
  io::writeFile(folder_ / kPid, std::to_string(id));
}

void FarJob::cancel() const {
  std::ifstream file(folder_ / kPid);
  if (pid_t id = 0; file >> id && id > 1 && isRunning()) kill(id, SIGINT);
}

void FarJob::remove() const {
  std::error_code fault;
  if (!isRunning()) fs::remove_all(folder_, fault);
}

std::string FarJob::printed() const {
  std::ifstream file(folder_ / kPrinted, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void FarJob::carryOut(const fs::path& folder) {
  fs::current_path(folder);
  const Wire::Json end = carriedOut(io::openJson(kDescription));
  io::writeFile(kEnd, io::jsonText(end), true);
}

}  // namespace sulcus::app::elsewhere
