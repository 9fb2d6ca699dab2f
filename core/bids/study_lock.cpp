#include "core/bids/study_lock.h"

#include "core/base/platform/files/descriptor.h"
#include "core/base/platform/files/file_lock.h"
#include "core/base/platform/processes/pipe.h"
#include "core/io/below.h"
#include "core/io/streams/atomic_file.h"

#include <cerrno>
#include <cstdint>

namespace sulcus::bids {
namespace {

namespace fs = std::filesystem;

/// The byte that stands for a name (64-bit FNV-1a, without the sign bit); the file need not be that long.
std::uint64_t byteOf(const std::string& name) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const unsigned char c : name) hash = (hash ^ c) * 0x100000001b3;
  return hash >> 2;
}

}  // namespace

StudyLock::StudyLock(const fs::path& out, const std::string& name) : name_(name) {
  const fs::path file = out / "logs" / "lock";
  io::requireInto(file, out);
  std::error_code fault;
  fs::create_directories(file.parent_path(), fault);
  descriptor_ = openToLock(file, true);
  if (descriptor_ < 0) io::failWriting(file, errno);
  take();
}

StudyLock::~StudyLock() { closeDescriptor(descriptor_); }

void StudyLock::take() { held_ = tryLockByte(descriptor_, byteOf(name_)) != Lock::others; }

void StudyLock::await(const Progress& progress) {
  constexpr int kBetween = 100;  // ms
  for (; !held_; take()) {
    progress.update(0);
    waitFor(kBetween);
  }
}

}  // namespace sulcus::bids
