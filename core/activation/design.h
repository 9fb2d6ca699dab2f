#pragma once

#include "core/base/progress.h"

#include <string>
#include <vector>

#include <Eigen/Core>

namespace sulcus {

/// What was expected in each scan: one row per scan, one column per regressor, the intercept first.
struct Design {
  Eigen::MatrixXd matrix;          ///< n × k
  std::vector<std::string> names;  ///< k, unique: "intercept", "visual", …; fit for file names
  std::vector<std::string> notes;  ///< what was added or assumed

  int scans() const { return int(matrix.rows()); }
  int regressors() const { return int(matrix.cols()); }
};

}  // namespace sulcus
