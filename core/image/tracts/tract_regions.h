#pragma once

#include "core/base/progress.h"
#include "core/image/tracts.h"
#include "core/image/tracts/bundle.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

// Selects lines by the regions they meet, each a sphere, a box or the voxels of a label, given on the command
// line or dragged and painted in the window.
namespace sulcus {

/// The voxels of a label of an image.
TractRegion labelRegion(std::shared_ptr<const Volume<Label>> labels, Label label, TractRegion::Role role);
/// Parses "sphere:x,y,z,r" or "box:x,y,z,dx,dy,dz", where d are the full edges, mm; nullopt for other text.
std::optional<TractRegion> regionIn(const std::string& text, TractRegion::Role role);
/// Parses what regionIn() does; throws Error (usage) for other text.
TractRegion regionFrom(const std::string& text, TractRegion::Role role);
/// The elements of a list, separated by ';', without spaces around them.
std::vector<std::string> regionTexts(const std::string& list);
/// The text that regionFrom() parses; of a label "label:17", which does not say of which image.
std::string textOf(const TractRegion& region);
/// "include", "exclude", "end" or "seed".
std::string nameOf(TractRegion::Role role);

/// Whether a point lies in a region, or a segment meets it.
bool isIn(const TractRegion& region, const Vec3<float>& point);
bool meets(const TractRegion& region, const Vec3<float>& from, const Vec3<float>& to);

/// One flag per line.
using LineFlags = std::vector<std::uint8_t>;

/// An index of line segments by cubes, which finds those near a region without looking at the others. It
/// takes about two thirds of the memory of the points.
class TractIndex {
 public:
  /// Takes some seconds for 10⁸ points; throws Cancelled.
  explicit TractIndex(std::shared_ptr<const Tracts> tracts, const Progress& progress = {});
  ~TractIndex();
  TractIndex(const TractIndex&) = delete;
  TractIndex& operator=(const TractIndex&) = delete;

  /// Consecutive segments of a line.
  struct Stretch {
    std::uint32_t line, begin, count;  ///< line, index of the first point, number of segments
  };

  const Tracts& tracts() const { return *tracts_; }
  /// The lines with a segment in a region; for Role::end those that begin or end in it.
  LineFlags linesIn(const TractRegion& region) const;
  /// The segments near a slab around a plane, including all that lie in it.
  ///
  /// @param normal  of length 1
  /// @param half    half of the slab's thickness, mm
  std::vector<Stretch> stretchesNear(const Vec3<double>& point, const Vec3<double>& normal,
                                     double half) const;
  /// The approximate number of segments of all lines in it.
  std::int64_t segmentsNear(const Vec3<double>& point, const Vec3<double>& normal, double half) const;

 private:
  /// Flag in Stretch::count: the points of the stretch are not stored in places_, but their room is left
  /// free.
  static constexpr std::uint32_t kNotRounded = std::uint32_t(1) << 31;
  static constexpr float kStepsPerEdge = 62;  ///< of rounded points
  static constexpr float kLongestStep = 1.5;  ///< mm, between consecutive rounded points

  /// A box of cubes, both ends included.
  struct CubeBox {
    Vec3<std::int32_t> from, to;
  };

  template <class Take>
  void forStretchesOf(std::size_t line, const Take& take) const;
  template <class Put>
  void forCubesAlong(const Vec3<float>& a, const Vec3<float>& b, const Put& put, int halvings = 0) const;
  Vec3<std::int32_t> cubeAt(const Vec3<float>& p) const;
  std::size_t numberOf(const Vec3<std::int32_t>& cube) const;
  Vec3<float> cornerOf(std::size_t cube) const;
  bool rounded(const Stretch& stretch, const Vec3<float>& corner, std::int8_t* to) const;
  bool meetsSegments(const TractRegion& region, const Stretch& stretch) const;
  template <class Take>
  void forCubesNear(const Vec3<double>& point, const Vec3<double>& normal, double half,
                    const Take& take) const;
  std::optional<CubeBox> cubesAround(const TractRegion& region) const;
  std::vector<std::uint8_t> cubesOf(const LabelBody& body, const CubeBox& box) const;
  std::vector<std::size_t> cubesToSearch(const TractRegion& region) const;
  bool isCubeIn(const TractRegion& region, std::size_t cube) const;
  LineFlags linesEndingIn(const TractRegion& region) const;
  void markLines(const TractRegion& region, std::size_t cube, LineFlags& flags) const;

  std::shared_ptr<const Tracts> tracts_;
  Vec3<float> low_;
  float edge_ = 4, perMillimeter_ = 0.25f;
  Vec3<std::int32_t> size_{0, 0, 0};
  std::vector<std::uint64_t> begins_, bytesBegin_;  ///< where stretches and points of each cube begin
  std::vector<Stretch> stretches_;
  /// The rounded points of all stretches, ordered so that points close in space are close in memory.
  std::vector<std::int8_t> places_;
  std::vector<Vec3<float>> ends_;  ///< the first and the last point of each line
};

/// The lines, ascending, that meet all regions with Role::include, end in all with Role::end and meet none
/// with Role::exclude, given the lines of each region.
std::vector<std::uint32_t> linesChosen(std::size_t lines, std::span<const TractRegion> regions,
                                       std::span<const LineFlags> linesIn);
/// The lines that meet the regions, found without an index, for a single query: all lines are tested.
std::vector<std::uint32_t> linesChosen(const Tracts& tracts, std::span<const TractRegion> regions,
                                       const Progress& progress = {});

}  // namespace sulcus
