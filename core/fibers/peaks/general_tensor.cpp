#include "core/fibers/peaks/general_tensor.h"

#include "core/base/error.h"
#include "core/base/numbers.h"
#include "core/fibers/peaks/general_tensor_kernel.h"
#include "core/math/linear_algebra.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <random>

namespace sulcus::fibers {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// The form A xᵐ of a tensor, by the loops of general_tensor_kernel.h.
struct Form {
  const SymmetricTensor& tensor;
  int m = tensor.order, n = tensor.dimension;

  VectorXd gradient(const VectorXd& x) const {
    VectorXd y(n);
    generalGradient(tensor.entries.data(), m, n, x.data(), y.data());
    return y;
  }
  MatrixXd matrix(const VectorXd& x) const {
    MatrixXd a(n, n);
    generalMatrix(tensor.entries.data(), m, n, x.data(), a.data());
    return a;
  }
  double norm() const {
    int index[kLargestGeneralOrder] = {};
    double sum = 0;
    for (const double a : tensor.entries) {
      sum += double(multiplicityWithout(index, m, -1, -1)) * a * a;
      nextIndexClass(index, m, n);
    }
    return std::sqrt(sum);
  }
};

/// Takes shifted power steps uphill (sign = 1) or downhill (−1) from x until they are shorter than the
/// tolerance; returns false if that does not happen.
bool iteratePowerMethod(const Form& form, const EigenpairOptions& options, double norm, double sign,
                        VectorXd& x) {
  const double bound = (form.m - 1) * norm;
  double last = -1e300, shiftFactor = 1;
  VectorXd lastX = x;
  for (int i = 0; i < options.maxIterations; ++i) {
    const VectorXd y = sign * form.gradient(x);
    const double value = x.dot(y);
    if (options.shift == ShiftRule::adaptive && value < last - 1e-12 * norm && shiftFactor < 1e6) {
      shiftFactor *= 2;  // the step lowered the form: repeat it with twice the shift
      x = lastX;
    } else {
      last = value;
      lastX = x;
    }
    double alpha = options.shift == ShiftRule::safe ? bound : options.alpha;
    if (options.shift == ShiftRule::adaptive) {
      const double lowest = symmetricEigenvalues(sign * form.matrix(x))[0];
      alpha = std::min(bound, shiftFactor * std::max(0.0, 1e-6 * norm - (form.m - 1) * lowest));
    }
    VectorXd next = sign * form.gradient(x) + alpha * x;
    if (next.norm() == 0) return true;
    next.normalize();
    if (form.m % 2 == 0 && next.dot(x) < 0) next = -next;
    const double step = (next - x).norm();
    x = next;
    if (step < options.tolerance) return true;
  }
  return false;
}

/// The step of Newton's method from x towards a zero of A x^(m−1) − λx, which is `residual` at x.
VectorXd newtonStep(const MatrixXd& hessian, const VectorXd& x, const VectorXd& residual) {
  const Eigen::Index n = x.size();
  MatrixXd bordered = MatrixXd::Zero(n + 1, n + 1);
  bordered.topLeftCorner(n, n) = hessian;
  bordered.topRightCorner(n, 1) = -x;
  bordered.bottomLeftCorner(1, n) = x.transpose();
  VectorXd right = VectorXd::Zero(n + 1);
  right.head(n) = -residual;
  // The matrix is singular on a continuum of eigenvectors.
  return shortestLeastSquares(bordered, right).head(n);
}

/// The eigenpair at x, with its kind. Of x and −x, the one with a positive eigenvalue is kept or, where both
/// have the same, the one whose largest component is positive.
Eigenpair eigenpairAt(const Form& form, double norm, VectorXd x, double value, const MatrixXd& hessian) {
  const int n = form.n;
  const MatrixXd tangent = MatrixXd::Identity(n, n) - x * x.transpose();
  const SymmetricEigen eigen = symmetricEigen(tangent * hessian * tangent);
  int up = 0, down = 0;
  for (int j = 0; j < n; ++j) {
    if (std::abs(eigen.vectors.col(j).dot(x)) > 0.7) continue;
    up += eigen.values[j] > 1e-7 * norm;
    down += eigen.values[j] < -1e-7 * norm;
  }
  Eigen::Index largest;
  x.cwiseAbs().maxCoeff(&largest);
  const bool odd = form.m % 2 == 1;
  const bool flip = odd && std::abs(value) > 1e-9 * norm ? value < 0 : x[largest] < 0;
  if (flip) x = -x;
  if (odd && flip) std::swap(up, down);
  Eigenpair pair;
  pair.value = odd && flip ? -value : value;
  pair.x.assign(x.data(), x.data() + n);
  pair.kind = EigenpairKind::saddle;
  if (down == 0) pair.kind = EigenpairKind::minimum;
  if (up == 0) pair.kind = EigenpairKind::maximum;
  if (up + down < n - 1) pair.kind = EigenpairKind::degenerate;
  return pair;
}

/// Newton's method on A x^(m−1) = λx, |x| = 1, from x; nullopt if it does not converge.
std::optional<Eigenpair> refineByNewton(const Form& form, double norm, VectorXd x) {
  const int n = form.n;
  for (int i = 0; i < 50; ++i) {
    const VectorXd y = form.gradient(x);
    const double value = x.dot(y);
    const MatrixXd hessian = (form.m - 1) * form.matrix(x) - value * MatrixXd::Identity(n, n);
    const VectorXd r = y - value * x;
    const VectorXd step = newtonStep(hessian, x, r);
    if (!(r.norm() > 1e-13 * norm && step.norm() > 1e-14)) return eigenpairAt(form, norm, x, value, hessian);
    x = (x + step * std::min(1.0, 0.5 / step.norm())).normalized();
  }
  return std::nullopt;
}

/// Adds an eigenpair unless it, its opposite or its continuum is already present.
void addIfNew(std::vector<Eigenpair>& pairs, const std::optional<Eigenpair>& pair, double norm) {
  if (!pair) return;
  for (const auto& known : pairs) {
    if (std::abs(known.value - pair->value) > 1e-8 * norm) continue;
    double same = 0, opposite = 0;
    for (std::size_t i = 0; i < known.x.size(); ++i) {
      same += std::pow(known.x[i] - pair->x[i], 2);
      opposite += std::pow(known.x[i] + pair->x[i], 2);
    }
    const bool continuum = known.kind == EigenpairKind::degenerate && pair->kind == EigenpairKind::degenerate;
    if (std::min(same, opposite) < 1e-10 || continuum) return;
  }
  pairs.push_back(*pair);
}

/// Throws Error for an order or dimension that a SymmetricTensor cannot have.
void requirePossible(int order, int dimension) {
  if (order < 2 || order > kLargestGeneralOrder || dimension < 2 || dimension > kLargestGeneralDimension ||
      symmetricEntries(order, dimension) > kMostGeneralEntries)
    throw Error("Order " + std::to_string(order) + " and dimension " + std::to_string(dimension) +
                    " are not supported",
                "tensors have order 2 to " + std::to_string(kLargestGeneralOrder) + ", dimension 2 to " +
                    std::to_string(kLargestGeneralDimension) + " and at most " +
                    std::to_string(kMostGeneralEntries) + " different entries",
                "give a smaller tensor");
}

}  // namespace

std::int64_t symmetricEntries(int order, int dimension) {
  std::int64_t entries = 1;
  for (int i = 1; i <= order; ++i) entries = entries * (dimension - 1 + i) / i;
  return entries;
}

SymmetricTensor makeTensor(int order, int dimension,
                           const std::function<double(std::span<const int>)>& entry) {
  SymmetricTensor tensor{order, dimension, {}};
  int index[kLargestGeneralOrder] = {};
  std::vector<int> oneBased(order);
  do {
    for (int j = 0; j < order; ++j) oneBased[j] = index[j] + 1;
    tensor.entries.push_back(entry(oneBased));
  } while (nextIndexClass(index, order, dimension));
  return tensor;
}

SymmetricTensor tensorOf(int order, int dimension, std::span<const double> numbers) {
  const std::string what =
      "a symmetric tensor of order " + std::to_string(order) + " and dimension " + std::to_string(dimension);
  requirePossible(order, dimension);
  const auto classes = std::size_t(symmetricEntries(order, dimension));
  const double all = std::pow(dimension, order);
  if (numbers.size() != classes && double(numbers.size()) != all)
    throw Error(
        std::to_string(numbers.size()) + " numbers are not a tensor",
        what + " has " + std::to_string(classes) + " different entries, and " + numberText(all) + " in all",
        "give either, or another order or dimension");
  double largest = 0;
  for (const double number : numbers) {
    if (!std::isfinite(number))
      throw Error("An entry is not finite", "no eigenpair can be found with it", "give finite numbers");
    largest = std::max(largest, std::abs(number));
  }
  if (numbers.size() == classes) return {order, dimension, {numbers.begin(), numbers.end()}};
  const auto placeOf = [&](std::span<const int> index) {  // 1-based
    std::size_t place = 0;
    for (const int i : index) place = place * std::size_t(dimension) + std::size_t(i - 1);
    return place;
  };
  return makeTensor(order, dimension, [&](std::span<const int> index) {
    std::vector<int> permuted(index.begin(), index.end());
    const double entry = numbers[placeOf(index)];
    do {
      if (std::abs(numbers[placeOf(permuted)] - entry) > 1e-6 * largest)
        throw Error("The tensor is not symmetric",
                    "its entries at two orders of the same indices are " + numberText(entry) + " and " +
                        numberText(numbers[placeOf(permuted)]),
                    "give a symmetric tensor, or its entries of sorted indices alone");
    } while (std::next_permutation(permuted.begin(), permuted.end()));
    return entry;
  });
}

double residualOf(const SymmetricTensor& tensor, const Eigenpair& pair) {
  const auto y = formGradient(tensor, pair.x);
  double square = 0;
  for (std::size_t i = 0; i < y.size(); ++i) square += std::pow(y[i] - pair.value * pair.x[i], 2);
  return std::sqrt(square);
}

double mostEigenpairs(int order, int dimension) {
  return order == 2 ? dimension : (std::pow(order - 1, dimension) - 1) / (order - 2);
}

std::vector<double> formGradient(const SymmetricTensor& tensor, std::span<const double> x) {
  std::vector<double> y(tensor.dimension);
  generalGradient(tensor.entries.data(), tensor.order, tensor.dimension, x.data(), y.data());
  return y;
}

std::vector<Eigenpair> findEigenpairs(const SymmetricTensor& tensor, const EigenpairOptions& options,
                                      const Progress& progress) {
  requirePossible(tensor.order, tensor.dimension);
  if (std::int64_t(tensor.entries.size()) != symmetricEntries(tensor.order, tensor.dimension))
    throw Error("A symmetric tensor of order " + std::to_string(tensor.order) + " and dimension " +
                    std::to_string(tensor.dimension) + " has " + std::to_string(tensor.entries.size()) +
                    " entries",
                "one is needed for every sorted index", "give the matching entries");
  const Form form{tensor};
  const double norm = form.norm();
  std::vector<Eigenpair> pairs;
  if (norm == 0) return pairs;
  std::mt19937_64 random(options.seed);
  for (int s = 0; s < options.starts; ++s) {
    progress.update(double(s) / options.starts);
    VectorXd start(form.n);
    for (int i = 0; i < form.n; ++i) start[i] = double(random() >> 11) * 0x1p-52 - 1;
    start.normalize();
    for (const double sign : {1.0, -1.0}) {
      VectorXd x = start;
      if (iteratePowerMethod(form, options, norm, sign, x))
        addIfNew(pairs, refineByNewton(form, norm, x), norm);
    }
    if (options.saddles) addIfNew(pairs, refineByNewton(form, norm, start), norm);
  }
  std::sort(pairs.begin(), pairs.end(),
            [](const Eigenpair& a, const Eigenpair& b) { return a.value > b.value; });
  return pairs;
}

}  // namespace sulcus::fibers
