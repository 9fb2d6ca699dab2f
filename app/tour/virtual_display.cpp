#include "app/tour/virtual_display.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <string>

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace sulcus::app::tour {
namespace {

constexpr int kStartMilliseconds = 30000;

/// The first line that comes through a pipe; "" where none comes in time.
std::string lineFrom(int pipe) {
  std::string line;
  pollfd ready{pipe, POLLIN, 0};
  while (poll(&ready, 1, kStartMilliseconds) > 0) {
    char c = 0;
    const ssize_t got = read(pipe, &c, 1);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return {};
    if (c == '\n') return line;
    line += c;
  }
  return {};
}

}  // namespace

bool VirtualDisplay::isNeeded() {
  for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"})
    if (const char* value = std::getenv(name); value && *value) return false;
  return true;
}

VirtualDisplay::VirtualDisplay() {
  int number[2];
  if (pipe(number) != 0) return;
  fcntl(number[0], F_SETFD, FD_CLOEXEC);
  const std::string end = std::to_string(number[1]);
  const pid_t parent = getpid();
  server_ = fork();
  if (server_ == 0) {
    prctl(PR_SET_PDEATHSIG, SIGTERM);  // a program that is killed leaves no server behind
    if (getppid() != parent) _exit(1);
    if (const int quiet = open("/dev/null", O_RDWR); quiet >= 0)
      for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(quiet, stream);
    execlp("Xvfb", "Xvfb", "-displayfd", end.c_str(), "-screen", "0", "4096x4096x24", "-nolisten", "tcp",
           static_cast<char*>(nullptr));
    _exit(127);  // it is not installed
  }
  close(number[1]);
  const std::string display = server_ > 0 ? lineFrom(number[0]) : std::string();
  close(number[0]);
  if (!display.empty()) setenv("DISPLAY", (":" + display).c_str(), 1);
}

VirtualDisplay::~VirtualDisplay() {
  if (server_ <= 0) return;
  kill(server_, SIGTERM);
  while (waitpid(server_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

}  // namespace sulcus::app::tour
