#include "app/cli/child.h"

#include "core/base/error.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace sulcus::app::cli {
namespace {

/// A pipe that is closed in the end.
struct Pipe {
  int ends[2] = {-1, -1};
  Pipe() {
    if (pipe2(ends, O_CLOEXEC) != 0) ends[0] = ends[1] = -1;
  }
  ~Pipe() { closeEnd(0), closeEnd(1); }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  void closeEnd(int end) {
    if (ends[end] >= 0) close(ends[end]);
    ends[end] = -1;
  }
  std::string all() const {
    std::string text;
    std::array<char, 4096> part;
    for (ssize_t count; (count = read(ends[0], part.data(), part.size())) > 0;)
      text.append(part.data(), std::size_t(count));
    return text;
  }
};

/// Starts a program of the PATH; 0, or the reason why not. An end of a pipe below 0 leaves a stream as it is,
/// or the input empty.
int start(const std::vector<std::string>& words, int in, int out, int complaint, bool ownGroup,
          pid_t& child) {
  std::vector<char*> arguments;
  for (const auto& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (in >= 0)
    posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
  else
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  if (out >= 0) posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
  if (complaint >= 0) posix_spawn_file_actions_adddup2(&actions, complaint, STDERR_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  if (ownGroup) posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  const int fault = posix_spawnp(&child, arguments[0], &actions, &attributes, arguments.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return fault;
}

int exitCodeOf(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : -1; }

/// What was written into a temporary file, which goes.
std::string takeAll(std::FILE* file) {
  std::string text;
  std::rewind(file);
  std::array<char, 4096> part;
  for (std::size_t count; (count = std::fread(part.data(), 1, part.size(), file)) > 0;)
    text.append(part.data(), count);
  std::fclose(file);
  return text;
}

std::string cannotStart(const std::string& program, int fault) {
  return program + " cannot be started: " + std::strerror(fault);
}

}  // namespace

ChildAnswer callProgram(const std::vector<std::string>& words) {
  Pipe out, complaint;
  pid_t child = 0;
  const int fault = start(words, -1, out.ends[1], complaint.ends[1], false, child);
  out.closeEnd(1), complaint.closeEnd(1);
  if (fault != 0) return {-1, "", cannotStart(words[0], fault)};
  ChildAnswer answer{0, out.all(), complaint.all()};
  int status = 0;
  waitpid(child, &status, 0);
  answer.code = exitCodeOf(status);
  return answer;
}

ChildAnswer callPiped(const std::vector<std::string>& first, const std::vector<std::string>& second) {
  Pipe between;
  const std::vector<std::string>* const words[] = {&first, &second};
  pid_t children[] = {0, 0};
  std::FILE* complaints[] = {std::tmpfile(), std::tmpfile()};
  ChildAnswer answers[2];
  for (const int i : {0, 1}) {
    const int complaint = complaints[i] ? fileno(complaints[i]) : -1;
    const int fault = i == 0 ? start(*words[i], -1, between.ends[1], complaint, false, children[i])
                             : start(*words[i], between.ends[0], -1, complaint, false, children[i]);
    if (fault != 0) children[i] = 0, answers[i] = {-1, "", cannotStart((*words[i])[0], fault)};
    between.closeEnd(1 - i);
  }
  for (const int i : {0, 1}) {
    int status = 0;
    if (children[i] > 0) waitpid(children[i], &status, 0), answers[i].code = exitCodeOf(status);
    if (complaints[i]) answers[i].complaint += takeAll(complaints[i]);
  }
  if (children[0] == 0) return answers[0];  // it could not start: no wonder what came of the second
  return answers[1].code != 0 || answers[0].code == 0 ? answers[1] : answers[0];
}

std::vector<ChildAnswer> callSideBySide(const std::vector<std::vector<std::string>>& calls, bool talk,
                                        const std::function<bool()>& stop) {
  constexpr int kMostWait = 50;  // ms between two looks at `stop`
  struct Child {
    pid_t id = 0;
    std::FILE* out = nullptr;  ///< what it prints, which may be more than a pipe holds
  };
  std::vector<ChildAnswer> answers(calls.size());
  std::vector<Child> children(calls.size());
  std::size_t running = 0;
  for (std::size_t c = 0; c < calls.size(); ++c) {
    if (!talk) children[c].out = std::tmpfile();
    const int fault =
        start(calls[c], -1, children[c].out ? fileno(children[c].out) : -1, -1, true, children[c].id);
    if (fault != 0) answers[c] = {-1, "", cannotStart(calls[c][0], fault)}, children[c].id = 0;
    running += fault == 0;
  }
  std::vector<pollfd> ends;  // become readable when a child has ended
  for (const Child& child : children)
    ends.push_back({child.id > 0 ? int(syscall(SYS_pidfd_open, child.id, 0)) : -1, POLLIN, 0});
  for (bool told = false; running > 0;) {
    if (!told && stop()) {
      told = true;
      for (const Child& child : children)
        if (child.id > 0) kill(child.id, SIGINT);
    }
    for (std::size_t c = 0; c < calls.size(); ++c) {
      int status = 0;
      if (children[c].id <= 0 || waitpid(children[c].id, &status, WNOHANG) != children[c].id) continue;
      children[c].id = 0, --running;
      if (ends[c].fd >= 0) close(std::exchange(ends[c].fd, -1));
      answers[c].code = exitCodeOf(status);
      if (answers[c].code < 0)
        answers[c].complaint =
            WIFSIGNALED(status) ? std::string("killed: ") + strsignal(WTERMSIG(status)) : "killed";
    }
    poll(ends.data(), ends.size(), kMostWait);
  }
  for (std::size_t c = 0; c < calls.size(); ++c)
    if (children[c].out) answers[c].out = takeAll(children[c].out);
  return answers;
}

TalkingChild::TalkingChild(const std::vector<std::string>& words) : complaint_(std::tmpfile()) {
  Pipe in, out;
  const int fault = start(words, in.ends[0], out.ends[1], complaint_ ? fileno(complaint_) : -1, true, id_);
  if (fault != 0) {
    if (complaint_) std::fclose(complaint_);
    throw Error(words[0] + " cannot be started", std::strerror(fault), "install it, or put it on the PATH",
                ErrorKind::unavailable);
  }
  input_ = std::exchange(in.ends[1], -1);
  output_ = std::exchange(out.ends[0], -1);
  fcntl(input_, F_SETFL, O_NONBLOCK);
}

TalkingChild::~TalkingChild() { end(); }

void TalkingChild::closeInput() {
  if (input_ >= 0) close(std::exchange(input_, -1));
}

void TalkingChild::interrupt() const {
  if (id_ > 0) kill(id_, SIGINT);
}

ChildAnswer TalkingChild::end() {
  closeInput();
  if (output_ >= 0) close(std::exchange(output_, -1));
  if (id_ > 0) {
    constexpr int kPatience = 2000;  // ms in which it may end by itself, and say why
    pollfd ended{int(syscall(SYS_pidfd_open, id_, 0)), POLLIN, 0};
    if (ended.fd < 0 || poll(&ended, 1, kPatience) == 0) kill(id_, SIGTERM);
    if (ended.fd >= 0) close(ended.fd);
    int status = 0;
    while (waitpid(id_, &status, 0) < 0 && errno == EINTR) {
    }
    id_ = 0;
    answer_.code = exitCodeOf(status);
  }
  if (complaint_) answer_.complaint = takeAll(std::exchange(complaint_, nullptr));
  return answer_;
}

}  // namespace sulcus::app::cli
