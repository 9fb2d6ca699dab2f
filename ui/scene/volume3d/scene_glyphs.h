#pragma once

#include "ui/scene/common/frame_budget.h"
#include "ui/scene/glyphs/glyph_actor.h"
#include "ui/scene/tracts/region_marks.h"
#include "ui/scene/tracts/tract_actor.h"
#include "ui/scene/volume3d/look_3d.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace sulcus::ui::scene {

/// The glyphs and the lines of tracts of a 3D view, of which 1 in N is drawn if all of them would take too
/// long. Owned by a scene, UI thread.
class SceneGlyphs {
 public:
  /// `renderer` must outlive it.
  explicit SceneGlyphs(vtkRenderer* renderer) : renderer_(renderer), regions_(renderer) {}

  /// What is drawn is among these from now on.
  void setLayers(const std::vector<SceneLayer>& layers);
  void show(const std::vector<SceneLayer>& layers, const Frame3d& frame);
  /// Whether their number may depend on how long a frame takes; then record() follows.
  bool isTimed() const;
  /// Takes note of a frame; returns whether another number is to be drawn now.
  bool record(double seconds) { return budget_.record(seconds, isSlow()); }
  /// Shows the initial number, until frames turn out to be slow.
  void showAll() { budget_.reset(begin_); }

  bool empty() const { return glyphs_.empty() && tracts_.empty(); }
  /// Whether they are fewer, or coarser, than at rest.
  bool leavesOut() const;
  /// What is left out, e.g. "showing 1 in 4 glyphs", or "".
  std::string note() const;
  /// The colors of a layer of tracts with a color bar; else null.
  LayerColors* colorsOf(const SceneLayer& layer) const;

 private:
  bool isSlow() const { return isWorthThinning(glyphs_) || isWorthThinning(tracts_); }
  /// The thinning that the number of glyphs and lines asks for.
  void thin(const std::vector<SceneLayer>& layers, const Frame3d& frame);
  void showGlyphs(const SceneLayer& layer, const Frame3d& frame);
  GlyphActor::Place placeOf(const SceneLayer& layer, const Frame3d& frame) const;
  void showTracts(const std::vector<SceneLayer>& layers, const Frame3d& frame);

  vtkRenderer* renderer_;
  std::map<int, std::unique_ptr<GlyphActor>> glyphs_;
  std::map<int, std::unique_ptr<TractActor>> tracts_;
  RegionMarks regions_;  ///< for selecting lines
  FrameBudget budget_;
  int begin_ = 1;        ///< initial thinning of the budget
  bool drags_ = false;   ///< a region for selecting lines is being dragged, so that frames have to be quick
  bool coarse_ = false;  ///< lobes have not their finest level
};

}  // namespace sulcus::ui::scene
