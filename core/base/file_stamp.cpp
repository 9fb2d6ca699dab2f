#include "core/base/file_stamp.h"

#include "core/base/platform/files/descriptor.h"

namespace sulcus {

FileStamp stampOf(const std::filesystem::path& file) noexcept {
  const auto status = statusOf(file);
  if (!status || status->kind != FileStatus::Kind::file) return {};
  return {status->device, status->number, status->bytes, status->written};
}

}  // namespace sulcus
