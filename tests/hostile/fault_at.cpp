// Preloaded into a program (LD_PRELOAD): counts calls of the C library from the start of main() and makes one
// of them fail:
//   FAULT_OF     which are counted: changes (of files), reads (of files), memory
//   FAULT_AT     the number of the call, from 1
//   FAULT_IS     kill: the program is killed just before it; short: half of its bytes are written or read;
//   else the number of an error,
//                with which it fails
//   FAULT_COUNT  the file into which the number of all calls is written at the end
#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

namespace {

enum class Kind { changes, reads, memory };
constexpr const char* kNames[] = {"changes", "reads", "memory"};

// Set before main(), since nothing may be allocated while an allocation is counted.
bool counting = false;
Kind counted = Kind::changes;
long last = 0;
const char* fault = "";
std::atomic<long> calls{0};

/// The fate of a call.
enum class Fate { works, fails, halves };

Fate fateOf(Kind kind) {
  if (!counting || kind != counted || ++calls != last) return Fate::works;
  if (std::strcmp(fault, "kill") == 0) kill(getpid(), SIGKILL);
  if (std::strcmp(fault, "short") == 0) return Fate::halves;
  errno = std::atoi(fault);
  return Fate::fails;
}

/// The function that would be called without this file.
template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

void report() {
  counting = false;
  const char* const file = std::getenv("FAULT_COUNT");
  if (!file) return;
  if (std::FILE* const out = std::fopen(file, "w"))
    std::fprintf(out, "%ld\n", calls.load()), std::fclose(out);
}

const char* setting(const char* name) {
  const char* const text = std::getenv(name);
  return text ? text : "";
}

int (*programsMain)(int, char**, char**) = nullptr;

int mainCounted(int count, char** words, char** variables) {
  for (const Kind kind : {Kind::changes, Kind::reads, Kind::memory})
    if (std::strcmp(setting("FAULT_OF"), kNames[int(kind)]) == 0) counted = kind;
  last = std::atol(setting("FAULT_AT")), fault = setting("FAULT_IS");
  counting = true;
  const int code = programsMain(count, words, variables);
  report();
  return code;
}

int opened(const char* name, const char* path, int flags, mode_t mode) {
  if (fateOf(flags & O_CREAT ? Kind::changes : Kind::reads) == Fate::fails) return -1;
  return next<int(const char*, int, ...)>(name)(path, flags, mode);
}

mode_t modeIn(std::va_list arguments, int flags) { return flags & O_CREAT ? va_arg(arguments, mode_t) : 0; }

/// Calls `move` for all of the bytes, for half of them, or not at all.
template <class Move>
ssize_t moved(Kind kind, size_t size, const Move& move) {
  const Fate fate = fateOf(kind);
  return fate == Fate::fails ? -1 : move(fate == Fate::halves && size > 1 ? size / 2 : size);
}

}  // namespace

#define CHANGE(result, name, parameters, arguments)      \
  result name parameters noexcept {                      \
    if (fateOf(Kind::changes) == Fate::fails) return -1; \
    return next<result parameters>(#name) arguments;     \
  }

#define OPEN(name)                                \
  int name(const char* path, int flags, ...) {    \
    std::va_list arguments;                       \
    va_start(arguments, flags);                   \
    const mode_t mode = modeIn(arguments, flags); \
    va_end(arguments);                            \
    return opened(#name, path, flags, mode);      \
  }

#define MEMORY(name, parameters, arguments)                                         \
  void* __libc_##name parameters noexcept;                                          \
  void* name parameters noexcept {                                                  \
    return fateOf(Kind::memory) == Fate::fails ? nullptr : __libc_##name arguments; \
  }

extern "C" {
CHANGE(int, mkdir, (const char* path, mode_t mode), (path, mode))
CHANGE(int, rmdir, (const char* path), (path))
CHANGE(int, unlink, (const char* path), (path))
CHANGE(int, unlinkat, (int folder, const char* path, int flags), (folder, path, flags))
CHANGE(int, rename, (const char* from, const char* to), (from, to))
CHANGE(int, renameat2, (int a, const char* from, int b, const char* to, unsigned flags),
       (a, from, b, to, flags))
CHANGE(int, link, (const char* from, const char* to), (from, to))
CHANGE(int, chmod, (const char* path, mode_t mode), (path, mode))

MEMORY(malloc, (size_t bytes), (bytes))
MEMORY(calloc, (size_t count, size_t bytes), (count, bytes))
MEMORY(realloc, (void* memory, size_t bytes), (memory, bytes))
void* __libc_memalign(size_t alignment, size_t bytes) noexcept;
int posix_memalign(void** memory, size_t alignment, size_t bytes) noexcept {
  if (fateOf(Kind::memory) == Fate::fails) return ENOMEM;
  return (*memory = __libc_memalign(alignment, bytes)) ? 0 : ENOMEM;
}
void* aligned_alloc(size_t alignment, size_t bytes) noexcept {
  return fateOf(Kind::memory) == Fate::fails ? nullptr : __libc_memalign(alignment, bytes);
}

int __libc_start_main(int (*main)(int, char**, char**), int count, char** words, void (*begin)(),
                      void (*end)(), void (*loader)(), void* stack) {
  programsMain = main;
  return next<decltype(__libc_start_main)>("__libc_start_main")(mainCounted, count, words, begin, end, loader,
                                                                stack);
}

// sulcus-cli ends this way, without destructors, so none would be called here.
[[noreturn]] void _Exit(int code) noexcept {
  report();
  next<void(int)>("_exit")(code);
  std::abort();
}
int fsync(int file) { return fateOf(Kind::changes) == Fate::fails ? -1 : next<int(int)>("fsync")(file); }
ssize_t write(int file, const void* bytes, size_t size) {
  const auto move = [=](size_t part) {
    return next<ssize_t(int, const void*, size_t)>("write")(file, bytes, part);
  };
  return file > STDERR_FILENO ? moved(Kind::changes, size, move) : move(size);
}
ssize_t pwrite(int file, const void* bytes, size_t size, off_t at) {
  return moved(Kind::changes, size, [=](size_t part) {
    return next<ssize_t(int, const void*, size_t, off_t)>("pwrite")(file, bytes, part, at);
  });
}
ssize_t read(int file, void* bytes, size_t size) {
  return moved(Kind::reads, size,
               [=](size_t part) { return next<ssize_t(int, void*, size_t)>("read")(file, bytes, part); });
}
ssize_t pread(int file, void* bytes, size_t size, off_t at) {
  return moved(Kind::reads, size, [=](size_t part) {
    return next<ssize_t(int, void*, size_t, off_t)>("pread")(file, bytes, part, at);
  });
}
OPEN(open)
OPEN(open64)
}
