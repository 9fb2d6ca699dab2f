#include "app/remote/wire.h"

#include "core/base/error.h"
#include "core/base/platform/files/descriptor.h"
#include "core/base/platform/processes/pipe.h"
#include "core/io/streams/atomic_file.h"
#include "core/io/streams/byte_source.h"
#include "core/io/streams/file_json.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>
#include <vector>

namespace sulcus::app::remote {
namespace {

constexpr int kMostWait = 50;                           // ms between two checks of `stop`
constexpr std::size_t kPart = 1 << 18;                  // bytes of a file per transfer
constexpr std::size_t kLongestLine = 64 * 1024 * 1024;  // a longer line is not a message of ours

}  // namespace

Wire::Wire(int in, int out, std::function<bool()> stop) : in_(in), out_(out), stop_(std::move(stop)) {}

void Wire::write(const char* bytes, std::size_t count) {
  while (count > 0) {
    if (stop_()) throw Cancelled();
    if (waitToWrite(out_, kMostWait) <= 0) continue;
    const std::ptrdiff_t written = writeSome(out_, {bytes, count});
    if (written < 0) throw BrokenLine();
    bytes += written;
    count -= std::size_t(written);
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
  return waitToRead(in_, milliseconds) > 0;
}

void Wire::fill() {
  for (int ready = 0; ready == 0;) {
    if (stop_()) throw Cancelled();
    ready = waitToRead(in_, kMostWait);
    if (ready < 0) throw BrokenLine();
  }
  std::array<char, 65536> part;
  const std::ptrdiff_t count = readSome(in_, part);
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
        "There is not enough space for " + io::quoted(file),
        io::byteText(double(bytes)) + " are announced, " + io::byteText(double(room.available)) + " are free",
        "free some space, or write to another disk");
  const int to = openToWrite(file, Links::refused);
  if (to < 0) io::failWriting(file, errno);
  struct Closing {
    int descriptor;
    ~Closing() { closeDescriptor(descriptor); }
  } const closing{to};
  for (std::uint64_t left = bytes; left > 0;) {
    if (pending_.empty()) fill();
    const auto count = std::size_t(std::min<std::uint64_t>(pending_.size(), left));
    if (const int code = writeAll(to, {pending_.data(), count})) io::failWriting(file, code);
    pending_.erase(0, count);
    left -= count;
    progress.update(1 - double(left) / double(bytes));
  }
}

}  // namespace sulcus::app::remote
