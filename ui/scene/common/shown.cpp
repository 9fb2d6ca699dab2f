#include "ui/scene/common/shown.h"

#include <vtkProp.h>
#include <vtkRenderWindow.h>
#include <vtkRenderer.h>

namespace sulcus::ui::scene {

PropInRenderer::PropInRenderer(vtkRenderer* renderer, vtkProp* prop) : renderer_(renderer), prop_(prop) {
  renderer_->AddViewProp(prop_);
}

PropInRenderer::~PropInRenderer() {
  if (prop_) renderer_->RemoveViewProp(prop_);
}

double pixelsPerPoint(vtkRenderer* renderer) {
  return renderer->GetRenderWindow() ? renderer->GetRenderWindow()->GetDPI() / 72.0 : 1;
}

}  // namespace sulcus::ui::scene
