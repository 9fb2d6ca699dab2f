// Canvas: redraws the last frame in the style of a picture.
#include "ui/scene/common/dark_text.h"
#include "ui/widgets/export/view_picture.h"
#include "ui/widgets/views/canvas.h"

#include <array>
#include <functional>
#include <optional>
#include <vector>

#include <vtkActor2D.h>
#include <vtkAnnotatedCubeActor.h>
#include <vtkPropCollection.h>
#include <vtkRenderWindow.h>
#include <vtkRenderer.h>
#include <vtkRendererCollection.h>

namespace sulcus::ui::widgets {
namespace {

using Undo = std::vector<std::function<void()>>;

void forEachRenderer(vtkRenderWindow* window, const std::function<void(vtkRenderer*)>& use) {
  vtkRendererCollection* all = window->GetRenderers();
  vtkCollectionSimpleIterator at;
  all->InitTraversal(at);
  while (vtkRenderer* renderer = all->GetNextRenderer(at)) use(renderer);
}

void forEachProp(vtkRenderWindow* window, const std::function<void(vtkProp*)>& use) {
  forEachRenderer(window, [&](vtkRenderer* renderer) {
    vtkPropCollection* all = renderer->GetViewProps();
    vtkCollectionSimpleIterator at;
    all->InitTraversal(at);
    while (vtkProp* prop = all->GetNextProp(at)) use(prop);
  });
}

void hideAnnotations(vtkRenderWindow* window, Undo& undo) {
  forEachProp(window, [&](vtkProp* prop) {
    const bool annotates = vtkActor2D::SafeDownCast(prop) || vtkAnnotatedCubeActor::SafeDownCast(prop);
    if (!annotates || !prop->GetVisibility()) return;
    prop->VisibilityOff();
    undo.emplace_back([prop] { prop->VisibilityOn(); });
  });
}

void setBackground(vtkRenderWindow* window, double gray) {
  forEachRenderer(window, [gray](vtkRenderer* renderer) {
    if (renderer->GetLayer() == 0) renderer->SetBackground(gray, gray, gray);
  });
}

}  // namespace

QImage Canvas::drawnInStyle(const PictureStyle& style) {
  using Background = PictureStyle::Background;
  // The fourth channel as left by VTK, 0 in the background, is not part of the picture.
  const auto opaque = [this] {
    QImage picture = drawn();
    for (int y = 0; y < picture.height(); ++y) {
      auto* line = reinterpret_cast<QRgb*>(picture.scanLine(y));
      for (int x = 0; x < picture.width(); ++x) line[x] |= 0xff000000;
    }
    return picture;
  };
  if (style.annotations && style.background == Background::asOnScreen) return opaque();
  Undo undo;
  forEachRenderer(window_, [&](vtkRenderer* renderer) {
    std::array<double, 3> color{};
    renderer->GetBackground(color.data());
    undo.emplace_back([renderer, color] { renderer->SetBackground(color[0], color[1], color[2]); });
  });
  if (!style.annotations) hideAnnotations(window_, undo);
  std::optional<scene::DarkText> dark;
  if (style.background == Background::white) dark.emplace(window_);
  const auto over = [&](double gray) {
    setBackground(window_, gray);
    window_->Render();
    return opaque();
  };
  QImage picture;
  switch (style.background) {
    case Background::asOnScreen:
      window_->Render();
      picture = opaque();
      break;
    case Background::black:
      picture = over(0);
      break;
    case Background::white:
      picture = over(1);
      break;
    case Background::transparent: {
      const QImage overBlack = over(0);
      picture = transparentFrom(overBlack, over(1));
      break;
    }
  }
  for (const auto& one : undo) one();
  return picture;
}

}  // namespace sulcus::ui::widgets
