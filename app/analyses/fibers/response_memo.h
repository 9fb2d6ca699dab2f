#pragma once

#include "core/base/memo.h"
#include "core/fibers/fibers.h"

#include <vector>

namespace sulcus::app::analyses {

/// What the responses that are estimated from a scan depend on.
struct ResponseKey {
  Identity dwi;   ///< the layer, with its gradients
  Identity mask;  ///< the layer: the mask itself is made anew for each run
  fibers::FiberModel model = fibers::FiberModel::automatic;
  int order = 0;
  friend bool operator==(const ResponseKey&, const ResponseKey&) = default;
};

/// Rows of zonal harmonics as in FiberInput: of white matter and, unless empty, of gray matter and CSF. All
/// are empty where no response was estimated.
struct EstimatedResponses {
  std::vector<std::vector<double>> whiteMatter, grayMatter, csf;
};

/// Keeps the responses of the last scan, so that a slice of it can be looked at under many thresholds.
using ResponseMemo = Memo<ResponseKey, EstimatedResponses>;

}  // namespace sulcus::app::analyses
