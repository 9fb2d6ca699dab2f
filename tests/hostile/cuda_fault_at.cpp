// Linked into a program with --wrap for each function in cuda_calls.h: counts calls of the CUDA runtime and
// makes one of them fail, as fault_at.cpp does with system calls:
//   FAULT_AT     the number of the call, from 1
//   FAULT_IS     lost: a kernel traps just before it, after which the device answers every call with an
//   error;
//                else the number of an error, with which the call fails without being made
//   FAULT_COUNT  the file into which, at the end, the first call from each place (its number and name) is
//   written, and
//                `held` with how many streams, events and pieces of memory were not given back
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include <cuda_runtime_api.h>
#include <execinfo.h>

/// Makes the current device refuse all work until the end of the process (cuda_trap.cu).
void loseDevice();

namespace {

const char* setting(const char* name) {
  const char* const text = std::getenv(name);
  return text ? text : "";
}

/// The functions that led to a call, without its own stub; three identify the place well enough.
using Place = std::array<void*, 3>;

class Calls {
 public:
  ~Calls() { report(); }

  cudaError_t fateOf(const char* name) {
    const std::lock_guard lock(mutex_);
    if (done_) return cudaSuccess;
    ++count_;
    if (*setting("FAULT_COUNT")) note(name);
    const bool fails = count_ == at_;
    if (fails && std::strcmp(fault_, "lost") == 0) {
      done_ = true;  // the calls that lose it do not count
      loseDevice();
      return cudaSuccess;
    }
    const std::string_view call = name;
    for (const auto* kind : {"cudaFreeAsync", "cudaFreeHost", "cudaStreamDestroy", "cudaEventDestroy"})
      held_ -= call == kind;
    if (fails) return cudaError_t(std::atoi(fault_));
    for (const auto* kind : {"cudaMalloc", "cudaStreamCreate", "cudaEventCreate"})
      held_ += call.starts_with(kind);
    return cudaSuccess;
  }

  void report() {
    const std::lock_guard lock(mutex_);
    const char* const file = setting("FAULT_COUNT");
    if (done_ || !*file) return;
    done_ = true;
    if (std::FILE* const out = std::fopen(file, "w")) {
      for (const auto& [number, name] : firsts_) std::fprintf(out, "%ld %s\n", number, name);
      std::fprintf(out, "held %ld\n", held_);
      std::fclose(out);
    }
  }

 private:
  void note(const char* name) {
    std::array<void*, 6> frames{};  // this function, fateOf(), sulcusFateOf(), the stub, and its callers
    backtrace(frames.data(), int(frames.size()));
    if (places_.insert({frames[3], frames[4], frames[5]}).second) firsts_.emplace_back(count_, name);
  }

  std::recursive_mutex mutex_;  // losing the device also calls the runtime
  const long at_ = std::atol(setting("FAULT_AT"));
  const char* const fault_ = setting("FAULT_IS");
  bool done_ = false;
  long count_ = 0, held_ = 0;
  std::set<Place> places_;
  std::vector<std::pair<long, const char*>> firsts_;
};

Calls& calls() {
  static Calls all;
  return all;
}

thread_local cudaError_t lastError = cudaSuccess;  // for calls that were not made

}  // namespace

extern "C" {
cudaError_t __real_cudaGetLastError();
cudaError_t __real_cudaPeekAtLastError();
[[noreturn]] void __real__Exit(int);

cudaError_t sulcusFateOf(const char* name) {
  const cudaError_t fate = calls().fateOf(name);
  if (fate != cudaSuccess) lastError = fate;
  return fate;
}
cudaError_t __wrap_cudaGetLastError() {
  const cudaError_t real = __real_cudaGetLastError();
  return lastError != cudaSuccess ? std::exchange(lastError, cudaSuccess) : real;
}
cudaError_t __wrap_cudaPeekAtLastError() {
  return lastError != cudaSuccess ? lastError : __real_cudaPeekAtLastError();
}
[[noreturn]] void __wrap__Exit(int code) {
  calls().report();
  __real__Exit(code);
}
}

// Replaces each function: asks for the fate of the call with its arguments preserved, then continues with the
// function or returns.
#define CALL(name)                                   \
  asm(".text\n.globl __wrap_" #name                  \
      "\n"                                           \
      "__wrap_" #name                                \
      ":\n"                                          \
      ".cfi_startproc\nsubq $56, %rsp\n"             \
      ".cfi_adjust_cfa_offset 56\n"                  \
      "movq %rdi, (%rsp)\nmovq %rsi, 8(%rsp)\n"      \
      "movq %rdx, 16(%rsp)\nmovq %rcx, 24(%rsp)\n"   \
      "movq %r8, 32(%rsp)\nmovq %r9, 40(%rsp)\n"     \
      "leaq 1f(%rip), %rdi\ncall sulcusFateOf@PLT\n" \
      "movq (%rsp), %rdi\nmovq 8(%rsp), %rsi\n"      \
      "movq 16(%rsp), %rdx\nmovq 24(%rsp), %rcx\n"   \
      "movq 32(%rsp), %r8\nmovq 40(%rsp), %r9\n"     \
      "addq $56, %rsp\n.cfi_adjust_cfa_offset -56\n" \
      "testl %eax, %eax\njnz 2f\njmp __real_" #name  \
      "\n"                                           \
      "2: ret\n.cfi_endproc\n1: .asciz \"" #name "\"\n");
#include "tests/hostile/cuda_calls.h"
