#include "ui/scene/common/dark_text.h"

#include <array>

#include <vtkPropCollection.h>
#include <vtkRenderWindow.h>
#include <vtkRenderer.h>
#include <vtkRendererCollection.h>
#include <vtkTextActor.h>
#include <vtkTextProperty.h>

namespace sulcus::ui::scene {

DarkText::DarkText(vtkRenderWindow* window) {
  vtkCollectionSimpleIterator at, within;
  vtkRendererCollection* renderers = window->GetRenderers();
  renderers->InitTraversal(at);
  while (vtkRenderer* renderer = renderers->GetNextRenderer(at)) {
    vtkPropCollection* props = renderer->GetViewProps();
    props->InitTraversal(within);
    while (vtkProp* prop = props->GetNextProp(within)) {
      auto* text = vtkTextActor::SafeDownCast(prop);
      if (!text) continue;
      vtkTextProperty* style = text->GetTextProperty();
      std::array<double, 3> color{}, box{};
      style->GetColor(color.data());
      style->GetBackgroundColor(box.data());
      undo_.emplace_back([style, color, box, opacity = style->GetBackgroundOpacity()] {
        style->SetColor(color[0], color[1], color[2]);
        style->SetBackgroundColor(box[0], box[1], box[2]);
        style->SetBackgroundOpacity(opacity);
      });
      style->SetColor(0.08, 0.08, 0.1);
      style->SetBackgroundColor(1, 1, 1);
      style->SetBackgroundOpacity(0.7);
    }
  }
}

DarkText::~DarkText() {
  for (const auto& one : undo_) one();
}

}  // namespace sulcus::ui::scene
