#include "core/io/streams/sink.h"

#include "core/base/platform/files/descriptor.h"
#include "core/io/streams/atomic_file.h"

#include <algorithm>
#include <cerrno>
#include <utility>

namespace sulcus::io {

Sink::Sink(const std::filesystem::path& to, const std::filesystem::path& file, const Progress& progress)
    : file_(file), progress_(progress), descriptor_(openToWrite(to)) {
  if (descriptor_ < 0) failWriting(file, errno);
}

Sink::~Sink() {
  if (descriptor_ >= 0) closeDescriptor(descriptor_);
}

void Sink::put(std::span<const char> bytes) {
  if (const int code = writeAll(descriptor_, bytes)) failWriting(file_, code);
  written_ += bytes.size();
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
  if (const int code = writeAllAt(descriptor_, text, position)) failWriting(file_, code);
}

void Sink::close() {
  endDeflate();
  if (const int code = closeDescriptor(std::exchange(descriptor_, -1))) failWriting(file_, code);
}

}  // namespace sulcus::io
