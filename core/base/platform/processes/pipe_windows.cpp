#include "core/base/platform/processes/pipe.h"
#include "core/base/platform/windows_errors.h"

#include <algorithm>

#include <fcntl.h>

namespace sulcus {
namespace {
constexpr unsigned kMostAtOnce = 1 << 16;  // bytes
}

int makePipe(int (&ends)[2]) noexcept {
  return _pipe(ends, kMostAtOnce, _O_BINARY | _O_NOINHERIT) == 0 ? 0 : errno;
}
int makeChannel(int (&)[2]) noexcept { return ENOTSUP; }

void doNotBlock(int descriptor) noexcept {
  DWORD how = PIPE_READMODE_BYTE | PIPE_NOWAIT;
  SetNamedPipeHandleState(handleOf(descriptor), &how, nullptr, nullptr);
}

int waitToRead(int descriptor, int milliseconds) noexcept {
  constexpr int kBetween = 10;  // ms between two polls, since pipes cannot be waited for
  const HANDLE pipe = handleOf(descriptor);
  if (GetFileType(pipe) != FILE_TYPE_PIPE) return 1;
  for (int left = milliseconds;; left -= kBetween) {
    DWORD bytes = 0;
    if (!PeekNamedPipe(pipe, nullptr, 0, nullptr, &bytes, nullptr) || bytes > 0)
      return 1;  // data, or the
                 // end
    if (left <= 0) return 0;
    Sleep(kBetween);
  }
}

int waitToWrite(int, int) noexcept { return 1; }

std::ptrdiff_t readSome(int descriptor, std::span<char> to) noexcept {
  return _read(descriptor, to.data(), unsigned(std::min<std::size_t>(to.size(), kMostAtOnce)));
}

std::ptrdiff_t writeSome(int descriptor, std::span<const char> bytes) noexcept {
  const int count =
      _write(descriptor, bytes.data(), unsigned(std::min<std::size_t>(bytes.size(), kMostAtOnce)));
  if (count == 0 || (count < 0 && errno == ENOSPC)) {  // the pipe is full
    Sleep(1);
    return 0;
  }
  return count;
}

std::ptrdiff_t sendSome(int channel, std::span<const char> bytes) noexcept {
  return writeSome(channel, bytes);
}

void waitFor(int milliseconds) noexcept { Sleep(DWORD(milliseconds)); }

}  // namespace sulcus
