#include "ui/scene/field_actor.h"

#include "ui/scene/poly_data.h"

#include <vtkActor.h>
#include <vtkPolyData.h>
#include <vtkPolyDataMapper.h>
#include <vtkProperty.h>
#include <vtkRenderWindow.h>
#include <vtkRenderer.h>

namespace sulcus::ui {
namespace {

constexpr Rgb kPlain{0xff, 0xd4, 0x3b};  // amber: seen on black, gray and white

vtkSmartPointer<vtkActor> coloredActor(vtkRenderer* renderer) {
  auto mapper = vtkSmartPointer<vtkPolyDataMapper>::New();
  mapper->SetColorModeToDirectScalars();
  auto actor = vtkSmartPointer<vtkActor>::New();
  actor->SetMapper(mapper);
  actor->PickableOff();
  renderer->AddActor(actor);
  return actor;
}

void setData(vtkActor* actor, vtkPolyData* data) {
  static_cast<vtkPolyDataMapper*>(actor->GetMapper())->SetInputData(data);
  actor->SetVisibility(data->GetNumberOfPoints() > 0);
}

}  // namespace

FieldActor::FieldActor(vtkRenderer* renderer, bool flat)
    : renderer_(renderer),
      flat_(flat),
      lines_(coloredActor(renderer)),
      heads_(coloredActor(renderer)),
      colors_(vtkSmartPointer<LayerColors>::New()) {
  lines_->GetProperty()->LightingOff();
  if (flat_)
    heads_->GetProperty()->LightingOff();
  else
    heads_->GetProperty()->SetAmbient(0.5), heads_->GetProperty()->SetDiffuse(0.6);
  // What lies in the plane of an image is seen on it, not half in it.
  vtkMapper::SetResolveCoincidentTopologyToPolygonOffset();
  lines_->GetMapper()->SetRelativeCoincidentTopologyLineOffsetParameters(0, -400);
  heads_->GetMapper()->SetRelativeCoincidentTopologyPolygonOffsetParameters(0, -400);
}

FieldActor::~FieldActor() {
  renderer_->RemoveActor(lines_);
  renderer_->RemoveActor(heads_);
}

bool FieldActor::show(const SceneLayer& layer, const FieldStyle& style, const std::vector<CutPlane>& planes,
                      int oneIn) {
  const double pixelsPerPoint =
      renderer_->GetRenderWindow() ? renderer_->GetRenderWindow()->GetDPI() / 72.0 : 1;
  const bool arrows = style.shape == FieldStyle::Shape::arrows;
  lines_->GetProperty()->SetLineWidth(float((arrows ? 1.8 : 1.4) * pixelsPerPoint));
  for (vtkActor* actor : {lines_.Get(), heads_.Get()})
    actor->GetProperty()->SetOpacity(layer.display.opacity);
  const vtkMTimeType colored = colors_->GetMTime();
  colors_->show(layer.display, {0, 1});
  std::vector<double> key{double(arrows ? oneIn : 1)};
  for (const CutPlane& plane : planes) {
    const double height = dot(plane.point, plane.normal);  // the place within the plane does not matter
    key.insert(key.end(), {plane.normal.x, plane.normal.y, plane.normal.z, height});
  }
  if (layer.layer == layer_ && style == style_ && key == key_ && colored == colors_->GetMTime()) return false;
  layer_ = layer.layer;
  style_ = style;
  key_ = std::move(key);

  const FieldSampler field(*std::get<DisplacementLayer>(layer_->content).displacement, style.withoutAffine);
  const FieldColor color = [&](const Vec3<double>& u) -> Rgb {
    if (style.color == FieldStyle::Color::plain) return kPlain;
    const double length = norm(u);
    if (style.color == FieldStyle::Color::direction)
      return length > 0 ? directionColor({float(u.x / length), float(u.y / length), float(u.z / length)})
                        : Rgb{128, 128, 128};
    const unsigned char* rgba = colors_->MapValue(length);
    return {rgba[0], rgba[1], rgba[2]};
  };
  Sticks lines;
  Surfaces heads;
  for (const CutPlane& plane : planes) {
    if (arrows) {
      const int every = style.every > 0 ? style.every : everyForArrows(field.grid());
      appendArrows(field, thinned(field.grid(), arrowVoxels(field.grid(), plane, every), oneIn), plane, every,
                   flat_, color, lines, heads);
    } else {
      appendGridLines(field, plane, style.every > 0 ? style.every : everyForGrid(field.grid()), flat_, color,
                      lines);
    }
  }
  setData(lines_, polyDataOf(lines));
  setData(heads_, polyDataOf(heads));
  weight_ = arrows ? lines.count() : 0;  // lines of the grid are not thinned
  return true;
}

std::string drawingNote(const FrameBudget& budget, bool glyphs, bool fields, const FieldStyle& style) {
  const bool arrows = fields && style.shape == FieldStyle::Shape::arrows;
  std::string note = glyphs ? budget.note() : arrows ? budget.note("arrows") : "";
  if (fields && style.withoutAffine) note += note.empty() ? "without affine part" : ", without affine part";
  return note;
}

}  // namespace sulcus::ui
