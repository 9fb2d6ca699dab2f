#include "core/base/platform/processes/standard_streams.h"
#include "core/base/platform/windows_errors.h"

#include <fcntl.h>
#include <sys/stat.h>

namespace sulcus {

void prepareStandardStreams() {
  for (const int stream : {kStandardInput, kStandardOutput, kStandardError})
    _setmode(stream, _O_BINARY);  // the same bytes as on other systems
  SetConsoleOutputCP(CP_UTF8);
}

bool isTerminal(int stream) noexcept { return _isatty(stream) != 0; }
// A pipe has no other reason not to accept anything: it does not become full but waits.
bool nobodyReads(int stream) noexcept { return GetFileType(handleOf(stream)) == FILE_TYPE_PIPE; }

int redirect(int stream, const std::filesystem::path& file) noexcept {
  const int to =
      _wopen(file.c_str(), _O_WRONLY | _O_CREAT | _O_TRUNC | _O_BINARY | _O_NOINHERIT, _S_IREAD | _S_IWRITE);
  if (to < 0) return errno;
  const int fault = _dup2(to, stream) == 0 ? 0 : errno;
  _close(to);
  return fault;
}

}  // namespace sulcus
