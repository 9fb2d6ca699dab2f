#pragma once

#include "core/analysis/analysis.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <optional>
#include <utility>

namespace sulcus::app::cli {

/// Where one program leaves what a run has so far and another one takes it to show it: a folder that holds
/// one preview at most, with a file a layer and their sidecars. There is no next one before the last was
/// taken, so that neither waits for the other.
class PreviewFolder {
 public:
  explicit PreviewFolder(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// Whether the last preview was taken.
  bool wantsOne() const;
  /// An empty folder for the files of the next one.
  std::filesystem::path begin() const;
  /// Lets the next one be taken.
  void publish() const;
  /// The files of the preview, in a folder that stays until the next call; none where there is no new one.
  std::optional<std::filesystem::path> take() const;

 private:
  std::filesystem::path folder_;
};

/// Writes the previews of a run. They take a small share of its time; one that cannot be written is
/// left out.
Analysis::Preview previewsInto(const std::filesystem::path& folder);

/// How long to wait before something optional is done again, that it takes no more than its share of the
/// time: ten times as long as it took last, and no less than a second.
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
