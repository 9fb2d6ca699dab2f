#include "ui/scene/glyphs/glyph_actor.h"

#include "ui/scene/glyphs/ellipsoids.h"
#include "ui/scene/volume3d/poly_data.h"

#include <algorithm>
#include <cmath>

#include <vtkActor.h>
#include <vtkPolyData.h>
#include <vtkPolyDataMapper.h>
#include <vtkProperty.h>

namespace sulcus::ui::scene {

int finestLevelOf(std::int64_t lobes, std::int64_t most, int wanted) {
  while (wanted > 0 && lobes * trianglesOf(wanted) > most) --wanted;
  return wanted;
}

int oneInAtRest(std::int64_t sticks, std::int64_t lobes) {
  const double share =
      double(sticks) / double(kSticksAtRest) + double(lobes * trianglesOf(1)) / double(kTrianglesAtRest);
  return std::max(1, int(std::ceil(share)));
}

GlyphActor::GlyphActor(vtkRenderer* renderer)
    : renderer_(renderer), sticks_(renderer, coloredActor()), lobes_(renderer, coloredActor()) {
  sticks_->GetProperty()->LightingOff();
  // Glyphs in the plane of an image are drawn on it, not half inside it.
  vtkMapper::SetResolveCoincidentTopologyToPolygonOffset();
  sticks_->GetMapper()->SetRelativeCoincidentTopologyLineOffsetParameters(0, -400);
  lobes_->GetMapper()->SetRelativeCoincidentTopologyPolygonOffsetParameters(0, -150);
  lobes_->GetProperty()->SetAmbient(0.45);
  lobes_->GetProperty()->SetDiffuse(0.65);
  lobes_->GetProperty()->SetSpecular(0.15);
  lobes_->GetProperty()->SetSpecularPower(20);
}

void GlyphActor::setLook(const SceneLayer& layer, const GlyphStyle& style) {
  sticks_->GetProperty()->SetLineWidth(float(style.lineWidth * pixelsPerPoint(renderer_)));
  sticks_->GetProperty()->SetOpacity(layer.display.opacity);
  lobes_->GetProperty()->SetOpacity(layer.display.opacity);
}

void GlyphActor::build(Place place, bool wantsSticks, bool wantsSurfaces) {
  const auto& content = std::get<PeaksLayer>(layer_->content);
  if (referenceOf_ != layer_) {
    reference_ = referenceAmplitude(*content.peaks);
    referenceOf_ = layer_;
  }
  if (!wantsSticks) place.sticks.clear();
  SticksMade wanted{layer_, std::move(place.sticks), style_.scale, oneIn_};
  if (!(wanted == made_)) {
    made_ = std::move(wanted);
    Sticks sticks;
    appendSticks(*content.peaks, thinned(content.peaks->grid, made_.voxels, oneIn_), reference_, style_.scale,
                 sticks);
    stickCount_ = sticks.count();
    showData(sticks_.get(), polyDataOf(sticks));
  }
  Surfaces surfaces;
  lobeLevel_ = place.lobeLevel;
  if (wantsSurfaces) {
    const bool ellipsoids = style_.shape == GlyphStyle::Shape::ellipsoids && content.tensor->count == 6 &&
                            content.peaks->count > 0;
    (ellipsoids ? appendEllipsoids : appendLobes)(
        *content.tensor, thinned(content.tensor->grid, std::move(place.lobes), oneIn_), place.lobeLevel,
        style_.scale, surfaces);
  }
  showData(lobes_.get(), polyDataOf(surfaces));
  weight_ = stickCount_ + std::int64_t(surfaces.triangles.size()) / 3 / 10;
}

}  // namespace sulcus::ui::scene
