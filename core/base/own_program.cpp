#include "core/base/own_program.h"

#include <cstdlib>
#include <system_error>

namespace sulcus {

std::filesystem::path ownProgram() {
  if (const char* const script = std::getenv("SULCUS_PROGRAM"); script && *script) return script;
  std::error_code unknown;
  return std::filesystem::read_symlink("/proc/self/exe", unknown);
}

}  // namespace sulcus
