#include "core/io/streams/atomic_file.h"

#include "core/base/error.h"
#include "core/io/files.h"
#include "core/io/streams/byte_source.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace sulcus::io {
namespace {

namespace fs = std::filesystem;

/// Checks that a file may be made, and removes what killed runs left of it.
const fs::path& checked(const fs::path& file, bool overwrite) {
  requireReplaceable(file);
  std::error_code fault;
  if (fs::exists(fs::symlink_status(file, fault)) && !overwrite) failExists(file);
  forEachAbandoned(file.parent_path(), file.filename(), [](const fs::path& left) {
    std::error_code ignored;
    if (fs::is_regular_file(fs::symlink_status(left, ignored))) fs::remove(left, ignored);
  });
  return file;
}

/// What to do about an error of writing.
const char* writingRemedy(int code) {
  switch (code) {
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
      return "free some space or choose another disk";
    case EACCES:
    case EPERM:
    case EROFS:
      return "choose a folder you may write to";
    case ENOENT:
      return "make the folder first or choose another";
    case ENAMETOOLONG:
      return "choose a shorter name";
    default:
      return "check the disk or choose another folder";
  }
}

}  // namespace

void failWriting(const fs::path& file, int code) {
  throw Error("Cannot write " + (file.has_filename() ? quoted(file) : quotedPath(file)), std::strerror(code),
              writingRemedy(code));
}

void failExists(const fs::path& file) {
  throw Error(quotedPath(file) + " exists already", "nothing is replaced unasked",
              "choose another place, or allow overwriting (--overwrite)");
}

void failFolder(const fs::path& file) {
  throw Error(quotedPath(file) + " is a folder", "a file cannot take its place", "choose another name");
}

void requireReplaceable(const fs::path& file) {
  if (!file.has_filename())
    throw Error(quotedPath(file) + " names no file", file.empty() ? "it is empty" : "it ends in a slash",
                "give the name of a file");
  std::error_code fault;
  const fs::file_status there = fs::status(file, fault);
  if (fs::is_directory(there)) failFolder(file);
  if (fs::exists(there) && !fs::is_regular_file(there))
    throw Error(quotedPath(file) + " is no ordinary file", "it is a device, pipe or socket",
                "choose another name");
}

int flushToDisk(int descriptor) {
  return fsync(descriptor) == 0 || errno == EINVAL ? 0 : errno;  // EINVAL is a file system that cannot flush
}

int flushToDisk(const fs::path& path) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return errno;
  const int code = flushToDisk(descriptor);
  close(descriptor);
  return code;
}

int renameTo(const fs::path& from, const fs::path& to, bool replace) {
  if (replace) return std::rename(from.c_str(), to.c_str()) == 0 ? 0 : errno;
  if (renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS) return errno;
  std::error_code fault;  // the file system cannot do this
  return fs::exists(fs::symlink_status(to, fault)) ? EEXIST : renameTo(from, to, true);
}

AtomicFile::AtomicFile(const fs::path& file, bool overwrite)
    : file_(checked(file, overwrite)),
      overwrite_(overwrite),
      temporary_(file.parent_path(), file.filename(), Temporary::Kind::file) {}

void AtomicFile::write(const std::string& bytes) {
  const int descriptor = temporary_.descriptor();
  if (ftruncate(descriptor, 0) != 0) failWriting(file_, errno);
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t count = pwrite(descriptor, bytes.data() + done, bytes.size() - done, off_t(done));
    if (count == 0) failWriting(file_, ENOSPC);
    if (count < 0 && errno != EINTR) failWriting(file_, errno);
    if (count > 0) done += std::size_t(count);
  }
}

void AtomicFile::commit() {
  if (const int code = flushToDisk(temporary_.descriptor())) failWriting(file_, code);
  requireReplaceable(file_);
  const int code = renameTo(temporary_.path(), file_, overwrite_);
  if (code == EEXIST) failExists(file_);
  if (code != 0) failWriting(file_, code);
  temporary_.keep();
  flushToDisk(file_.has_parent_path() ? file_.parent_path() : fs::path("."));
}

void writeFile(const fs::path& file, const std::string& bytes, bool overwrite) {
  AtomicFile target(file, overwrite);
  target.write(bytes);
  target.commit();
}

}  // namespace sulcus::io
