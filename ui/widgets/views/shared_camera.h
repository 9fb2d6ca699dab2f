#pragma once

#include "ui/model/views/view_state.h"
#include "ui/scene/volume3d/camera_3d.h"

#include <QObject>

namespace sulcus::ui::widgets {

/// The camera shared by linked 3D views. A child of their common ViewState.
class SharedCamera : public QObject {
  Q_OBJECT
 public:
  using QObject::QObject;

  /// The camera of a view state, created on the first call.
  static SharedCamera* of(model::ViewState& view) {
    auto* camera = view.findChild<SharedCamera*>(QString(), Qt::FindDirectChildrenOnly);
    return camera ? camera : new SharedCamera(&view);
  }
  const scene::CameraPose& pose() const { return pose_; }
  bool isSet() const { return isSet_; }
  void setPose(const scene::CameraPose& pose) {
    if (isSet_ && pose == pose_) return;
    pose_ = pose;
    isSet_ = true;
    isFramed_ = false;
    emit changed();
  }
  /// The pose is set anew as soon as there is something to see.
  void forget() { isSet_ = false; }
  /// Whether the window has set the pose, and the user has not changed it since.
  bool isFramed() const { return isFramed_; }
  void setFramed() { isFramed_ = true; }

 signals:
  void changed();

 private:
  scene::CameraPose pose_;
  bool isSet_ = false, isFramed_ = false;
};

}  // namespace sulcus::ui::widgets
