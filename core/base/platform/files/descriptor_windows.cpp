#include "core/base/platform/files/descriptor.h"
#include "core/base/platform/windows_errors.h"

#include <algorithm>
#include <array>

#include <aclapi.h>
#include <fcntl.h>

namespace sulcus {
namespace {

namespace fs = std::filesystem;

/// Others may read, write, rename and remove the file meanwhile, as on other systems.
constexpr DWORD kShared = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;

HANDLE opened(const fs::path& path, DWORD access, DWORD how, Links links) noexcept {
  const DWORD flags = FILE_ATTRIBUTE_NORMAL | FILE_FLAG_BACKUP_SEMANTICS |  // the last flag allows opening
                                                                            // folders
                      (links == Links::refused ? FILE_FLAG_OPEN_REPARSE_POINT : 0);
  return CreateFileW(path.c_str(), access, kShared, nullptr, how, flags, nullptr);
}

bool isLink(HANDLE file) noexcept {
  BY_HANDLE_FILE_INFORMATION about{};
  return GetFileInformationByHandle(file, &about) && (about.dwFileAttributes & FILE_ATTRIBUTE_REPARSE_POINT);
}

int descriptorOf(HANDLE file, Links links, int flags) noexcept {
  int descriptor = -1;
  if (file == INVALID_HANDLE_VALUE) {
    errno = errnoOfWindows();
  } else if (links == Links::refused && isLink(file)) {
    CloseHandle(file);
    errno = ELOOP;
  } else {
    descriptor = _open_osfhandle(reinterpret_cast<std::intptr_t>(file), flags | _O_BINARY | _O_NOINHERIT);
    if (descriptor < 0) CloseHandle(file);
  }
  return descriptor;
}

/// Whether the user of this process owns the file.
bool isOfThisUser(HANDLE file) noexcept {
  std::array<char, 256> user{};
  HANDLE token = nullptr;
  DWORD bytes = 0;
  if (!OpenProcessToken(GetCurrentProcess(), TOKEN_QUERY, &token)) return false;
  const bool known = GetTokenInformation(token, TokenUser, user.data(), DWORD(user.size()), &bytes);
  CloseHandle(token);
  PSID owner = nullptr;
  PSECURITY_DESCRIPTOR security = nullptr;
  if (!known || GetSecurityInfo(file, SE_FILE_OBJECT, OWNER_SECURITY_INFORMATION, &owner, nullptr, nullptr,
                                nullptr, &security) != ERROR_SUCCESS)
    return false;
  const bool is = EqualSid(owner, reinterpret_cast<const TOKEN_USER*>(user.data())->User.Sid);
  LocalFree(security);
  return is;
}

std::uint64_t joined(DWORD high, DWORD low) noexcept { return std::uint64_t(high) << 32 | low; }

FileStatus::Kind kindOf(DWORD attributes) noexcept {
  if (attributes & FILE_ATTRIBUTE_REPARSE_POINT) return FileStatus::Kind::other;
  return attributes & FILE_ATTRIBUTE_DIRECTORY ? FileStatus::Kind::folder : FileStatus::Kind::file;
}

std::optional<FileStatus> known(HANDLE at) noexcept {
  BY_HANDLE_FILE_INFORMATION about{};
  if (GetFileType(at) != FILE_TYPE_DISK || !GetFileInformationByHandle(at, &about)) {
    errno = errnoOfWindows();
    return GetFileType(at) == FILE_TYPE_UNKNOWN ? std::nullopt
                                                : std::optional(FileStatus{.kind = FileStatus::Kind::other});
  }
  constexpr std::int64_t kFrom1601 = 116'444'736'000'000'000;  // from 1601 to 1970, in 100 ns
  return FileStatus{
      kindOf(about.dwFileAttributes),
      about.dwVolumeSerialNumber,
      joined(about.nFileIndexHigh, about.nFileIndexLow),
      joined(about.nFileSizeHigh, about.nFileSizeLow),
      (std::int64_t(joined(about.ftLastWriteTime.dwHighDateTime, about.ftLastWriteTime.dwLowDateTime)) -
       kFrom1601) *
          100,
      isOfThisUser(at)};
}

/// Transfers the bytes by `some`, as many at a time as the system can count, until it transfers none. Returns
/// their number, or the negative error number.
template <class Byte, class Some>
std::ptrdiff_t moved(int descriptor, std::span<Byte> bytes, std::uint64_t position,
                     const Some& some) noexcept {
  constexpr std::size_t kMost = 1 << 30;
  std::size_t done = 0;
  while (done < bytes.size()) {
    OVERLAPPED at{};
    at.Offset = DWORD(position + done);
    at.OffsetHigh = DWORD((position + done) >> 32);
    DWORD count = 0;
    if (!some(handleOf(descriptor), bytes.data() + done, DWORD(std::min(kMost, bytes.size() - done)), &count,
              &at)) {
      if (GetLastError() == ERROR_HANDLE_EOF) break;
      return -errnoOfWindows();
    }
    if (count == 0) break;
    done += count;
  }
  return std::ptrdiff_t(done);
}

}  // namespace

int openToRead(const fs::path& path, Links links) noexcept {
  return descriptorOf(opened(path, GENERIC_READ, OPEN_EXISTING, links), links, _O_RDONLY);
}

int openToWrite(const fs::path& path, Links links) noexcept {
  const int descriptor =
      descriptorOf(opened(path, GENERIC_READ | GENERIC_WRITE, OPEN_ALWAYS, links), links, _O_RDWR);
  if (descriptor >= 0) emptyFile(descriptor);
  return descriptor;
}

int openNew(const fs::path& path) noexcept {
  // DELETE allows renaming it while it is open.
  return descriptorOf(opened(path, GENERIC_READ | GENERIC_WRITE | DELETE, CREATE_NEW, Links::refused),
                      Links::refused, _O_RDWR);
}

int openToLock(const fs::path& path, bool make) noexcept {
  return descriptorOf(
      opened(path, GENERIC_READ | GENERIC_WRITE, make ? OPEN_ALWAYS : OPEN_EXISTING, Links::refused),
      Links::refused, _O_RDWR);
}

int closeDescriptor(int descriptor) noexcept { return _close(descriptor) == 0 ? 0 : errno; }

std::ptrdiff_t readAt(int descriptor, std::span<char> to, std::uint64_t position) noexcept {
  const std::ptrdiff_t count = moved(descriptor, to, position, ReadFile);
  if (count < 0) errno = int(-count);
  return std::max<std::ptrdiff_t>(-1, count);
}

int writeAll(int descriptor, std::span<const char> bytes) noexcept {
  while (!bytes.empty()) {
    const int count =
        _write(descriptor, bytes.data(), unsigned(std::min<std::size_t>(bytes.size(), 1 << 30)));
    if (count <= 0) return count < 0 ? errno : ENOSPC;
    bytes = bytes.subspan(std::size_t(count));
  }
  return 0;
}

int writeAllAt(int descriptor, std::span<const char> bytes, std::uint64_t position) noexcept {
  // Writing at a position moves the file pointer, so it is restored.
  const auto next = _lseeki64(descriptor, 0, SEEK_CUR);
  const std::ptrdiff_t count = moved(descriptor, bytes, position, WriteFile);
  if (next >= 0) _lseeki64(descriptor, next, SEEK_SET);
  if (count < 0) return int(-count);
  return count == std::ptrdiff_t(bytes.size()) ? 0 : ENOSPC;
}

int emptyFile(int descriptor) noexcept { return _chsize_s(descriptor, 0); }

int flushToDisk(int descriptor) noexcept {
  return FlushFileBuffers(handleOf(descriptor)) || GetLastError() == ERROR_INVALID_FUNCTION
             ? 0
             : errnoOfWindows();
}

int flushToDisk(const fs::path& path) noexcept {
  std::error_code fault;
  if (fs::is_directory(path, fault)) return 0;  // Windows flushes folders itself
  const HANDLE file = opened(path, GENERIC_WRITE, OPEN_EXISTING, Links::followed);
  if (file == INVALID_HANDLE_VALUE) return errnoOfWindows();
  const int code = FlushFileBuffers(file) ? 0 : errnoOfWindows();
  CloseHandle(file);
  return code;
}

std::optional<FileStatus> statusOf(int descriptor) noexcept {
  const HANDLE file = handleOf(descriptor);
  if (file != INVALID_HANDLE_VALUE) return known(file);
  errno = EBADF;
  return std::nullopt;
}

std::optional<FileStatus> statusOf(const fs::path& path, Links links) noexcept {
  const HANDLE file = opened(path, FILE_READ_ATTRIBUTES | READ_CONTROL, OPEN_EXISTING, links);
  if (file == INVALID_HANDLE_VALUE) {
    errno = errnoOfWindows();
    return std::nullopt;
  }
  const auto status = known(file);
  CloseHandle(file);
  return status;
}

bool isStillAt(int descriptor, const fs::path& path) noexcept {
  const auto opened = statusOf(descriptor), there = statusOf(path, Links::refused);
  return opened && there && opened->number == there->number && opened->device == there->device;
}

void keepNewFilesPrivate() noexcept {}  // a user's folders are private on Windows

}  // namespace sulcus
