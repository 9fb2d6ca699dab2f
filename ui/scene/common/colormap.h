#pragma once

#include "core/image/display/color_stops.h"
#include "core/image/labels/label_table.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace sulcus::ui::scene {

using Rgb = Color;
using Rgba = ColorStop;

/// The names that Display::colormap may have, in menu order.
std::vector<std::string> colormapNames();

/// The colors and opacities from the low to the high end of a range, sRGB, of a color map given by its name
/// or defined by the user (core/image/display/color_stops.h). An unknown name gives gray.
std::array<Rgba, 256> colormapTable(const std::string& name);

/// The color of a label, that of its table if it has one; 0 is never drawn. A label has the same color
/// everywhere.
Rgb labelColor(Label label, const LabelTable* names = nullptr);

/// The plain color of surface number `index`, from 0: bright on a dark background.
Rgb surfaceColor(int index);

}  // namespace sulcus::ui::scene
