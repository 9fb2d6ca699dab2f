#include "core/base/file_stamp.h"

#include <sys/stat.h>

namespace sulcus {

FileStamp stampOf(const std::filesystem::path& file) noexcept {
  struct stat status = {};
  if (stat(file.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return {};
  return {std::uint64_t(status.st_dev), std::uint64_t(status.st_ino), std::uint64_t(status.st_size),
          std::int64_t(status.st_mtim.tv_sec) * 1'000'000'000 + status.st_mtim.tv_nsec};
}

}  // namespace sulcus
