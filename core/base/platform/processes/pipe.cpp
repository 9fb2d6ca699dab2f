#include "core/base/platform/processes/pipe.h"

#include <cerrno>

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace sulcus {
namespace {

int await(int descriptor, short events, int milliseconds) noexcept {
  pollfd ready{descriptor, events, 0};
  const int count = poll(&ready, 1, milliseconds);
  return count < 0 && errno == EINTR ? 0 : count;
}

#ifdef __APPLE__
constexpr int kNoSignal = 0;  // set on the channel itself
void keepFromPrograms(int (&ends)[2]) noexcept {
  for (const int end : ends) fcntl(end, F_SETFD, FD_CLOEXEC);
}
#else
constexpr int kNoSignal = MSG_NOSIGNAL;
#endif

ssize_t orNotNow(ssize_t count) noexcept {
  return count < 0 && (errno == EAGAIN || errno == EINTR) ? 0 : count;
}

}  // namespace

int makePipe(int (&ends)[2]) noexcept {
#ifdef __APPLE__
  if (pipe(ends) != 0) return errno;
  keepFromPrograms(ends);
#else
  if (pipe2(ends, O_CLOEXEC) != 0) return errno;
#endif
  return 0;
}

int makeChannel(int (&ends)[2]) noexcept {
#ifdef __APPLE__
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return errno;
  keepFromPrograms(ends);
  for (const int end : ends) {
    constexpr int kYes = 1;
    setsockopt(end, SOL_SOCKET, SO_NOSIGPIPE, &kYes, sizeof kYes);
  }
#else
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return errno;
#endif
  doNotBlock(ends[0]);
  return 0;
}

void doNotBlock(int descriptor) noexcept { fcntl(descriptor, F_SETFL, O_NONBLOCK); }

int waitToRead(int descriptor, int milliseconds) noexcept { return await(descriptor, POLLIN, milliseconds); }

int waitToWrite(int descriptor, int milliseconds) noexcept {
  return await(descriptor, POLLOUT, milliseconds);
}

std::ptrdiff_t readSome(int descriptor, std::span<char> to) noexcept {
  ssize_t count = 0;
  do count = read(descriptor, to.data(), to.size());
  while (count < 0 && errno == EINTR);
  return count;
}

std::ptrdiff_t writeSome(int descriptor, std::span<const char> bytes) noexcept {
  return orNotNow(write(descriptor, bytes.data(), bytes.size()));
}

std::ptrdiff_t sendSome(int channel, std::span<const char> bytes) noexcept {
  return orNotNow(send(channel, bytes.data(), bytes.size(), kNoSignal));
}

void waitFor(int milliseconds) noexcept { poll(nullptr, 0, milliseconds); }

}  // namespace sulcus
