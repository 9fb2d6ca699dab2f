#pragma once

#include "core/base/progress.h"

#include <concepts>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <vector>

namespace sulcus {

/// Calls `body(begin, end)` for consecutive blocks of at most `block` indices covering [0, count), on all
/// threads of the current withThreads() scope. Blocks do not depend on the number of threads, so a result
/// that is a function of its block is the same on 1 and N threads. Reports progress after each block and
/// throws Cancelled between blocks; an exception of the body ends the loop and is rethrown here. A loop
/// nested in one that has failed elsewhere is cut short, too, and throws Cancelled, so that nothing is
/// computed from half of it.
void parallelForBlocks(std::int64_t count, std::int64_t block, const Progress& progress,
                       const std::function<void(std::int64_t begin, std::int64_t end)>& body);

/// Calls `body(i)` for every i in [0, count), `block` at a time.
template <std::invocable<std::int64_t> Body>
void parallelFor(std::int64_t count, std::int64_t block, const Progress& progress, const Body& body) {
  parallelForBlocks(count, block, progress, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) body(i);
  });
}
template <std::invocable<std::int64_t> Body>
void parallelFor(std::int64_t count, const Progress& progress, const Body& body, std::int64_t block = 256) {
  parallelFor(count, block, progress, body);
}

/// Calls all tasks concurrently, on the threads of the current withThreads() scope.
inline void parallelInvoke(std::initializer_list<std::function<void()>> tasks,
                           const Progress& progress = {}) {
  parallelFor(std::ssize(tasks), 1, progress, [&](std::int64_t i) { tasks.begin()[i](); });
}

/// Runs work of a library whose own loops must finish even if a loop around them has failed, since the
/// library would not notice that they were cut short.
void uninterrupted(const std::function<void()>& work);

/// Sorts finite values ascending, −0 before 0, on all threads of the current withThreads() scope. Throws
/// Cancelled when nested in a loop that has failed elsewhere.
void parallelSort(std::vector<float>& values);

/// Runs `work` with at most `threads` threads (0: all processors).
void withThreads(int threads, const std::function<void()>& work);

/// While it lives, the loops of all threads of this program together use at most this many threads (0: all
/// processors).
class ThreadLimit {
 public:
  explicit ThreadLimit(int threads);

 private:
  std::shared_ptr<void> control_;
};

/// Number of threads that parallelFor uses in the current scope.
int threadCount();

}  // namespace sulcus
