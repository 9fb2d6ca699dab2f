#include "ui/scene/common/text_font.h"

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <string>

#include <vtkTextProperty.h>

namespace sulcus::ui::scene {
namespace {

/// "" where it is not installed.
std::string fontFile(const char* name) {
  const char* const own = std::getenv("SULCUS_FONTS");
  std::error_code fault;
  for (const std::filesystem::path folder : {own ? own : "", "/usr/share/fonts/truetype/dejavu"})
    if (std::filesystem::is_regular_file(folder / name, fault)) return folder / name;
  return {};
}

}  // namespace

void setFont(vtkTextProperty* text, double points, bool bold) {
  constexpr double kOfArial = 0.87;  // DejaVu of this share of the size is as wide
  static const std::string regular = fontFile("DejaVuSans.ttf"), heavy = fontFile("DejaVuSans-Bold.ttf");
  const std::string& file = bold ? heavy : regular;
  text->SetBold(bold && file.empty());
  text->SetFontSize(int(std::lround(file.empty() ? points : kOfArial * points)));
  if (file.empty()) return text->SetFontFamilyToArial();
  text->SetFontFamily(VTK_FONT_FILE);
  text->SetFontFile(file.c_str());
}

}  // namespace sulcus::ui::scene
