#pragma once

class vtkTextProperty;

namespace sulcus::ui::scene {

/// Gives a text that VTK draws its typeface and size. VTK's own typefaces have no Greek letters, which names
/// of parameters need: it is DejaVu Sans, of the system or of $SULCUS_FONTS; where there is none, VTK's
/// Arial.
///
/// @param points  as high as Arial of this size; DejaVu's letters are larger
void setFont(vtkTextProperty* text, double points, bool bold = false);

}  // namespace sulcus::ui::scene
