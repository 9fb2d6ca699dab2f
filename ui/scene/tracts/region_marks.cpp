#include "ui/scene/tracts/region_marks.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <vtkActor.h>
#include <vtkCubeSource.h>
#include <vtkCutter.h>
#include <vtkFlyingEdges3D.h>
#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkPlane.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkPolyDataMapper.h>
#include <vtkProperty.h>
#include <vtkSphereSource.h>

namespace sulcus::ui::scene {
namespace {

constexpr std::array<std::array<double, 3>, 4> kRoleColors{
    {{0.35, 0.85, 0.4}, {0.95, 0.35, 0.3}, {0.4, 0.65, 1}, {0.95, 0.8, 0.25}}};

/// The surface of the voxels of a label, in mm.
vtkSmartPointer<vtkPolyData> surfaceOf(const LabelBody& body) {
  const Vec3<int> size = body.mask.grid.size;
  if (body.mask.values.empty()) return vtkSmartPointer<vtkPolyData>::New();
  vtkNew<vtkImageData> image;  // with a voxel of nothing around
  image->SetDimensions(size.x + 2, size.y + 2, size.z + 2);
  image->AllocateScalars(VTK_UNSIGNED_CHAR, 1);
  auto* to = static_cast<unsigned char*>(image->GetScalarPointer());
  for (int z = -1; z <= size.z; ++z)
    for (int y = -1; y <= size.y; ++y)
      for (int x = -1; x <= size.x; ++x)
        *to++ = body.mask.grid.contains(x, y, z) && body.mask(x, y, z) ? 255 : 0;
  vtkNew<vtkFlyingEdges3D> edges;
  edges->SetInputData(image);
  edges->SetValue(0, 127.5);
  edges->ComputeNormalsOff();
  edges->Update();
  vtkSmartPointer<vtkPolyData> surface = edges->GetOutput();
  vtkPoints* points = surface->GetPoints();
  for (vtkIdType i = 0; points && i < points->GetNumberOfPoints(); ++i) {
    std::array<double, 3> p{};
    points->GetPoint(i, p.data());
    const Vec3<double> world = body.mask.grid.worldFromVoxel.point({p[0] - 1, p[1] - 1, p[2] - 1});
    points->SetPoint(i, world.x, world.y, world.z);
  }
  return surface;
}

vtkSmartPointer<vtkPolyData> bodyOf(const TractRegion& region) {
  if (region.body) return surfaceOf(*region.body);
  const auto& c = region.center;
  if (region.shape == TractRegion::Shape::sphere) {
    vtkNew<vtkSphereSource> sphere;
    sphere->SetCenter(c.x, c.y, c.z);
    sphere->SetRadius(region.reach.x);
    sphere->SetThetaResolution(48), sphere->SetPhiResolution(32);
    sphere->Update();
    return sphere->GetOutput();
  }
  vtkNew<vtkCubeSource> box;
  box->SetCenter(c.x, c.y, c.z);
  box->SetXLength(2 * region.reach.x), box->SetYLength(2 * region.reach.y),
      box->SetZLength(2 * region.reach.z);
  box->Update();
  return box->GetOutput();
}

vtkSmartPointer<vtkPolyData> cutOf(vtkPolyData* body, const CutPlane& plane) {
  vtkNew<vtkPlane> across;
  across->SetOrigin(plane.point.x, plane.point.y, plane.point.z);
  across->SetNormal(plane.normal.x, plane.normal.y, plane.normal.z);
  vtkNew<vtkCutter> cutter;
  cutter->SetCutFunction(across);
  cutter->SetInputData(body);
  cutter->Update();
  return cutter->GetOutput();
}

bool samePlane(const std::optional<CutPlane>& a, const std::optional<CutPlane>& b) {
  if (!a || !b) return !a && !b;
  return a->normal == b->normal && dot(a->point - b->point, a->normal) == 0;
}

}  // namespace

void RegionMarks::show(const std::vector<TractRegion>& regions, int inHand,
                       const std::optional<CutPlane>& plane) {
  while (actors_.size() > regions.size()) actors_.pop_back();
  while (actors_.size() < regions.size()) {
    const auto& actor = actors_.emplace_back(renderer_);
    actor->SetMapper(vtkSmartPointer<vtkPolyDataMapper>::New());
    actor->PickableOff();
  }
  const bool moved = !samePlane(plane, plane_);
  const double pixels = pixelsPerPoint(renderer_);
  for (std::size_t i = 0; i < regions.size(); ++i) {
    auto* mapper = static_cast<vtkPolyDataMapper*>(actors_[i]->GetMapper());
    mapper->ScalarVisibilityOff();
    if (moved || i >= shown_.size() || !(shown_[i] == regions[i])) {
      const auto body = bodyOf(regions[i]);
      mapper->SetInputData(plane ? cutOf(body, *plane) : body);
    }
    vtkProperty* look = actors_[i]->GetProperty();
    const auto& color = kRoleColors[std::size_t(regions[i].role)];
    const bool chosen = int(i) == inHand;
    look->SetColor(color[0], color[1], color[2]);
    if (plane) {
      look->SetLighting(false);
      // Before the lines of the slab, which reach towards the viewer.
      const Vec3<double> nearer = 2.0 * plane->normal;
      actors_[i]->SetPosition(nearer.x, nearer.y, nearer.z);
      look->SetLineWidth(float((chosen ? 2.5 : 1.5) * pixels));
    } else {
      look->SetOpacity(chosen ? 0.55 : 0.3);
      look->SetAmbient(0.3);
      actors_[i]->SetForceTranslucent(true);
    }
  }
  shown_ = regions;
  plane_ = plane;
  inHand_ = inHand;
}

RegionsShown regionsOf(const std::vector<SceneLayer>& layers) {
  RegionsShown shown;
  for (const SceneLayer& layer : layers) {
    if (!layer.tracts) continue;
    if (layer.tracts->region >= 0) shown.inHand = int(shown.regions.size()) + layer.tracts->region;
    shown.regions.insert(shown.regions.end(), layer.tracts->regions.begin(), layer.tracts->regions.end());
  }
  return shown;
}

std::optional<double> distanceTo(const TractRegion& region, const Vec3<double>& from,
                                 const Vec3<double>& along) {
  if (region.body) return {};  // painted, not dragged
  if (region.shape == TractRegion::Shape::sphere) {
    const Vec3<double> d = region.center - from;
    const double ahead = dot(d, along), aside2 = dot(d, d) - ahead * ahead,
                 r2 = region.reach.x * region.reach.x;
    if (aside2 > r2 || ahead < 0) return {};
    return ahead - std::sqrt(r2 - aside2);
  }
  double begin = 0, end = 1e9;
  for (int i = 0; i < 3; ++i) {
    const double a = region.center[i] - region.reach[i] - from[i],
                 b = region.center[i] + region.reach[i] - from[i];
    if (along[i] == 0) {
      if (a > 0 || b < 0) return {};
      continue;
    }
    begin = std::max(begin, std::min(a / along[i], b / along[i]));
    end = std::min(end, std::max(a / along[i], b / along[i]));
  }
  return begin <= end ? std::optional(begin) : std::nullopt;
}

}  // namespace sulcus::ui::scene
