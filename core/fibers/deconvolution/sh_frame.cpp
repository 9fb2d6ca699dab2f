#include "core/fibers/deconvolution/sh_frame.h"

#include "core/fibers/peaks/starts.h"
#include "core/math/linear_algebra.h"

#include <vector>

namespace sulcus::fibers {

Eigen::MatrixXd shFrameChange(int order, ShBasis basis, const Affine& worldFromFrame) {
  // Exact up to rounding: both sides have degree `order`, and the directions determine such a function.
  const auto world = evenDirections(2 * tensorEntries(order));
  const Affine frameFromWorld = worldFromFrame.inverse();
  std::vector<Vec3<double>> frame;
  frame.reserve(world.size());
  for (const auto& g : world) frame.push_back(frameFromWorld.vector(g));
  return solveLeastSquares(shMatrix(order, world, basis), shMatrix(order, frame, basis)).solution;
}

}  // namespace sulcus::fibers
