#pragma once

#include "ui/model/session/session_state.h"

#include <QObject>
#include <functional>

namespace sulcus::ui::model {

class Workspace;

/// Takes what is open and chosen as one state, for undo and for files, and restores such a state. Lives on
/// the UI thread.
class Snapshots : public QObject {
  Q_OBJECT
 public:
  /// `workspace` must outlive this.
  explicit Snapshots(Workspace& workspace) : workspace_(workspace) {}

  /// What is open and chosen now, without the previews of unfinished runs.
  SessionState take() const;
  /// Restores layers, runs and choices from a state of this workspace; views and previews stay.
  void restore(const SessionState& state);
  /// Shows a state from a file in place of everything open.
  void open(const SessionState& state);
  /// How take() obtains the window's part.
  void setLook(std::function<WindowLook()> look) { look_ = std::move(look); }

 signals:
  /// A state with this view was opened.
  void looked(const WindowLook& look);

 private:
  Workspace& workspace_;
  std::function<WindowLook()> look_;
};

}  // namespace sulcus::ui::model
