#pragma once

#include "core/base/progress.h"
#include "core/image/tracts.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

// Lines chosen by regions that they meet: a sphere or a box each, from the command line or dragged in the
// window.
namespace sulcus {

/// A sphere or a box along the axes that lines must meet, must not meet, or must end in.
struct TractRegion {
  enum class Role { include, exclude, end };
  enum class Shape { sphere, box };

  Role role = Role::include;
  Shape shape = Shape::sphere;
  Vec3<double> center;          ///< mm RAS+
  Vec3<double> reach{5, 5, 5};  ///< from the center, mm: the radius three times, or half of each edge

  friend bool operator==(const TractRegion&, const TractRegion&) = default;
};

/// "sphere:x,y,z,r" or "box:x,y,z,dx,dy,dz", where d are the whole edges, mm. Throws Error of wrong usage.
TractRegion regionFrom(const std::string& text, TractRegion::Role role);
/// What regionFrom() reads.
std::string textOf(const TractRegion& region);
/// "include", "exclude" or "end".
std::string nameOf(TractRegion::Role role);

/// Whether a point lies in a region, or a segment meets it.
bool isIn(const TractRegion& region, const Vec3<float>& point);
bool meets(const TractRegion& region, const Vec3<float>& from, const Vec3<float>& to);

/// One flag per line.
using LineFlags = std::vector<std::uint8_t>;

/// Where the segments of lines lie, cube by cube, so that those near a region are found without looking at
/// the others. It takes about a third of the memory of the points.
class TractIndex {
 public:
  /// Takes about 2 s for 10⁸ points on two cores; throws Cancelled.
  explicit TractIndex(std::shared_ptr<const Tracts> tracts, const Progress& progress = {});
  ~TractIndex();
  TractIndex(const TractIndex&) = delete;
  TractIndex& operator=(const TractIndex&) = delete;

  const Tracts& tracts() const { return *tracts_; }
  /// The lines that have a segment in a region; for Role::end those that begin or end in it.
  LineFlags linesIn(const TractRegion& region) const;
  std::size_t bytes() const;

 private:
  struct Run {
    std::uint32_t line, begin, count;  ///< the first point and the number of segments
  };
  template <class Take>
  void forRunsOf(std::size_t line, const Take& take) const;

  std::shared_ptr<const Tracts> tracts_;
  Vec3<float> low_;
  float edge_ = 4;
  Vec3<std::int32_t> size_{0, 0, 0};
  std::vector<std::uint64_t> begins_;  ///< of the runs of each cube
  std::vector<Run> runs_;
  std::vector<Vec3<float>> ends_;  ///< the first and the last point of each line
};

/// The lines, ascending, that meet all regions to include, end in all to end in and meet none to exclude,
/// given the lines of each region.
std::vector<std::uint32_t> linesChosen(std::size_t lines, std::span<const TractRegion> regions,
                                       std::span<const LineFlags> linesIn);
/// The same of lines that are asked once: all of them are looked at.
std::vector<std::uint32_t> linesChosen(const Tracts& tracts, std::span<const TractRegion> regions,
                                       const Progress& progress = {});

/// Lines that were chosen by regions, and kept under a name.
struct Bundle {
  std::string name;
  std::vector<TractRegion> regions;
  std::vector<std::uint32_t> lines;  ///< ascending
  int color = 0;
  bool visible = true;
};

}  // namespace sulcus
