#include "core/base/platform/files/file_places.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>

#include <fcntl.h>
#include <sys/stat.h>
#ifndef __APPLE__
#include <sys/xattr.h>
#endif
#include <unistd.h>

namespace sulcus {
namespace fs = std::filesystem;

namespace {

#ifdef __APPLE__
int renameWithout(const fs::path& from, const fs::path& to) {
  return renamex_np(from.c_str(), to.c_str(), RENAME_EXCL);
}
int exchange(const fs::path& one, const fs::path& other) {
  return renamex_np(one.c_str(), other.c_str(), RENAME_SWAP);
}
/// macOS keeps access control lists elsewhere; a folder that may have some is not exchanged.
bool hasAccessLists(const fs::path&) { return true; }
#else
int renameWithout(const fs::path& from, const fs::path& to) {
  return renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE);
}
int exchange(const fs::path& one, const fs::path& other) {
  return renameat2(AT_FDCWD, one.c_str(), AT_FDCWD, other.c_str(), RENAME_EXCHANGE);
}
bool hasAccessLists(const fs::path& folder) {
  for (const char* list : {"system.posix_acl_access", "system.posix_acl_default"})
    if (getxattr(folder.c_str(), list, nullptr, 0) > 0) return true;
  return false;
}
#endif

}  // namespace

fs::path homeFolder() {
  const char* const home = std::getenv("HOME");
  return home ? home : "";
}

int renameTo(const fs::path& from, const fs::path& to, bool replace) {
  if (replace) return std::rename(from.c_str(), to.c_str()) == 0 ? 0 : errno;
  if (renameWithout(from, to) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS && errno != ENOTSUP) return errno;
  std::error_code fault;  // not supported by the file system
  return fs::exists(fs::symlink_status(to, fault)) ? EEXIST : renameTo(from, to, true);
}

int exchangePlaces(const fs::path& one, const fs::path& other) noexcept {
  return exchange(one, other) == 0 ? 0 : errno;
}

bool permitAs(const fs::path& fresh, const fs::path& folder) noexcept {
  struct stat wanted = {}, is = {};
  if (stat(folder.c_str(), &wanted) != 0 || stat(fresh.c_str(), &is) != 0) return false;
  if (hasAccessLists(folder)) return false;
  if ((is.st_uid != wanted.st_uid || is.st_gid != wanted.st_gid) &&
      chown(fresh.c_str(), wanted.st_uid, wanted.st_gid) != 0)
    return false;
  return chmod(fresh.c_str(), wanted.st_mode & 07777) == 0;
}

int writableFolder(const fs::path& folder) noexcept {
  return access(folder.c_str(), W_OK | X_OK) == 0 ? 0 : errno;
}

bool isOutOfRoom(int code) noexcept { return code == ENOSPC || code == EDQUOT || code == EFBIG; }

bool isProgram(const fs::path& file) noexcept { return access(file.c_str(), X_OK) == 0; }

}  // namespace sulcus
