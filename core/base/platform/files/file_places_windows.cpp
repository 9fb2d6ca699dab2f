#include "core/base/platform/files/file_places.h"
#include "core/base/platform/windows_errors.h"

#include <cstdlib>

namespace sulcus {
namespace fs = std::filesystem;

fs::path homeFolder() {
  for (const char* const name : {"HOME", "USERPROFILE"})
    if (const char* const home = std::getenv(name); home && *home) return home;
  return {};
}

int renameTo(const fs::path& from, const fs::path& to, bool replace) {
  const DWORD how = MOVEFILE_WRITE_THROUGH | (replace ? MOVEFILE_REPLACE_EXISTING : 0);
  return MoveFileExW(from.c_str(), to.c_str(), how) ? 0 : errnoOfWindows();
}

int exchangePlaces(const fs::path&, const fs::path&) noexcept { return ENOTSUP; }
bool permitAs(const fs::path&, const fs::path&) noexcept { return false; }

int writableFolder(const fs::path& folder) noexcept {
  constexpr int kWrite = 2;
  return _waccess(folder.c_str(), kWrite) == 0 ? 0 : errno;
}

bool isOutOfRoom(int code) noexcept { return code == ENOSPC || code == EFBIG; }

bool isProgram(const fs::path& file) noexcept {
  const auto isFile = [](const fs::path& path) {
    const DWORD is = GetFileAttributesW(path.c_str());
    return is != INVALID_FILE_ATTRIBUTES && !(is & FILE_ATTRIBUTE_DIRECTORY);
  };
  return isFile(file) || isFile(fs::path(file).concat(".exe"));
}

}  // namespace sulcus
