#include "app/cli/child.h"

#include <array>
#include <cstring>

#include <fcntl.h>
#include <spawn.h>
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

}  // namespace

ChildAnswer callProgram(const std::vector<std::string>& words) {
  std::vector<char*> arguments;
  for (const auto& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  Pipe out, complaint;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, out.ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, complaint.ends[1], STDERR_FILENO);
  pid_t child = 0;
  const int fault = posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  out.closeEnd(1), complaint.closeEnd(1);
  if (fault != 0) return {-1, "", words[0] + " cannot be started: " + std::strerror(fault)};
  ChildAnswer answer{0, out.all(), complaint.all()};
  int status = 0;
  waitpid(child, &status, 0);
  answer.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return answer;
}

}  // namespace sulcus::app::cli
