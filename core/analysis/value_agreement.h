#pragma once

#include "core/analysis/analysis.h"

#include <cstdint>
#include <span>
#include <string>

namespace sulcus {

struct Quantity {
  std::string name, unit;
};

/// Two sets of values compared pair by pair.
struct ValueAgreement {
  AgreementRow difference;  ///< |a − b|; within tolerance: ≤ tolerance + relative · max(|a|, |b|)
  AgreementRow relative;    ///< |a − b| / max(|a|, |b|), 0 if both are 0; same verdict
  std::int64_t oneSided =
      0;  ///< pairs of which only one is finite, or unequal infinities; never within tolerance
};

/// Compares values of equal count. Pairs of two NaN agree and are not counted.
/// The statistics are over the pairs of finite values.
///
/// @param together  number of consecutive arrays of equal length whose values at the same index form a
///                  vector; vectors are compared by the length of their difference
ValueAgreement valueAgreement(const Quantity& quantity, std::span<const float> a, std::span<const float> b,
                              double tolerance, double relative, int together = 1);

}  // namespace sulcus
