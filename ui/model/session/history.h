#pragma once

#include "ui/model/session/session_state.h"

#include <QString>
#include <cstddef>
#include <vector>

namespace sulcus::ui::model {

/// The states for undo and redo. What they share is in memory once; a layer that was removed or replaced is
/// kept as long as a state refers to it, so the oldest states are dropped when such layers become too large.
class History {
 public:
  static constexpr std::size_t kMost = 100;
  /// @param mostBytes of layers that are no longer on the stack
  explicit History(double mostBytes = 1e9) : mostBytes_(mostBytes) {}

  /// Starts over with this state.
  void begin(SessionState now);
  /// Records the current state as the next step; false if undo would have nothing to do.
  bool note(SessionState now);
  /// Whether these layers can be removed and restored, as far as memory is concerned.
  bool canKeep(const std::vector<LayerPtr>& layers) const;
  bool canUndo() const { return at_ > 0; }
  bool canRedo() const { return at_ + 1 < states_.size(); }
  const SessionState& undo() { return states_[--at_].state; }
  const SessionState& redo() { return states_[++at_].state; }
  /// Describe what undo() reverts and redo() restores: "display of T1".
  QString undoText() const { return canUndo() ? states_[at_].what : QString(); }
  QString redoText() const { return canRedo() ? states_[at_ + 1].what : QString(); }
  /// Identifies the current state.
  int stamp() const { return states_.empty() ? 0 : states_[at_].stamp; }

 private:
  void forgetOldest();
  struct Step {
    SessionState state;
    QString what;  ///< the change that led to it
    int stamp = 0;
  };
  double mostBytes_;
  std::vector<Step> states_;
  std::size_t at_ = 0;
  int nextStamp_ = 1;
};

}  // namespace sulcus::ui::model
