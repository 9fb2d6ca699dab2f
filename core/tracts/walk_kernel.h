#pragma once

#include "core/math/distributions.h"
#include "core/math/philox.h"
#include "core/tracts/field_kernel.h"

#include <cstdint>

// One line, step by step, from its seed to both of its ends: what both processors do for each seed.

namespace sulcus::tracts {

/// Why one end of a line is where it is: the field became weak, turned too sharply, or the image or the mask
/// ended, a region said stop, or the line had its longest length.
enum class Ending : std::uint8_t { weak, sharp, outside, mask, stop, longest };
inline constexpr int kEndings = 6;

/// What became of a seed: a line that is kept; nothing to follow there; or a line that is too short, entered
/// what it must not, missed what it must enter, or ends elsewhere than it must.
enum class Verdict : std::uint8_t { kept, nothing, shortLine, excluded, missed, endsElsewhere };
inline constexpr int kVerdicts = 6;

struct SphereView {
  float x, y, z, squareOfRadius;
  std::uint32_t bit;
};

/// Where lines may go, must go and must not go: a bit for each region, and which bits mean what.
struct RuleView {
  const std::uint32_t* bits;  ///< of each voxel; null: no region is an image
  Vec3<int> size;
  float voxelFromWorld[3][4];
  const SphereView* spheres;
  int sphereCount;
  std::uint32_t mask;     ///< a line lives in any of these; 0: anywhere
  std::uint32_t include;  ///< enters all of these
  std::uint32_t exclude;  ///< enters none of these
  std::uint32_t stop;     ///< ends where it enters one of these
  std::uint32_t ends;     ///< each of these holds an end
  bool bothEnds;          ///< instead: each end lies in any of them

  /// Of the nearest voxel, and of spheres.
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
    for (int n = 0; n < sphereCount; ++n) {
      const SphereView& sphere = spheres[n];
      const Vec3<float> off{p.x - sphere.x, p.y - sphere.y, p.z - sphere.z};
      if (dotOf(off, off) <= sphere.squareOfRadius) found |= sphere.bit;
    }
    return found;
  }
};

/// All that the lines of a run share.
struct WalkView {
  FieldView field;
  RuleView rules;
  PhiloxKey key;
  float step;        ///< mm
  float cosine;      ///< of the largest turn in a step
  float cutoff;      ///< smallest amplitude
  int fewest, most;  ///< steps of a line
};

/// The beginning of a line and what became of it.
struct LineRecord {
  std::int32_t points = 0, forward = 0;  ///< of the line; of them those after the seed on the first way
  Ending ends[2] = {Ending::weak, Ending::weak};  ///< on the first way from the seed, and on the second
  Verdict verdict = Verdict::nothing;
};

/// Random words of a seed: of its first direction in step −1, then of each step; those of the second way from
/// the seed are others.
SULCUS_HD_INLINE void drawWords(PhiloxKey key, std::uint64_t seed, int half, int step,
                                std::uint32_t (&words)[4]) {
  words[0] = std::uint32_t(seed);
  words[1] = std::uint32_t(seed >> 32);
  words[2] = std::uint32_t(step);
  words[3] = std::uint32_t(half);
  philox(words, key);
}

/// A place to go to, and how likely, up to a factor.
struct Proposal {
  Vec3<float> place, direction;
  float weight;
};

inline constexpr int kProposals = 32;
/// Weights are whole numbers up to this, so that their sums do not depend on the order.
inline constexpr float kWeightUnits = 1048576.f;

SULCUS_HD_INLINE std::uint32_t unitsOf(float weight, float largest) {
  return std::uint32_t(weight / largest * kWeightUnits);
}

/// Draws one of kProposals proposals with probabilities in proportion to their weights, one after the other.
/// The lanes of a GPU's warp do it side by side (gpu/tracts/warp_draw.cuh).
struct DrawOneByOne {
  /// False where all weights are 0.
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

/// The i-th of kProposals directions that are spread evenly over a cap of the sphere around d, the same
/// number in each ring, and turned at random. `height` is 1 − the cosine of the cap's edge.
SULCUS_HD_INLINE Vec3<float> directionInCap(const Vec3<float>& d, float height, int i, std::uint32_t ring,
                                            std::uint32_t turn) {
  constexpr std::uint32_t kGolden = 0x9e3779b9u;  // of a turn: neighbors in i are far apart
  const float down = height * ((float(i) + uniform(ring)) * (1.f / kProposals));  // 1 − cosine
  const float sine = squareRoot(down * (2 - down));
  float s, c;
  sinCosOfTurn(turn + std::uint32_t(i) * kGolden, s, c);
  // An orthonormal frame around d: Duff et al., J Comput Graph Tech 6 (2017) 1.
  const float sign = d.z < 0 ? -1.f : 1.f, a = -1 / (sign + d.z), b = d.x * d.y * a;
  const Vec3<float> e1{fusedMultiplyAdd(sign * a * d.x, d.x, 1.f), sign * b, -sign * d.x},
      e2{b, fusedMultiplyAdd(a * d.y, d.y, sign), -d.y};
  return unitOf(moved(moved(moved(d, -down, d), sine * c, e1), sine * s, e2));
}

/// Follows the maximum of the function that is nearest to the way.
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

/// A direction for a line to begin with, from that of functions.
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

/// A deterministic way: a step leads along the direction there, carried on as it turned in the step before
/// (Adams and Bashforth), which is of second order and takes one look at the field.
template <class Follow>
struct Deterministic {
  template <int Order>
  SULCUS_HD_INLINE static bool first(const WalkView& walk, const Surroundings& around,
                                     const std::uint32_t (&words)[4], AlongMaximum<Order>,
                                     Vec3<float>& direction) {
    return drawFirstDirection<Order, DrawOneByOne>(walk, around, words, direction);
  }
  /// One of the peaks of the voxel that weighs most, at random by their amplitudes.
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

  /// One step from p; false where the line ends, for the reason in `ending`.
  SULCUS_HD_INLINE static bool step(const WalkView& walk, std::uint64_t, int, int, Vec3<float>& p,
                                    Vec3<float>& direction, Vec3<float>& before, Ending& ending) {
    const Vec3<float> turn = direction - before, ahead = unitOf(moved(direction, 0.5f, turn));
    const Vec3<float> next = moved(p, walk.step, ahead);
    Surroundings around;
    if (!surroundingsOf(walk.field, next, around)) return ending = Ending::outside, false;
    const Way way = Follow::wayAt(walk.field, around, ahead);
    if (!(way.amplitude >= walk.cutoff && way.amplitude > 0)) return ending = Ending::weak, false;
    if (!(dotOf(way.direction, direction) >= walk.cosine)) return ending = Ending::sharp, false;
    p = next;
    before = direction;
    direction = way.direction;
    return true;
  }
};

/// A random way: each step is an arc, drawn with a probability in proportion to the geometric mean of the
/// function along it (Tournier, Calamante & Connelly, Proc. ISMRM 18 (2010) 1670: iFOD2). Where they reject
/// arcs until one is taken, one is drawn here out of kProposals that are spread evenly over all turns.
template <int Order, class Draw = DrawOneByOne>
struct Probable {
  SULCUS_HD_INLINE static bool begin(const WalkView& walk, std::uint64_t seed, const Vec3<float>& place,
                                     Vec3<float>& direction) {
    Surroundings around;
    if (!surroundingsOf(walk.field, place, around)) return false;
    std::uint32_t words[4];
    drawWords(walk.key, seed, 0, -1, words);
    return drawFirstDirection<Order, Draw>(walk, around, words, direction);
  }

  /// The value of the function at a place along a direction; 0 outside of the image and below the cut-off.
  SULCUS_HD_INLINE static float valueAt(const WalkView& walk, const Vec3<float>& place,
                                        const Vec3<float>& direction) {
    Surroundings around;
    if (!surroundingsOf(walk.field, place, around)) return 0;
    float form[formStride(Order)];
    interpolatedForm<Order>(around, form);
    const float value = formValue<Order>(form, direction);
    return value >= walk.cutoff && value > 0 ? value : 0.f;
  }

  /// An arc from p along d that has turned to `end` after a step: its two halves have the chords d + middle
  /// and middle + end, and the length of each is that of half an arc times sin x / x, x a quarter of the
  /// turn.
  SULCUS_HD_INLINE static Proposal arcTo(const WalkView& walk, const Vec3<float>& p, const Vec3<float>& d,
                                         const Vec3<float>& end) {
    const Vec3<float> middle = unitOf(d + end);
    const float square = 0.5f * (1 - dotOf(d, middle));  // sin² x
    const float chord =
        0.5f * walk.step / fusedMultiplyAdd(square, fusedMultiplyAdd(square, 0.075f, 1.f / 6), 1.f);
    const Vec3<float> half = moved(p, chord, unitOf(d + middle));
    Proposal arc{moved(half, chord, unitOf(middle + end)), end, 0};
    const float atMiddle = valueAt(walk, half, middle);
    if (atMiddle > 0) arc.weight = squareRoot(atMiddle * squareRoot(valueAt(walk, arc.place, end)));
    return arc;
  }

  SULCUS_HD_INLINE static bool step(const WalkView& walk, std::uint64_t seed, int half, int step,
                                    Vec3<float>& p, Vec3<float>& direction, Vec3<float>&, Ending& ending) {
    std::uint32_t words[4];
    drawWords(walk.key, seed, half, step, words);
    Proposal chosen;
    if (!Draw::draw(
            [&](int i) {
              return arcTo(walk, p, direction,
                           directionInCap(direction, 1 - walk.cosine, i, words[0], words[1]));
            },
            words[2], chosen)) {
      const bool inside = isInImage(walk.field.size, walk.field.voxelAt(moved(p, walk.step, direction)));
      return ending = inside ? Ending::weak : Ending::outside, false;
    }
    p = chosen.place;
    direction = chosen.direction;
    return true;
  }
};

/// A line on its way: begin(), then advance() until it returns false. The points go to a place with room for
/// walk.most + 1: the seed, those of the first way, those of the second.
template <class Method>
struct LineWalk {
  Vec3<float> p, direction, before, firstDirection;
  std::uint64_t seed;
  std::uint32_t seen, endBits;
  int half;
  LineRecord record;

  /// False where nothing is to be followed.
  SULCUS_HD_INLINE bool begin(const WalkView& walk, std::uint64_t number, const Vec3<float>& place,
                              Vec3<float>* points) {
    record = {};
    seed = number;
    p = place;
    half = 0;
    endBits = 0;
    seen = walk.rules.at(place);
    if (walk.rules.mask && !(seen & walk.rules.mask)) return false;
    if (!Method::begin(walk, number, place, firstDirection)) return false;
    if (seen & walk.rules.exclude) return record.verdict = Verdict::excluded, false;
    points[0] = place;
    record.points = 1;
    direction = before = firstDirection;
    return true;
  }

  SULCUS_HD_INLINE bool advance(const WalkView& walk, Vec3<float>* points) {
    Ending ending = Ending::longest;
    bool on = record.points <= walk.most;
    std::uint32_t bits = 0;
    if (on) on = Method::step(walk, seed, half, record.points, p, direction, before, ending);
    if (on) {
      bits = walk.rules.at(p);
      if (walk.rules.mask && !(bits & walk.rules.mask)) on = false, ending = Ending::mask;
    }
    if (on && (bits & walk.rules.exclude)) return record.verdict = Verdict::excluded, false;
    if (on) {
      points[record.points++] = p;
      seen |= bits;
      if (bits & walk.rules.stop) on = false, ending = Ending::stop;
    }
    if (on) return true;
    record.ends[half] = ending;
    const int last = record.points - 1;
    const std::uint32_t atEnd = walk.rules.at(points[half == 1 && last == record.forward ? 0 : last]);
    if (half == 0) {
      endBits = atEnd;
      half = 1;
      record.forward = last;
      p = points[0];
      direction = before = -firstDirection;
      return true;
    }
    record.verdict = judge(walk, atEnd);
    return false;
  }

  SULCUS_HD_INLINE Verdict judge(const WalkView& walk, std::uint32_t atEnd) const {
    const RuleView& rules = walk.rules;
    if (record.points - 1 < walk.fewest) return Verdict::shortLine;
    if ((seen & rules.include) != rules.include) return Verdict::missed;
    const bool right = !rules.ends || (rules.bothEnds ? (endBits & rules.ends) && (atEnd & rules.ends)
                                                      : ((endBits | atEnd) & rules.ends) == rules.ends);
    return right ? Verdict::kept : Verdict::endsElsewhere;
  }
};

}  // namespace sulcus::tracts
