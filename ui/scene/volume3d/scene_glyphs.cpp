#include "ui/scene/volume3d/scene_glyphs.h"

#include "ui/scene/glyphs/glyphs.h"
#include "ui/scene/glyphs/lobes.h"
#include "ui/scene/tracts/tract_colors.h"

#include <algorithm>

namespace sulcus::ui::scene {
namespace {

constexpr std::int64_t kVoxelsWithSticks = 20'000, kVoxelsWithLobes = 1'200;  // approximate initial number

}  // namespace

void SceneGlyphs::setLayers(const std::vector<SceneLayer>& layers) {
  dropUnwanted(glyphs_, layers, isPeaks);
  dropUnwanted(tracts_, layers, isTracts);
}

void SceneGlyphs::show(const std::vector<SceneLayer>& layers, const Frame3d& frame) {
  budget_.setStill(frame.look.still);
  drags_ = !frame.look.rest && !frame.look.still && std::ranges::any_of(layers, [](const SceneLayer& layer) {
    return isTracts(layer) && areDragged(layer);
  });
  thin(layers, frame);
  showTracts(layers, frame);
  coarse_ = false;
  for (const SceneLayer& layer : layers)
    if (isPeaks(layer)) showGlyphs(layer, frame);
}

void SceneGlyphs::thin(const std::vector<SceneLayer>& layers, const Frame3d& frame) {
  // Large results start thinned, so that building them is quick; the budget shows more when there is time.
  std::int64_t sticks = 0, lobes = 0, segments = 0;
  for (const SceneLayer& layer : layers) {
    if (isTracts(layer)) segments += segmentsOf(layer);
    if (!isPeaks(layer)) continue;
    const Vec3<int> size = gridOf(*layer.layer)->size;
    if (drawsSticks(layer, frame.styles.glyphs)) sticks += gridOf(*layer.layer)->voxels();
    if (drawsSurfaces(layer, frame.styles.glyphs))
      lobes += std::int64_t(size.x) * size.y + std::int64_t(size.y) * size.z + std::int64_t(size.z) * size.x;
  }
  const SegmentLimits& limits = frame.look.onGpu ? kLimitsOfGpu : kLimitsOfProcessor;
  const int begin = int(1 + sticks / kVoxelsWithSticks + lobes / kVoxelsWithLobes +
                        segments / (drags_ ? limits.whileDragged : limits.atFirst));
  if (begin != begin_) budget_.reset(begin);
  begin_ = begin;
  budget_.rest(frame.look.rest ? oneInAtRest(sticks, lobes) + int(segments / limits.atRest) : 0);
}

void SceneGlyphs::showTracts(const std::vector<SceneLayer>& layers, const Frame3d& frame) {
  const double width = drags_ && !frame.look.onGpu ? 0 : frame.styles.glyphs.tractWidth;
  for (const SceneLayer& layer : layers) {
    if (!isTracts(layer)) continue;
    TractActor& tracts = actorFor(tracts_, layer, renderer_);
    if (tracts.show(layer, width, budget_.oneIn())) budget_.expectNew();
    tracts.cut(frame.cutOf(layer));
  }
  const RegionsShown shown = regionsOf(layers);
  regions_.show(shown.regions, shown.inHand, {});
}

void SceneGlyphs::showGlyphs(const SceneLayer& layer, const Frame3d& frame) {
  const Look3d& look = frame.look;
  const bool lobes = drawsSurfaces(layer, frame.styles.glyphs);
  std::vector<double> key;
  if (lobes) {
    key = {look.crosshair.x, look.crosshair.y, look.crosshair.z};
    for (const Vec3<double>& normal : look.turn.axes) key.insert(key.end(), {normal.x, normal.y, normal.z});
  }
  key.insert(key.end(), {double(look.still), double(look.rest)});
  GlyphActor& actor = actorFor(glyphs_, layer, renderer_);
  const auto choose = [&] { return placeOf(layer, frame); };
  if (actor.show(layer, frame.styles.glyphs, key, budget_.oneIn(), choose)) budget_.expectNew();
  coarse_ = coarse_ || (lobes && actor.lobeLevel() < kFinestLevel);
}

GlyphActor::Place SceneGlyphs::placeOf(const SceneLayer& layer, const Frame3d& frame) const {
  const Look3d& look = frame.look;
  const Grid& grid = *gridOf(*layer.layer);
  GlyphActor::Place place;
  if (drawsSticks(layer, frame.styles.glyphs)) place.sticks = allVoxels(grid, budget_.oneIn());
  if (drawsSurfaces(layer, frame.styles.glyphs))
    for (const Vec3<double>& normal : look.turn.axes) {
      const auto onPlane = thinned(grid, voxelsOnPlane(grid, look.crosshair, normal), budget_.oneIn());
      place.lobes.insert(place.lobes.end(), onPlane.begin(), onPlane.end());
    }
  std::sort(place.lobes.begin(), place.lobes.end());
  place.lobes.erase(std::unique(place.lobes.begin(), place.lobes.end()), place.lobes.end());
  const bool isFew = budget_.oneIn() == 1 && place.lobes.size() < 2000;  // if there are many, none is large
  place.lobeLevel = isFew ? 2 : 1;
  if (look.still)
    place.lobeLevel = kFinestLevel;
  else if (look.rest)
    place.lobeLevel = finestLevelOf(std::int64_t(place.lobes.size()), kTrianglesAtRest, kFinestLevel);
  return place;
}

bool SceneGlyphs::isTimed() const { return (isSlow() || budget_.oneIn() != 1) && !drags_; }

bool SceneGlyphs::leavesOut() const { return !empty() && (budget_.oneIn() > 1 || coarse_); }

std::string SceneGlyphs::note() const {
  return glyphs_.empty() ? budget_.note("showing 1 in %1 lines") : budget_.note();
}

LayerColors* SceneGlyphs::colorsOf(const SceneLayer& layer) const {
  const auto lines = tracts_.find(layer.id);
  const bool isByNumbers = layer.opacityImage || shownTractData(*layer.layer, layer.volume);
  return lines != tracts_.end() && isByNumbers ? lines->second->colors() : nullptr;
}

}  // namespace sulcus::ui::scene
