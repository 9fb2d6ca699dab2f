#pragma once

#include "ui/scene/scene_layer.h"
#include "ui/scene/styles.h"
#include "ui/scene/volume3d/camera_3d.h"
#include "ui/scene/volume3d/clipping.h"

#include <string>

namespace sulcus::ui::scene {

/// What a 3D view shows besides its layers.
struct Look3d {
  Vec3<double> crosshair{};  ///< through which the planes go, mm RAS+
  SliceTurn turn{};
  bool crosshairVisible = true;
  std::string title{};
  bool bars = true;  ///< color bars
  /// Whether a GPU draws: without one, translucent objects are not sorted by depth, which takes many passes,
  /// and the CPU casts the rays through bodies.
  bool onGpu = true;
  bool still = false;  ///< for a picture: all glyphs, at the highest resolution
  /// No motion: all glyphs that can be drawn in about a second, at the resolution this allows, and bodies
  /// with rays that leave no rings.
  bool rest = false;
};

/// All that the parts of a 3D scene depend on while a frame is drawn.
struct Frame3d {
  const Look3d& look;
  const Styles& styles;
  CameraPose pose;

  /// The plane along which a layer is cut open, see cutPlane().
  std::optional<CutPlane> cutOf(const SceneLayer& layer) const {
    return cutPlane(layer.display.cut, look.crosshair, look.turn, pose.position,
                    normalized(pose.focus - pose.position));
  }
};

}  // namespace sulcus::ui::scene
