#pragma once

#include "core/math/distributions.h"
#include "core/math/philox.h"

#include <cstdint>

namespace sulcus::group {

/// What all voxels share in one draw of people_model.h, in the units of PeopleProblem.
struct PeopleHyper {
  float logOdds = 0;           ///< ln of (share of voxels with an effect / share without)
  float slab = 1;              ///< variance of the effects that are not 0
  float priorSum = 1;          ///< prior degrees of freedom × prior variance across people
  ChiSquare<float> variances;  ///< of the degrees of freedom of the prior and of the people
  std::uint32_t draw = 0, chain = 0;
};

/// The random words of the draw of a voxel: for its effect and variance, its people, and its nuisance
/// coefficients.
inline constexpr std::uint32_t kEffectWords = 0, kPeopleWords = 1u << 16, kRestWords = 1u << 24;

/// Two independent standard normal numbers, like normalPair(), with a root that all devices round alike.
template <class Uint, class Real>
SULCUS_HD_INLINE void reproducibleNormalPair(Uint radiusWord, Uint angleWord, Real& first, Real& second) {
  const Real radius = squareRoot(Real(-2) * logarithm(uniform(radiusWord)));
  Real sine, cosine;
  sinCosOfTurn(angleWord, sine, cosine);
  first = radius * cosine;
  second = radius * sine;
}

/// The input of the draw of a voxel: the design, its maps and its estimates.
template <class Real, class ValueOf, class VarianceOf, class Rest>
struct VoxelOfPeople {
  int people, rests;   ///< numbers of people and of nuisance columns
  const float* along;  ///< for each person the column of the contrast, then the nuisance columns; orthonormal
  float scale;         ///< κ: the variance of the estimate is κ² × the variance between people
  bool hasVariances;
  Real estimate, squares;  ///< of the effect, and around it; used where the maps have no variances
  ValueOf valueOf;         ///< (person) value of the map
  VarianceOf varianceOf;   ///< (person) its variance
  Rest rest;               ///< (column) nuisance coefficient
  Rest sums;               ///< (column) scratch memory
};
template <class Real, class ValueOf, class VarianceOf, class Rest>
SULCUS_HD VoxelOfPeople(int, int, const float*, float, bool, Real, Real, ValueOf, VarianceOf, Rest, Rest)
    ->VoxelOfPeople<Real, ValueOf, VarianceOf, Rest>;

/// An effect by least squares.
template <class Real>
struct EffectEstimate {
  Real estimate, squares;  ///< the effect, and the residual sum of squares around it
};

/// Draws the variance between people and the effect of a voxel from their conditional distributions: the
/// variance is (squares + (estimate − effect)² / scale² + prior sum) / χ²; the effect is 0 or normal, chosen
/// by the density of the estimate under both (Mitchell & Beauchamp, J Am Stat Assoc 83 (1988) 1023).
///
/// @param scale     κ, see VoxelOfPeople
/// @param effect    of the previous draw; receives the new one, 0 for none
/// @param variance  receives the new one
template <class Uint, class Real = FloatOf<Uint>>
SULCUS_HD_INLINE void drawEffect(const PeopleHyper& hyper, float scale, const EffectEstimate<Real>& found,
                                 PhiloxStream<Uint> random, Real& effect, Real& variance) {
  const Real estimate = found.estimate;
  random.block = kEffectWords;
  Uint words[4];
  Real normal, kept(0.f), chiSquare(1.f), value;
  Uint choice(0u);
  MaskOf<Real> isOpen = Real(0.f) < Real(1.f);
  for (bool isFirst = true; any(isOpen); isFirst = false) {
    random.next4(words);
    Real second;
    reproducibleNormalPair(words[0], words[1], normal, second);
    if (isFirst) {
      kept = second;
      choice = words[3];
    }
    const auto isAccepted = chiSquareCandidate(hyper.variances, normal, uniform(words[2]), value);
    chiSquare = select(isOpen & isAccepted, value, chiSquare);
    isOpen = isOpen & !isAccepted;
  }
  const Real off = (estimate - effect) * Real(1 / scale);
  variance = fusedMultiplyAdd(off, off, found.squares + Real(hyper.priorSum)) / chiSquare;

  const Real slab(hyper.slab), factor(scale * scale);
  const Real own = variance * factor, both = fusedMultiplyAdd(variance, factor, slab);
  const Real shrink = slab / both;
  const Real twice = fusedMultiplyAdd(estimate * estimate, shrink / own, logarithm(own / both));
  const Real odds = fusedMultiplyAdd(twice, Real(0.5f), Real(hyper.logOdds));
  const Real u = uniform(choice);
  const Real cut = logarithm(u / (Real(1.f) - u));
  const Real drawn = fusedMultiplyAdd(squareRoot(own * shrink), kept, estimate * shrink);
  effect = select(cut < odds, drawn, Real(0.f));
}

/// What the drawn effects of the people say about a voxel.
template <class Real>
struct DrawnPeople {
  Real toEffect = Real(0.f);  ///< of their residuals: their projection on the column of the contrast
  Real squares = Real(0.f);   ///< their sum of squares
};

/// Draws the effect of each person in a voxel, given a map with a known variance. Its nuisance coefficients
/// are replaced by their estimates from the drawn people.
///
/// @param onColumn  the effect along the column of the contrast
/// @param variance  between people
template <class Uint, class Voxel, class Real = FloatOf<Uint>>
SULCUS_HD_INLINE DrawnPeople<Real> drawPeople(const Voxel& voxel, Real onColumn, Real variance,
                                              PhiloxStream<Uint> random) {
  const int rests = voxel.rests;
  const auto &rest = voxel.rest, &sums = voxel.sums;
  random.block = kPeopleWords;
  DrawnPeople<Real> drawn;
  for (int c = 0; c < rests; ++c) sums.set(c, Real(0.f));
  Uint words[4];
  Real normals[4];
  for (int n = 0; n < voxel.people; ++n) {
    if (n % 4 == 0) {
      random.next4(words);
      reproducibleNormalPair(words[0], words[1], normals[0], normals[1]);
      reproducibleNormalPair(words[2], words[3], normals[2], normals[3]);
    }
    const float* row = voxel.along + n * (1 + rests);
    Real mean = Real(row[0]) * onColumn;
    for (int c = 0; c < rests; ++c) mean = fusedMultiplyAdd(Real(row[1 + c]), rest.get(c), mean);
    const Real own = voxel.varianceOf(n), gain = variance / (variance + own);
    const Real difference =
        fusedMultiplyAdd(squareRoot(own * gain), normals[n % 4], (voxel.valueOf(n) - mean) * gain);
    drawn.toEffect = fusedMultiplyAdd(Real(row[0]), difference, drawn.toEffect);
    drawn.squares = fusedMultiplyAdd(difference, difference, drawn.squares);
    for (int c = 0; c < rests; ++c) sums.set(c, fusedMultiplyAdd(Real(row[1 + c]), difference, sums.get(c)));
  }
  drawn.squares = fusedMultiplyAdd(-drawn.toEffect, drawn.toEffect, drawn.squares);
  for (int c = 0; c < rests; ++c) {
    drawn.squares = fusedMultiplyAdd(-sums.get(c), sums.get(c), drawn.squares);
    rest.set(c, rest.get(c) + sums.get(c));
  }
  drawn.squares = larger(drawn.squares, Real(0.f));
  return drawn;
}

/// Draws the nuisance coefficients around their estimates.
template <class Uint, class Rest, class Real = FloatOf<Uint>>
SULCUS_HD_INLINE void drawRest(int rests, Real variance, const Rest& rest, PhiloxStream<Uint> random) {
  random.block = kRestWords;
  const Real deviation = squareRoot(variance);
  for (int c = 0; c < rests; c += 2) {
    Uint words[4];
    Real normals[2];
    random.next4(words);
    reproducibleNormalPair(words[0], words[1], normals[0], normals[1]);
    for (int i = 0; i < 2 && c + i < rests; ++i)
      rest.set(c + i, fusedMultiplyAdd(deviation, normals[i], rest.get(c + i)));
  }
}

/// A draw of a voxel: of its people if their variances are known, of its effect, and of its nuisance
/// coefficients.
///
/// @param effect  of the previous draw; receives the new one, as does `variance`
template <class Uint, class Voxel, class Real = FloatOf<Uint>>
SULCUS_HD_INLINE void drawVoxel(const PeopleHyper& hyper, const Voxel& voxel, PhiloxStream<Uint> random,
                                Real& effect, Real& variance) {
  EffectEstimate<Real> found{voxel.estimate, voxel.squares};
  if (voxel.hasVariances) {
    const Real onColumn = effect * Real(1 / voxel.scale);
    const auto drawn = drawPeople(voxel, onColumn, variance, random);
    found = {(onColumn + drawn.toEffect) * Real(voxel.scale), drawn.squares};
  }
  drawEffect(hyper, voxel.scale, found, random, effect, variance);
  if (voxel.hasVariances) drawRest(voxel.rests, variance, voxel.rest, random);
}

}  // namespace sulcus::group
