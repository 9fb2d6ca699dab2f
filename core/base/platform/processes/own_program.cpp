#include "core/base/platform/processes/own_program.h"

#include <array>
#include <cstdint>
#include <cstdlib>
#include <system_error>

#include <unistd.h>
#ifdef __APPLE__
#include <mach-o/dyld.h>
#endif

namespace sulcus {

std::filesystem::path ownProgram() {
  if (const char* const script = std::getenv("SULCUS_PROGRAM"); script && *script) return script;
#ifdef __APPLE__
  std::array<char, 4096> path{};
  std::uint32_t size = path.size();
  return _NSGetExecutablePath(path.data(), &size) == 0 ? path.data() : "";
#else
  std::error_code unknown;
  return std::filesystem::read_symlink("/proc/self/exe", unknown);
#endif
}

char** wordsInUtf8(int&, char** given) { return given; }

std::string hostName() {
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

long processId() noexcept { return getpid(); }

}  // namespace sulcus
