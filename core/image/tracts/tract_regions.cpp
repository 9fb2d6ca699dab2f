#include "core/image/tracts/tract_regions.h"

#include "core/base/error.h"
#include "core/base/number_list.h"
#include "core/base/numbers.h"
#include "core/base/parallel/parallel_for.h"
#include "core/image/tracts/crossed_voxels.h"
#include "core/image/tracts/tract_measures.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <limits>
#include <utility>

namespace sulcus {
namespace {

constexpr std::int64_t kLinesAtOnce = 4096;
constexpr std::size_t kMostCubes = 4'000'000;

/// Parses numbers separated by commas.
std::vector<double> numbersAfter(const std::string& text, std::size_t from) {
  std::vector<double> numbers;
  for (std::size_t at = from; at <= text.size();) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    const auto number = numberIn(std::string_view(text).substr(at, comma - at));
    if (!number || !(std::abs(*number) < 1e6)) return {};
    numbers.push_back(*number);
    at = comma + 1;
  }
  return numbers;
}

/// The point of a segment that is nearest to a center, with the parameter t from 0 to 1.
Vec3<float> nearestOf(const Vec3<float>& from, const Vec3<float>& to, const Vec3<float>& center) {
  const Vec3<float> along = to - from;
  const float length2 = dot(along, along);
  const float t = length2 > 0 ? std::clamp(dot(center - from, along) / length2, 0.0f, 1.0f) : 0.0f;
  return from + t * along;
}

Vec3<float> floats(const Vec3<double>& v) { return {float(v.x), float(v.y), float(v.z)}; }

/// Calls take(x, y, z) for the voxels of a label.
template <class Take>
void forVoxelsOf(const Volume<Label>& labels, Label label, const Take& take) {
  const Label* at = labels.values.data();
  for (int z = 0; z < labels.grid.size.z; ++z)
    for (int y = 0; y < labels.grid.size.y; ++y)
      for (int x = 0; x < labels.grid.size.x; ++x, ++at)
        if (*at == label) take(x, y, z);
}

bool isInBody(const LabelBody& body, const Vec3<float>& point) {
  const Vec3<double> p = inVoxels(body.voxelFromWorld, point);
  const Vec3<int> voxel{int(std::floor(p.x + 0.5)), int(std::floor(p.y + 0.5)), int(std::floor(p.z + 0.5))};
  return body.mask.grid.contains(voxel.x, voxel.y, voxel.z) && body.mask(voxel.x, voxel.y, voxel.z);
}

bool meetsBody(const LabelBody& body, const Vec3<float>& from, const Vec3<float>& to) {
  for (int i = 0; i < 3; ++i) {
    const double a = double(from[i]) - body.center[i], b = double(to[i]) - body.center[i];
    if (std::min(a, b) > body.reach[i] || std::max(a, b) < -body.reach[i]) return false;
  }
  bool met = false;
  crossedVoxels(body.mask.grid, inVoxels(body.voxelFromWorld, from), inVoxels(body.voxelFromWorld, to),
                [&](std::int64_t voxel, double) { met = met || body.mask.values[voxel]; });
  return met;
}

/// The stretches of a line that have begun and may go on, one per cube.
template <class Take>
class OpenStretches {
 public:
  /// @param take  is called with the cube and each stretch that ended
  OpenStretches(std::uint32_t line, const Take& take) : line_(line), take_(take) {}

  /// Adds a segment to the stretch in a cube if it is the only open one.
  bool prolongOnly(std::size_t cube) {
    if (count_ != 1 || open_[0].cube != cube) return false;
    ++open_[0].stretch.count;
    return true;
  }
  /// Adds a segment to the stretch in a cube, which may begin with it.
  void put(std::size_t cube, std::uint32_t segment) {
    for (std::size_t i = 0; i < count_; ++i) {
      if (open_[i].cube != cube) continue;
      open_[i].stretch.count = segment - open_[i].stretch.begin + 1;
      return;
    }
    if (count_ == kMost) end(0);
    open_[count_++] = {cube, {line_, segment, 1}};
  }
  /// Ends the stretches that do not reach a point.
  void endBefore(std::uint64_t point) {
    for (std::size_t i = 0; i < count_;) {
      const TractIndex::Stretch& stretch = open_[i].stretch;
      if (std::uint64_t(stretch.begin) + stretch.count < point)
        end(i);
      else
        ++i;
    }
  }
  void endAll() const {
    for (std::size_t i = 0; i < count_; ++i) take_(open_[i].cube, open_[i].stretch);
  }

 private:
  static constexpr std::size_t kMost = 64;
  struct Open {
    std::size_t cube;
    TractIndex::Stretch stretch;
  };
  void end(std::size_t i) {
    take_(open_[i].cube, open_[i].stretch);
    open_[i] = open_[--count_];
  }

  std::uint32_t line_;
  const Take& take_;
  std::array<Open, kMost> open_;
  std::size_t count_ = 0;
};

/// What the rounded points of a stretch say about it: that it certainly meets a region, or that it may.
struct Nearness {
  bool isWithin = false, isNear = false;
};

/// A sphere, or the box around a region, in steps of rounded points from the corner of a cube. A point is
/// certainly within `in` of the center, or possibly within `out`.
struct RoundedRegion {
  Vec3<float> center, in, out;

  Nearness ofSphere(std::span<const std::int8_t> places) const {
    float nearest = std::numeric_limits<float>::max();
    for (std::size_t i = 0; i < places.size(); i += 3) {
      const float x = float(places[i]) - center.x, y = float(places[i + 1]) - center.y,
                  z = float(places[i + 2]) - center.z;
      nearest = std::min(nearest, x * x + y * y + z * z);
    }
    return {in.x > 0 && nearest < in.x * in.x, nearest < out.x * out.x};
  }
  /// @param isFilled  whether the region fills its box
  Nearness ofBox(std::span<const std::int8_t> places, bool isFilled) const {
    Nearness found;
    for (std::size_t i = 0; i < places.size() && !found.isWithin; i += 3) {
      const float x = std::abs(float(places[i]) - center.x), y = std::abs(float(places[i + 1]) - center.y),
                  z = std::abs(float(places[i + 2]) - center.z);
      found.isWithin = isFilled && x < in.x && y < in.y && z < in.z;
      found.isNear = found.isNear || (x < out.x && y < out.y && z < out.z);
    }
    return found;
  }
};

}  // namespace

TractRegion labelRegion(std::shared_ptr<const Volume<Label>> labels, Label label, TractRegion::Role role) {
  constexpr double kRounding = 0.001;  // mm, of points in float
  auto body = std::make_shared<LabelBody>();
  Vec3<int> low = labels->grid.size, high{-1, -1, -1};
  forVoxelsOf(*labels, label, [&](int x, int y, int z) {
    low = {std::min(low.x, x), std::min(low.y, y), std::min(low.z, z)};
    high = {std::max(high.x, x), std::max(high.y, y), std::max(high.z, z)};
  });
  if (high.x >= 0) {
    Grid grid = labels->grid;
    grid.size = {high.x - low.x + 1, high.y - low.y + 1, high.z - low.z + 1};
    grid.worldFromVoxel.t = grid.positionOf(low);
    body->mask = Mask(grid);
    std::uint8_t* to = body->mask.values.data();
    for (int z = low.z; z <= high.z; ++z)
      for (int y = low.y; y <= high.y; ++y)
        for (int x = low.x; x <= high.x; ++x) *to++ = (*labels)(x, y, z) == label;
    body->voxelFromWorld = grid.worldFromVoxel.inverse();
    body->center = grid.center();
    for (int axis = 0; axis < 3; ++axis)
      for (int column = 0; column < 3; ++column)
        body->reach[axis] += 0.5 * grid.size[column] * std::abs(grid.worldFromVoxel.column(column)[axis]);
    body->reach = body->reach + Vec3<double>{kRounding, kRounding, kRounding};
  }
  body->labels = std::move(labels);
  body->label = label;
  return {role, TractRegion::Shape::label, body->center, body->reach, body};
}

std::optional<TractRegion> regionIn(const std::string& text, TractRegion::Role role) {
  TractRegion region;
  region.role = role;
  const bool sphere = text.starts_with("sphere:"), box = text.starts_with("box:");
  const auto n = numbersAfter(text, sphere ? 7 : 4);
  if (!(sphere && n.size() == 4 && n[3] > 0) && !(box && n.size() == 6 && n[3] > 0 && n[4] > 0 && n[5] > 0))
    return {};
  region.center = {n[0], n[1], n[2]};
  region.shape = sphere ? TractRegion::Shape::sphere : TractRegion::Shape::box;
  region.reach = sphere ? Vec3<double>{n[3], n[3], n[3]} : Vec3<double>{n[3] / 2, n[4] / 2, n[5] / 2};
  return region;
}

TractRegion regionFrom(const std::string& text, TractRegion::Role role) {
  if (const auto region = regionIn(text, role)) return *region;
  throw Error("'" + text + "' is not a region",
              "it is neither sphere:x,y,z,radius nor box:x,y,z,dx,dy,dz in mm",
              "give one of them, with radius and edges above 0", ErrorKind::usage);
}

std::vector<std::string> regionTexts(const std::string& list) {
  constexpr const char* kBlanks = " \t";
  std::vector<std::string> parts;
  for (std::size_t from = 0; from < list.size();) {
    const std::size_t end = std::min(list.find(';', from), list.size());
    const std::string part = list.substr(from, end - from);
    from = end + 1;
    if (const std::size_t begin = part.find_first_not_of(kBlanks); begin != std::string::npos)
      parts.push_back(part.substr(begin, part.find_last_not_of(kBlanks) + 1 - begin));
  }
  return parts;
}

std::string textOf(const TractRegion& region) {
  const bool sphere = region.shape == TractRegion::Shape::sphere;
  if (region.body) return "label:" + std::to_string(region.body->label);
  std::string text = sphere ? "sphere:" : "box:";
  for (int i = 0; i < 3; ++i) text += numberText(region.center[i]) + ",";
  if (sphere) return text + numberText(region.reach.x);
  return text + numberText(2 * region.reach.x) + "," + numberText(2 * region.reach.y) + "," +
         numberText(2 * region.reach.z);
}

std::string nameOf(TractRegion::Role role) {
  constexpr std::array<const char*, 4> kNames{"include", "exclude", "end", "seed"};
  return kNames[std::size_t(role)];
}

bool isIn(const TractRegion& region, const Vec3<float>& point) {
  if (region.body) return isInBody(*region.body, point);
  const Vec3<float> d = point - floats(region.center), reach = floats(region.reach);
  if (region.shape == TractRegion::Shape::sphere) return dot(d, d) <= reach.x * reach.x;
  return std::abs(d.x) <= reach.x && std::abs(d.y) <= reach.y && std::abs(d.z) <= reach.z;
}

bool meets(const TractRegion& region, const Vec3<float>& from, const Vec3<float>& to) {
  if (region.body) return meetsBody(*region.body, from, to);
  const Vec3<float> center = floats(region.center), reach = floats(region.reach);
  if (region.shape == TractRegion::Shape::sphere) return isIn(region, nearestOf(from, to, center));
  float begin = 0, end = 1;  // the part of the segment that lies between the planes of the box
  for (int i = 0; i < 3; ++i) {
    const float a = from[i] - center[i], along = to[i] - from[i];
    if (along == 0) {
      if (std::abs(a) > reach[i]) return false;
      continue;
    }
    const float low = (-reach[i] - a) / along, high = (reach[i] - a) / along;
    begin = std::max(begin, std::min(low, high));
    end = std::min(end, std::max(low, high));
  }
  return begin <= end;
}

/// Calls `put(cube)` for the cubes that the bounding box of a segment meets; a long segment is halved first.
template <class Put>
void TractIndex::forCubesAlong(const Vec3<float>& a, const Vec3<float>& b, const Put& put,
                               int halvings) const {
  const Vec3<std::int32_t> p = cubeAt(a), q = cubeAt(b);
  const int steps = std::abs(p.x - q.x) + std::abs(p.y - q.y) + std::abs(p.z - q.z);
  if (steps > 3 && halvings < 20) {
    const Vec3<float> middle = 0.5f * (a + b);
    forCubesAlong(a, middle, put, halvings + 1);
    return forCubesAlong(middle, b, put, halvings + 1);
  }
  for (std::int32_t z = std::min(p.z, q.z); z <= std::max(p.z, q.z); ++z)
    for (std::int32_t y = std::min(p.y, q.y); y <= std::max(p.y, q.y); ++y)
      for (std::int32_t x = std::min(p.x, q.x); x <= std::max(p.x, q.x); ++x) put(numberOf({x, y, z}));
}

/// Calls `take(cube, stretch)` for the stretches of a line within cubes: those that the bounding boxes of its
/// segments meet, with long segments halved first.
template <class Take>
void TractIndex::forStretchesOf(std::size_t line, const Take& take) const {
  OpenStretches<Take> open(std::uint32_t(line), take);
  const std::uint64_t first = tracts_->first[line], last = tracts_->first[line + 1];
  Vec3<std::int32_t> here = first < last ? cubeAt(tracts_->points[first]) : Vec3<std::int32_t>();
  for (std::uint64_t i = first; i + 1 < last; ++i) {
    const Vec3<std::int32_t> next = cubeAt(tracts_->points[i + 1]);
    const bool stays = next == here;
    if (stays && open.prolongOnly(numberOf(here))) continue;
    here = next;
    open.endBefore(i);
    if (stays)
      open.put(numberOf(here), std::uint32_t(i));
    else
      forCubesAlong(tracts_->points[i], tracts_->points[i + 1],
                    [&](std::size_t cube) { open.put(cube, std::uint32_t(i)); });
  }
  if (last == first + 1) open.put(numberOf(here), std::uint32_t(first));
  open.endAll();
}

Vec3<std::int32_t> TractIndex::cubeAt(const Vec3<float>& p) const {
  Vec3<std::int32_t> cube;
  for (int i = 0; i < 3; ++i)
    cube[i] = std::clamp(std::int32_t((p[i] - low_[i]) * perMillimeter_), std::int32_t(0), size_[i] - 1);
  return cube;
}

std::size_t TractIndex::numberOf(const Vec3<std::int32_t>& cube) const {
  return std::size_t(cube.x) + size_.x * (cube.y + std::size_t(size_.y) * cube.z);
}

Vec3<float> TractIndex::cornerOf(std::size_t cube) const {
  const auto x = std::size_t(size_.x), y = std::size_t(size_.y);
  const std::size_t column = cube % x, row = cube / x % y, layer = cube / x / y;
  return low_ + edge_ * Vec3<float>{float(column), float(row), float(layer)};
}

/// Stores the points of a stretch as bytes, in steps of 1/64 of an edge from the corner of its cube. Returns
/// false if they do not fit or a segment is too long.
bool TractIndex::rounded(const Stretch& stretch, const Vec3<float>& corner, std::int8_t* to) const {
  const std::uint64_t last =
      std::min(std::uint64_t(stretch.begin) + stretch.count, tracts_->first[stretch.line + 1] - 1);
  if (last == stretch.begin) return false;
  for (std::uint64_t i = stretch.begin; i <= last; ++i) {
    const Vec3<float>& p = tracts_->points[i];
    if (i > stretch.begin) {
      const Vec3<float> step = p - tracts_->points[i - 1];
      if (dot(step, step) > kLongestStep * kLongestStep) return false;
    }
    for (int axis = 0; axis < 3; ++axis) {
      const float steps = std::nearbyint((p[axis] - corner[axis]) * perMillimeter_ * kStepsPerEdge);
      if (!(std::abs(steps) <= 127)) return false;
      *to++ = std::int8_t(steps);
    }
  }
  return true;
}

TractIndex::TractIndex(std::shared_ptr<const Tracts> tracts, const Progress& progress)
    : tracts_(std::move(tracts)) {
  const auto bounds = boundsOf(*tracts_);
  low_ = bounds[0];
  const Vec3<float> extent = bounds[1] - bounds[0];
  const auto cubes = [&] {
    for (int i = 0; i < 3; ++i) size_[i] = std::int32_t(extent[i] / edge_) + 1;
    return double(size_.x) * size_.y * size_.z;
  };
  while (cubes() > double(kMostCubes)) edge_ *= 1.25f;
  perMillimeter_ = 1 / edge_;
  const auto lines = std::int64_t(tracts_->lines());
  const auto count = std::size_t(cubes());
  begins_.assign(count + 1, 0);
  bytesBegin_.assign(count + 1, 0);
  ends_.resize(2 * tracts_->lines(), {1e9f, 1e9f, 1e9f});
  // A counter holds the number of stretches of a cube in its upper half and of their points in the lower one.
  constexpr std::uint64_t kOneStretch = std::uint64_t(1) << 32;
  const auto pointsOf = [](const Stretch& stretch) { return std::uint64_t(stretch.count) + 1; };
  std::vector<std::uint64_t> counters(count, 0);
  parallelFor(lines, kLinesAtOnce, progress.part(0, 0.4, ""), [&](std::int64_t i) {
    const auto line = tracts_->line(std::size_t(i));
    if (!line.empty()) {
      ends_[2 * i] = line.front();
      ends_[2 * i + 1] = line.back();
    }
    forStretchesOf(std::size_t(i), [&](std::size_t cube, const Stretch& stretch) {
      std::atomic_ref(counters[cube]).fetch_add(kOneStretch + pointsOf(stretch), std::memory_order_relaxed);
    });
  });
  for (std::size_t i = 0; i < count; ++i) {
    begins_[i + 1] = begins_[i] + (counters[i] >> 32);
    bytesBegin_[i + 1] = bytesBegin_[i] + 3 * (counters[i] & (kOneStretch - 1));
    counters[i] = 0;
  }
  stretches_.resize(begins_.back());
  places_.resize(bytesBegin_.back());
  parallelFor(lines, kLinesAtOnce, progress.part(0.4, 1, ""), [&](std::int64_t i) {
    forStretchesOf(std::size_t(i), [&](std::size_t cube, const Stretch& stretch) {
      const std::uint64_t at = std::atomic_ref(counters[cube])
                                   .fetch_add(kOneStretch + pointsOf(stretch), std::memory_order_relaxed);
      Stretch& kept = stretches_[begins_[cube] + (at >> 32)];
      kept = stretch;
      std::int8_t* const to = places_.data() + bytesBegin_[cube] + 3 * (at & (kOneStretch - 1));
      if (!rounded(stretch, cornerOf(cube), to)) kept.count |= kNotRounded;
    });
  });
}

TractIndex::~TractIndex() = default;

bool TractIndex::meetsSegments(const TractRegion& region, const Stretch& stretch) const {
  const Vec3<float>* const p = tracts_->points.data() + stretch.begin;
  if (std::uint64_t(stretch.begin) + 1 == tracts_->first[stretch.line + 1]) return isIn(region, p[0]);
  const std::uint32_t count = stretch.count & ~kNotRounded;
  for (std::uint32_t s = 0; s < count; ++s)
    if (meets(region, p[s], p[s + 1])) return true;
  return false;
}

/// Marks the lines of a cube that meet a region. What rounded points leave undecided is tested exactly.
void TractIndex::markLines(const TractRegion& region, std::size_t cube, LineFlags& flags) const {
  const float step = edge_ / kStepsPerEdge;
  const float rounding = 0.9f * step;  // half the diagonal of a step, with a margin
  const Vec3<float> corner = cornerOf(cube);
  const bool isSphere = region.shape == TractRegion::Shape::sphere;
  RoundedRegion rounded;
  for (int i = 0; i < 3; ++i) {
    const auto reach = float(region.reach[i]);
    rounded.center[i] = (float(region.center[i]) - corner[i]) / step;
    rounded.in[i] = (reach - rounding) / step;
    // Around its middle, a segment reaches at most half its length beyond its points.
    const float beyond = reach + rounding;
    rounded.out[i] = (isSphere ? std::sqrt(beyond * beyond + kLongestStep * kLongestStep / 4)
                               : beyond + kLongestStep / 2) /
                     step;
  }
  const std::int8_t* place = places_.data() + bytesBegin_[cube];
  for (std::uint64_t s = begins_[cube]; s < begins_[cube + 1]; ++s) {
    const Stretch& stretch = stretches_[s];
    const std::size_t bytes = 3 * (std::size_t(stretch.count & ~kNotRounded) + 1);
    const std::span places(std::exchange(place, place + bytes), bytes);
    const std::atomic_ref flag(flags[stretch.line]);
    if (flag.load(std::memory_order_relaxed)) continue;
    Nearness found{false, true};
    if (!(stretch.count & kNotRounded))
      found = isSphere ? rounded.ofSphere(places) : rounded.ofBox(places, !region.body);
    if (found.isWithin || (found.isNear && meetsSegments(region, stretch)))
      flag.store(1, std::memory_order_relaxed);
  }
}

/// The cubes that a region may reach into; nullopt if all lines lie elsewhere.
std::optional<TractIndex::CubeBox> TractIndex::cubesAround(const TractRegion& region) const {
  CubeBox box;
  for (int i = 0; i < 3; ++i) {
    const double low = (region.center[i] - region.reach[i] - double(low_[i])) / double(edge_),
                 high = (region.center[i] + region.reach[i] - double(low_[i])) / double(edge_);
    if (high < -0.001 || low > size_[i] + 0.001) return {};
    box.from[i] = std::int32_t(std::clamp(low - 0.001, 0.0, double(size_[i] - 1)));
    box.to[i] = std::int32_t(std::clamp(high + 0.001, 0.0, double(size_[i] - 1)));
  }
  return box;
}

/// Of the cubes of a box, x fastest, those that voxels of a label may reach into.
std::vector<std::uint8_t> TractIndex::cubesOf(const LabelBody& body, const CubeBox& box) const {
  const auto& [from, to] = box;
  const Mask& mask = body.mask;
  const Vec3<std::size_t> size{std::size_t(to.x - from.x + 1), std::size_t(to.y - from.y + 1),
                               std::size_t(to.z - from.z + 1)};
  std::vector<std::uint8_t> held(size.x * size.y * size.z, 0);
  const Affine& world = mask.grid.worldFromVoxel;
  Vec3<double> half{0.01, 0.01, 0.01};  // of the box around a voxel, mm, with a margin for rounding
  for (int axis = 0; axis < 3; ++axis)
    for (int column = 0; column < 3; ++column) half[axis] += 0.5 * std::abs(world.column(column)[axis]);
  for (std::size_t v = 0; v < mask.values.size(); ++v) {
    if (!mask.values[v]) continue;
    const Vec3<int> voxel = mask.grid.voxel(std::int64_t(v));
    const Vec3<double> p = world.point({double(voxel.x), double(voxel.y), double(voxel.z)});
    const Vec3<std::int32_t> low = cubeAt(floats(p - half)), high = cubeAt(floats(p + half));
    for (std::int32_t z = std::max(low.z, from.z); z <= std::min(high.z, to.z); ++z)
      for (std::int32_t y = std::max(low.y, from.y); y <= std::min(high.y, to.y); ++y)
        for (std::int32_t x = std::max(low.x, from.x); x <= std::min(high.x, to.x); ++x)
          held[std::size_t(x - from.x) +
               size.x * (std::size_t(y - from.y) + size.y * std::size_t(z - from.z))] = 1;
  }
  return held;
}

/// The cubes with lines that a region may reach into.
std::vector<std::size_t> TractIndex::cubesToSearch(const TractRegion& region) const {
  const auto box = cubesAround(region);
  if (!box) return {};
  const auto held = region.body ? cubesOf(*region.body, *box) : std::vector<std::uint8_t>();
  std::vector<std::size_t> cubes;
  std::size_t next = 0;
  for (std::int32_t z = box->from.z; z <= box->to.z; ++z)
    for (std::int32_t y = box->from.y; y <= box->to.y; ++y)
      for (std::int32_t x = box->from.x; x <= box->to.x; ++x, ++next) {
        const std::size_t cube = numberOf({x, y, z});
        if (begins_[cube + 1] > begins_[cube] && (held.empty() || held[next])) cubes.push_back(cube);
      }
  return cubes;
}

/// Whether a cube certainly lies inside a region.
bool TractIndex::isCubeIn(const TractRegion& region, std::size_t cube) const {
  if (region.body) return false;
  const Vec3<float> corner = cornerOf(cube);
  for (int k = 0; k < 8; ++k)
    if (!isIn(region, corner + edge_ * Vec3<float>{float(k & 1), float(k >> 1 & 1), float(k >> 2)}))
      return false;
  return true;
}

LineFlags TractIndex::linesEndingIn(const TractRegion& region) const {
  LineFlags flags(tracts_->lines(), 0);
  parallelFor(std::ssize(flags), 1 << 15, {}, [&](std::int64_t i) {
    flags[i] = isIn(region, ends_[2 * i]) || isIn(region, ends_[2 * i + 1]);
  });
  return flags;
}

LineFlags TractIndex::linesIn(const TractRegion& region) const {
  if (region.role == TractRegion::Role::end) return linesEndingIn(region);
  LineFlags flags(tracts_->lines(), 0);
  if (region.body && region.body->mask.values.empty()) return flags;
  // Cubes inside the region come first: their lines need no closer test anywhere.
  std::vector<std::size_t> cubes = cubesToSearch(region);
  const auto across = std::stable_partition(cubes.begin(), cubes.end(),
                                            [&](std::size_t cube) { return isCubeIn(region, cube); });
  for (const auto part : {std::span(cubes.begin(), across), std::span(across, cubes.end())})
    parallelFor(std::ssize(part), 4, {}, [&](std::int64_t i) { markLines(region, part[i], flags); });
  return flags;
}

/// Calls `take(cube)` for the cubes that a slab meets.
template <class Take>
void TractIndex::forCubesNear(const Vec3<double>& point, const Vec3<double>& normal, double half,
                              const Take& take) const {
  const double reach =
      half + 0.5 * double(edge_) * (std::abs(normal.x) + std::abs(normal.y) + std::abs(normal.z));
  for (std::size_t cube = 0; cube + 1 < begins_.size(); ++cube) {
    if (begins_[cube + 1] == begins_[cube]) continue;
    const Vec3<float> corner = cornerOf(cube);
    const Vec3<double> middle =
        Vec3<double>{corner.x, corner.y, corner.z} + 0.5 * double(edge_) * Vec3<double>{1, 1, 1};
    if (std::abs(dot(middle - point, normal)) <= reach) take(cube);
  }
}

std::vector<TractIndex::Stretch> TractIndex::stretchesNear(const Vec3<double>& point,
                                                           const Vec3<double>& normal, double half) const {
  std::vector<Stretch> near;
  forCubesNear(point, normal, half, [&](std::size_t cube) {
    near.insert(near.end(), stretches_.begin() + std::ptrdiff_t(begins_[cube]),
                stretches_.begin() + std::ptrdiff_t(begins_[cube + 1]));
  });
  for (Stretch& stretch : near) stretch.count &= ~kNotRounded;
  return near;
}

std::int64_t TractIndex::segmentsNear(const Vec3<double>& point, const Vec3<double>& normal,
                                      double half) const {
  std::uint64_t points = 0, stretches = 0;
  forCubesNear(point, normal, half, [&](std::size_t cube) {
    points += (bytesBegin_[cube + 1] - bytesBegin_[cube]) / 3;
    stretches += begins_[cube + 1] - begins_[cube];
  });
  const double within = 2 * half / (2 * half + double(edge_));  // share of the cubes that the slab meets
  return std::int64_t(within * double(points - stretches));
}

std::vector<std::uint32_t> linesChosen(std::size_t lines, std::span<const TractRegion> regions,
                                       std::span<const LineFlags> linesIn) {
  std::vector<std::uint32_t> chosen;
  for (std::size_t i = 0; i < lines; ++i) {
    bool take = true;
    for (std::size_t r = 0; r < regions.size() && take; ++r)
      take = (linesIn[r][i] != 0) != (regions[r].role == TractRegion::Role::exclude);
    if (take) chosen.push_back(std::uint32_t(i));
  }
  return chosen;
}

std::vector<std::uint32_t> linesChosen(const Tracts& tracts, std::span<const TractRegion> regions,
                                       const Progress& progress) {
  std::vector<LineFlags> flags(regions.size(), LineFlags(tracts.lines(), 0));
  parallelFor(std::int64_t(tracts.lines()), kLinesAtOnce, progress, [&](std::int64_t i) {
    const auto line = tracts.line(i);
    if (line.empty()) return;
    for (std::size_t r = 0; r < regions.size(); ++r) {
      const TractRegion& region = regions[r];
      bool in = isIn(region, line.front()) || isIn(region, line.back());
      if (region.role != TractRegion::Role::end)
        for (std::size_t p = 1; p < line.size() && !in; ++p) in = meets(region, line[p - 1], line[p]);
      flags[r][i] = in;
    }
  });
  return linesChosen(tracts.lines(), regions, flags);
}

}  // namespace sulcus
