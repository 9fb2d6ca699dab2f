#include "core/base/error.h"
#include "core/base/platform/files/descriptor.h"
#include "core/base/platform/files/memory_file.h"
#include "core/base/platform/windows_errors.h"

#include <array>
#include <cstring>
#include <string>

namespace sulcus {

// The system has no memory files, so a temporary one is used, which the system keeps in memory as long as it
// can.
MemoryFile::MemoryFile(const char* name, std::string_view bytes) : descriptor_(-1) {
  std::array<wchar_t, MAX_PATH + 1> folder{}, file{};
  GetTempPathW(DWORD(folder.size()), folder.data());
  int fault = GetTempFileNameW(folder.data(), L"slc", 0, file.data()) ? 0 : errnoOfWindows();
  if (fault == 0) descriptor_ = openToWrite(file.data());
  if (fault == 0) fault = descriptor_ < 0 ? errno : writeAll(descriptor_, bytes);
  if (fault == 0) return;
  if (descriptor_ >= 0) closeDescriptor(descriptor_);
  DeleteFileW(file.data());
  throw Error(std::string("There is no memory for ") + name, std::strerror(fault), "close other programs",
              ErrorKind::unavailable);
}

MemoryFile::~MemoryFile() {
  const std::filesystem::path file = path();
  closeDescriptor(descriptor_);
  DeleteFileW(file.c_str());
}

std::filesystem::path MemoryFile::path() const {
  std::array<wchar_t, 4096> path{};
  GetFinalPathNameByHandleW(handleOf(descriptor_), path.data(), DWORD(path.size()), FILE_NAME_NORMALIZED);
  return path.data();
}

}  // namespace sulcus
