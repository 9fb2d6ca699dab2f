#pragma once

#include "ui/model/views/view_state.h"
#include "ui/widgets/export/picture_style.h"
#include "ui/widgets/views/scene_view.h"

#include <QImage>
#include <string>
#include <vector>

namespace sulcus::ui::widgets {

/// These views as arranged on screen, in a picture with `style.scale` times their pixels. All must have been
/// shown. `view`: the state they share.
QImage pictureOf(const std::vector<SceneView*>& views, model::ViewState& view, const PictureStyle& style);

/// A picture with transparency: from one drawn on black and one on white, otherwise the same.
QImage transparentFrom(const QImage& overBlack, const QImage& overWhite);

/// Encodes a picture as "PNG" or "TIFF". For workers; throws Error if there is no such encoder.
std::string pictureBytes(const QImage& picture, const char* format);

}  // namespace sulcus::ui::widgets
