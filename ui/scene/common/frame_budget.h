#pragma once

#include <array>
#include <string>

namespace sulcus::ui::scene {

/// Keeps the drawing time within a frame by showing 1 in N glyphs.
class FrameBudget {
 public:
  explicit FrameBudget(double secondsPerFrame = 1.0 / 20) : budget_(secondsPerFrame) {}

  int oneIn() const {
    if (still_) return 1;
    return rest_ > 0 ? rest_ : oneIn_;
  }
  /// While on, all glyphs are shown, however long that takes: for pictures.
  void setStill(bool on) { still_ = on; }
  bool isStill() const { return still_; }
  /// While above 0, 1 in `oneIn` glyphs is shown, however long that takes: at rest, the thinning depends only
  /// on the number of glyphs, so that the same view gives the same picture.
  void rest(int oneIn) { rest_ = oneIn; }
  /// Records how long a frame with glyphs took; true if oneIn() changed. A frame with new geometry, which
  /// also includes building it and uploading it to graphics memory, also shows whether building twice as much
  /// would make the user wait. `mayThin`: whether the glyphs may be the reason for a slow frame.
  bool record(double seconds, bool mayThin = true);
  /// Shows 1 in `oneIn` from now on.
  void reset(int oneIn = 1);
  /// The next frame builds new geometry.
  void expectNew() { isNew_ = true; }
  /// "showing 1 in 4 glyphs", or empty if all are shown. `text` says what is shown.
  std::string note(const char* text = "showing 1 in %1 glyphs") const;

 private:
  double budget_;
  int oneIn_ = 1, rest_ = 0;
  std::array<int, 2> slow_{};  ///< consecutive frames without and with new geometry
  double buildSeconds_ = 0;    ///< of the last frame with new geometry
  bool isNew_ = true, still_ = false;
};

}  // namespace sulcus::ui::scene
