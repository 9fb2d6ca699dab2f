#pragma once

#include "core/fibers/fibers.h"
#include "core/fibers/peaks_body.h"
#include "core/fibers/tensor_body.h"

// One start of the search for the maxima of f(x) = A xᵐ on the sphere, one evaluation of the form at a time.
// Kolda & Mayo, SIAM J. Matrix Anal. Appl. 32 (2011) 1095 (SS-HOPM) and 35 (2014) 1563 (adaptive shift).
// `Real` is float or double (a GPU lane: one start) or a pack of them (a CPU vector: one start per lane of
// it); the rules are the same for all starts of a voxel. Tensors are expected at a scale where their norm is
// about 1: see tensorUnit().

namespace sulcus {

/// How the starts of one voxel are iterated.
template <class Scalar>
struct SearchRules {
  bool newton = true;  ///< finish with Newton steps
  ShiftRule shift = ShiftRule::adaptive;
  Scalar alpha = 0;                 ///< shift of safe and fixed
  Scalar norm = 1;                  ///< tensorNorm: the unit of what is small
  Scalar tolerance = Scalar(1e-6);  ///< radians
  Scalar maxIterations = 200;
};

/// Curvatures smaller than this share of the norm are flat: no isolated maximum.
inline constexpr float kFlatCurvature = 1e-3f;

/// Rules for a voxel, from the options and its tensor.
template <int Order, class Scalar>
SULCUS_HD SearchRules<Scalar> searchRules(const FiberOptions& options, const Scalar* entries) {
  SearchRules<Scalar> rules;
  rules.newton = options.search == PeakSearch::newton;
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

/// A start on its way. x = normalized(from + step) is where the form is evaluated next; `from` is the best so
/// far.
template <class Real>
struct Search {
  Vec3<Real> x, from, step;
  Real value;       ///< f(from)
  Real startValue;  ///< f at the start
  Real iterations;  ///< evaluations so far

  SULCUS_HD explicit Search(const Vec3<Real>& start)
      : x(start),
        from(start),
        step{Real(0.), Real(0.), Real(0.)},
        value(-1e30f),
        startValue(0.f),
        iterations(0.f) {}
};

/// What one step found out. A finished search stands at x with f(x) = value.
template <class Real>
struct SearchStatus {
  MaskOf<Real> finished;  ///< converged, or out of iterations
  MaskOf<Real> converged;
  MaskOf<Real> maximum;  ///< converged to a strict local maximum
};

/// The smallest eigenvalue, or up to 0.7 % of the eigenvalues' r.m.s. spread less.
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
  const Real u2 = Real(0.5) - Real(0.25) * det / (p2 * p);  // 0…1 but for rounding
  const Real u = squareRoot(larger(u2, Real(0.)));
  return q - p * (Real(1.) + u * (Real(1.1547006) - Real(0.1547005) * u));
}

/// 1 / (value + α), kept away from a division by zero: the power step from x is this times A x^(m−1) −
/// value·x.
template <class Real, class Scalar>
SULCUS_HD Real powerRate(const Real& shifted, Scalar norm) {
  const Real away = larger(magnitude(shifted), Real(Scalar(1e-6) * norm));
  return Real(1.) / select(shifted < Real(0.), -away, away);
}

/// Moves on, given A x^(m−2) at x = s.x and the order m.
template <class Real, class Scalar>
SULCUS_HD SearchStatus<Real> advance(const SymMat3<Real>& a, float m, const SearchRules<Scalar>& rules,
                                     Search<Real>& s) {
  constexpr Scalar epsilon = sizeof(Scalar) == 4 ? Scalar(1.2e-7) : Scalar(2.3e-16);
  const Scalar noise = Scalar(8) * epsilon * rules.norm;
  const Scalar tolerance2 = rules.tolerance * rules.tolerance;
  const Real zero(0.0), one(1.0);

  const Vec3<Real> y = a * s.x;
  const Real value = dot(s.x, y);
  const Vec3<Real> r = y - value * s.x;  // gradient on the sphere, over m
  const Real r2 = dot(r, r);
  s.startValue = select(s.iterations < Real(0.5), value, s.startValue);
  s.iterations = s.iterations + one;

  // The Hessian on the sphere over m is P b P, b = (m − 1) a − value·I, P the projection along x. Of its two
  // curvatures: sum and product, the latter as x' adj(b) x.
  const Real km(m - 1);
  const SymMat3<Real> b{km * a.xx - value, km * a.xy, km * a.xz,
                        km * a.yy - value, km * a.yz, km * a.zz - value};
  const Real sum = km * trace(a) - Real(m + 1) * value;
  const Real product = dot(s.x, adjugate(b) * s.x);
  const MaskOf<Real> curved = (sum < zero) & (product > Real(Scalar(-1e-5) * rules.norm) * sum);

  // Newton: d = −(P b P)⁻¹ r = (P b r − sum · r) / product.
  const Vec3<Real> br = b * r;
  const Real along = km * r2;
  const Real inverse = one / select(curved, product, one);
  Vec3<Real> d = inverse * (br - along * s.x - sum * r);
  const Real d2 = dot(d, d);
  constexpr float kLongest = 0.2f;  // radians; longer ones jump over small maxima
  d = select(d2 > Real(kLongest * kLongest), Real(kLongest) / squareRoot(d2 + Real(1e-30)), one) * d;

  // Power: y + αx = r + (value + α) x, as a step from x.
  Real alpha(rules.alpha);
  if (rules.shift == ShiftRule::adaptive)
    alpha = larger(zero, Real(Scalar(1e-3) * rules.norm) - km * smallestEigenvalue(a));
  const Vec3<Real> onward = powerRate(value + alpha, rules.norm) * r;
  const MaskOf<Real> settled = dot(onward, onward) < Real(tolerance2);

  // Newton once there were two power steps; without it, to polish what they settled on.
  const MaskOf<Real> newton = curved & ((s.iterations > Real(rules.newton ? 2.5f : 1e30f)) | settled);
  const Vec3<Real> step{select(newton, d.x, onward.x), select(newton, d.y, onward.y),
                        select(newton, d.z, onward.z)};

  // A step that lowers f is halved (which doubles the shift); the published rules with a given shift are not
  // guarded.
  const MaskOf<Real> lowered = (value < s.value - Real(noise)) & (dot(s.step, s.step) > Real(tolerance2)) &
                               (rules.newton || rules.shift == ShiftRule::adaptive);

  // Newton converges quadratically: how long the next step would be is known before this one is made.
  const Real d2m = Real(m) * dot(d, d);
  const MaskOf<Real> last =
      newton & (d2m * (Real(m) * magnitude(value) - sum) * -sum < Real(rules.tolerance) * product);
  SearchStatus<Real> status;
  status.converged = (last | (settled & !curved) | (r2 < Real(noise * noise))) & !lowered;
  status.finished = status.converged | (s.iterations >= Real(rules.maxIterations));
  // Where both curvatures are flat their product is rounding; their sum is not.
  const Real flat(Scalar(-kFlatCurvature) * rules.norm);
  status.maximum = status.converged & curved & (product > flat * sum) & (sum < flat);

  // Where it goes on: back and half as far; or on; or, when converged, one Newton step to polish.
  const MaskOf<Real> polish = status.converged & curved;
  const Real half(0.5f);
  const auto next = [&](const Real& before, const Real& on, const Real& newtonStep) {
    return select(lowered, half * before, select(status.converged, select(polish, newtonStep, zero), on));
  };
  const Vec3<Real> go{next(s.step.x, step.x, d.x), next(s.step.y, step.y, d.y), next(s.step.z, step.z, d.z)};
  s.from = {select(lowered, s.from.x, s.x.x), select(lowered, s.from.y, s.x.y),
            select(lowered, s.from.z, s.x.z)};
  s.value = select(lowered, s.value, value + select(polish, half * Real(m) * dot(r, d), zero));
  s.step = go;
  s.x = s.from + s.step;
  s.x = (one / squareRoot(dot(s.x, s.x))) * s.x;
  return status;
}

/// Evaluates the form at s.x and moves on.
template <int Order, class Real, class Scalar, class Entries>
SULCUS_HD SearchStatus<Real> searchStep(const Entries& entries, const SearchRules<Scalar>& rules,
                                        Search<Real>& s) {
  return advance(tensorMatrix<Order>(entries, s.x), float(Order), rules, s);
}

}  // namespace sulcus
