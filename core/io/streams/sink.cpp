#include "core/io/streams/sink.h"

#include "core/io/streams/atomic_file.h"

#include <algorithm>
#include <cerrno>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

namespace sulcus::io {

Sink::Sink(const std::filesystem::path& to, const std::filesystem::path& file, const Progress& progress)
    : file_(file),
      progress_(progress),
      descriptor_(open(to.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)) {
  if (descriptor_ < 0) failWriting(file, errno);
}

Sink::~Sink() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void Sink::put(std::span<const char> bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(descriptor_, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) failWriting(file_, count < 0 ? errno : EIO);
    bytes = bytes.subspan(std::size_t(count));
    written_ += std::uint64_t(count);
  }
}

void Sink::write(std::span<const char> bytes) {
  const std::size_t most = deflater_ ? BlockDeflater::kTogether : std::size_t(1) << 20;
  for (std::size_t done = 0; done < bytes.size();) {
    progress_.update(double(done) / double(bytes.size()));
    const auto chunk = bytes.subspan(done, std::min(bytes.size() - done, most));
    if (deflater_)
      deflater_->append(chunk);
    else
      put(chunk);
    done += chunk.size();
  }
}

void Sink::deflateRest(Wrapper wrapper) {
  deflater_.emplace(wrapper, [this](std::span<const char> bytes) { put(bytes); });
}

void Sink::endDeflate() {
  if (deflater_) deflater_->finish();
  deflater_.reset();
}

void Sink::replace(std::uint64_t position, std::string_view text) {
  if (pwrite(descriptor_, text.data(), text.size(), off_t(position)) != ssize_t(text.size()))
    failWriting(file_, errno);
}

void Sink::close() {
  endDeflate();
  if (::close(std::exchange(descriptor_, -1)) != 0) failWriting(file_, errno);
}

}  // namespace sulcus::io
