#include "ui/scene/glyphs/field_actor.h"

#include "ui/scene/common/words.h"
#include "ui/scene/volume3d/poly_data.h"

#include <cmath>

#include <vtkActor.h>
#include <vtkPolyData.h>
#include <vtkPolyDataMapper.h>
#include <vtkProperty.h>

namespace sulcus::ui::scene {
namespace {

// Limits for one view and frame: a line segment is built and drawn in about 1 µs without a GPU, an arrow in 2
// µs.
constexpr std::int64_t kMostPieces = 40'000, kMostArrows = 12'000;
constexpr Rgb kPlain{0xff, 0xd4, 0x3b};  // amber: visible on black, gray and white
constexpr Rgb kNoDirection{128, 128, 128};

}  // namespace

FieldActor::FieldActor(vtkRenderer* renderer, bool flat)
    : renderer_(renderer),
      flat_(flat),
      halo_(renderer, coloredActor()),
      lines_(renderer, coloredActor()),
      heads_(renderer, coloredActor()),
      colors_(vtkSmartPointer<LayerColors>::New()) {
  lines_->GetProperty()->LightingOff();
  halo_->GetProperty()->LightingOff();
  halo_->GetProperty()->SetColor(0, 0, 0);
  halo_->GetMapper()->ScalarVisibilityOff();
  if (flat_) {
    heads_->GetProperty()->LightingOff();
  } else {
    heads_->GetProperty()->SetAmbient(0.5);
    heads_->GetProperty()->SetDiffuse(0.6);
  }
  // Shapes in the plane of an image are drawn on it, not half inside it.
  vtkMapper::SetResolveCoincidentTopologyToPolygonOffset();
  lines_->GetMapper()->SetRelativeCoincidentTopologyLineOffsetParameters(0, -400);
  heads_->GetMapper()->SetRelativeCoincidentTopologyPolygonOffsetParameters(0, -400);
}

void FieldActor::setLook(bool arrows, double opacity) {
  const double width = arrows ? 1.8 : 1.4, pixels = pixelsPerPoint(renderer_);
  lines_->GetProperty()->SetLineWidth(float(width * pixels));
  halo_->GetProperty()->SetLineWidth(float((width + 2) * pixels));
  halo_->GetProperty()->SetOpacity(0.4 * opacity);
  for (vtkActor* actor : {lines_.get(), heads_.get()}) actor->GetProperty()->SetOpacity(opacity);
}

Rgb FieldActor::colorOf(const Vec3<double>& u) {
  if (style_.color == FieldStyle::Color::plain) return kPlain;
  const double length = norm(u);
  if (style_.color == FieldStyle::Color::length) {
    const unsigned char* rgba = colors_->MapValue(length);
    return {rgba[0], rgba[1], rgba[2]};
  }
  if (length == 0) return kNoDirection;
  return directionColor({float(u.x / length), float(u.y / length), float(u.z / length)});
}

int FieldActor::spacingOf(const Grid& grid, const std::vector<CutPlane>& planes) {
  const bool arrows = style_.shape == FieldStyle::Shape::arrows;
  const int usual = arrows ? everyForArrows(grid) : everyForGrid(grid);
  const int wanted = style_.every > 0 ? style_.every : usual;
  std::int64_t count = 0;
  for (const CutPlane& plane : planes)
    count += arrows ? std::int64_t(arrowVoxels(grid, plane, wanted).size()) : gridPieces(grid, plane, wanted);
  // If there are too many, they are spaced further apart: lines along one axis, arrows along two.
  oneIn_ = int(1 + (count - 1) / (arrows ? kMostArrows : kMostPieces));
  if (!arrows) return wanted * oneIn_;
  const int apart = int(std::ceil(std::sqrt(oneIn_)));
  oneIn_ = apart * apart;
  return wanted * apart;
}

bool FieldActor::show(const SceneLayer& layer, const FieldStyle& style, const std::vector<CutPlane>& planes) {
  const bool arrows = style.shape == FieldStyle::Shape::arrows;
  setLook(arrows, layer.display.opacity);
  const vtkMTimeType colored = colors_->GetMTime();
  colors_->show(layer.display, {0, 1});
  std::vector<double> key;
  for (const CutPlane& plane : planes) {
    const double height = dot(plane.point, plane.normal);  // the position within the plane does not matter
    key.insert(key.end(), {plane.normal.x, plane.normal.y, plane.normal.z, height});
  }
  if (layer.layer == layer_ && style == style_ && key == key_ && colored == colors_->GetMTime()) return false;
  layer_ = layer.layer;
  style_ = style;
  key_ = std::move(key);

  const FieldSampler field(*std::get<DisplacementLayer>(layer_->content).displacement, style.withoutAffine);
  const FieldColor color = [this](const Vec3<double>& u) { return colorOf(u); };
  Arrows drawn;  // or lines alone
  const Grid& grid = field.grid();
  const int every = spacingOf(grid, planes);
  for (const CutPlane& plane : planes) {
    if (arrows)
      appendArrows(field, arrowVoxels(grid, plane, every), {plane, every, flat_}, color, drawn);
    else
      appendGridLines(field, plane, every, flat_, color, drawn.shafts);
  }
  const auto lines = polyDataOf(drawn.shafts);
  showData(lines_.get(), lines);
  showData(halo_.get(), lines);
  if (!flat_) halo_->VisibilityOff();  // in 3D it would hide the lines behind it
  showData(heads_.get(), polyDataOf(drawn.heads));
  return true;
}

std::string fieldNote(int oneIn, const FieldStyle& style) {
  const bool arrows = style.shape == FieldStyle::Shape::arrows;
  std::string note;
  if (oneIn > 1) note = words(arrows ? "showing 1 in %1 arrows" : "showing 1 in %1 lines", oneIn);
  if (style.withoutAffine) note += (note.empty() ? "" : ", ") + words("without affine part");
  return note;
}

}  // namespace sulcus::ui::scene
