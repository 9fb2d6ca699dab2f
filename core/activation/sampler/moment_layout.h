#pragma once

#include "core/base/host_device.h"

namespace sulcus::activation {

/// The layout of the sums over the kept draws of one voxel and chain in its size() numbers, float32. They are
/// of γ unless β is mentioned. "From the estimate" means that γ̂ was subtracted, "from the center" that γ̂
/// and the center were.
struct MomentLayout {
  int k = 0;

  /// k numbers: the first kept conditional mean, from the estimate.
  SULCUS_HD int center() const { return 0; }
  /// k numbers: Σ of the conditional means, from the center.
  SULCUS_HD int mean() const { return k; }
  /// Rows of a lower triangle, k (k + 1) / 2 numbers: Σ of the products of the conditional means, from the
  /// center, plus the conditional covariances.
  SULCUS_HD int covariance() const { return 2 * k; }
  /// 2 numbers: Σ of σ² and of its squares, after subtracting a separate center.
  SULCUS_HD int sigma2() const { return covariance() + k * (k + 1) / 2; }
  /// k numbers: Σ of the squared draws of β, from the center.
  SULCUS_HD int square() const { return sigma2() + 2; }
  /// k numbers: Σ of the draws of β in the current batch, from the center.
  SULCUS_HD int batch() const { return square() + k; }
  /// k numbers: Σ over the batches of the square of that sum.
  SULCUS_HD int batches() const { return batch() + k; }
  /// 2 k numbers: Σ of the draws of β in each half of the chain, from the center.
  SULCUS_HD int halves() const { return batches() + k; }
  SULCUS_HD int size() const { return halves() + 2 * k; }
};

/// Batches of consecutive kept draws of a chain, from whose sums split-R̂ and effective numbers of draws are
/// computed. Draws at the end of a chain that do not fill a batch are left out of both.
struct BatchPlan {
  int length = 1;   ///< draws in a batch
  int perHalf = 0;  ///< batches in half a chain

  BatchPlan() = default;
  explicit BatchPlan(int kept) {
    while ((length + 1) * (length + 1) <= kept) ++length;
    perHalf = kept / (2 * length);
  }
  /// Draws of a chain that are in a batch.
  SULCUS_HD int draws() const { return 2 * perHalf * length; }
};

}  // namespace sulcus::activation
