#pragma once

#include "ui/scene/common/shown.h"
#include "ui/scene/scene_layer.h"
#include "ui/scene/styles.h"

#include <cstdint>
#include <vector>

#include <vtkSmartPointer.h>

class vtkActor;
class vtkRenderer;

namespace sulcus::ui::scene {

/// Whether a layer of peaks is drawn with surfaces: always if it has only functions.
inline bool drawsSurfaces(const SceneLayer& layer, const GlyphStyle& style) {
  const auto& content = std::get<PeaksLayer>(layer.layer->content);
  return content.tensor && (style.wantsSurfaces() || content.peaks->count == 0);
}
/// Whether it is drawn with sticks: always if there is no function.
inline bool drawsSticks(const SceneLayer& layer, const GlyphStyle& style) {
  const auto& content = std::get<PeaksLayer>(layer.layer->content);
  return content.peaks->count > 0 && (style.wantsSticks() || !content.tensor);
}

/// The sticks and lobes of one peaks layer for some of its voxels. Sticks are one mesh of lines: as fast as
/// vtkGlyph3DMapper for 50 000 of them and faster for a million, in software. Owned by a scene, UI thread.
class GlyphActor {
 public:
  /// `renderer` must outlive it.
  explicit GlyphActor(vtkRenderer* renderer);

  /// Which voxels get sticks and which get lobes, and the resolution of the lobes: 0 coarse … 3 fine.
  struct Place {
    std::vector<std::int64_t> sticks, lobes;
    int lobeLevel = 1;
  };

  /// Rebuilds if something changed: the layer, the style, the voxels (identified by `placeKey`) or the
  /// thinning. `choose` is called only in that case. `lobeLevel`: 0 coarse … 3 fine. Returns whether it was
  /// rebuilt.
  template <class Choose>
  bool show(const SceneLayer& layer, const GlyphStyle& style, const std::vector<double>& placeKey, int oneIn,
            Choose&& choose) {
    setLook(layer, style);
    if (layer.layer == layer_ && style.shape == style_.shape && style.scale == style_.scale &&
        placeKey == placeKey_ && oneIn == oneIn_)
      return false;
    layer_ = layer.layer;
    style_ = style;
    placeKey_ = placeKey;
    oneIn_ = oneIn;
    build(choose(), drawsSticks(layer, style), drawsSurfaces(layer, style));
    return true;
  }
  /// The resolution of its lobes.
  int lobeLevel() const { return lobeLevel_; }
  /// The cost of drawing it, in sticks; a lobe surface counts by its triangles.
  std::int64_t weight() const { return weight_; }

 private:
  void setLook(const SceneLayer& layer, const GlyphStyle& style);
  void build(Place place, bool sticks, bool surfaces);

  vtkRenderer* renderer_;
  Shown<vtkActor> sticks_, lobes_;
  LayerPtr layer_, referenceOf_;
  GlyphStyle style_;
  std::vector<double> placeKey_;
  int oneIn_ = 0, lobeLevel_ = 0;
  double reference_ = 0;
  std::int64_t weight_ = 0;
  /// What the current sticks were built from: in 3D the crosshair moves only the lobes.
  struct SticksMade {
    LayerPtr layer;
    std::vector<std::int64_t> voxels;
    double scale = 0;
    int oneIn = 0;
    friend bool operator==(const SticksMade&, const SticksMade&) = default;
  } made_;
  std::int64_t stickCount_ = 0;
};

/// The glyphs drawn when a view is at rest: as many as take about a second without a GPU.
inline constexpr std::int64_t kTrianglesAtRest = 2'000'000, kSticksAtRest = 2'000'000;
/// Triangles of a lobe surface at a level.
inline constexpr std::int64_t trianglesOf(int level) { return std::int64_t(20) << 2 * level; }
/// The finest level at which this many lobe surfaces have at most `most` triangles; 0 if there is none.
int finestLevelOf(std::int64_t lobes, std::int64_t most, int wanted);
/// At rest, 1 in this many voxels has a glyph.
int oneInAtRest(std::int64_t sticks, std::int64_t lobes);

/// Whether there are so many glyphs that they, and not the rest of the scene, determine the frame time.
template <class Actors>
bool isWorthThinning(const Actors& actors) {
  std::int64_t weight = 0;
  for (const auto& [id, actor] : actors) weight += actor->weight();
  return weight > 4000;
}

}  // namespace sulcus::ui::scene
