#include "core/base/platform/files/file_lock.h"

#include <cerrno>

#include <fcntl.h>
#include <sys/file.h>

namespace sulcus {

Lock tryLock(int descriptor) noexcept {
  if (flock(descriptor, LOCK_EX | LOCK_NB) == 0) return Lock::taken;
  return errno == EWOULDBLOCK ? Lock::others : Lock::none;
}

Lock awaitLock(int descriptor) noexcept { return flock(descriptor, LOCK_EX) == 0 ? Lock::taken : Lock::none; }

Lock tryLockByte(int descriptor, std::uint64_t position) noexcept {
  struct flock lock = {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  lock.l_start = off_t(position);
  lock.l_len = 1;
#ifdef F_OFD_SETLK
  constexpr int kOfDescriptor = F_OFD_SETLK;
#else
  constexpr int kOfDescriptor = F_SETLK;  // locks belong to the process
#endif
  if (fcntl(descriptor, kOfDescriptor, &lock) == 0) return Lock::taken;
  return errno == EAGAIN || errno == EACCES ? Lock::others : Lock::none;
}

}  // namespace sulcus
