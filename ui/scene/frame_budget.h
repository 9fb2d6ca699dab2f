#pragma once

#include <string>

namespace sulcus::ui {

/// Keeps drawing within a frame time by showing 1 in N glyphs.
class FrameBudget {
 public:
  explicit FrameBudget(double secondsPerFrame = 1.0 / 20) : budget_(secondsPerFrame) {}

  int oneIn() const { return oneIn_; }
  /// Tells how long a frame with glyphs took; true when oneIn() changed. The frame after a change, which also
  /// builds the new geometry and moves it to the graphics memory, is not counted as one: it tells whether
  /// building twice as much would make the user wait. `mayThin`: whether the glyphs may be why a frame was
  /// slow.
  bool record(double seconds, bool mayThin = true);
  /// Shows 1 in `oneIn` from now on.
  void reset(int oneIn = 1);
  /// The first frame of new geometry is slower: do not judge by it.
  void skipNext() { skip_ = true; }
  /// "showing 1 in 4 glyphs", or empty when all are shown.
  std::string note() const;

 private:
  double budget_;
  int oneIn_ = 1;
  int slow_ = 0;
  double buildSeconds_ = 0;  ///< of the last frame with new geometry
  bool skip_ = true;
};

}  // namespace sulcus::ui
