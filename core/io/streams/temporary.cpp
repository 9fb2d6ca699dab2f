#include "core/io/streams/temporary.h"

#include "core/base/platform/files/descriptor.h"
#include "core/base/platform/files/file_lock.h"
#include "core/base/platform/files/folder_entries.h"
#include "core/base/platform/memory/scratch_memory.h"
#include "core/base/platform/processes/own_program.h"
#include "core/io/streams/atomic_file.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cctype>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <new>
#include <string_view>
#include <system_error>
#include <vector>

namespace sulcus::io {
namespace {

namespace fs = std::filesystem;

/// ".part-HOST-" with a hash of the host name in eight digits. The host is part of the name because locks on
/// a network drive may be invisible to other computers.
std::string prefixOfThisHost() {
  std::uint32_t hash = 2166136261;  // FNV-1a hash
  for (const char c : hostName()) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619;
  std::array<char, 24> text{};
  std::snprintf(text.data(), text.size(), ".part-%08x-", unsigned(hash));
  return text.data();
}

std::string endOf(const std::string& name) {
  std::string end = "-";
  return end.append(name, name.size() - std::min<std::size_t>(name.size(), 100));
}

/// Whether a text is PREFIX, digits, "-", digits, END.
bool isTemporary(std::string_view text, std::string_view prefix, std::string_view end) {
  if (!text.starts_with(prefix) || !text.ends_with(end) || text.size() < prefix.size() + end.size())
    return false;
  text = text.substr(prefix.size(), text.size() - prefix.size() - end.size());
  return std::count(text.begin(), text.end(), '-') == 1 &&
         std::all_of(text.begin(), text.end(), [](unsigned char c) { return c == '-' || std::isdigit(c); });
}

/// Creates a file or folder and returns its descriptor, or −1 with errno, which is EEXIST if another attempt
/// may succeed.
int make(const fs::path& path, Temporary::Kind kind) {
  if (kind == Temporary::Kind::file) return openNew(path);
  std::error_code fault;
  if (!fs::create_directory(path, fault)) {
    errno = fault ? fault.value() : EEXIST;
    return -1;
  }
  const int descriptor = openToRead(path, Links::refused);
  if (descriptor < 0 && errno == ENOENT) errno = EEXIST;  // it was removed meanwhile
  return descriptor;
}

}  // namespace

Temporary::Temporary(const fs::path& folder, const std::string& name, Kind kind) {
  static std::atomic<unsigned> counter{0};
  const std::string prefix = prefixOfThisHost() + std::to_string(processId()) + "-";
  for (int attempt = 0; attempt < 1000; ++attempt) {
    path_ = folder / (prefix + std::to_string(counter++) + endOf(name));
    descriptor_ = make(path_, kind);
    if (descriptor_ < 0 && errno == EEXIST) continue;
    if (descriptor_ < 0) failWriting(folder / name, errno);
    // Before the lock was acquired, another run may have considered it abandoned.
    if (tryLock(descriptor_) != Lock::others && isStillAt(descriptor_, path_)) return;
    closeDescriptor(descriptor_);
  }
  failWriting(folder / name, EEXIST);
}

Temporary::~Temporary() {
  std::error_code fault;
  try {
    if (!path_.empty()) fs::remove_all(path_, fault);
    if (fault == std::errc::not_enough_memory) {  // removing a folder requires reading it
      giveFreeMemoryBack();
      fs::remove_all(path_, fault);
    }
  } catch (const std::bad_alloc&) {  // then the next run removes it
  }
  closeDescriptor(descriptor_);
}

void forEachAbandoned(const fs::path& folder, const std::string& name,
                      const std::function<void(const fs::path&)>& deal) {
  const std::string prefix = prefixOfThisHost(), end = endOf(name);
  std::vector<fs::path> found;
  for (fs::path& path : folderEntriesIfAny(folder.empty() ? fs::path(".") : folder))
    if (isTemporary(path.filename().string(), prefix, end)) found.push_back(std::move(path));
  for (const auto& path : found) {
    const int descriptor = openToRead(path, Links::refused);
    if (descriptor < 0) continue;
    const auto status = statusOf(descriptor);
    if (status && status->isOwn && tryLock(descriptor) == Lock::taken && isStillAt(descriptor, path))
      deal(path);
    closeDescriptor(descriptor);
  }
}

}  // namespace sulcus::io
