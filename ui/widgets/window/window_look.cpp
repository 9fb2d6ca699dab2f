#include "ui/widgets/window/window_look.h"

#include "ui/widgets/panels/layer_properties.h"
#include "ui/widgets/views/shared_camera.h"
#include "ui/widgets/views/view_area.h"

#include <algorithm>
#include <array>

namespace sulcus::ui::widgets {
namespace {

constexpr std::array kLayoutNames{"grid",  "axial",   "coronal", "sagittal",
                                  "scene", "compare", "beside",  "lightbox"};  // as ViewLayout

}  // namespace

model::WindowLook lookOf(const WindowParts& window) {
  model::WindowLook look;
  look.layout = kLayoutNames[std::size_t(window.views->layoutShown())];
  look.comparePlane = int(window.views->comparePage().plane());
  look.compareIn3d = window.views->comparePage().isIn3d();
  look.planesBesideSurfaces = window.views->styles().planesBesideSurfaces;
  look.lightbox = window.views->lightboxLook();
  look.glyphs = window.views->styles().glyphs;
  look.fields = window.views->styles().fields;
  look.scene = window.views->styles().scene;
  look.detached = window.views->grid().detachedViews();
  look.unlinked = window.views->grid().unlinkedViews();
  look.panels = window.sides.look();
  const SharedCamera* camera = SharedCamera::of(window.view);
  if (camera->isSet()) look.camera = {camera->pose().position, camera->pose().focus, camera->pose().up};
  return look;
}

void setLook(WindowParts& window, const model::WindowLook& look) {
  if (look.panels) window.sides.setLook(*look.panels);
  window.properties->setStyles(look.glyphs, look.fields);
  window.views->changeStyles([&look](scene::Styles& styles) {
    styles.planesBesideSurfaces = look.planesBesideSurfaces;
    styles.scene = look.scene;
  });
  window.views->comparePage().setPlane(model::Plane(look.comparePlane));
  window.views->comparePage().setIn3d(look.compareIn3d);
  window.views->setLightboxLook(look.lightbox);
  const auto layout = std::find(kLayoutNames.begin(), kLayoutNames.end(), look.layout);
  for (int view = 0; view < 4; ++view) window.views->grid().setDetached(view, false);
  for (const model::DetachedView& one : look.detached)
    window.views->grid().setDetached(one.view, true,
                                     {one.place[0], one.place[1], one.place[2], one.place[3]});
  window.views->grid().setUnlinkedViews(look.unlinked);
  if (layout != kLayoutNames.end()) window.views->setLayoutShown(ViewLayout(layout - kLayoutNames.begin()));
  if (look.camera)
    SharedCamera::of(window.view)->setPose({(*look.camera)[0], (*look.camera)[1], (*look.camera)[2]});
}

}  // namespace sulcus::ui::widgets
