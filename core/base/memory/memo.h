#pragma once

#include "core/base/stage_clock.h"

#include <algorithm>
#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

namespace sulcus {

/// Identifies an object in memory as part of a key. It does not keep the object alive, and no later object
/// compares equal to it, even at the same address. No object is an identity, too.
class Identity {
 public:
  Identity() = default;
  template <class Object>
  Identity(const std::shared_ptr<Object>& object) : object_(object) {}

  friend bool operator==(const Identity& a, const Identity& b) {
    return !a.object_.owner_before(b.object_) && !b.object_.owner_before(a.object_);
  }

 private:
  std::weak_ptr<const void> object_;
};

/// Keeps what was computed for the most recent keys. Thread-safe; two threads that ask for the same key at
/// once both compute it, since neither waits for the other.
template <class Key, class Value>
class Memo {
 public:
  struct Answer {
    Value value;
    double seconds = 0;     ///< the time the computation took, now or earlier
    bool recalled = false;  ///< the value was kept, nothing was computed
  };

  /// @param most  keys that are kept
  explicit Memo(std::size_t most = 1) : most_(most) {}

  /// The value kept for `key`, if any.
  std::optional<Answer> recall(const Key& key) {
    const std::lock_guard lock(mutex_);
    const auto found =
        std::find_if(known_.begin(), known_.end(), [&](const auto& one) { return one.first == key; });
    if (found == known_.end()) return std::nullopt;
    known_.splice(known_.begin(), known_, found);
    return Answer{found->second.value, found->second.seconds, true};
  }

  /// The value kept for `key`, or else what `compute()` returns; if that throws, nothing changes.
  template <class Compute>
  Answer operator()(const Key& key, const Compute& compute) {
    if (auto known = recall(key)) return *std::move(known);
    const StageClock clock;
    Answer answer{compute(), 0, false};
    answer.seconds = clock.seconds();
    const std::lock_guard lock(mutex_);
    known_.emplace_front(key, answer);
    if (known_.size() > most_) known_.pop_back();
    return answer;
  }

 private:
  std::size_t most_;
  std::mutex mutex_;                         // guards the members below
  std::list<std::pair<Key, Answer>> known_;  // most recent first
};

}  // namespace sulcus
