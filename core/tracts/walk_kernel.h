#pragma once

#include "core/math/distributions.h"
#include "core/math/philox.h"
#include "core/tracts/field_kernel.h"
#include "core/tracts/tissue_kernel.h"

#include <cstdint>

// One line, step by step, from its seed to both ends: what both processors do for each seed.

namespace sulcus::tracts {

/// Why one end of a line is where it is: the field became weak or turned too sharply, the image or the mask
/// ended, it met a stop region, it had its greatest length, it reached the cortex, or it left the brain
/// tissue.
enum class Ending : std::uint8_t { weak, sharp, outside, mask, stop, longest, cortex, noTissue };
inline constexpr int kEndings = 8;

/// The outcome of a seed: a line that is kept; nothing to follow there; or a line that is too short, enters
/// an exclude region, misses an include region, or does not end where it must.
enum class Verdict : std::uint8_t { kept, nothing, shortLine, excluded, missed, endsElsewhere };
inline constexpr int kVerdicts = 6;

/// A sphere, or a box along the axes, mm.
struct RegionView {
  Vec3<float> center;
  Vec3<float> reach;     ///< half of each edge of a box
  float squareOfRadius;  ///< of a sphere; 0: a box
  std::uint32_t bit;

  SULCUS_HD_INLINE bool holds(const Vec3<float>& p) const {
    const Vec3<float> off{p.x - center.x, p.y - center.y, p.z - center.z};
    if (squareOfRadius > 0) return dotOf(off, off) <= squareOfRadius;
    return off.x <= reach.x && -off.x <= reach.x && off.y <= reach.y && -off.y <= reach.y &&
           off.z <= reach.z && -off.z <= reach.z;
  }
};

/// Where lines may, must and must not go: one bit for each region, and the meaning of each bit.
struct RuleView {
  const std::uint32_t* bits;  ///< for each voxel; null: no region is an image
  Vec3<int> size;
  float voxelFromWorld[3][4];
  const RegionView* regions;
  int regionCount;
  std::uint32_t mask;     ///< lines stay within any of these; 0: anywhere
  std::uint32_t include;  ///< enters all of these
  std::uint32_t exclude;  ///< enters none of these
  std::uint32_t stop;     ///< ends where it enters one of these
  std::uint32_t ends;     ///< each of these holds an end
  bool bothEnds;          ///< instead: each end lies in any of them

  /// Of the nearest voxel, and of spheres and boxes.
  SULCUS_HD_INLINE std::uint32_t at(const Vec3<float>& p) const {
    std::uint32_t found = 0;
    if (bits) {
      int v[3];
      bool inside = true;
      for (int axis = 0; axis < 3; ++axis) {
        const float(&m)[4] = voxelFromWorld[axis];
        const float along = fusedMultiplyAdd(
            m[0], p.x, fusedMultiplyAdd(m[1], p.y, fusedMultiplyAdd(m[2], p.z, m[3] + 0.5f)));
        inside = inside && along >= 0 && along < float(size[axis]);
        v[axis] = inside ? int(along) : 0;
      }
      if (inside) found = bits[v[0] + std::int64_t(size.x) * (v[1] + std::int64_t(size.y) * v[2])];
    }
    for (int n = 0; n < regionCount; ++n)
      if (regions[n].holds(p)) found |= regions[n].bit;
    return found;
  }
};

/// Everything that the lines of a run share.
struct WalkView {
  FieldView field;
  RuleView rules;
  TissueView tissues;
  PhiloxKey key;
  float step;        ///< mm
  float cosine;      ///< of the largest turn in a step
  float probe;       ///< mm that transport looks ahead
  float curvature;   ///< the largest for transport, 1/mm
  float cutoff;      ///< smallest amplitude
  int fewest, most;  ///< steps of a line, at least and at most
};

/// The beginning of a line and its outcome.
struct LineRecord {
  std::int32_t points = 0, forward = 0;  ///< of the line; those after the seed in the first direction
  Ending ends[2] = {Ending::weak, Ending::weak};  ///< in the first direction from the seed, and in the second
  Verdict verdict = Verdict::nothing;
};

/// Random words of a seed: for its first direction in step −1, then for each step.
///
/// @param draw  the direction from the seed, 0 or 1, plus 2 for each time that the line went back
SULCUS_HD_INLINE void drawWords(PhiloxKey key, std::uint64_t seed, int draw, int step,
                                std::uint32_t (&words)[4]) {
  words[0] = std::uint32_t(seed);
  words[1] = std::uint32_t(seed >> 32);
  words[2] = std::uint32_t(step);
  words[3] = std::uint32_t(draw);
  philox(words, key);
}

/// A step of a line, as its random numbers are numbered; see drawWords().
struct StepNumber {
  std::uint64_t seed;
  int draw, step;
};

/// Where a line is, its direction, and its direction in the step before.
struct Walker {
  Vec3<float> place, direction, before;
};

/// A candidate for the next step, and how likely it is, up to a factor.
struct Proposal {
  Vec3<float> place, direction;
  float weight;
};

inline constexpr int kProposals = 32;
/// Weights are integers up to this value, so that their sums do not depend on the order.
inline constexpr float kWeightUnits = 1048576.f;

SULCUS_HD_INLINE std::uint32_t unitsOf(float weight, float largest) {
  return std::uint32_t(weight / largest * kWeightUnits);
}

/// Draws one of kProposals proposals with probabilities in proportion to their weights, computed one after
/// the other. The lanes of a warp compute them side by side (gpu/tracts/warp_draw.cuh).
struct DrawOneByOne {
  /// False if all weights are 0.
  template <class Propose>
  SULCUS_HD_INLINE static bool draw(const Propose& propose, std::uint32_t word, Proposal& chosen) {
    Proposal proposals[kProposals];
    float largest = 0;
    for (int i = 0; i < kProposals; ++i) {
      proposals[i] = propose(i);
      largest = larger(largest, proposals[i].weight);
    }
    if (!(largest > 0)) return false;
    std::uint32_t total = 0;
    for (int i = 0; i < kProposals; ++i) total += unitsOf(proposals[i].weight, largest);
    const auto target = std::uint32_t((std::uint64_t(word) * total) >> 32);
    std::uint32_t sum = 0;
    for (int i = 0; i < kProposals; ++i) {
      sum += unitsOf(proposals[i].weight, largest);
      if (sum > target) {
        chosen = proposals[i];
        return true;
      }
    }
    return false;
  }
};

/// Two orthonormal directions perpendicular to d: Duff et al., J Comput Graph Tech 6 (2017) 1.
SULCUS_HD_INLINE void frameAround(const Vec3<float>& d, Vec3<float>& e1, Vec3<float>& e2) {
  const float sign = d.z < 0 ? -1.f : 1.f, a = -1 / (sign + d.z), b = d.x * d.y * a;
  e1 = {fusedMultiplyAdd(sign * a * d.x, d.x, 1.f), sign * b, -sign * d.x};
  e2 = {b, fusedMultiplyAdd(a * d.y, d.y, sign), -d.y};
}

inline constexpr std::uint32_t kGoldenTurn = 0x9e3779b9u;  // consecutive i are far apart

/// The i-th of kProposals directions spread evenly over a cap of the sphere around d, the same number in each
/// ring, and rotated at random. `height` is 1 − the cosine of the edge of the cap.
SULCUS_HD_INLINE Vec3<float> directionInCap(const Vec3<float>& d, float height, int i, std::uint32_t ring,
                                            std::uint32_t turn) {
  const float down = height * ((float(i) + uniform(ring)) * (1.f / kProposals));  // 1 − cosine
  const float sine = squareRoot(down * (2 - down));
  float s, c;
  sinCosOfTurn(turn + std::uint32_t(i) * kGoldenTurn, s, c);
  Vec3<float> e1, e2;
  frameAround(d, e1, e2);
  return unitOf(moved(moved(moved(d, -down, d), sine * c, e1), sine * s, e2));
}

/// Follows the maximum of the function that is nearest to the direction of the line.
template <int Order>
struct AlongMaximum {
  static constexpr int kOrder = Order;

  SULCUS_HD_INLINE static Way wayAt(const FieldView&, const Surroundings& around, const Vec3<float>& along) {
    float form[formStride(Order)];
    interpolatedForm<Order>(around, form);
    return maximumNear<Order>(form, along);
  }
};

/// Follows the peaks.
struct AlongPeaks {
  SULCUS_HD_INLINE static Way wayAt(const FieldView& field, const Surroundings& around,
                                    const Vec3<float>& along) {
    return meanPeakAlong(around, field.peaks, along);
  }
};

/// An initial direction for a line, drawn from the directions of functions.
template <int Order, class Draw>
SULCUS_HD_INLINE bool drawFirstDirection(const WalkView& walk, const Surroundings& around,
                                         const std::uint32_t (&words)[4], Vec3<float>& direction) {
  float form[formStride(Order)];
  interpolatedForm<Order>(around, form);
  Proposal chosen;
  const bool found = Draw::draw(
      [&](int i) {
        const Vec3<float> d = directionInCap({0, 0, 1}, 1, i, words[0], words[1]);
        const float value = formValue<Order>(form, d);
        return Proposal{{0, 0, 0}, d, value >= walk.cutoff ? value : 0.f};
      },
      words[2], chosen);
  direction = chosen.direction;
  return found;
}

/// A deterministic line: a step follows the direction there, extrapolated by its turn in the previous step
/// (Adams and Bashforth), which is of second order and evaluates the field once.
template <class Follow>
struct Deterministic {
  static constexpr bool kRandom = false;

  template <int Order>
  SULCUS_HD_INLINE static bool first(const WalkView& walk, const Surroundings& around,
                                     const std::uint32_t (&words)[4], AlongMaximum<Order>,
                                     Vec3<float>& direction) {
    return drawFirstDirection<Order, DrawOneByOne>(walk, around, words, direction);
  }
  /// One of the peaks of the voxel with the largest weight, at random by their amplitudes.
  SULCUS_HD_INLINE static bool first(const WalkView& walk, const Surroundings& around,
                                     const std::uint32_t (&words)[4], AlongPeaks, Vec3<float>& direction) {
    int nearest = 0;
    for (int c = 1; c < 8; ++c)
      if (around.w[c] > around.w[nearest]) nearest = c;
    const float* const peaks = around.row[nearest];
    Proposal chosen;
    const bool found = DrawOneByOne::draw(
        [&](int i) {
          if (i >= walk.field.peaks) return Proposal{{0, 0, 0}, {0, 0, 1}, 0};
          const float* const peak = peaks + 4 * i;
          return Proposal{{0, 0, 0}, {peak[0], peak[1], peak[2]}, peak[3] >= walk.cutoff ? peak[3] : 0.f};
        },
        words[2], chosen);
    direction = chosen.direction;
    return found;
  }

  SULCUS_HD_INLINE static bool begin(const WalkView& walk, std::uint64_t seed, const Vec3<float>& place,
                                     Vec3<float>& direction) {
    Surroundings around;
    if (!surroundingsOf(walk.field, place, around)) return false;
    std::uint32_t words[4];
    drawWords(walk.key, seed, 0, -1, words);
    if (!first(walk, around, words, Follow{}, direction)) return false;
    const Way way = Follow::wayAt(walk.field, around, direction);
    direction = way.direction;
    return way.amplitude >= walk.cutoff && way.amplitude > 0;
  }

  /// One step; false if the line ends, for the reason in `ending`.
  SULCUS_HD_INLINE static bool step(const WalkView& walk, const StepNumber&, Walker& at, Ending& ending) {
    const Vec3<float> turn = at.direction - at.before, ahead = unitOf(moved(at.direction, 0.5f, turn));
    const Vec3<float> next = moved(at.place, walk.step, ahead);
    Surroundings around;
    if (!surroundingsOf(walk.field, next, around)) return ending = Ending::outside, false;
    const Way way = Follow::wayAt(walk.field, around, ahead);
    if (!(way.amplitude >= walk.cutoff && way.amplitude > 0)) return ending = Ending::weak, false;
    if (!(dotOf(way.direction, at.direction) >= walk.cosine)) return ending = Ending::sharp, false;
    at = {next, way.direction, at.direction};
    return true;
  }
};

/// The value of the function at a position along a direction; 0 outside the image and below the cut-off.
template <int Order>
SULCUS_HD_INLINE float valueAlong(const WalkView& walk, const Vec3<float>& place,
                                  const Vec3<float>& direction) {
  Surroundings around;
  if (!surroundingsOf(walk.field, place, around)) return 0;
  float form[formStride(Order)];
  interpolatedForm<Order>(around, form);
  const float value = formValue<Order>(form, direction);
  return value >= walk.cutoff && value > 0 ? value : 0.f;
}

/// Goes to one of the positions that propose(i, random words) returns, or ends if there is none.
template <class Draw, class Propose>
SULCUS_HD_INLINE bool randomStep(const WalkView& walk, const StepNumber& number, Walker& at, Ending& ending,
                                 const Propose& propose) {
  std::uint32_t words[4];
  drawWords(walk.key, number.seed, number.draw, number.step, words);
  Proposal chosen;
  if (Draw::draw([&](int i) { return propose(i, words); }, words[2], chosen)) {
    at.place = chosen.place;
    at.direction = chosen.direction;
    return true;
  }
  const Vec3<float> ahead = moved(at.place, walk.step, at.direction);
  const bool isAheadInside = isInImage(walk.field.size, walk.field.voxelAt(ahead));
  ending = isAheadInside ? Ending::weak : Ending::outside;
  return false;
}

/// A random line: each step is an arc, drawn with a probability in proportion to the geometric mean of the
/// function along it (Tournier, Calamante & Connelly, Proc. ISMRM 18 (2010) 1670: iFOD2). Where they use
/// rejection sampling, one of kProposals arcs spread evenly over all turns is drawn here.
template <int Order, class Draw = DrawOneByOne>
struct Probable {
  static constexpr bool kRandom = true;

  SULCUS_HD_INLINE static bool begin(const WalkView& walk, std::uint64_t seed, const Vec3<float>& place,
                                     Vec3<float>& direction) {
    Surroundings around;
    if (!surroundingsOf(walk.field, place, around)) return false;
    std::uint32_t words[4];
    drawWords(walk.key, seed, 0, -1, words);
    return drawFirstDirection<Order, Draw>(walk, around, words, direction);
  }

  /// An arc from p along d that turns to `end` after a step: its two halves have the chords d + middle and
  /// middle + end, each as long as half an arc times sin x / x, where x is a quarter of the turn.
  SULCUS_HD_INLINE static Proposal arcTo(const WalkView& walk, const Vec3<float>& p, const Vec3<float>& d,
                                         const Vec3<float>& end) {
    const Vec3<float> middle = unitOf(d + end);
    const float square = 0.5f * (1 - dotOf(d, middle));  // sin² x
    const float chord =
        0.5f * walk.step / fusedMultiplyAdd(square, fusedMultiplyAdd(square, 0.075f, 1.f / 6), 1.f);
    const Vec3<float> half = moved(p, chord, unitOf(d + middle));
    Proposal arc{moved(half, chord, unitOf(middle + end)), end, 0};
    const float atMiddle = valueAlong<Order>(walk, half, middle);
    if (atMiddle > 0) arc.weight = squareRoot(atMiddle * squareRoot(valueAlong<Order>(walk, arc.place, end)));
    return arc;
  }

  SULCUS_HD_INLINE static bool step(const WalkView& walk, const StepNumber& number, Walker& at,
                                    Ending& ending) {
    return randomStep<Draw>(walk, number, at, ending, [&](int i, const auto& words) {
      const Vec3<float> end = directionInCap(at.direction, 1 - walk.cosine, i, words[0], words[1]);
      return arcTo(walk, at.place, at.direction, end);
    });
  }
};

/// A smooth random line of bounded curvature: each step follows part of an arc that is drawn with a
/// probability in proportion to the mean of the function along the whole arc, which reaches further ahead
/// (Aydogan & Shi, IEEE Trans Med Imaging 40 (2021) 635: parallel transport tractography). Where they use
/// rejection sampling, one of kProposals curvatures spread evenly over the disc of all curvatures is drawn
/// here; since the disc is round, any frame around the line serves.
template <int Order, class Draw = DrawOneByOne>
struct Transported {
  static constexpr bool kRandom = true;
  static constexpr int kProbes = 4;  ///< positions along an arc

  SULCUS_HD_INLINE static bool begin(const WalkView& walk, std::uint64_t seed, const Vec3<float>& place,
                                     Vec3<float>& direction) {
    return Probable<Order, Draw>::begin(walk, seed, place, direction);
  }

  /// Position and direction on an arc after this many mm; `bend` is its curvature times the direction of its
  /// turn. Sine and cosine by their series, with an error below 10⁻⁵ for turns up to 90°.
  SULCUS_HD_INLINE static Proposal arcAt(const Vec3<float>& p, const Vec3<float>& d, const Vec3<float>& bend,
                                         float s) {
    const float x = s * s * dotOf(bend, bend);  // square of the turn
    const auto series = [x](float a, float b, float c, float d4) {
      return fusedMultiplyAdd(
          -x, fusedMultiplyAdd(-x, fusedMultiplyAdd(-x, fusedMultiplyAdd(-x, d4, c), b), a), 1.f);
    };
    const float sine = series(1.f / 6, 1.f / 120, 1.f / 5040, 1.f / 362880);     // sin t / t
    const float half = series(1.f / 12, 1.f / 360, 1.f / 20160, 1.f / 1814400);  // 2 (1 − cos t) / t²
    const float cosine = fusedMultiplyAdd(-0.5f * x, half, 1.f);
    const Vec3<float> turned{cosine * d.x, cosine * d.y, cosine * d.z};
    return {moved(moved(p, s * sine, d), 0.5f * s * s * half, bend), unitOf(moved(turned, s * sine, bend)),
            0};
  }

  SULCUS_HD_INLINE static Proposal proposed(const WalkView& walk, const Vec3<float>& p, const Vec3<float>& d,
                                            int i, std::uint32_t ring, std::uint32_t turn) {
    Vec3<float> e1, e2;
    frameAround(d, e1, e2);
    const float size = walk.curvature * squareRoot((float(i) + uniform(ring)) * (1.f / kProposals));
    float s, c;
    sinCosOfTurn(turn + std::uint32_t(i) * kGoldenTurn, s, c);
    const Vec3<float> bend = moved(moved({0, 0, 0}, size * c, e1), size * s, e2);
    Proposal arc = arcAt(p, d, bend, walk.step);
    float sum = 0;
    for (int n = 1; n <= kProbes; ++n) {
      const Proposal probe = arcAt(p, d, bend, walk.probe * (float(n) * (1.f / kProbes)));
      const float value = valueAlong<Order>(walk, probe.place, probe.direction);
      if (!(value > 0)) return arc;
      sum += value;
    }
    arc.weight = sum;
    return arc;
  }

  SULCUS_HD_INLINE static bool step(const WalkView& walk, const StepNumber& number, Walker& at,
                                    Ending& ending) {
    return randomStep<Draw>(walk, number, at, ending, [&](int i, const auto& words) {
      return proposed(walk, at.place, at.direction, i, words[0], words[1]);
    });
  }
};

/// A line in progress: begin(), then advance() until it returns false. The points are stored in an array of
/// walk.most + 1: the seed, those of the first direction, those of the second.
template <class Method>
struct LineWalk {
  Walker at;
  Vec3<float> firstDirection;
  std::uint64_t seed;
  std::uint32_t seen, endBits;
  int half, returns;
  bool goodEnds;  ///< in gray matter, if tissues are known
  LineRecord record;

  /// How often one half of a line goes back because it ended where no nerve fiber ends.
  static constexpr int kMostReturns = 10;

  /// False if there is nothing to follow.
  SULCUS_HD_INLINE bool begin(const WalkView& walk, std::uint64_t number, const Vec3<float>& place,
                              Vec3<float>* points) {
    record = {};
    seed = number;
    half = returns = 0;
    endBits = 0;
    seen = walk.rules.at(place);
    if (walk.rules.mask && !(seen & walk.rules.mask)) return false;
    if (walk.tissues.shares && walk.tissues.at(place) == Tissue::other) return false;
    if (!Method::begin(walk, number, place, firstDirection)) return false;
    if (seen & walk.rules.exclude) return record.verdict = Verdict::excluded, false;
    points[0] = place;
    record.points = 1;
    at = {place, firstDirection, firstDirection};
    return true;
  }

  SULCUS_HD_INLINE bool advance(const WalkView& walk, Vec3<float>* points) {
    Ending ending = Ending::longest;
    const bool on = record.points <= walk.most &&
                    Method::step(walk, {seed, half + 2 * returns, record.points}, at, ending) &&
                    continuesInTissue(walk, points, ending) && continuesInRegions(walk, points, ending);
    if (record.verdict == Verdict::excluded) return false;
    if (on || goesBack(walk, ending, points)) return true;
    record.ends[half] = ending;
    const int last = record.points - 1;
    const std::uint32_t atEnd = walk.rules.at(points[lastOfWay()]);
    if (half == 0) {
      endBits = atEnd;
      goodEnds = endsWell(walk, ending, points);
      half = 1;
      returns = 0;
      record.forward = last;
      at = {points[0], -firstDirection, -firstDirection};
      return true;
    }
    goodEnds = goodEnds && endsWell(walk, ending, points);
    record.verdict = judge(walk, atEnd);
    return false;
  }

  /// Whether the line goes on in the tissue where a step took it. If that is the cortex, the line ends at its
  /// border.
  SULCUS_HD_INLINE bool continuesInTissue(const WalkView& walk, Vec3<float>* points, Ending& ending) {
    if (!walk.tissues.shares) return true;
    const Tissue tissue = walk.tissues.at(at.place);
    if (tissue == Tissue::other) ending = Ending::noTissue;
    if (tissue == Tissue::cortex) {
      at.place = walk.tissues.borderOfCortex(points[lastOfWay()], at.place);
      points[record.points++] = at.place;
      const std::uint32_t bits = walk.rules.at(at.place);
      seen |= bits;
      if (bits & walk.rules.exclude) record.verdict = Verdict::excluded;
      ending = Ending::cortex;
    }
    return tissue != Tissue::other && tissue != Tissue::cortex;
  }

  /// Adds the point to which a step went, unless it lies outside the mask or excludes the line; whether the
  /// line goes on.
  SULCUS_HD_INLINE bool continuesInRegions(const WalkView& walk, Vec3<float>* points, Ending& ending) {
    const std::uint32_t bits = walk.rules.at(at.place);
    if (walk.rules.mask && !(bits & walk.rules.mask)) {
      ending = Ending::mask;
      return false;
    }
    if (bits & walk.rules.exclude) {
      record.verdict = Verdict::excluded;
      return false;
    }
    points[record.points++] = at.place;
    seen |= bits;
    if (bits & walk.rules.stop) ending = Ending::stop;
    return !(bits & walk.rules.stop);
  }

  /// The last point of the current half.
  SULCUS_HD_INLINE int lastOfWay() const {
    return half == 1 && record.points - 1 == record.forward ? 0 : record.points - 1;
  }

  SULCUS_HD_INLINE bool endsWell(const WalkView& walk, Ending ending, const Vec3<float>* points) const {
    if (!walk.tissues.shares || ending == Ending::cortex || ending == Ending::stop) return true;
    return ending != Ending::noTissue && walk.tissues.at(points[lastOfWay()]) == Tissue::deepGray;
  }

  /// A random line that ended within white matter or in no tissue goes back, further each time, and continues
  /// with other random numbers (Smith et al., NeuroImage 62 (2012) 1924).
  SULCUS_HD_INLINE bool goesBack(const WalkView& walk, Ending ending, const Vec3<float>* points) {
    if (!Method::kRandom || returns == kMostReturns || ending == Ending::longest ||
        endsWell(walk, ending, points))
      return false;
    const int first = half == 0 ? 1 : record.forward + 1, way = record.points - first;
    if (way == 0) return false;
    ++returns;
    record.points -= way < 2 * returns ? way : 2 * returns;
    const int last = lastOfWay(), previous = record.points - 1 == first ? 0 : last - 1;
    Vec3<float> direction = half == 0 ? firstDirection : -firstDirection;
    if (last > 0) direction = unitOf(points[last] - points[previous]);
    at = {points[last], direction, direction};
    seen = 0;
    for (int n = 0; n < record.points; ++n) seen |= walk.rules.at(points[n]);
    return true;
  }

  SULCUS_HD_INLINE Verdict judge(const WalkView& walk, std::uint32_t atEnd) const {
    const RuleView& rules = walk.rules;
    if (record.points - 1 < walk.fewest) return Verdict::shortLine;
    if ((seen & rules.include) != rules.include) return Verdict::missed;
    if (!goodEnds) return Verdict::endsElsewhere;
    const bool right = !rules.ends || (rules.bothEnds ? (endBits & rules.ends) && (atEnd & rules.ends)
                                                      : ((endBits | atEnd) & rules.ends) == rules.ends);
    return right ? Verdict::kept : Verdict::endsElsewhere;
  }
};

}  // namespace sulcus::tracts
