#include "core/io/dicom/guarded_child.h"

#include "core/base/error.h"
#include "core/base/own_program.h"
#include "core/io/streams/byte_source.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace sulcus::io {
namespace {

constexpr const char* kProgram = "sulcus-dicom";

/// Waits until the socket can be read or written.
void await(int socket, short events, GuardedChild::Clock::time_point deadline, const Progress& progress) {
  while (true) {
    progress.throwIfCancelled();
    if (GuardedChild::Clock::now() > deadline) throw GuardedChild::Late{};
    pollfd ready{socket, events, 0};
    const int count = poll(&ready, 1, 50);
    if (count > 0) return;
    if (count < 0 && errno != EINTR) throw GuardedChild::Lost{};
  }
}

/// Sends or receives all of `bytes` by `move` (send or recv), in pieces that the socket takes.
template <class Byte, class Move>
void transfer(int socket, short events, std::span<Byte> bytes, GuardedChild::Clock::time_point deadline,
              const Progress& progress, const Move& move) {
  while (!bytes.empty()) {
    await(socket, events, deadline, progress);
    const ssize_t count = move(bytes);
    if (count > 0) {
      bytes = bytes.subspan(std::size_t(count));
    } else if (count == 0 || (errno != EAGAIN && errno != EINTR)) {
      throw GuardedChild::Lost{};
    }
  }
}

}  // namespace

void GuardedChild::give(std::span<const char> bytes, Clock::time_point deadline,
                        const Progress& progress) const {
  transfer(socket_, POLLOUT, bytes, deadline, progress,
           [this](auto part) { return send(socket_, part.data(), part.size(), MSG_NOSIGNAL); });
}

void GuardedChild::take(std::span<char> bytes, Clock::time_point deadline, const Progress& progress) const {
  transfer(socket_, POLLIN, bytes, deadline, progress,
           [this](auto part) { return recv(socket_, part.data(), part.size(), 0); });
}

void GuardedChild::end() {
  if (socket_ >= 0) close(socket_);
  if (process_ > 0) {
    kill(process_, SIGKILL);
    while (waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  socket_ = -1;
  process_ = -1;
}

std::string GuardedChild::takeAll(std::size_t most, Clock::time_point deadline, const Progress& progress,
                                  const std::function<void()>& look) {
  std::string all;
  std::array<char, 4096> part;
  while (true) {
    look();
    progress.throwIfCancelled();
    if (Clock::now() > deadline) throw Late{};
    pollfd ready{socket_, POLLIN, 0};
    poll(&ready, 1, 50);
    const ssize_t count = recv(socket_, part.data(), part.size(), 0);
    if (count > 0) all.append(part.data(), std::min(std::size_t(count), most - all.size()));
    if (count == 0 || (count < 0 && errno == ECONNRESET)) break;
    if (count < 0 && errno != EAGAIN && errno != EINTR) throw Lost{};
  }
  // It has closed its output, and ends now unless something holds it.
  const int ending = int(syscall(SYS_pidfd_open, process_, 0));
  pollfd ended{ending, POLLIN, 0};
  while (ending >= 0 && poll(&ended, 1, 50) <= 0)
    if (Clock::now() > deadline) {
      close(ending);
      throw Late{};
    }
  if (ending >= 0) close(ending);
  int status = 0;
  while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  process_ = -1;
  if (!WIFEXITED(status)) throw Lost{};
  return all;
}

void GuardedChild::start(const std::string& what, const std::vector<std::string>& arguments) {
  if (process_ >= 0) return;
  if (program_.empty()) program_ = ownProgram().parent_path() / kProgram;
  if (access(program_.c_str(), X_OK) != 0)
    throw Error(what + " cannot be decoded", "the program " + quoted(program_) + " is not beside this one",
                "build or install Sulcus again", ErrorKind::unavailable);
  int pair[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
    throw Error(what + " cannot be decoded", std::strerror(errno), "close other programs",
                ErrorKind::unavailable);
  socket_ = pair[0];
  fcntl(socket_, F_SETFL, O_NONBLOCK);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, pair[1], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
  // It gets its own process group, so that an interrupt from the keyboard reaches this program only,
  // and the default handling of signals.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setflags(&attributes,
                           POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  std::vector<std::string> words{program_.string()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const int fault = posix_spawn(&process_, argv.front(), &actions, &attributes, argv.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  close(pair[1]);
  if (fault != 0) {
    process_ = -1;
    end();
    throw Error(what + " cannot be decoded", std::strerror(fault), "close other programs",
                ErrorKind::unavailable);
  }
}

}  // namespace sulcus::io
