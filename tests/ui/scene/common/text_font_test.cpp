#include "ui/scene/common/text_font.h"

#include <filesystem>
#include <string>

#include <gtest/gtest.h>
#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkStdString.h>
#include <vtkTextProperty.h>
#include <vtkTextRenderer.h>

namespace sulcus::ui::scene {
namespace {

/// The width of a text as drawn, in pixels.
int widthOf(const char* text) {
  vtkNew<vtkTextProperty> style;
  setFont(style, 15);
  vtkNew<vtkImageData> picture;
  int size[2] = {};
  vtkTextRenderer::GetInstance()->RenderString(style, vtkStdString(text), picture, size, 72);
  return size[0];
}

TEST(TextFont, HasTheGreekLettersOfParameters) {
  if (!std::filesystem::exists("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"))
    GTEST_SKIP() << "DejaVu Sans is not installed";
  for (const char* letter : {"\xCE\xBB", "\xCE\xB3", "\xCE\xBD", "\xCF\x83", "\xCE\xB2", "\xCE\x94"})
    EXPECT_GT(widthOf((std::string("a") + letter + "a").c_str()), widthOf("aa") + 3) << letter;
}

}  // namespace
}  // namespace sulcus::ui::scene
