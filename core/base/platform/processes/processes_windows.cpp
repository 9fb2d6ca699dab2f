#include "core/base/platform/processes/processes.h"
#include "core/base/platform/windows_errors.h"

#include <array>
#include <cstdio>
#include <filesystem>
#include <map>
#include <mutex>

namespace sulcus {
namespace {

/// Processes that were started and whose end has not been taken yet: a process identifier remains valid as
/// long as a handle is open.
std::mutex mutex;
std::map<int, HANDLE> started;

HANDLE programOf(int program) {
  const std::lock_guard lock(mutex);
  const auto found = started.find(program);
  return found == started.end() ? nullptr : found->second;
}

/// A word quoted the way the program's C library parses a command line.
std::wstring asWord(const std::string& word) {
  std::wstring text = L"\"";
  std::size_t slashes = 0;  // backslashes just before; literal unless a quotation mark follows
  for (const wchar_t c : std::filesystem::u8path(word).native()) {
    if (c == L'"') text.append(slashes + 1, L'\\');
    slashes = c == L'\\' ? slashes + 1 : 0;
    text += c;
  }
  return text.append(slashes, L'\\') + L'"';
}

/// A stream as a program may inherit it.
HANDLE inherited(int stream, int from, DWORD standard) {
  SECURITY_ATTRIBUTES open{sizeof(SECURITY_ATTRIBUTES), nullptr, TRUE};
  if (from == ProgramStart::kNothing)
    return CreateFileW(L"NUL", stream == 0 ? GENERIC_READ : GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE,
                       &open, OPEN_EXISTING, 0, nullptr);
  HANDLE copy = INVALID_HANDLE_VALUE;
  const HANDLE self = GetCurrentProcess(), source = from >= 0 ? handleOf(from) : GetStdHandle(standard);
  DuplicateHandle(self, source, self, &copy, 0, TRUE, DUPLICATE_SAME_ACCESS);
  return copy;
}

ProgramEnd endOf(int program, HANDLE handle) {
  DWORD code = 0;
  GetExitCodeProcess(handle, &code);
  const std::lock_guard lock(mutex);
  started.erase(program);
  CloseHandle(handle);
  constexpr DWORD kKilled = 0xc000'0000;  // from here on the code says why the system ended it
  if (code >= kKilled) {
    char text[16];
    std::snprintf(text, sizeof text, "0x%08lx", code);
    return {-1, text};
  }
  return {int(code), ""};
}

constexpr UINT kCodeOfKilled = 0xc000'013a;  // as of programs ended by Ctrl+C

}  // namespace

int startProgram(const std::vector<std::string>& words, const ProgramStart& start, int& program) {
  std::wstring line;
  for (const auto& word : words) line += (line.empty() ? L"" : L" ") + asWord(word);
  STARTUPINFOW about{};
  about.cb = sizeof about;
  about.dwFlags = STARTF_USESTDHANDLES;
  about.hStdInput = inherited(0, start.input, STD_INPUT_HANDLE);
  about.hStdOutput = inherited(1, start.output, STD_OUTPUT_HANDLE);
  about.hStdError = inherited(2, start.complaint, STD_ERROR_HANDLE);
  DWORD group = 0;
  if (start.group != ProgramStart::Group::same) group |= CREATE_NEW_PROCESS_GROUP;
  if (start.group == ProgramStart::Group::session) group |= DETACHED_PROCESS;
  PROCESS_INFORMATION process{};
  const bool can =
      CreateProcessW(nullptr, line.data(), nullptr, nullptr, TRUE, group, nullptr, nullptr, &about, &process);
  const int fault = can ? 0 : errnoOfWindows();
  for (const HANDLE handle : {about.hStdInput, about.hStdOutput, about.hStdError})
    if (handle != INVALID_HANDLE_VALUE) CloseHandle(handle);
  program = 0;
  if (!can) return fault;
  CloseHandle(process.hThread);
  program = int(process.dwProcessId);
  const std::lock_guard lock(mutex);
  started[program] = process.hProcess;
  return 0;
}

int startBoundProgram(const std::vector<std::string>& words, const ProgramStart& start, int& program) {
  return startProgram(words, start, program);
}

bool awaitEnds(std::span<const int> programs, int milliseconds) {
  std::vector<HANDLE> handles;
  for (const int program : programs)
    if (const HANDLE handle = programOf(program); handle && handles.size() < MAXIMUM_WAIT_OBJECTS)
      handles.push_back(handle);
  if (handles.empty()) {
    Sleep(DWORD(milliseconds));
    return false;
  }
  return WaitForMultipleObjects(DWORD(handles.size()), handles.data(), FALSE, DWORD(milliseconds)) !=
         WAIT_TIMEOUT;
}

std::optional<ProgramEnd> takeEnd(int program) {
  const HANDLE handle = programOf(program);
  if (!handle || WaitForSingleObject(handle, 0) != WAIT_OBJECT_0) return std::nullopt;
  return endOf(program, handle);
}

ProgramEnd awaitEnd(int program) {
  const HANDLE handle = programOf(program);
  if (!handle) return {};
  WaitForSingleObject(handle, INFINITE);
  return endOf(program, handle);
}

void interruptProgram(int program) noexcept { GenerateConsoleCtrlEvent(CTRL_BREAK_EVENT, DWORD(program)); }
void askToEnd(int program) noexcept { killProgram(program); }
void killProgram(int program) noexcept {
  if (const HANDLE handle = programOf(program)) TerminateProcess(handle, kCodeOfKilled);
}

}  // namespace sulcus
