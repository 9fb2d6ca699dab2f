#include "core/base/platform/own_program.h"
#include "core/base/platform/windows_errors.h"

#include <array>
#include <cstdlib>

namespace sulcus {

std::filesystem::path ownProgram() {
  if (const char* const script = std::getenv("SULCUS_PROGRAM"); script && *script) return script;
  std::array<wchar_t, 32768> path{};
  return GetModuleFileNameW(nullptr, path.data(), DWORD(path.size())) > 0 ? path.data() : L"";
}

std::string hostName() {
  std::array<char, 256> name{};
  auto size = DWORD(name.size());
  return GetComputerNameExA(ComputerNameDnsHostname, name.data(), &size) ? name.data() : "";
}

long processId() noexcept { return long(GetCurrentProcessId()); }

}  // namespace sulcus
