#pragma once

#include "ui/model/views/view_state.h"
#include "ui/scene/volume3d/scene_3d.h"

#include <QObject>

namespace sulcus::ui::widgets {

/// The camera that linked 3D views have in common. A child of the ViewState they share.
class SharedCamera : public QObject {
  Q_OBJECT
 public:
  using QObject::QObject;

  /// The one of a view state, made on the first call.
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
  /// Whether the window has chosen the pose, and the user has not changed it since.
  bool isFramed() const { return isFramed_; }
  void setFramed() { isFramed_ = true; }

 signals:
  void changed();

 private:
  scene::CameraPose pose_;
  bool isSet_ = false, isFramed_ = false;
};

}  // namespace sulcus::ui::widgets
