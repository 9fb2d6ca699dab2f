#include "ui/scene/volume3d/clipping.h"

#include <vtkAbstractMapper.h>
#include <vtkNew.h>
#include <vtkPlane.h>
#include <vtkPlaneCollection.h>

namespace sulcus::ui::scene {

std::optional<int> cutAxis(Cut cut) {
  switch (cut) {
    case Cut::axial:
      return 2;
    case Cut::coronal:
      return 1;
    case Cut::sagittal:
      return 0;
    default:
      return {};
  }
}

std::optional<CutPlane> cutPlane(Cut cut, const Vec3<double>& at, const SliceTurn& turn,
                                 const Vec3<double>& eye, const Vec3<double>& ahead) {
  if (cut == Cut::facing) return CutPlane{at, -ahead};
  const auto axis = cutAxis(cut);
  if (!axis) return {};
  const Vec3<double>& normal = turn.axes[std::size_t(*axis)];
  return CutPlane{at, dot(eye - at, normal) < 0 ? -normal : normal};
}

void clip(vtkAbstractMapper& mapper, const std::optional<CutPlane>& plane) {
  vtkPlaneCollection* planes = mapper.GetClippingPlanes();
  const bool clips = planes && planes->GetNumberOfItems() > 0;
  if (clips && !plane) mapper.RemoveAllClippingPlanes();
  if (!plane) return;
  if (!clips) mapper.AddClippingPlane(vtkNew<vtkPlane>());
  vtkPlane* cut = mapper.GetClippingPlanes()->GetItem(0);
  cut->SetOrigin(plane->point.x, plane->point.y, plane->point.z);
  cut->SetNormal(-plane->normal.x, -plane->normal.y, -plane->normal.z);  // VTK draws the half before it
}

}  // namespace sulcus::ui::scene
