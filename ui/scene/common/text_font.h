#pragma once

#include <string>

class vtkTextProperty;

namespace sulcus::ui::scene {

/// Sets the font files for later texts, regular and bold.
void useFonts(const std::string& regular, const std::string& bold);

/// Sets the font and size of a text that VTK draws. VTK's own fonts have no Greek letters, which parameter
/// names need: the font is that of useFonts(), else DejaVu Sans from the system or from $SULCUS_FONTS, else
/// VTK's Arial.
///
/// @param points height of Arial at this size; the letters of the others are larger
void setFont(vtkTextProperty* text, double points, bool bold = false);
/// The font of the numbers of scales in pictures: light on a dark ground, right of the text's end.
void setScaleFont(vtkTextProperty* text);
/// Whether setFont() made it bold.
bool isBold(vtkTextProperty* text);

}  // namespace sulcus::ui::scene
