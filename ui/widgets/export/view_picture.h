#pragma once

#include "ui/model/views/view_state.h"
#include "ui/widgets/export/picture_style.h"
#include "ui/widgets/views/view_widgets.h"

#include <QImage>
#include <string>
#include <vector>

namespace sulcus::ui::widgets {

/// These views as they lie on screen, in a picture of `style.scale` times their pixels there. Each was shown.
/// `view`: the state they share.
QImage pictureOf(const std::vector<SceneView*>& views, model::ViewState& view, const PictureStyle& style);

/// A picture whose pixels show what covers them: one drawn over black and one over white, otherwise the same.
QImage transparentFrom(const QImage& overBlack, const QImage& overWhite);

/// Encodes a picture as "PNG" or "TIFF". For workers; throws Error where there is no such writer.
std::string pictureBytes(const QImage& picture, const char* format);

}  // namespace sulcus::ui::widgets
