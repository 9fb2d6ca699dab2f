#pragma once

#include <utility>

#include <vtkSmartPointer.h>

class vtkProp;
class vtkRenderer;

namespace sulcus::ui::scene {

/// Keeps a prop in a renderer, which must outlive it.
class PropInRenderer {
 public:
  PropInRenderer(vtkRenderer* renderer, vtkProp* prop);
  ~PropInRenderer();
  PropInRenderer(PropInRenderer&& other) noexcept = default;
  PropInRenderer(const PropInRenderer&) = delete;
  PropInRenderer& operator=(const PropInRenderer&) = delete;

 private:
  vtkRenderer* renderer_;
  vtkSmartPointer<vtkProp> prop_;
};

/// A prop that is in a renderer as long as this exists; it may be hidden.
template <class Prop>
class Shown {
 public:
  /// `renderer` must outlive it.
  explicit Shown(vtkRenderer* renderer, vtkSmartPointer<Prop> prop = vtkSmartPointer<Prop>::New())
      : prop_(prop), kept_(renderer, prop) {}

  Prop* get() const { return prop_; }
  Prop* operator->() const { return prop_; }

 private:
  vtkSmartPointer<Prop> prop_;
  PropInRenderer kept_;
};

/// Pixels per point (1/72 inch at 72 dpi): 1 on an ordinary screen, 2 at twice the density, 1 without a
/// window.
double pixelsPerPoint(vtkRenderer* renderer);

}  // namespace sulcus::ui::scene
