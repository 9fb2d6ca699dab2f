// Preloaded into a program (LD_PRELOAD), kills it just before the call number KILL_AT of those that change
// files. Where it was not killed, their number is written into the file KILL_COUNT.
#include <atomic>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>

#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

namespace {

std::atomic<long> calls{0};

void count() {
  static const long last = [] {
    const char* const text = std::getenv("KILL_AT");
    return text ? std::atol(text) : 0;
  }();
  if (++calls == last) kill(getpid(), SIGKILL);
}

void report() {
  const char* const file = std::getenv("KILL_COUNT");
  if (!file) return;
  if (std::FILE* const out = std::fopen(file, "w"))
    std::fprintf(out, "%ld\n", calls.load()), std::fclose(out);
}

/// The function that would have been called without this file.
template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

int opened(const char* name, const char* path, int flags, mode_t mode) {
  if (flags & O_CREAT) count();
  return next<int(const char*, int, ...)>(name)(path, flags, mode);
}

mode_t modeIn(std::va_list arguments, int flags) { return flags & O_CREAT ? va_arg(arguments, mode_t) : 0; }

}  // namespace

#define COUNTED(result, name, parameters, arguments) \
  result name parameters noexcept {                  \
    count();                                         \
    return next<result parameters>(#name) arguments; \
  }

extern "C" {
COUNTED(int, mkdir, (const char* path, mode_t mode), (path, mode))
COUNTED(int, rmdir, (const char* path), (path))
COUNTED(int, unlink, (const char* path), (path))
COUNTED(int, unlinkat, (int folder, const char* path, int flags), (folder, path, flags))
COUNTED(int, rename, (const char* from, const char* to), (from, to))
COUNTED(int, renameat2, (int a, const char* from, int b, const char* to, unsigned flags),
        (a, from, b, to, flags))
COUNTED(int, link, (const char* from, const char* to), (from, to))
COUNTED(int, chmod, (const char* path, mode_t mode), (path, mode))

// How sulcus-cli ends: nothing is taken apart, so no destructor here would be called.
[[noreturn]] void _Exit(int code) noexcept {
  report();
  next<void(int)>("_exit")(code);
  std::abort();
}
int fsync(int file) {
  count();
  return next<int(int)>("fsync")(file);
}
ssize_t write(int file, const void* bytes, size_t size) {
  if (file > STDERR_FILENO) count();
  return next<ssize_t(int, const void*, size_t)>("write")(file, bytes, size);
}
ssize_t pwrite(int file, const void* bytes, size_t size, off_t at) {
  count();
  return next<ssize_t(int, const void*, size_t, off_t)>("pwrite")(file, bytes, size, at);
}
int open(const char* path, int flags, ...) {
  std::va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = modeIn(arguments, flags);
  va_end(arguments);
  return opened("open", path, flags, mode);
}
int open64(const char* path, int flags, ...) {
  std::va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = modeIn(arguments, flags);
  va_end(arguments);
  return opened("open64", path, flags, mode);
}
}
