#include "core/surface/patch_axes.h"

#include <cmath>
#include <numeric>

namespace sulcus::surface {
namespace {

/// Takes the part along each of the orthonormal axes from `first` to `axis` out of the last axis, which
/// begins at `axis`, and scales it to length 1.
void orthonormalize(std::vector<double>::iterator first, std::vector<double>::iterator axis, int size) {
  const auto end = axis + size;
  for (int again = 0; again < 2; ++again)  // the second time removes the rounding error of the first
    for (auto other = first; other != axis; other += size) {
      const double along = std::inner_product(axis, end, other, 0.0);
      for (int i = 0; i < size; ++i) axis[i] -= along * other[i];
    }
  const double length = std::sqrt(std::inner_product(axis, end, axis, 0.0));
  for (int i = 0; i < size; ++i) axis[i] /= length;
}

}  // namespace

std::vector<double> patchAxes(int side) {
  constexpr int kPowers[kLeadingAxes][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {2, 0, 0},
                                            {0, 2, 0}, {0, 0, 2}, {1, 1, 0}, {1, 0, 1}, {0, 1, 1}};
  const int reach = side / 2, size = side * side * side;
  std::vector<double> axes;
  axes.reserve(std::size_t(kLeadingAxes) * size);
  for (const auto& power : kPowers) {
    for (int z = -reach; z <= reach; ++z)
      for (int y = -reach; y <= reach; ++y)
        for (int x = -reach; x <= reach; ++x)
          axes.push_back(std::pow(x, power[0]) * std::pow(y, power[1]) * std::pow(z, power[2]));
    orthonormalize(axes.begin(), axes.end() - size, size);
  }
  return axes;
}

}  // namespace sulcus::surface
