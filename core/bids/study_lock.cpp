#include "core/bids/study_lock.h"

#include "core/io/below.h"
#include "core/io/streams/atomic_file.h"

#include <cerrno>
#include <cstdint>

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

namespace sulcus::bids {
namespace {

namespace fs = std::filesystem;

/// The byte that stands for a name (64-bit FNV-1a, without the sign): the file needs not have it.
off_t byteOf(const std::string& name) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const unsigned char c : name) hash = (hash ^ c) * 0x100000001b3;
  return off_t(hash >> 2);
}

}  // namespace

StudyLock::StudyLock(const fs::path& out, const std::string& name) : name_(name) {
  const fs::path file = out / "logs" / "lock";
  io::requireInto(file, out);
  std::error_code fault;
  fs::create_directories(file.parent_path(), fault);
  descriptor_ = open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
  if (descriptor_ < 0) io::failWriting(file, errno);
  take();
}

StudyLock::~StudyLock() { close(descriptor_); }

void StudyLock::take() {
  struct flock lock = {};
  lock.l_type = F_WRLCK, lock.l_whence = SEEK_SET, lock.l_start = byteOf(name_), lock.l_len = 1;
  held_ = fcntl(descriptor_, F_OFD_SETLK, &lock) == 0 || (errno != EAGAIN && errno != EACCES);
}

void StudyLock::await(const Progress& progress) {
  constexpr int kBetween = 100;  // ms
  for (; !held_; take()) {
    progress.update(0);
    poll(nullptr, 0, kBetween);
  }
}

}  // namespace sulcus::bids
