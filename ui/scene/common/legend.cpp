#include "ui/scene/common/legend.h"

#include "ui/scene/common/text_font.h"

#include <vtkTextActor.h>
#include <vtkTextProperty.h>

namespace sulcus::ui::scene {

void Legend::show(const std::vector<Entry>& entries) {
  while (lines_.size() > entries.size()) lines_.pop_back();
  while (lines_.size() < entries.size()) {
    vtkTextProperty* style = lines_.emplace_back(renderer_)->GetTextProperty();
    setFont(style, 13, true);
    style->SetBackgroundColor(0, 0, 0);
    style->SetBackgroundOpacity(0.45);
    style->SetVerticalJustificationToTop();
  }
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const auto& [name, color] = entries[i];
    const std::string text = "\xE2\x80\x94 " + name;
    if (!lines_[i]->GetInput() || text != lines_[i]->GetInput()) lines_[i]->SetInput(text.c_str());
    lines_[i]->GetTextProperty()->SetColor(color[0] / 255.0, color[1] / 255.0, color[2] / 255.0);
  }
}

void Legend::layOut(int height, bool belowTitle) {
  const double unit = pixelsPerPoint(renderer_);
  double y = height - (belowTitle ? 34 : 8) * unit;
  for (const auto& line : lines_) {
    line->SetPosition(int(8 * unit), int(y));
    y -= 19 * unit;
  }
}

}  // namespace sulcus::ui::scene
