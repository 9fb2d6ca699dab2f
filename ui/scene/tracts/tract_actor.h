#pragma once

#include "ui/scene/common/shown.h"
#include "ui/scene/scene_layer.h"
#include "ui/scene/slices/layer_colors.h"
#include "ui/scene/volume3d/mesh_index.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <vtkSmartPointer.h>

class vtkActor;
class vtkRenderer;

namespace sulcus::ui::scene {

/// How many segments of lines are drawn.
struct SegmentLimits {
  std::int64_t whileDragged;  ///< a region that chooses the lines: they are built anew at each step
  std::int64_t atFirst, atRest;
};
inline constexpr SegmentLimits kLimitsOfProcessor{20'000, 100'000, 1'000'000},
    kLimitsOfGpu{500'000, 3'000'000, 20'000'000};
/// Segments of the slab of lines that a slice shows at first, and half of its thickness, mm.
inline constexpr std::int64_t kSegmentsOfSlabAtFirst = 15'000;
/// Points of the chosen lines among which its slab is looked for while a region is dragged.
inline constexpr std::int64_t kPointsOfSlabWhileDragged = 100'000;
inline constexpr double kHalfSlab = 1;

/// How many segments there are to draw of a layer of tracts, before any is left out.
std::int64_t segmentsOf(const SceneLayer& layer);

/// Whether a line is one of 1 in so many. They lie evenly in the file and are the same ones whatever else is
/// shown; of a smaller share all are in a larger one: lines that are thinned do not flicker.
bool isAmong(std::uint32_t line, int oneIn);

/// Whether the lines are shown as a dragged region chooses them.
bool areDragged(const SceneLayer& layer);

/// A layer of tracts as lines: in 3D all that are shown, in slices those within a slab. Owned by a scene, UI
/// thread.
class TractActor {
 public:
  /// `renderer` must outlive it.
  explicit TractActor(vtkRenderer* renderer);

  /// Shows 1 in `oneIn` of the lines, in points wide, 0 for one pixel, which is drawn soonest. Returns
  /// whether new geometry was built.
  bool show(const SceneLayer& layer, double lineWidth, int oneIn);
  /// Shows the segments within a slab around a plane, of as many lines as make at most so many segments.
  ///
  /// @param quick  looks among few of the chosen lines alone, for at most so many of their points
  void showSlab(const SceneLayer& layer, double lineWidth, const CutPlane& plane, std::int64_t most,
                bool quick = false);
  /// Leaves out the half before a plane; nothing without one.
  void cut(const std::optional<CutPlane>& plane);

  LayerColors* colors() const { return colors_; }
  /// What drawing it costs, as GlyphActor::weight().
  std::int64_t weight() const { return segments_ / 10; }
  /// Of the slab: 1 in so many lines are shown.
  int slabOneIn() const { return slabOneIn_; }

 private:
  struct Piece {
    std::uint32_t line = 0;
    std::uint64_t begin = 0, end = 0;  ///< points
    int part = -1;
  };
  /// What decides which segments are built and in which colors.
  struct Key {
    LayerPtr layer;
    std::shared_ptr<const ShownTracts> shown;
    std::optional<OpacityImage> image;
    Display display;
    int volume = 0, color = 0, oneIn = 0;
    std::optional<std::pair<Vec3<double>, Vec3<double>>> plane;
    std::int64_t most = 0;
    bool quick = false;
    friend bool operator==(const Key&, const Key&) = default;
  };
  /// What lies near the plane that was shown last, of all lines: it stays while lines are chosen.
  struct NearPlane {
    std::shared_ptr<const TractIndex> index;
    Vec3<double> place, normal;
    std::vector<TractIndex::Stretch> stretches;
  };
  const std::vector<TractIndex::Stretch>& stretchesNear(const std::shared_ptr<const TractIndex>& index,
                                                        const Vec3<double>& place,
                                                        const Vec3<double>& normal);
  static void addPieces(const Tracts& tracts, const TractIndex::Stretch& stretch, int part,
                        const CutPlane& plane, std::vector<Piece>& pieces);
  void setLook(const SceneLayer& layer, double lineWidth);
  bool isShown(Key key);
  void build(const SceneLayer& layer, const std::vector<Piece>& pieces);

  vtkRenderer* renderer_;
  Shown<vtkActor> actor_;
  vtkSmartPointer<LayerColors> colors_;
  std::optional<Key> key_;
  NearPlane near_;
  std::int64_t segments_ = 0;
  int slabOneIn_ = 1;
};

}  // namespace sulcus::ui::scene
