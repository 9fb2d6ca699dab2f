#include "app/remote/wire.h"

#include "core/base/error.h"
#include "core/io/streams/atomic_file.h"
#include "core/io/streams/byte_source.h"
#include "core/io/streams/file_json.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

namespace sulcus::app::remote {
namespace {

constexpr int kMostWait = 50;                           // ms between two looks at `stop`
constexpr std::size_t kPart = 1 << 18;                  // bytes of a file at a time
constexpr std::size_t kLongestLine = 64 * 1024 * 1024;  // more is no message of ours

}  // namespace

Wire::Wire(int in, int out, std::function<bool()> stop) : in_(in), out_(out), stop_(std::move(stop)) {}

void Wire::write(const char* bytes, std::size_t count) {
  while (count > 0) {
    if (stop_()) throw Cancelled();
    pollfd room{out_, POLLOUT, 0};
    if (poll(&room, 1, kMostWait) <= 0) continue;
    const ssize_t written = ::write(out_, bytes, count);
    if (written < 0 && (errno == EAGAIN || errno == EINTR)) continue;
    if (written <= 0) throw BrokenLine();
    bytes += written, count -= std::size_t(written);
  }
}

void Wire::send(const Json& message) {
  const std::string line = io::jsonText(message, -1);  // ends with a newline
  write(line.data(), line.size());
}

void Wire::sendFile(const std::filesystem::path& file, std::uint64_t bytes, const Progress& progress) {
  if (bytes == 0) return;
  const io::DataFile data = io::openData(file);
  std::vector<char> part(kPart);
  for (std::uint64_t sent = 0; sent < bytes;) {
    const auto count = std::size_t(std::min<std::uint64_t>(part.size(), bytes - sent));
    data.read(sent, {part.data(), count});
    write(part.data(), count);
    sent += count;
    progress.update(double(sent) / double(bytes));
  }
}

bool Wire::isWaiting(int milliseconds) const {
  if (pending_.find('\n') != std::string::npos) return true;
  pollfd there{in_, POLLIN, 0};
  return poll(&there, 1, milliseconds) > 0;
}

void Wire::fill() {
  pollfd there{in_, POLLIN, 0};
  for (int ready = 0; ready <= 0;) {
    if (stop_()) throw Cancelled();
    ready = poll(&there, 1, kMostWait);
    if (ready < 0 && errno != EINTR) throw BrokenLine();  // a signal is no news from the other side
  }
  std::array<char, 65536> part;
  const ssize_t count = read(in_, part.data(), part.size());
  if (count < 0 && errno == EINTR) return;
  if (count <= 0) throw BrokenLine();
  pending_.append(part.data(), std::size_t(count));
}

Wire::Json Wire::receive() {
  for (;;) {
    const auto end = pending_.find('\n');
    if (end == std::string::npos) {
      if (pending_.size() > kLongestLine) throw BrokenLine();
      fill();
      continue;
    }
    const std::string line = pending_.substr(0, end);
    pending_.erase(0, end + 1);
    if (line.starts_with('{')) return io::parseJson(line, "what the other machine says");
  }
}

void Wire::receiveFile(const std::filesystem::path& file, std::uint64_t bytes, const Progress& progress) {
  std::error_code fault;
  const auto room = std::filesystem::space(file.parent_path().empty() ? "." : file.parent_path(), fault);
  if (!fault && bytes > room.available)
    throw Error(
        "There is no room for " + io::quoted(file),
        io::byteText(double(bytes)) + " are announced, " + io::byteText(double(room.available)) + " are free",
        "free some space, or write to another disk");
  const int to = open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666);
  if (to < 0) io::failWriting(file, errno);
  struct Closing {
    int descriptor;
    ~Closing() { close(descriptor); }
  } const closing{to};
  for (std::uint64_t left = bytes; left > 0;) {
    if (pending_.empty()) fill();
    const auto count = std::size_t(std::min<std::uint64_t>(pending_.size(), left));
    for (std::size_t done = 0; done < count;) {
      const ssize_t written = ::write(to, pending_.data() + done, count - done);
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) io::failWriting(file, errno);
      done += std::size_t(written);
    }
    pending_.erase(0, count);
    left -= count;
    progress.update(1 - double(left) / double(bytes));
  }
}

}  // namespace sulcus::app::remote
