#include "core/base/platform/processes/own_program.h"
#include "core/base/platform/windows_errors.h"

#include <array>
#include <clocale>
#include <cstdlib>
#include <vector>

#include <shellapi.h>

namespace sulcus {

std::filesystem::path ownProgram() {
  if (const char* const script = std::getenv("SULCUS_PROGRAM"); script && *script) return script;
  std::array<wchar_t, 32768> path{};
  return GetModuleFileNameW(nullptr, path.data(), DWORD(path.size())) > 0 ? path.data() : L"";
}

char** wordsInUtf8(int& count, char** given) {
  // Paths are made from text by the C library: that of Windows 10 can take it as UTF-8, the older msvcrt
  // cannot.
  if (!std::setlocale(LC_CTYPE, ".UTF8")) return given;
  static std::vector<std::string> words;
  static std::vector<char*> pointers;
  int found = 0;
  wchar_t** const wide = CommandLineToArgvW(GetCommandLineW(), &found);
  if (!wide) return given;
  for (int i = 0; i < found; ++i) words.push_back(std::filesystem::path(wide[i]).string());
  LocalFree(wide);
  for (std::string& word : words) pointers.push_back(word.data());
  count = found;
  pointers.push_back(nullptr);
  return pointers.data();
}

std::string hostName() {
  std::array<char, 256> name{};
  auto size = DWORD(name.size());
  return GetComputerNameExA(ComputerNameDnsHostname, name.data(), &size) ? name.data() : "";
}

long processId() noexcept { return long(GetCurrentProcessId()); }

}  // namespace sulcus
