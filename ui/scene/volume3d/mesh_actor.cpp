#include "ui/scene/volume3d/mesh_actor.h"

#include "core/image/table_places.h"
#include "ui/scene/common/colormap.h"
#include "ui/scene/slices/landmark_marks.h"
#include "ui/scene/volume3d/clipping.h"
#include "ui/scene/volume3d/poly_data.h"

#include <vtkActor.h>
#include <vtkPolyData.h>
#include <vtkPolyDataMapper.h>
#include <vtkProperty.h>

namespace sulcus::ui::scene {
namespace {

const std::shared_ptr<const Mesh>& meshOf(const SceneLayer& layer) {
  return std::get<MeshLayer>(layer.layer->content).mesh;
}

constexpr Rgba kUnlabelled{150, 150, 150, 255};

void setPlainColor(vtkActor* actor, const SceneLayer& layer) {
  const Rgb color = surfaceColor(layer.color);
  actor->GetProperty()->SetColor(color[0] / 255.0, color[1] / 255.0, color[2] / 255.0);
}

}  // namespace

MeshActor::MeshActor(vtkRenderer* renderer) : actor_(renderer), colors_(vtkSmartPointer<LayerColors>::New()) {
  auto mapper = vtkSmartPointer<vtkPolyDataMapper>::New();
  mapper->UseLookupTableScalarRangeOn();
  mapper->SetScalarModeToUsePointFieldData();
  mapper->SetLookupTable(colors_);
  actor_->SetMapper(mapper);
  actor_->GetProperty()->SetInterpolationToPhong();
  actor_->GetProperty()->SetAmbient(0.18);
  actor_->GetProperty()->SetDiffuse(0.82);
  actor_->GetProperty()->SetSpecular(0.15);
  actor_->GetProperty()->SetSpecularPower(25);
}

void MeshActor::show(const SceneLayer& layer) {
  auto* mapper = static_cast<vtkPolyDataMapper*>(actor_->GetMapper());
  if (!shape_ || &shape_->mesh() != meshOf(layer).get()) {
    shape_ = shapeOf(meshOf(layer));
    mapper->SetInputData(shape_->data());
  }
  const auto* scalars = shownScalars(*layer.layer, layer.volume);
  mapper->SetScalarVisibility(scalars != nullptr);
  if (scalars) {
    mapper->SelectColorArray(scalars->first.c_str());
    const auto labels = shownLabels(*layer.layer, layer.volume);
    if (labels)
      colors_->showLabels(Display(), labels, kUnlabelled);
    else
      colors_->show(layer.display,
                    layer.display.range ? *layer.display.range : automaticRange(scalars->second));
  }
  setPlainColor(actor_.get(), layer);
  const bool opaque = layer.display.opacity >= 1;
  actor_->GetProperty()->SetOpacity(layer.display.opacity);
  actor_->SetForceOpaque(opaque);  // LayerColors may hide values: VTK would treat them as translucent
  actor_->SetForceTranslucent(!opaque);
}

void MeshActor::cut(const std::optional<CutPlane>& plane) {
  clip(*actor_->GetMapper(), plane);
  // The inner side of a whole closed surface is never visible: half of the triangles need not be drawn.
  actor_->GetProperty()->SetBackfaceCulling(shape_->closedOutwards() && !plane);
}

MeshOutline::MeshOutline(vtkRenderer* renderer) : renderer_(renderer), actor_(renderer) {
  auto mapper = vtkSmartPointer<vtkPolyDataMapper>::New();
  mapper->ScalarVisibilityOff();
  actor_->SetMapper(mapper);
  actor_->GetProperty()->LightingOff();
}

void MeshOutline::show(const SceneLayer& layer, const CutPlane& plane) {
  // The position within the plane does not matter.
  const bool moved = plane.normal != plane_.normal || dot(plane.point - plane_.point, plane.normal) != 0;
  if (!shape_ || &shape_->mesh() != meshOf(layer).get() || moved) {
    shape_ = shapeOf(meshOf(layer));
    plane_ = plane;
    static_cast<vtkPolyDataMapper*>(actor_->GetMapper())->SetInputData(linesOf(shape_->cut(plane)));
  }
  setPlainColor(actor_.get(), layer);
  actor_->GetProperty()->SetLineWidth(float(2 * pixelsPerPoint(renderer_)));
  actor_->GetProperty()->SetOpacity(layer.display.opacity);
}

std::vector<Legend::Entry> legendOf(const std::vector<SceneLayer>& layers) {
  std::vector<Legend::Entry> entries;
  for (auto layer = layers.rbegin(); layer != layers.rend(); ++layer)
    if (isMesh(*layer)) entries.emplace_back(layer->name, surfaceColor(layer->color));
  if (entries.size() < 2) entries.clear();
  for (auto layer = layers.rbegin(); layer != layers.rend(); ++layer)
    if (isLandmarks(*layer->layer)) addLandmarks(*layer, entries);
  return entries;
}

}  // namespace sulcus::ui::scene
