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

void clip(vtkAbstractMapper& mapper, const std::vector<CutPlane>& planes) {
  vtkPlaneCollection* clips = mapper.GetClippingPlanes();
  const std::size_t old = clips ? std::size_t(clips->GetNumberOfItems()) : 0;
  if (old > planes.size()) mapper.RemoveAllClippingPlanes();
  for (std::size_t i = old > planes.size() ? 0 : old; i < planes.size(); ++i)
    mapper.AddClippingPlane(vtkNew<vtkPlane>());
  for (std::size_t i = 0; i < planes.size(); ++i) {
    const Vec3<double>&at = planes[i].point, &normal = planes[i].normal;
    vtkPlane* cut = mapper.GetClippingPlanes()->GetItem(int(i));
    cut->SetOrigin(at.x, at.y, at.z);
    cut->SetNormal(-normal.x, -normal.y, -normal.z);  // VTK draws the half in front of it
  }
}

void clip(vtkAbstractMapper& mapper, const std::optional<CutPlane>& plane) {
  clip(mapper, plane ? std::vector{*plane} : std::vector<CutPlane>());
}

}  // namespace sulcus::ui::scene
