#pragma once

#include "core/analysis/analysis.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <optional>
#include <utility>

namespace sulcus::app::cli {

/// A folder in which one program leaves the intermediate result of a run for another one to show: it holds at
/// most one preview, with one file per layer and their sidecars. The next one is written only after the last
/// was taken, so that neither waits for the other.
class PreviewFolder {
 public:
  explicit PreviewFolder(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// Whether the last preview was taken.
  bool wantsOne() const;
  /// An empty folder for the files of the next one.
  std::filesystem::path begin() const;
  /// Makes the next one available.
  void publish() const;
  /// The files of the preview, in a folder that stays until the next call; none if there is no new one.
  std::optional<std::filesystem::path> take() const;

 private:
  std::filesystem::path folder_;
};

/// Writes the previews of a run. They take a small share of its time; one that cannot be written is left out.
Analysis::Preview previewsInto(const std::filesystem::path& folder);

/// How long to wait before repeating something optional, so that it takes only a small share of the time: ten
/// times its last duration, and at least a second.
class Throttle {
 public:
  bool isOpen() const { return Clock::now() >= next_; }
  void begin() { begun_ = Clock::now(); }
  void end() {
    next_ = Clock::now() + std::max<Clock::duration>(std::chrono::seconds(1), 10 * (Clock::now() - begun_));
  }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point begun_{}, next_{};
};

}  // namespace sulcus::app::cli
