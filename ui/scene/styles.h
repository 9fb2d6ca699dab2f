#pragma once

#include "ui/scene/glyphs/field_style.h"
#include "ui/scene/glyphs/glyph_style.h"
#include "ui/scene/scene_style.h"

namespace sulcus::ui::scene {

/// How all views draw fiber directions and displacement fields, and all 3D views their background and light.
struct Styles {
  GlyphStyle glyphs{};
  FieldStyle fields{};
  SceneStyle scene{};
  bool planesBesideSurfaces = false;  ///< 3D views show images together with surfaces, which they may hide
};

}  // namespace sulcus::ui::scene
