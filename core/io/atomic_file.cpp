#include "core/io/atomic_file.h"

#include "core/base/error.h"
#include "core/io/byte_source.h"
#include "core/io/files.h"

#include <atomic>
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

[[noreturn]] void failExists(const fs::path& file) {
  throw Error(quoted(file) + " exists already", "it would be lost",
              "choose another name, or allow overwriting");
}

/// Everything written to `path` (a file or folder) reaches the disk; returns errno or 0.
int flushToDisk(const fs::path& path) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return errno;
  const int code = fsync(descriptor) == 0 || errno == EINVAL ? 0 : errno;
  close(descriptor);
  return code;
}

}  // namespace

void failWriting(const fs::path& file, int code) {
  const char* const remedy = code == ENOSPC || code == EDQUOT ? "free some space or choose another disk"
                             : code == EACCES || code == EPERM || code == EROFS
                                 ? "choose a folder you may write to"
                             : code == ENOENT       ? "make the folder first or choose another"
                             : code == ENAMETOOLONG ? "choose a shorter name"
                                                    : "check the disk or choose another folder";
  throw Error("Cannot write " + quoted(file), std::strerror(code), remedy);
}

AtomicFile::AtomicFile(const fs::path& file, bool overwrite) : file_(file), overwrite_(overwrite) {
  static std::atomic<unsigned> counter{0};
  std::error_code fault;
  const auto status = fs::symlink_status(file, fault);
  if (fs::is_directory(fs::status(file, fault)))
    throw Error(quoted(file) + " is a folder", "a file cannot take its place", "choose another name");
  if (fs::exists(status) && !overwrite) failExists(file);
  // The whole extension is kept ("nii.gz"): writers choose the format by it.
  const std::string name = file.filename().string();
  temporary_ = file.parent_path() /
               (".part-" + std::to_string(getpid()) + "-" + std::to_string(counter++) + "-" + name);
  const int descriptor = open(temporary_.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
  if (descriptor < 0) failWriting(file, errno);
  close(descriptor);
}

AtomicFile::~AtomicFile() {
  if (temporary_.empty()) return;
  std::error_code ignored;
  fs::remove(temporary_, ignored);
}

void AtomicFile::commit() {
  if (const int code = flushToDisk(temporary_)) failWriting(file_, code);
  int result = 0;
  if (overwrite_) {
    result = std::rename(temporary_.c_str(), file_.c_str());
  } else {
    result = renameat2(AT_FDCWD, temporary_.c_str(), AT_FDCWD, file_.c_str(), RENAME_NOREPLACE);
    if (result != 0 && (errno == EINVAL || errno == ENOSYS) &&
        !fs::exists(file_))  // not every file system can
      result = std::rename(temporary_.c_str(), file_.c_str());
  }
  if (result != 0 && errno == EEXIST) failExists(file_);
  if (result != 0) failWriting(file_, errno);
  temporary_.clear();
  flushToDisk(file_.has_parent_path() ? file_.parent_path() : fs::path("."));
}

void AtomicFile::write(const std::string& bytes) {
  std::FILE* const out = std::fopen(temporary_.c_str(), "wb");
  if (!out) failWriting(file_, errno);
  errno = 0;
  const bool written = std::fwrite(bytes.data(), 1, bytes.size(), out) == bytes.size();
  const int writeCode = errno;
  if (std::fclose(out) != 0) failWriting(file_, errno);
  if (!written) failWriting(file_, writeCode);
}

void writeFile(const fs::path& file, const std::string& bytes, bool overwrite) {
  AtomicFile target(file, overwrite);
  target.write(bytes);
  target.commit();
}

}  // namespace sulcus::io
