#include "core/io/streams/atomic_file.h"

#include "core/base/error.h"
#include "core/base/platform/files/descriptor.h"
#include "core/base/platform/files/file_places.h"
#include "core/io/files.h"
#include "core/io/streams/byte_source.h"

#include <cerrno>
#include <cstring>
#include <system_error>

namespace sulcus::io {
namespace {

namespace fs = std::filesystem;

/// Checks that a file may be created, and removes remnants of killed runs.
const fs::path& checked(const fs::path& file, bool overwrite) {
  requireReplaceable(file);
  std::error_code fault;
  if (fs::exists(fs::symlink_status(file, fault)) && !overwrite) failExists(file);
  forEachAbandoned(file.parent_path(), file.filename().string(), [](const fs::path& left) {
    std::error_code ignored;
    if (fs::is_regular_file(fs::symlink_status(left, ignored))) fs::remove(left, ignored);
  });
  return file;
}

/// What to do about a write error.
const char* writingRemedy(int code) {
  if (isOutOfRoom(code)) return "free some space or choose another disk";
  switch (code) {
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
  throw Error(quotedPath(file) + " exists already", "files are not overwritten by default",
              "choose another place, or allow overwriting ({overwrite})"_message);
}

void requireReplaceable(const fs::path& file) {
  if (!file.has_filename())
    throw Error(quotedPath(file) + " names no file", file.empty() ? "it is empty" : "it ends in a slash",
                "give the name of a file");
  std::error_code fault;
  const fs::file_status there = fs::status(file, fault);
  if (fs::is_directory(there))
    throw Error(quotedPath(file) + " is a folder", "a file cannot take its place", "choose another name");
  if (fs::exists(there) && !fs::is_regular_file(there))
    throw Error(quotedPath(file) + " is not a regular file", "it is a device, pipe or socket",
                "choose another name");
}

AtomicFile::AtomicFile(const fs::path& file, bool overwrite)
    : file_(checked(file, overwrite)),
      overwrite_(overwrite),
      temporary_(file.parent_path(), file.filename().string(), Temporary::Kind::file) {}

void AtomicFile::write(const std::string& bytes) {
  const int descriptor = temporary_.descriptor();
  if (const int code = emptyFile(descriptor)) failWriting(file_, code);
  if (const int code = writeAllAt(descriptor, bytes, 0)) failWriting(file_, code);
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
