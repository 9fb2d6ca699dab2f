#include "ui/scene/common/text_font.h"

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <string>

#include <vtkTextProperty.h>

namespace sulcus::ui::scene {
namespace {

/// "" if it is not installed.
std::string fontFile(const char* name) {
  const char* const own = std::getenv("SULCUS_FONTS");
  std::error_code fault;
  for (const std::filesystem::path folder : {own ? own : "", "/usr/share/fonts/truetype/dejavu"})
    if (std::filesystem::is_regular_file(folder / name, fault)) return folder / name;
  return {};
}

struct Typeface {
  std::string regular, bold;
  double ofArial = 1;  ///< at this fraction of the size it is as wide as Arial
};

Typeface& typeface() {
  static Typeface used{fontFile("DejaVuSans.ttf"), fontFile("DejaVuSans-Bold.ttf"), 0.87};
  return used;
}

}  // namespace

void useFonts(const std::string& regular, const std::string& bold) { typeface() = {regular, bold, 0.95}; }

void setFont(vtkTextProperty* text, double points, bool bold) {
  const std::string& file = bold ? typeface().bold : typeface().regular;
  text->SetBold(bold && file.empty());
  text->SetFontSize(int(std::lround(file.empty() ? points : typeface().ofArial * points)));
  if (file.empty()) return text->SetFontFamilyToArial();
  text->SetFontFamily(VTK_FONT_FILE);
  text->SetFontFile(file.c_str());
}

bool isBold(vtkTextProperty* text) {
  const char* const file = text->GetFontFile();
  return text->GetBold() || (file && !typeface().bold.empty() && file == typeface().bold);
}

void setScaleFont(vtkTextProperty* text) {
  setFont(text, 13);
  text->SetColor(0.9, 0.92, 0.94);
  text->SetBackgroundColor(0, 0, 0);
  text->SetBackgroundOpacity(0.45);
  text->SetJustificationToRight();
  text->SetVerticalJustificationToCentered();
}

}  // namespace sulcus::ui::scene
