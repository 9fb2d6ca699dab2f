#include "core/base/platform/files/descriptor.h"
#include "core/base/platform/files/memory_file.h"
#include "core/base/platform/windows_errors.h"

#include <array>
#include <cerrno>

namespace sulcus::detail {

// The system has no memory files, so a temporary one is used, which the system keeps in memory as long as it
// can.
int createMemoryFile(const char*) {
  std::array<wchar_t, MAX_PATH + 1> folder{}, file{};
  GetTempPathW(DWORD(folder.size()), folder.data());
  if (!GetTempFileNameW(folder.data(), L"slc", 0, file.data())) {
    errno = errnoOfWindows();
    return -1;
  }
  const int descriptor = openToWrite(file.data());
  if (descriptor < 0) DeleteFileW(file.data());
  return descriptor;
}

std::filesystem::path pathOfMemoryFile(int descriptor) {
  std::array<wchar_t, 4096> path{};
  GetFinalPathNameByHandleW(handleOf(descriptor), path.data(), DWORD(path.size()), FILE_NAME_NORMALIZED);
  return path.data();
}

void closeMemoryFile(int descriptor) {
  const std::filesystem::path file = pathOfMemoryFile(descriptor);
  closeDescriptor(descriptor);
  DeleteFileW(file.c_str());
}

}  // namespace sulcus::detail
