#include "tests/fuzz/some_comparisons.h"

#include <cstddef>
#include <cstdint>

// libFuzzer learns useful words from the comparisons of a program. Reporting every comparison would take a
// third of the time, and most are the same for every input, so one in sixteen is reported. The linker inserts
// these functions before libFuzzer's own (--wrap).

namespace {
bool told() { return sulcus::fuzz::parsed % 16 == 0; }
}  // namespace

// A tail call leaves libFuzzer the address of the comparison.
#define COMPARISON(name, number)                      \
  extern "C" void __real_##name(number, number);      \
  extern "C" void __wrap_##name(number a, number b) { \
    if (!told()) return;                              \
    [[clang::musttail]] return __real_##name(a, b);   \
  }
COMPARISON(__sanitizer_cov_trace_cmp1, std::uint8_t)
COMPARISON(__sanitizer_cov_trace_cmp2, std::uint16_t)
COMPARISON(__sanitizer_cov_trace_cmp4, std::uint32_t)
COMPARISON(__sanitizer_cov_trace_cmp8, std::uint64_t)
COMPARISON(__sanitizer_cov_trace_const_cmp1, std::uint8_t)
COMPARISON(__sanitizer_cov_trace_const_cmp2, std::uint16_t)
COMPARISON(__sanitizer_cov_trace_const_cmp4, std::uint32_t)
COMPARISON(__sanitizer_cov_trace_const_cmp8, std::uint64_t)

extern "C" void __real___sanitizer_weak_hook_memcmp(void*, const void*, const void*, std::size_t, int);
extern "C" void __wrap___sanitizer_weak_hook_memcmp(void* place, const void* a, const void* b,
                                                    std::size_t size, int result) {
  if (told()) __real___sanitizer_weak_hook_memcmp(place, a, b, size, result);
}
