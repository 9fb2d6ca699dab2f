#include "core/image/tracts/tract_regions.h"

#include "core/base/error.h"
#include "core/base/number_list.h"
#include "core/base/numbers.h"
#include "core/base/parallel/parallel_for.h"
#include "core/image/tracts/tract_measures.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>

namespace sulcus {
namespace {

constexpr std::int64_t kLinesAtOnce = 4096;
constexpr std::size_t kMostCubes = 4'000'000;

/// Numbers that a text gives, separated by commas.
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

/// The place of a segment that is nearest to a center, where t runs from 0 to 1.
Vec3<float> nearestOf(const Vec3<float>& from, const Vec3<float>& to, const Vec3<float>& center) {
  const Vec3<float> along = to - from;
  const float length2 = dot(along, along);
  const float t = length2 > 0 ? std::clamp(dot(center - from, along) / length2, 0.0f, 1.0f) : 0.0f;
  return from + t * along;
}

Vec3<float> floats(const Vec3<double>& v) { return {float(v.x), float(v.y), float(v.z)}; }

}  // namespace

TractRegion regionFrom(const std::string& text, TractRegion::Role role) {
  TractRegion region;
  region.role = role;
  const bool sphere = text.starts_with("sphere:"), box = text.starts_with("box:");
  const auto n = numbersAfter(text, sphere ? 7 : 4);
  if (!(sphere && n.size() == 4 && n[3] > 0) && !(box && n.size() == 6 && n[3] > 0 && n[4] > 0 && n[5] > 0))
    throw Error("'" + text + "' is no region",
                "it is neither sphere:x,y,z,radius nor box:x,y,z,dx,dy,dz in mm",
                "give one of them, with radius and edges above 0", ErrorKind::usage);
  region.center = {n[0], n[1], n[2]};
  region.shape = sphere ? TractRegion::Shape::sphere : TractRegion::Shape::box;
  region.reach = sphere ? Vec3<double>{n[3], n[3], n[3]} : Vec3<double>{n[3] / 2, n[4] / 2, n[5] / 2};
  return region;
}

std::string textOf(const TractRegion& region) {
  const bool sphere = region.shape == TractRegion::Shape::sphere;
  std::string text = sphere ? "sphere:" : "box:";
  for (int i = 0; i < 3; ++i) text += numberText(region.center[i]) + ",";
  if (sphere) return text + numberText(region.reach.x);
  return text + numberText(2 * region.reach.x) + "," + numberText(2 * region.reach.y) + "," +
         numberText(2 * region.reach.z);
}

std::string nameOf(TractRegion::Role role) {
  return role == TractRegion::Role::include   ? "include"
         : role == TractRegion::Role::exclude ? "exclude"
                                              : "end";
}

bool isIn(const TractRegion& region, const Vec3<float>& point) {
  const Vec3<float> d = point - floats(region.center), reach = floats(region.reach);
  if (region.shape == TractRegion::Shape::sphere) return dot(d, d) <= reach.x * reach.x;
  return std::abs(d.x) <= reach.x && std::abs(d.y) <= reach.y && std::abs(d.z) <= reach.z;
}

bool meets(const TractRegion& region, const Vec3<float>& from, const Vec3<float>& to) {
  const Vec3<float> center = floats(region.center), reach = floats(region.reach);
  if (region.shape == TractRegion::Shape::sphere) return isIn(region, nearestOf(from, to, center));
  float begin = 0, end = 1;  // of the segment that lies between the planes of the box
  for (int i = 0; i < 3; ++i) {
    const float a = from[i] - center[i], along = to[i] - from[i];
    if (along == 0) {
      if (std::abs(a) > reach[i]) return false;
      continue;
    }
    const float low = (-reach[i] - a) / along, high = (reach[i] - a) / along;
    begin = std::max(begin, std::min(low, high)), end = std::min(end, std::max(low, high));
  }
  return begin <= end;
}

/// Calls `take(cube, run)` for the stretches of a line within cubes: those in which the boxes around its
/// segments lie, of which long ones are halved first.
template <class Take>
void TractIndex::forRunsOf(std::size_t line, const Take& take) const {
  constexpr int kMostOpen = 64;
  struct Open {
    std::size_t cube;
    Run run;
  };
  std::array<Open, kMostOpen> open;
  int count = 0;
  const std::uint64_t first = tracts_->first[line], last = tracts_->first[line + 1];
  const auto cubeOf = [&](const Vec3<float>& p) {
    Vec3<std::int32_t> cube;
    for (int i = 0; i < 3; ++i)
      cube[i] = std::clamp(std::int32_t((p[i] - low_[i]) / edge_), std::int32_t(0), size_[i] - 1);
    return cube;
  };
  const auto put = [&](std::size_t cube, std::uint32_t segment) {
    for (int i = 0; i < count; ++i) {
      if (open[std::size_t(i)].cube != cube) continue;
      open[std::size_t(i)].run.count = segment - open[std::size_t(i)].run.begin + 1;
      return;
    }
    if (count == kMostOpen) {
      take(open[0].cube, open[0].run);
      open[0] = open[std::size_t(--count)];
    }
    open[std::size_t(count++)] = {cube, {std::uint32_t(line), segment, 1}};
  };
  const auto cover = [&](const auto& self, const Vec3<float>& a, const Vec3<float>& b, std::uint32_t segment,
                         int depth) -> void {
    const Vec3<std::int32_t> p = cubeOf(a), q = cubeOf(b);
    const int steps = std::abs(p.x - q.x) + std::abs(p.y - q.y) + std::abs(p.z - q.z);
    if (steps > 3 && depth < 20) {
      const Vec3<float> middle = 0.5f * (a + b);
      self(self, a, middle, segment, depth + 1);
      return self(self, middle, b, segment, depth + 1);
    }
    for (std::int32_t z = std::min(p.z, q.z); z <= std::max(p.z, q.z); ++z)
      for (std::int32_t y = std::min(p.y, q.y); y <= std::max(p.y, q.y); ++y)
        for (std::int32_t x = std::min(p.x, q.x); x <= std::max(p.x, q.x); ++x)
          put(std::size_t(x) +
                  std::size_t(size_.x) * (std::size_t(y) + std::size_t(size_.y) * std::size_t(z)),
              segment);
  };
  for (std::uint64_t i = first; i + 1 < last; ++i) {
    // Stretches that did not go on end here.
    for (int k = 0; k < count;) {
      const Run& run = open[std::size_t(k)].run;
      if (std::uint64_t(run.begin) + run.count + 1 < i + 1) {
        take(open[std::size_t(k)].cube, run);
        open[std::size_t(k)] = open[std::size_t(--count)];
      } else {
        ++k;
      }
    }
    cover(cover, tracts_->points[i], tracts_->points[i + 1], std::uint32_t(i), 0);
  }
  if (last == first + 1)
    cover(cover, tracts_->points[first], tracts_->points[first], std::uint32_t(first), 0);
  for (int k = 0; k < count; ++k) take(open[std::size_t(k)].cube, open[std::size_t(k)].run);
}

TractIndex::TractIndex(std::shared_ptr<const Tracts> tracts, const Progress& progress)
    : tracts_(std::move(tracts)) {
  const auto [low, high] = boundsOf(*tracts_);
  low_ = low;
  const auto cubes = [&] {
    for (int i = 0; i < 3; ++i) size_[i] = std::int32_t((high[i] - low[i]) / edge_) + 1;
    return double(size_.x) * size_.y * size_.z;
  };
  while (cubes() > double(kMostCubes)) edge_ *= 1.25f;
  const auto lines = std::int64_t(tracts_->lines());
  begins_.assign(std::size_t(cubes()) + 1, 0);
  ends_.resize(2 * tracts_->lines(), {1e9f, 1e9f, 1e9f});
  parallelFor(
      lines, progress.part(0, 0.4, ""),
      [&](std::int64_t i) {
        const auto line = tracts_->line(std::size_t(i));
        if (!line.empty())
          ends_[std::size_t(2 * i)] = line.front(), ends_[std::size_t(2 * i + 1)] = line.back();
        forRunsOf(std::size_t(i), [&](std::size_t cube, const Run&) {
          std::atomic_ref(begins_[cube + 1]).fetch_add(1, std::memory_order_relaxed);
        });
      },
      kLinesAtOnce);
  for (std::size_t i = 1; i < begins_.size(); ++i) begins_[i] += begins_[i - 1];
  runs_.resize(begins_.back());
  std::vector<std::uint64_t> next(begins_.begin(), begins_.end() - 1);
  parallelFor(
      lines, progress.part(0.4, 1, ""),
      [&](std::int64_t i) {
        forRunsOf(std::size_t(i), [&](std::size_t cube, const Run& run) {
          runs_[std::atomic_ref(next[cube]).fetch_add(1, std::memory_order_relaxed)] = run;
        });
      },
      kLinesAtOnce);
}

TractIndex::~TractIndex() = default;

std::size_t TractIndex::bytes() const {
  return runs_.size() * sizeof(Run) + ends_.size() * sizeof(ends_[0]) + begins_.size() * sizeof(begins_[0]);
}

LineFlags TractIndex::linesIn(const TractRegion& region) const {
  LineFlags flags(tracts_->lines(), 0);
  if (region.role == TractRegion::Role::end) {
    parallelFor(
        std::int64_t(flags.size()), {},
        [&](std::int64_t i) {
          flags[std::size_t(i)] =
              isIn(region, ends_[std::size_t(2 * i)]) || isIn(region, ends_[std::size_t(2 * i + 1)]);
        },
        1 << 15);
    return flags;
  }
  // Cubes that lie within the region come first: their lines need no closer look anywhere.
  std::vector<std::size_t> within, across;
  Vec3<std::int32_t> from, to;
  for (int i = 0; i < 3; ++i) {
    const double low = (region.center[i] - region.reach[i] - double(low_[i])) / double(edge_),
                 high = (region.center[i] + region.reach[i] - double(low_[i])) / double(edge_);
    if (high < -0.001 || low > size_[i] + 0.001) return flags;
    from[i] = std::int32_t(std::clamp(low - 0.001, 0.0, double(size_[i] - 1)));
    to[i] = std::int32_t(std::clamp(high + 0.001, 0.0, double(size_[i] - 1)));
  }
  for (std::int32_t z = from.z; z <= to.z; ++z)
    for (std::int32_t y = from.y; y <= to.y; ++y)
      for (std::int32_t x = from.x; x <= to.x; ++x) {
        const Vec3<float> corner = low_ + edge_ * Vec3<float>{float(x), float(y), float(z)};
        bool inside = true;
        for (int k = 0; k < 8 && inside; ++k)
          inside = isIn(region, corner + edge_ * Vec3<float>{float(k & 1), float(k >> 1 & 1), float(k >> 2)});
        const std::size_t cube =
            std::size_t(x) + std::size_t(size_.x) * (std::size_t(y) + std::size_t(size_.y) * std::size_t(z));
        if (begins_[cube + 1] > begins_[cube]) (inside ? within : across).push_back(cube);
      }
  // A run of a cube may be there for the box around a segment alone: it is looked at, too.
  const auto look = [&](const std::vector<std::size_t>& cubes) {
    parallelFor(
        std::int64_t(cubes.size()), {},
        [&](std::int64_t i) {
          const std::size_t cube = cubes[std::size_t(i)];
          for (std::uint64_t r = begins_[cube]; r < begins_[cube + 1]; ++r) {
            const Run& run = runs_[r];
            const std::atomic_ref flag(flags[run.line]);
            if (flag.load(std::memory_order_relaxed)) continue;
            const Vec3<float>* const p = tracts_->points.data() + run.begin;
            const bool single = run.begin + 1 == tracts_->first[run.line + 1];
            for (std::uint32_t s = 0; s < run.count; ++s)
              if (meets(region, p[s], single ? p[s] : p[s + 1])) {
                flag.store(1, std::memory_order_relaxed);
                break;
              }
          }
        },
        4);
  };
  look(within);
  look(across);
  return flags;
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
  parallelFor(
      std::int64_t(tracts.lines()), progress,
      [&](std::int64_t i) {
        const auto line = tracts.line(std::size_t(i));
        if (line.empty()) return;
        for (std::size_t r = 0; r < regions.size(); ++r) {
          const TractRegion& region = regions[r];
          bool in = isIn(region, line.front()) || isIn(region, line.back());
          if (region.role != TractRegion::Role::end)
            for (std::size_t p = 1; p < line.size() && !in; ++p) in = meets(region, line[p - 1], line[p]);
          flags[r][std::size_t(i)] = in;
        }
      },
      kLinesAtOnce);
  return linesChosen(tracts.lines(), regions, flags);
}

}  // namespace sulcus
