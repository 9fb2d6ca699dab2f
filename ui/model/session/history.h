#pragma once

#include "ui/model/session/session_state.h"

#include <QString>
#include <cstddef>
#include <vector>

namespace sulcus::ui::model {

/// The states that undo and redo go through. What they share is in memory once; a layer that was removed or
/// replaced stays as long as a state refers to it, so the oldest states go when such layers become too large.
class History {
 public:
  static constexpr std::size_t kMost = 100;
  /// @param mostBytes  of layers that are not on the stack any more
  explicit History(double mostBytes = 1e9) : mostBytes_(mostBytes) {}

  /// Begins anew with this state.
  void begin(SessionState now);
  /// Takes the present state as the next step; false when undo would have nothing to tell.
  bool note(SessionState now);
  /// Whether these may go and be brought back, as far as memory is concerned.
  bool canKeep(const std::vector<LayerPtr>& layers) const;
  bool canUndo() const { return at_ > 0; }
  bool canRedo() const { return at_ + 1 < states_.size(); }
  const SessionState& undo() { return states_[--at_].state; }
  const SessionState& redo() { return states_[++at_].state; }
  /// Say in words what undo() takes back and redo() brings back: "display of T1".
  QString undoText() const { return canUndo() ? states_[at_].what : QString(); }
  QString redoText() const { return canRedo() ? states_[at_ + 1].what : QString(); }
  /// Identifies the present state.
  int stamp() const { return states_.empty() ? 0 : states_[at_].stamp; }

 private:
  void forgetOldest();
  struct Step {
    SessionState state;
    QString what;  ///< led to it
    int stamp = 0;
  };
  double mostBytes_;
  std::vector<Step> states_;
  std::size_t at_ = 0;
  int nextStamp_ = 1;
};

}  // namespace sulcus::ui::model
