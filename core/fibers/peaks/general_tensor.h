#pragma once

#include "core/base/progress.h"
#include "core/fibers/fibers.h"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace sulcus::fibers {

/// A real symmetric tensor of any order m ≥ 2 (at most 16) and dimension n ≥ 2.
struct SymmetricTensor {
  int order = 0, dimension = 0;
  std::vector<double> entries;  ///< those of the sorted indices, in lexicographic order; see tensor_index.h
};

/// Number of distinct entries of a symmetric tensor: (n + m − 1 choose m).
std::int64_t symmetricEntries(int order, int dimension);

/// The tensor whose entry at a sorted index (1-based, as in the literature) is `entry(index)`.
SymmetricTensor makeTensor(int order, int dimension,
                           const std::function<double(std::span<const int>)>& entry);

/// The tensor that has these numbers: the entries of the sorted indices, or all nᵐ entries in the order of
/// nested arrays, which must be symmetric (within 1e-6 of the largest).
///
/// @throws Error  for another order or dimension than a SymmetricTensor may have, another number of numbers,
///                one that is not finite, and entries that are not symmetric
SymmetricTensor tensorOf(int order, int dimension, std::span<const double> numbers);

/// A xᵐ, where x has n numbers.
double formValue(const SymmetricTensor& tensor, std::span<const double> x);
/// A x^(m−1), n numbers: the gradient of the form over m.
std::vector<double> formGradient(const SymmetricTensor& tensor, std::span<const double> x);

/// The largest number of isolated eigenpairs that a tensor may have, complex ones included:
/// ((m−1)ⁿ − 1)/(m − 2), or n of a matrix. Cartwright & Sturmfels, Linear Algebra Appl 438 (2013) 942.
double mostEigenpairs(int order, int dimension);

/// What the form on the sphere has at an eigenvector. Degenerate means that a curvature is zero.
enum class EigenpairKind { maximum, minimum, saddle, degenerate };

/// An eigenpair, A x^(m−1) = value · x with x of length 1. x and −x belong to the same pair; x is the one
/// with value ≥ 0 (odd m), or the one whose largest component is positive (even m).
struct Eigenpair {
  double value = 0;
  std::vector<double> x;
  EigenpairKind kind = EigenpairKind::degenerate;
};

/// ‖A x^(m−1) − λx‖ of an eigenpair: how far it is from being one.
double residualOf(const SymmetricTensor& tensor, const Eigenpair& pair);

/// How eigenpairs are searched.
struct EigenpairOptions {
  ShiftRule shift = ShiftRule::adaptive;
  double alpha = 0;  ///< the shift of ShiftRule::fixed
  int starts = 200;
  int seed = 1;
  double tolerance = 1e-7;  ///< largest length of the last power step
  int maxIterations = 2000;
  bool saddles = false;  ///< also search saddle points, by Newton's method from the same starts
};

/// Real eigenpairs by the shifted power method (Kolda & Mayo 2011) from random starts, with a convex shift
/// for maxima and a concave one for minima, refined by Newton's method. The largest value comes first. Of a
/// continuum of eigenvectors (degenerate) one is reported.
///
/// @throws Error when the number of entries does not match the order and the dimension; Cancelled
std::vector<Eigenpair> findEigenpairs(const SymmetricTensor& tensor, const EigenpairOptions& options = {},
                                      const Progress& progress = {});

}  // namespace sulcus::fibers
