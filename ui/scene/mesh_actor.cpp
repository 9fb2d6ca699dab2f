#include "ui/scene/mesh_actor.h"

#include "ui/scene/colormap.h"
#include "ui/scene/poly_data.h"

#include <vtkActor.h>
#include <vtkCutter.h>
#include <vtkPlane.h>
#include <vtkPolyData.h>
#include <vtkPolyDataMapper.h>
#include <vtkProperty.h>
#include <vtkRenderWindow.h>
#include <vtkRenderer.h>

namespace sulcus::ui {
namespace {

const Mesh& meshOf(const SceneLayer& layer) { return *std::get<MeshLayer>(layer.layer->content).mesh; }

/// Each surface without scalars has the color of its layer.
void setPlainColor(vtkActor* actor, const SceneLayer& layer) {
  const Rgb color = labelColor(layer.id);
  actor->GetProperty()->SetColor(color[0] / 255.0, color[1] / 255.0, color[2] / 255.0);
}

}  // namespace

MeshActor::MeshActor(vtkRenderer* renderer)
    : renderer_(renderer),
      actor_(vtkSmartPointer<vtkActor>::New()),
      colors_(vtkSmartPointer<LayerColors>::New()) {
  auto mapper = vtkSmartPointer<vtkPolyDataMapper>::New();
  mapper->UseLookupTableScalarRangeOn();
  actor_->SetMapper(mapper);
  actor_->GetProperty()->SetAmbient(0.15);
  actor_->GetProperty()->SetDiffuse(0.85);
  actor_->GetProperty()->SetSpecular(0.2);
  actor_->GetProperty()->SetSpecularPower(30);
  renderer_->AddActor(actor_);
}

MeshActor::~MeshActor() { renderer_->RemoveActor(actor_); }

void MeshActor::show(const SceneLayer& layer) {
  auto* mapper = static_cast<vtkPolyDataMapper*>(actor_->GetMapper());
  const Mesh& mesh = meshOf(layer);
  const bool hasScalars = !mesh.pointScalars.empty();
  if (layer.layer != layer_) {
    mapper->SetInputData(polyDataOf(mesh));
    mapper->SetScalarVisibility(hasScalars);
    mapper->SetLookupTable(hasScalars ? colors_.Get() : nullptr);
    layer_ = layer.layer;
  }
  if (hasScalars) {
    const Range range =
        layer.display.range ? *layer.display.range : automaticRange(mesh.pointScalars.begin()->second);
    colors_->show(layer.display, range);
  } else {
    setPlainColor(actor_, layer);
  }
  actor_->GetProperty()->SetOpacity(layer.display.opacity);
}

MeshOutline::MeshOutline(vtkRenderer* renderer, vtkPlane* plane)
    : renderer_(renderer),
      cutter_(vtkSmartPointer<vtkCutter>::New()),
      actor_(vtkSmartPointer<vtkActor>::New()) {
  cutter_->SetCutFunction(plane);
  cutter_->GenerateTrianglesOff();
  auto mapper = vtkSmartPointer<vtkPolyDataMapper>::New();
  mapper->SetInputConnection(cutter_->GetOutputPort());
  mapper->ScalarVisibilityOff();
  actor_->SetMapper(mapper);
  actor_->GetProperty()->LightingOff();
  renderer_->AddActor(actor_);
}

MeshOutline::~MeshOutline() { renderer_->RemoveActor(actor_); }

void MeshOutline::show(const SceneLayer& layer) {
  if (layer.layer != layer_) {
    cutter_->SetInputData(polyDataOf(meshOf(layer)));
    layer_ = layer.layer;
  }
  setPlainColor(actor_, layer);
  const double pixelsPerPoint =
      renderer_->GetRenderWindow() ? renderer_->GetRenderWindow()->GetDPI() / 72.0 : 1;
  actor_->GetProperty()->SetLineWidth(float(2 * pixelsPerPoint));
  actor_->GetProperty()->SetOpacity(layer.display.opacity);
}

}  // namespace sulcus::ui
