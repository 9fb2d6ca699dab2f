#include "core/fibers/deconvolution/deconvolve.h"

namespace sulcus::fibers {

Eigen::MatrixXf deconvolve(const CsdPlan& plan, const Eigen::MatrixXf& ratios) {
  using RowMajor = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const int entries = tensorEntries(plan.order), stride = csdStride(entries);
  const Eigen::Map<const RowMajor> projection(plan.projection.data(), entries, ratios.rows()),
      start(plan.start.data(), entries, ratios.rows());
  Eigen::MatrixXf right = Eigen::MatrixXf::Zero(stride, ratios.cols()),
                  fibers = right;  // one column per voxel
  right.topRows(entries).noalias() = projection * ratios;
  fibers.topRows(entries).noalias() = start * ratios;
  solveCsd(plan, int(ratios.cols()), right.data(), fibers.data());
  return fibers.topRows(entries);
}

}  // namespace sulcus::fibers
