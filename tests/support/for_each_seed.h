#pragma once

#include <cstdint>
#include <cstdlib>
#include <functional>
#include <string>

#include <gtest/gtest.h>

namespace sulcus::test {

/// A small generator whose draws are the same on every platform (SplitMix64).
class Rng {
 public:
  explicit Rng(std::uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15ull + 1) {}
  std::uint64_t bits() {
    std::uint64_t z = (state_ += 0x9E3779B97F4A7C15ull);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
  }
  /// Uniform in [low, high).
  double uniform(double low = 0, double high = 1) {
    return low + (high - low) * (double(bits() >> 11) * 0x1.0p-53);
  }
  /// Uniform integer in [low, high].
  int integer(int low, int high) { return low + int(bits() % std::uint64_t(high - low + 1)); }

 private:
  std::uint64_t state_;
};

/// Whether SULCUS_TEST_BRIEFLY is set: for sanitizers, few and small cases suffice to find faults.
inline bool briefly() { return std::getenv("SULCUS_TEST_BRIEFLY") != nullptr; }

/// A tenth of this many cases, at least one, for brief tests.
inline int cases(int count) { return briefly() ? (count + 9) / 10 : count; }

/// Runs a property for `count` seeds and names the one that failed; SULCUS_TEST_SEED replays one.
inline void forEachSeed(int count, const std::function<void(Rng&)>& property) {
  const char* replay = std::getenv("SULCUS_TEST_SEED");
  const int first = replay ? std::atoi(replay) : 0, last = replay ? first + 1 : cases(count);
  for (int seed = first; seed < last; ++seed) {
    SCOPED_TRACE("SULCUS_TEST_SEED=" + std::to_string(seed));
    Rng rng(static_cast<std::uint64_t>(seed));
    property(rng);
    if (::testing::Test::HasFatalFailure()) return;
  }
}

}  // namespace sulcus::test
