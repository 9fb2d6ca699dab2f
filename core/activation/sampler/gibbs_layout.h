#pragma once

#include "core/base/host_device.h"

// Which draws of a chain are kept, and where their numbers are stored; for CPU and GPU.

namespace sulcus::activation {

/// The hyper-parameters that one iteration's voxel draws depended on, in γ: enough to reproduce any voxel's
/// chain. For each chain, group and iteration: see GibbsResult::hyper.
struct HyperLayout {
  int k = 0, q = 0;
  SULCUS_HD int axes() const { return 0; }        ///< U, k × k by rows, column j is an eigenvector of V_γ
  SULCUS_HD int scales() const { return k * k; }  ///< λ, k: its eigenvalues
  SULCUS_HD int means() const { return k * k + k; }  ///< U'Δ', k × q, covariate fastest within a row
  SULCUS_HD int size() const { return k * k + k + k * q; }
};

/// Which draws are kept: the last of every `thinning` iterations after the burn-in.
struct KeptDraws {
  int burnIn = 0, thinning = 1;

  /// Number of kept iterations before this one.
  SULCUS_HD int before(int iteration) const {
    return iteration < burnIn ? 0 : (iteration - burnIn) / thinning;
  }
  SULCUS_HD bool isKept(int iteration) const { return before(iteration + 1) > before(iteration); }
};

}  // namespace sulcus::activation
