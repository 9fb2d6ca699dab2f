#pragma once

#include "core/registration/similarity/mutual_information_kernel.h"

// The correlation ratio from the joint histogram of mutual_information_kernel.h, for CPU and GPU: the share η
// of the variance of the template's bins a that the reference's bin b explains (Roche, Malandain, Pennec and
// Ayache 1998). With counts n(a, b), their total N, the overall mean m and the mean m_b of row b
//   W = Σ n(a, b) (a − m_b)²,  S = Σ n(a, b) (a − m)²,  η = 1 − W/S.
// It is expressed in nats, N/2 log(S/W) = −N/2 log(1 − η): the mutual information if the values of each row
// were normally distributed about its mean, all rows with one spread. It increases with η, and the mean
// square of its derivatives approximates its second derivative. The derivative with respect to n(a, b) is N/2
// ((a − m)²/S − (a − m_b)²/W).
//
// A cubic B-spline has a variance of 1/3, so that W is N/3 at least.

namespace sulcus::registration {

/// Sums over the template bins a of one or several rows: integers, which do not depend on the order of
/// summation.
struct BinMoments {
  std::int64_t count = 0, first = 0, second = 0;  ///< Σ n, Σ n a, Σ n a²
};

SULCUS_HD_INLINE void addBin(BinMoments& moments, int bin, std::int64_t count) {
  moments.count += count;
  moments.first += bin * count;
  moments.second += bin * bin * count;
}

SULCUS_HD_INLINE double meanOf(const BinMoments& moments) {
  return moments.count > 0 ? double(moments.first) / double(moments.count) : 0;
}

/// Σ n (a − mean)²
SULCUS_HD_INLINE double spreadOf(const BinMoments& moments) {
  return fusedMultiplyAdd(-double(moments.first), meanOf(moments), double(moments.second));
}

/// All rows together.
struct RatioSums {
  std::int64_t count;
  double within, whole, mean;  ///< W, S and m

  /// N/2 log(S/W), in counts; 0 if W is 0.
  SULCUS_HD_INLINE double information() const {
    return within > 0 ? 0.5 * double(count) * reproducibleLog(whole / within) : 0;
  }
  /// Its derivative with respect to the count of bin a in a row with the given mean.
  SULCUS_HD_INLINE double growth(int a, double meanOfRow) const {
    if (!(within > 0)) return 0;
    const double fromMean = a - mean, fromRow = a - meanOfRow;
    return 0.5 * double(count) * (fromMean * fromMean / whole - fromRow * fromRow / within);
  }
};

}  // namespace sulcus::registration
