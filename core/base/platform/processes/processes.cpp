#include "core/base/platform/processes/processes.h"

#include "core/base/platform/processes/pipe.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#ifdef __linux__
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif
#include <sys/wait.h>
#include <unistd.h>
#ifndef __linux__
extern char** environ;  // which unistd.h declares on Linux
#endif

namespace sulcus {
namespace {

constexpr int kKept = 3;

/// The file actions for starting a program.
class SpawnActions {
 public:
  SpawnActions() { posix_spawn_file_actions_init(&actions_); }
  ~SpawnActions() { posix_spawn_file_actions_destroy(&actions_); }
  SpawnActions(const SpawnActions&) = delete;
  SpawnActions& operator=(const SpawnActions&) = delete;

  void add(int stream, int from, int flags) {
    if (from >= 0)
      posix_spawn_file_actions_adddup2(&actions_, from, stream);
    else if (from == ProgramStart::kNothing)
      posix_spawn_file_actions_addopen(&actions_, stream, "/dev/null", flags, 0);
  }
  void closeFrom([[maybe_unused]] int first) {
#ifndef __APPLE__
    posix_spawn_file_actions_addclosefrom_np(&actions_, first);
#endif
  }
  const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_;
};

/// Its process group and signals.
class SpawnAttributes {
 public:
  explicit SpawnAttributes(const ProgramStart& start) {
    posix_spawnattr_init(&attributes_);
    short flags = 0;
    if (start.group == ProgramStart::Group::own) flags |= POSIX_SPAWN_SETPGROUP;
    if (start.group == ProgramStart::Group::session) flags |= POSIX_SPAWN_SETSID;
    if (start.isolated) {
      sigset_t none, all;
      sigemptyset(&none);
      sigfillset(&all);
      posix_spawnattr_setsigmask(&attributes_, &none);
      posix_spawnattr_setsigdefault(&attributes_, &all);
      flags |= POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
#ifdef __APPLE__
      flags |= POSIX_SPAWN_CLOEXEC_DEFAULT;
#endif
    }
    posix_spawnattr_setflags(&attributes_, flags);
  }
  ~SpawnAttributes() { posix_spawnattr_destroy(&attributes_); }
  SpawnAttributes(const SpawnAttributes&) = delete;
  SpawnAttributes& operator=(const SpawnAttributes&) = delete;
  const posix_spawnattr_t* get() const { return &attributes_; }

 private:
  posix_spawnattr_t attributes_;
};

/// Words as the system takes them; valid as long as `words` lives.
std::vector<char*> argumentsOf(const std::vector<std::string>& words) {
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (const auto& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  return arguments;
}

ProgramEnd endOf(int status) {
  if (WIFEXITED(status)) return {WEXITSTATUS(status), ""};
  return {-1, WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : ""};
}

}  // namespace

int startProgram(const std::vector<std::string>& words, const ProgramStart& start, int& program) {
  const std::vector<char*> arguments = argumentsOf(words);
  SpawnActions actions;
  if (start.kept >= 0) actions.add(kKept, start.kept, 0);
  actions.add(STDIN_FILENO, start.input, O_RDONLY);
  actions.add(STDOUT_FILENO, start.output, O_WRONLY);
  actions.add(STDERR_FILENO, start.complaint, O_WRONLY);
  if (start.isolated) actions.closeFrom(STDERR_FILENO + 1);
  const SpawnAttributes attributes(start);
  pid_t child = 0;
  const int fault =
      posix_spawnp(&child, arguments[0], actions.get(), attributes.get(), arguments.data(), environ);
  program = fault == 0 ? int(child) : 0;
  return fault;
}

#ifdef __linux__
int startBoundProgram(const std::vector<std::string>& words, const ProgramStart& start, int& program) {
  const std::vector<char*> arguments = argumentsOf(words);
  const pid_t parent = getpid(), child = fork();
  program = child > 0 ? int(child) : 0;
  if (child != 0) return child > 0 ? 0 : errno;
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != parent) _exit(1);
  for (const auto& [stream, from] : {std::pair(STDIN_FILENO, start.input),
                                     {STDOUT_FILENO, start.output},
                                     {STDERR_FILENO, start.complaint}})
    if (from != ProgramStart::kAsHere)
      dup2(from == ProgramStart::kNothing ? open("/dev/null", O_RDWR) : from, stream);
  execvp(arguments[0], arguments.data());
  _exit(127);  // not installed
}
#else
int startBoundProgram(const std::vector<std::string>& words, const ProgramStart& start, int& program) {
  return startProgram(words, start, program);
}
#endif

#ifdef SYS_pidfd_open
bool awaitEnds(std::span<const int> programs, int milliseconds) {
  std::vector<pollfd> ends;  // readable once a program has ended
  for (const int program : programs)
    ends.push_back({program > 0 ? int(syscall(SYS_pidfd_open, program, 0)) : -1, POLLIN, 0});
  const bool ended = poll(ends.data(), nfds_t(ends.size()), milliseconds) > 0;
  for (const pollfd& end : ends)
    if (end.fd >= 0) close(end.fd);
  return ended;
}
#else
bool awaitEnds(std::span<const int> programs, int milliseconds) {
  constexpr int kBetween = 10;  // ms between two polls
  for (int left = milliseconds;; left -= kBetween) {
    for (const int program : programs) {
      siginfo_t info{};
      if (program > 0 && waitid(P_PID, id_t(program), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
          info.si_pid == program)
        return true;
    }
    if (left <= 0) return false;
    waitFor(kBetween);
  }
}
#endif

std::optional<ProgramEnd> takeEnd(int program) {
  int status = 0;
  if (waitpid(program, &status, WNOHANG) != program) return std::nullopt;
  return endOf(status);
}

ProgramEnd awaitEnd(int program) {
  int status = 0;
  while (waitpid(program, &status, 0) < 0)
    if (errno != EINTR) return {};
  return endOf(status);
}

void interruptProgram(int program) noexcept { kill(program, SIGINT); }
void askToEnd(int program) noexcept { kill(program, SIGTERM); }
void killProgram(int program) noexcept { kill(program, SIGKILL); }

}  // namespace sulcus
