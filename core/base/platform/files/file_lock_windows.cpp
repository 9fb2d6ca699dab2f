#include "core/base/platform/files/file_lock.h"
#include "core/base/platform/windows_errors.h"

namespace sulcus {
namespace {

/// Locks are on bytes, which nobody else can read then; no file reaches this one.
constexpr std::uint64_t kOfWhole = std::uint64_t(1) << 62 | 1;

Lock locked(int descriptor, std::uint64_t position, DWORD flags) noexcept {
  OVERLAPPED at{};
  at.Offset = DWORD(position);
  at.OffsetHigh = DWORD(position >> 32);
  if (LockFileEx(handleOf(descriptor), LOCKFILE_EXCLUSIVE_LOCK | flags, 0, 1, 0, &at)) return Lock::taken;
  const DWORD why = GetLastError();
  return why == ERROR_LOCK_VIOLATION || why == ERROR_IO_PENDING ? Lock::others : Lock::none;
}

}  // namespace

Lock tryLock(int descriptor) noexcept { return locked(descriptor, kOfWhole, LOCKFILE_FAIL_IMMEDIATELY); }
Lock awaitLock(int descriptor) noexcept { return locked(descriptor, kOfWhole, 0); }
Lock tryLockByte(int descriptor, std::uint64_t position) noexcept {
  return locked(descriptor, position, LOCKFILE_FAIL_IMMEDIATELY);
}

}  // namespace sulcus
