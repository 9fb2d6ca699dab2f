#pragma once

#include <span>
#include <vector>

namespace sulcus::group {

/// How p is found from the largest of all exchanges. count: by counting; pareto: by a generalized Pareto
/// distribution above their upper quartile. automatic: pareto if 100 to 999 of many possible exchanges were
/// made.
enum class Tails { automatic, count, pareto };

/// The largest values of the image in all exchanges, from which p is found.
class NullTail {
 public:
  /// @param largest   one for each exchange
  /// @param possible  how many exchanges there are
  NullTail(std::span<const float> largest, double possible, Tails tails);

  /// The probability that the largest is at least this by chance: the share of the exchanges, or from the
  /// tail, which is fitted by moments (Winkler et al., NeuroImage 141 (2016) 502); at least a hundredth of an
  /// exchange.
  double p(float value) const;
  bool isFitted() const { return isFitted_; }
  /// Ascending.
  const std::vector<float>& largest() const { return largest_; }

 private:
  std::vector<float> largest_;
  bool isFitted_ = false;
  double begin_ = 0, share_ = 0;  ///< the tail begins here and has this share of the exchanges
  double scale_ = 1, shape_ = 0;  ///< P(X > x) = (1 + shape x / scale)^(−1/shape); shape 0: exponential
};

/// p of a value among the largest of all exchanges (`ascending`): the share of those at least as large.
double familywiseP(float value, std::span<const float> ascending);

}  // namespace sulcus::group
