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

/// The tensor with these numbers: the entries of the sorted indices, or all nᵐ entries in the order of nested
/// arrays, which must be symmetric (within 1e-6 of the largest).
///
/// @throws Error  for an order or dimension that a SymmetricTensor cannot have, a wrong count of numbers,
///                numbers that are not finite, and entries that are not symmetric
SymmetricTensor tensorOf(int order, int dimension, std::span<const double> numbers);

/// A x^(m−1), n numbers: the gradient of the form divided by m.
std::vector<double> formGradient(const SymmetricTensor& tensor, std::span<const double> x);

/// The largest number of isolated eigenpairs that a tensor can have, including complex ones:
/// ((m−1)ⁿ − 1)/(m − 2), or n for a matrix. Cartwright & Sturmfels, Linear Algebra Appl 438 (2013) 942.
double mostEigenpairs(int order, int dimension);

/// The kind of critical point of the form on the sphere at an eigenvector. Degenerate means that a curvature
/// is zero.
enum class EigenpairKind { maximum, minimum, saddle, degenerate };

/// An eigenpair, A x^(m−1) = value · x with x of length 1. x and −x belong to the same pair; x is the one
/// with value ≥ 0 (odd m), or the one whose largest component is positive (even m).
struct Eigenpair {
  double value = 0;
  std::vector<double> x;
  EigenpairKind kind = EigenpairKind::degenerate;
};

/// ‖A x^(m−1) − λx‖ of an eigenpair: its error.
double residualOf(const SymmetricTensor& tensor, const Eigenpair& pair);

/// Options of the search for eigenpairs.
struct EigenpairOptions {
  ShiftRule shift = ShiftRule::adaptive;
  double alpha = 0;  ///< the shift of ShiftRule::fixed
  int starts = 200;
  int seed = 1;
  double tolerance = 1e-7;  ///< largest length of the final power step
  int maxIterations = 2000;
  bool saddles = false;  ///< also search saddle points, by Newton's method from the same starts
};

/// Real eigenpairs by the shifted power method (Kolda & Mayo 2011) from random starts, with a convex shift
/// for maxima and a concave one for minima, refined by Newton's method. The largest value comes first. One
/// member of a continuum of eigenvectors (degenerate) is reported.
///
/// @throws Error if the number of entries does not match the order and the dimension; Cancelled
std::vector<Eigenpair> findEigenpairs(const SymmetricTensor& tensor, const EigenpairOptions& options = {},
                                      const Progress& progress = {});

}  // namespace sulcus::fibers
