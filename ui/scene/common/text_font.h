#pragma once

#include <string>

class vtkTextProperty;

namespace sulcus::ui::scene {

/// Files of the typeface of later texts, regular and bold.
void useFonts(const std::string& regular, const std::string& bold);

/// Gives a text that VTK draws its typeface and size. VTK's own typefaces have no Greek letters, which names
/// of parameters need: it is that of useFonts(), else DejaVu Sans of the system or of $SULCUS_FONTS; where
/// there is none, VTK's Arial.
///
/// @param points  as high as Arial of this size; letters of the others are larger
void setFont(vtkTextProperty* text, double points, bool bold = false);
/// Whether setFont() made it bold.
bool isBold(vtkTextProperty* text);

}  // namespace sulcus::ui::scene
