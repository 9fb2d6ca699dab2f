#include "core/base/platform/processes/standard_streams.h"

#include <cerrno>
#include <csignal>
#include <initializer_list>

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

namespace sulcus {

void prepareStandardStreams() {
  for (const int ignored : {SIGXFSZ, SIGPIPE}) std::signal(ignored, SIG_IGN);
  // Opened in the wrong direction, so that using a closed stream still fails. The lowest free number is
  // taken.
  for (const int stream : {kStandardInput, kStandardOutput, kStandardError})
    if (fcntl(stream, F_GETFD) < 0) open("/dev/null", stream == kStandardInput ? O_WRONLY : O_RDONLY);
}

bool isTerminal(int stream) noexcept { return isatty(stream) == 1; }

bool nobodyReads(int stream) noexcept {
  pollfd output{stream, 0, 0};
  return poll(&output, 1, 0) == 1 && (output.revents & POLLERR) != 0;
}

int redirect(int stream, const std::filesystem::path& file) noexcept {
  const int to = open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (to < 0) return errno;
  const int fault = dup2(to, stream) < 0 ? errno : 0;
  close(to);
  return fault;
}

}  // namespace sulcus
