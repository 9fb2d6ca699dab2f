#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <string_view>

namespace sulcus {

/// Lets a run report its progress and learn that it should stop.
/// Passed by const reference; a default-constructed one is silent and never cancelled.
/// Any thread may call update(); the sink must be safe to call from any thread.
class Progress {
 public:
  using Sink = std::function<void(double fraction, std::string_view stage)>;

  Progress() = default;
  Progress(std::stop_token stop, Sink sink) : stop_(std::move(stop)), sink_(std::move(sink)) {}

  /// Reports `fraction` (0…1) of this part; throws Cancelled if a stop was requested.
  void update(double fraction) const;

  /// Throws Cancelled when a stop was requested.
  void throwIfCancelled() const;
  bool stopRequested() const { return stop_.stop_requested(); }

  /// The part of this run that covers fractions from…to of it, named `stage`.
  Progress part(double from, double to, std::string_view stage) const;

 private:
  std::stop_token stop_;
  Sink sink_;
  double from_ = 0.0;
  double to_ = 1.0;
  std::string stage_;
};

}  // namespace sulcus
