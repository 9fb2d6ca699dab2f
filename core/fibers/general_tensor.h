#pragma once

#include "core/fibers/fibers.h"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace sulcus {

/// A real symmetric tensor of any order m ≥ 2 (at most 16) and dimension n ≥ 2.
struct SymmetricTensor {
  int order = 0, dimension = 0;
  std::vector<double> entries;  ///< of the sorted indices, in lexicographic order; see tensor_index.h
};

/// Number of distinct entries: (n + m − 1 choose m).
std::int64_t symmetricEntries(int order, int dimension);

/// The tensor whose entry at a sorted index (1-based, as in the literature) is `entry(index)`.
SymmetricTensor makeTensor(int order, int dimension,
                           const std::function<double(std::span<const int>)>& entry);

/// A xᵐ.
double formValue(const SymmetricTensor& tensor, std::span<const double> x);
/// A x^(m−1).
std::vector<double> formGradient(const SymmetricTensor& tensor, std::span<const double> x);

/// What an eigenvector is to the form on the sphere; degenerate: a curvature is zero.
enum class EigenpairKind { maximum, minimum, saddle, degenerate };

/// A x^(m−1) = value · x with x of length 1. Of the two of ±x the one with value ≥ 0 (odd m) or with its
/// largest component positive (even m).
struct Eigenpair {
  double value = 0;
  std::vector<double> x;
  EigenpairKind kind = EigenpairKind::degenerate;
};

struct EigenpairOptions {
  ShiftRule shift = ShiftRule::adaptive;
  double alpha = 0;  ///< of ShiftRule::fixed, absolute
  int starts = 200;
  int seed = 1;
  double tolerance = 1e-7;  ///< length of the last power step
  int maxIterations = 2000;
  bool saddles =
      false;  ///< also those the power method cannot reach: by Newton's method from the same starts
};

/// Real eigenpairs by the shifted power method (Kolda & Mayo 2011) from random starts, with a convex shift
/// for maxima and a concave one for minima, polished by Newton's method; largest value first. Of a continuum
/// of eigenvectors (degenerate) one is reported.
///
/// @throws Error when the number of entries does not match the order and the dimension
std::vector<Eigenpair> findEigenpairs(const SymmetricTensor& tensor, const EigenpairOptions& options = {});

}  // namespace sulcus
