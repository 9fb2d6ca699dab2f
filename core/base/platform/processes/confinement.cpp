#include "core/base/platform/processes/confinement.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <filesystem>
#include <initializer_list>
#include <vector>

#include <fcntl.h>
#include <linux/landlock.h>
#include <seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace sulcus {
namespace {

namespace fs = std::filesystem;

void limit(__rlimit_resource resource, std::uint64_t most) {
  rlimit limits{};
  getrlimit(resource, &limits);
  limits.rlim_cur = limits.rlim_max = std::min<rlim_t>(most, limits.rlim_max);
  setrlimit(resource, &limits);
}

/// Allows the process these system calls only; has no effect where the kernel cannot filter.
void allowOnly(std::initializer_list<int> calls) {
  const scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
  if (!filter) return;
  bool whole = true;
  for (const int call : calls) whole = whole && seccomp_rule_add(filter, SCMP_ACT_ALLOW, call, 0) == 0;
  if (whole) seccomp_load(filter);
  seccomp_release(filter);
}

constexpr std::uint64_t kRead = LANDLOCK_ACCESS_FS_READ_FILE, kList = LANDLOCK_ACCESS_FS_READ_DIR,
                        kExecute = LANDLOCK_ACCESS_FS_EXECUTE,
                        kWrite = LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_MAKE_REG |
                                 LANDLOCK_ACCESS_FS_REMOVE_FILE;
/// All access rights that the first version of Landlock handles.
constexpr std::uint64_t kHandled = (LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1;

/// Lists the accessible paths (Landlock); once it is closed, everything else is refused.
class Reach {
 public:
  Reach() {
    landlock_ruleset_attr all{};  // newer headers have more members
    all.handled_access_fs = kHandled;
    set_ = int(syscall(SYS_landlock_create_ruleset, &all, sizeof all, 0));
  }
  ~Reach() {
    if (set_ >= 0) ::close(set_);
  }
  Reach(const Reach&) = delete;
  Reach& operator=(const Reach&) = delete;

  void allow(const fs::path& place, std::uint64_t access) const {
    if (set_ < 0) return;
    const int at = open(place.c_str(), O_PATH | O_CLOEXEC);
    if (at < 0) return;
    std::error_code fault;
    constexpr std::uint64_t ofFiles = kRead | kExecute | LANDLOCK_ACCESS_FS_WRITE_FILE;
    landlock_path_beneath_attr rule{};
    const bool whole = (access & ~ofFiles) == 0 || fs::is_directory(place, fault);
    rule.allowed_access = whole ? access : access & ofFiles;
    rule.parent_fd = at;
    syscall(SYS_landlock_add_rule, set_, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
    ::close(at);
  }
  void close() const {
    if (set_ >= 0) syscall(SYS_landlock_restrict_self, set_, 0);
  }

 private:
  int set_ = -1;
};

}  // namespace

void limitTo(std::uint64_t memory, double seconds) {
#ifndef __SANITIZE_ADDRESS__  // the sanitizer reserves terabytes
  rlimit limits{};
  getrlimit(RLIMIT_AS, &limits);
  limits.rlim_cur = std::min<rlim_t>(memory, limits.rlim_max);
  setrlimit(RLIMIT_AS, &limits);
#else
  (void)memory;
#endif
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  rlimit time{};
  getrlimit(RLIMIT_CPU, &time);
  time.rlim_cur = std::min<rlim_t>(
      std::uint64_t(used.ru_utime.tv_sec + used.ru_stime.tv_sec) + 1 + std::uint64_t(std::ceil(seconds)),
      time.rlim_max);
  setrlimit(RLIMIT_CPU, &time);
}

void confine() {
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_FSIZE, 0);
#ifndef __SANITIZE_ADDRESS__  // the sanitizer asks the kernel for more
  allowOnly({SCMP_SYS(read),         SCMP_SYS(write),         SCMP_SYS(mmap),
             SCMP_SYS(munmap),       SCMP_SYS(mremap),        SCMP_SYS(mprotect),
             SCMP_SYS(madvise),      SCMP_SYS(brk),           SCMP_SYS(futex),
             SCMP_SYS(getrusage),    SCMP_SYS(prlimit64),     SCMP_SYS(getrlimit),
             SCMP_SYS(setrlimit),    SCMP_SYS(clock_gettime), SCMP_SYS(getpid),
             SCMP_SYS(gettid),       SCMP_SYS(tgkill),        SCMP_SYS(rt_sigprocmask),
             SCMP_SYS(rt_sigaction), SCMP_SYS(rt_sigreturn),  SCMP_SYS(restart_syscall),
             SCMP_SYS(exit),         SCMP_SYS(exit_group)});
#endif
}

int becomeConverter(const std::string& program, const std::string& in, const std::string& out,
                    const ConverterLimits& limits) {
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_FSIZE, limits.file);
  limitTo(limits.memory, limits.seconds);
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return 1;

  const Reach reach;
  reach.allow(in, kRead | kList);
  reach.allow(out, kRead | kList | kWrite);
  std::error_code fault;
  for (const auto& entry : fs::directory_iterator(in, fault))
    if (entry.is_symlink(fault)) reach.allow(fs::read_symlink(entry.path(), fault), kRead);
  // A relocatable package runs with its own loader and C library where those of the system are older.
  const fs::path real = fs::canonical(program, fault), loader = fs::read_symlink("/proc/self/exe", fault);
  const bool byOwnLoader = loader.filename().native().starts_with("ld-linux");
  const fs::path beside = loader.parent_path(), library = beside.parent_path() / "glibc";
  if (byOwnLoader)
    for (const fs::path& place : {beside, library}) reach.allow(place, kRead | kExecute);
  // The program, its loader and its libraries, which lie in the system's folders or beside it.
  reach.allow(real, kRead | kExecute);
  for (const char* const place : {"/usr/lib", "/lib", "/usr/lib64", "/lib64"})
    reach.allow(place, kRead | kList | kExecute);
  reach.allow(real.parent_path(), kRead | kExecute);
  reach.allow(real.parent_path().parent_path() / "lib", kRead | kExecute);
  reach.allow("/etc/ld.so.cache", kRead);
  reach.allow("/etc/localtime", kRead);
  reach.close();

  allowOnly({SCMP_SYS(execve),
             SCMP_SYS(openat),
             SCMP_SYS(open),
             SCMP_SYS(close),
             SCMP_SYS(read),
             SCMP_SYS(pread64),
             SCMP_SYS(write),
             SCMP_SYS(writev),
             SCMP_SYS(lseek),
             SCMP_SYS(fstat),
             SCMP_SYS(stat),
             SCMP_SYS(lstat),
             SCMP_SYS(newfstatat),
             SCMP_SYS(statx),
             SCMP_SYS(access),
             SCMP_SYS(faccessat),
             SCMP_SYS(faccessat2),
             SCMP_SYS(getdents64),
             SCMP_SYS(readlink),
             SCMP_SYS(readlinkat),
             SCMP_SYS(getcwd),
             SCMP_SYS(unlink),
             SCMP_SYS(unlinkat),
             SCMP_SYS(fcntl),
             SCMP_SYS(fadvise64),
             SCMP_SYS(ioctl),
             SCMP_SYS(mmap),
             SCMP_SYS(munmap),
             SCMP_SYS(mremap),
             SCMP_SYS(mprotect),
             SCMP_SYS(madvise),
             SCMP_SYS(brk),
             SCMP_SYS(futex),
             SCMP_SYS(arch_prctl),
             SCMP_SYS(set_tid_address),
             SCMP_SYS(set_robust_list),
             SCMP_SYS(rseq),
             SCMP_SYS(prlimit64),
             SCMP_SYS(getrlimit),
             SCMP_SYS(getrusage),
             SCMP_SYS(getrandom),
             SCMP_SYS(clock_gettime),
             SCMP_SYS(gettimeofday),
             SCMP_SYS(time),
             SCMP_SYS(uname),
             SCMP_SYS(sysinfo),
             SCMP_SYS(getpid),
             SCMP_SYS(gettid),
             SCMP_SYS(tgkill),
             SCMP_SYS(rt_sigprocmask),
             SCMP_SYS(rt_sigaction),
             SCMP_SYS(rt_sigreturn),
             SCMP_SYS(restart_syscall),
             SCMP_SYS(sched_getaffinity),
             SCMP_SYS(exit),
             SCMP_SYS(exit_group)});

  // Rows as stored, no cropping or rotation, one image per series, and no personal names in file names.
  const std::string home = "HOME=" + out;
  const std::string libraries = library.string() + ":" + beside.string();
  std::vector<const char*> arguments;
  if (byOwnLoader)
    arguments = {"ld-linux", "--library-path", libraries.c_str(), "--argv0", "dcm2niix", real.c_str()};
  else
    arguments = {"dcm2niix"};
  for (const char* const word : {"-b", "y", "-ba", "n", "-z", "n", "-y", "n", "-x", "i", "-m", "2", "-f", "v",
                                 "-o", out.c_str(), in.c_str(), static_cast<const char*>(nullptr)})
    arguments.push_back(word);
  const char* const environment[] = {"LC_ALL=C", home.c_str(), nullptr};
  execve((byOwnLoader ? loader : real).c_str(), const_cast<char* const*>(arguments.data()),
         const_cast<char* const*>(environment));
  return 1;
}

}  // namespace sulcus
