#pragma once

// Upper tails of distributions as logarithms, which keep their precision where the tail itself underflows a
// double, and their inverses. Relative error of a logarithm below 1e-10.

namespace sulcus {

/// log Γ(x), x > 0. Unlike std::lgamma() it writes no global variable.
double logGamma(double x);

/// log P(χ²_ν > x), x ≥ 0, ν > 0.
double logTailOfChiSquared(double x, double nu);

/// log P(F_{a, b} > f), f ≥ 0, a > 0, b > 0.
double logTailOfF(double f, double a, double b);

/// The standard normal number z with log P(N(0, 1) > z) = `logTail`.
///
/// @param logTail  at most log ½, so that z ≥ 0; larger values give 0
double deviateOfLogTail(double logTail);

/// The number x ≥ 0 with logTailOfChiSquared(x, ν) = `logTail` ≤ 0.
double chiSquaredOfLogTail(double logTail, double nu);

}  // namespace sulcus
