#pragma once

#include "core/fibers/fibers.h"
#include "core/fibers/models/tensor_kernel.h"
#include "core/fibers/peaks/peaks_kernel.h"

// The search from one start for a maximum of f(x) = A xᵐ on the sphere, one evaluation of the form at a time:
// Kolda & Mayo, SIAM J. Matrix Anal. Appl. 32 (2011) 1095 (SS-HOPM) and 35 (2014) 1563 (adaptive shift);
// "Search" in resources/design/engines.md. `Real` is float or double (one start, as on a GPU lane) or a pack
// of floats (a start in each lane of a CPU vector). All starts of a voxel follow the same rules. Tensors must
// be scaled so that their norm is about 1, see tensorUnit().

namespace sulcus::fibers {

/// The rules of the search in a voxel.
template <class Scalar>
struct SearchRules {
  ShiftRule shift = ShiftRule::adaptive;
  Scalar alpha = 0;                 ///< the shift, with the shift rules safe and fixed
  Scalar norm = 1;                  ///< ‖A‖ (tensorNorm), to which thresholds are relative
  Scalar tolerance = Scalar(1e-6);  ///< length of the next step at which the search ends, radians
  Scalar maxIterations = 200;       ///< evaluations of the form
};

/// A curvature smaller than this, relative to the norm, counts as 0: there is no isolated maximum.
inline constexpr float kFlatCurvature = 1e-3f;

/// The rules for a voxel, from the options and its tensorEntries(Order) entries.
template <int Order, class Scalar>
SULCUS_HD SearchRules<Scalar> searchRules(const FiberOptions& options, const Scalar* entries) {
  SearchRules<Scalar> rules;
  rules.shift = options.shift;
  rules.norm = tensorNorm<Order>(entries);
  rules.tolerance = Scalar(options.tolerance);
  rules.maxIterations = Scalar(options.maxIterations);
  if (options.shift == ShiftRule::safe) rules.alpha = Scalar(Order - 1) * rules.norm;
  if (options.shift == ShiftRule::fixed) {
    Scalar largest = 0;
    for (int u = 0; u < tensorEntries(Order); ++u) largest = larger(largest, magnitude(entries[u]));
    rules.alpha = Scalar(options.alpha) * largest;
  }
  return rules;
}

/// The state of a search. The form is evaluated next at x = normalized(from + step), where `from` is the best
/// point so far.
template <class Real>
struct Search {
  Vec3<Real> x, from, step;
  Real value;       ///< f(from)
  Real startValue;  ///< f(start)
  Real iterations;  ///< number of evaluations so far

  SULCUS_HD explicit Search(const Vec3<Real>& start)
      : x(start),
        from(start),
        step{Real(0.), Real(0.), Real(0.)},
        value(-1e30f),
        startValue(0.f),
        iterations(0.f) {}
};

/// The outcome of one step. A finished search is at x with f(x) = value.
template <class Real>
struct SearchStatus {
  MaskOf<Real> finished;  ///< converged, or out of iterations
  MaskOf<Real> converged;
  MaskOf<Real> maximum;  ///< converged to a strict local maximum
};

/// A lower bound of the smallest eigenvalue, which underestimates it by at most 0.7 % of the r.m.s. spread of
/// the eigenvalues.
template <class Real>
SULCUS_HD Real smallestEigenvalue(const SymMat3<Real>& m) {
  // λ = q − 2p cos(⅓ acos(−c)), with ½ ≤ cos ≤ 1 bounded from above by a parabola in √((1 − c) / 2).
  const Real q = trace(m) * Real(1. / 3);
  const SymMat3<Real> d{m.xx - q, m.xy, m.xz, m.yy - q, m.yz, m.zz - q};
  const Real off = d.xy * d.xy + d.xz * d.xz + d.yz * d.yz;
  const Real p2 = (d.xx * d.xx + d.yy * d.yy + d.zz * d.zz + off + off) * Real(1. / 6) + Real(1e-20);
  const Real p = squareRoot(p2);
  const Real det = d.xx * (d.yy * d.zz - d.yz * d.yz) - d.xy * (d.xy * d.zz - d.yz * d.xz) +
                   d.xz * (d.xy * d.yz - d.yy * d.xz);
  const Real u2 = Real(0.5) - Real(0.25) * det / (p2 * p);  // 0…1 up to rounding
  const Real u = squareRoot(larger(u2, Real(0.)));
  return q - p * (Real(1.) + u * (Real(1.1547006) - Real(0.1547005) * u));
}

/// 1 / (value + α), with a denominator away from 0. The power step from x is this times A x^(m−1) − value·x.
/// @param shifted  value + α
template <class Real, class Scalar>
SULCUS_HD Real powerFactor(const Real& shifted, Scalar norm) {
  const Real away = larger(magnitude(shifted), Real(Scalar(1e-6) * norm));
  return Real(1.) / select(shifted < Real(0.), -away, away);
}

/// The adaptive shift (GEAP): slightly more than what makes the sum of the form and α|x|ᵐ convex near x.
///
/// @param a   A x^(m−2) at x
/// @param km  m − 1
template <class Real, class Scalar>
SULCUS_HD_INLINE Real adaptiveShift(const SymMat3<Real>& a, const Real& km, Scalar norm) {
  return larger(Real(0.0), Real(Scalar(1e-3) * norm) - km * smallestEigenvalue(a));
}

/// The rounding error of a value of a form of that norm.
template <class Scalar>
SULCUS_HD_INLINE Scalar roundingOf(Scalar norm) {
  constexpr Scalar epsilon = sizeof(Scalar) == 4 ? Scalar(1.2e-7) : Scalar(2.3e-16);
  return Scalar(8) * epsilon * norm;
}

/// Whether a step of squared length `step2` lowered the form from `best` to `value`, so that it must be
/// halved. False for steps below the tolerance and for changes that may be due to rounding.
template <class Real, class Scalar>
SULCUS_HD_INLINE MaskOf<Real> isLowered(const Real& value, const Real& best, const Real& step2, Scalar norm,
                                        Scalar tolerance2) {
  return (value < best - Real(roundingOf(norm))) & (step2 > Real(tolerance2));
}

/// The Hessian of the form on the sphere at a unit vector x, divided by m: P b P with b = (m − 1) a − value·I
/// and P the projection along x. Stores the sum and the product of its two curvatures, the latter as x'
/// adj(b) x.
template <class Real>
struct Curvature {
  SymMat3<Real> b;
  Real km, sum, product;

  /// @param a       A x^(m−2)
  /// @param value   A xᵐ
  /// @param order1  m − 1
  SULCUS_HD_INLINE Curvature(const SymMat3<Real>& a, const Vec3<Real>& x, const Real& value,
                             const Real& order1)
      : b{order1 * a.xx - value, order1 * a.xy, order1 * a.xz,
          order1 * a.yy - value, order1 * a.yz, order1 * a.zz - value},
        km(order1),
        sum(order1 * trace(a) - (order1 + Real(2.0)) * value),
        product(dot(x, adjugate(b) * x)) {}

  /// Whether both curvatures are below about −kFlatCurvature · norm: x is a strict local maximum where the
  /// gradient is 0. If both are flat, their product is dominated by rounding, but their sum is not.
  template <class Scalar>
  SULCUS_HD_INLINE MaskOf<Real> isMaximum(Scalar norm) const {
    const Real flat(Scalar(-kFlatCurvature) * norm);
    return (product > flat * sum) & (sum < flat);
  }

  /// d = −(P b P)⁻¹ r = (P b r − sum · r) / product.
  ///
  /// @param r   the gradient on the sphere divided by m
  /// @param r2  its squared length
  SULCUS_HD_INLINE Vec3<Real> newtonStep(const Vec3<Real>& x, const Vec3<Real>& r, const Real& r2,
                                         const Real& inverseOfProduct) const {
    const Vec3<Real> br = b * r;
    const Real along = km * r2;
    return inverseOfProduct * (br - along * x - sum * r);
  }
};

/// The increase of the form by a Newton step d.
template <class Real>
SULCUS_HD_INLINE Real newtonGain(const Vec3<Real>& r, const Vec3<Real>& d, const Real& km) {
  return Real(0.5) * (km + Real(1.0)) * dot(r, d);
}

/// One step of the search, given the 3 × 3 matrix a = A x^(m−2) at x = s.x and the order m.
template <class Real, class Scalar>
SULCUS_HD SearchStatus<Real> advance(const SymMat3<Real>& a, float m, const SearchRules<Scalar>& rules,
                                     Search<Real>& s) {
  const Scalar noise = roundingOf(rules.norm);
  const Scalar tolerance2 = rules.tolerance * rules.tolerance;
  const Real zero(0.0), one(1.0);

  const Vec3<Real> y = a * s.x;
  const Real value = dot(s.x, y);
  const Vec3<Real> r = y - value * s.x;  // gradient on the sphere divided by m
  const Real r2 = dot(r, r);
  s.startValue = select(s.iterations < Real(0.5), value, s.startValue);
  s.iterations = s.iterations + one;

  const Real km(m - 1);
  const Curvature<Real> curvature(a, s.x, value, km);
  const Real &sum = curvature.sum, &product = curvature.product;
  const MaskOf<Real> curved = (sum < zero) & (product > Real(Scalar(-1e-5) * rules.norm) * sum);

  const Real inverse = one / select(curved, product, one);
  Vec3<Real> d = curvature.newtonStep(s.x, r, r2, inverse);
  const Real d2 = dot(d, d);
  constexpr float kLongest = 0.2f;  // radians; longer steps would jump over small maxima
  d = select(d2 > Real(kLongest * kLongest), Real(kLongest) / squareRoot(d2 + Real(1e-30)), one) * d;

  // Power step: y + αx = r + (value + α) x, as a step from x.
  Real alpha(rules.alpha);
  if (rules.shift == ShiftRule::adaptive) alpha = adaptiveShift(a, km, rules.norm);
  const Vec3<Real> powerStep = powerFactor(value + alpha, rules.norm) * r;
  const MaskOf<Real> powerConverged = dot(powerStep, powerStep) < Real(tolerance2);

  // Newton steps follow two power steps.
  const MaskOf<Real> newton = curved & ((s.iterations > Real(2.5f)) | powerConverged);
  const Vec3<Real> step{select(newton, d.x, powerStep.x), select(newton, d.y, powerStep.y),
                        select(newton, d.z, powerStep.z)};

  // A step that lowers f is halved, which doubles the shift.
  const MaskOf<Real> lowered = isLowered(value, s.value, dot(s.step, s.step), rules.norm, tolerance2);

  // Newton's method converges quadratically, so the length of the next step is known before this one is
  // taken.
  const Real d2m = Real(m) * dot(d, d);
  const MaskOf<Real> last =
      newton & (d2m * (Real(m) * magnitude(value) - sum) * -sum < Real(rules.tolerance) * product);
  SearchStatus<Real> status;
  status.converged = (last | (powerConverged & !curved) | (r2 < Real(noise * noise))) & !lowered;
  status.finished = status.converged | (s.iterations >= Real(rules.maxIterations));
  status.maximum = status.converged & curved & curvature.isMaximum(rules.norm);

  // The next point: half of a step that lowered f, a final Newton step if the search has converged, or a full
  // step.
  const MaskOf<Real> polish = status.converged & curved;
  const Real half(0.5f);
  const auto next = [&](const Real& before, const Real& on, const Real& newtonStep) {
    return select(lowered, half * before, select(status.converged, select(polish, newtonStep, zero), on));
  };
  const Vec3<Real> nextStep{next(s.step.x, step.x, d.x), next(s.step.y, step.y, d.y),
                            next(s.step.z, step.z, d.z)};
  s.from = {select(lowered, s.from.x, s.x.x), select(lowered, s.from.y, s.x.y),
            select(lowered, s.from.z, s.x.z)};
  s.value = select(lowered, s.value, value + select(polish, newtonGain(r, d, km), zero));
  s.step = nextStep;
  s.x = s.from + s.step;
  s.x = (one / squareRoot(dot(s.x, s.x))) * s.x;
  return status;
}

/// Evaluates the form at s.x and takes one step.
template <int Order, class Real, class Scalar, class Entries>
SULCUS_HD SearchStatus<Real> searchStep(const Entries& entries, const SearchRules<Scalar>& rules,
                                        Search<Real>& s) {
  return advance(tensorMatrix<Order>(entries, s.x), float(Order), rules, s);
}

}  // namespace sulcus::fibers
