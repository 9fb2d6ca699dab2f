#include "core/base/own_program.h"

#include <array>
#include <cstdlib>
#include <system_error>

#include <unistd.h>

namespace sulcus {

std::filesystem::path ownProgram() {
  if (const char* const script = std::getenv("SULCUS_PROGRAM"); script && *script) return script;
  std::error_code unknown;
  return std::filesystem::read_symlink("/proc/self/exe", unknown);
}

std::string hostName() {
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

}  // namespace sulcus
