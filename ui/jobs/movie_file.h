#pragma once

#include "core/base/progress.h"

#include <condition_variable>
#include <deque>
#include <filesystem>
#include <functional>
#include <mutex>
#include <string>

namespace sulcus::ui::jobs {

/// The frames of a movie on their way from the window, which draws them, to the worker, which writes them. At
/// most a few are in flight, so that a long movie needs no more memory than a short one.
class MovieFrames {
 public:
  /// Encodes a frame as PNG; called on the worker.
  using Frame = std::function<std::string()>;

  explicit MovieFrames(int count) : count_(count) {}
  int count() const { return count_; }
  /// Whether put() may be called now.
  bool hasRoom() const;
  void put(Frame frame);
  /// No more frames are accepted.
  bool closed() const;
  /// The worker waits here for the next frame. Throws Cancelled.
  Frame take(const Progress& progress);
  void close();

 private:
  static constexpr std::size_t kMostOnTheWay = 3;
  const int count_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Frame> waiting_;
  int put_ = 0;
  bool closed_ = false;
};

/// Whether ffmpeg, which is needed to write MP4, is installed.
bool hasFfmpeg();

/// Writes a movie: an MP4 file if the name ends in .mp4, otherwise a folder with frame_0001.png and so on. It
/// appears when it is complete. An existing file is replaced, an existing folder is not.
///
/// @param note JSON text that is written next to it: NAME.mp4.json, or movie.json in the folder
void writeMovie(MovieFrames& frames, double framesPerSecond, const std::filesystem::path& file,
                const std::string& note, const Progress& progress);

}  // namespace sulcus::ui::jobs
