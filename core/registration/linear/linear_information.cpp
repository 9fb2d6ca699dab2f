#include "core/registration/linear/linear_information.h"

#include <algorithm>
#include <cmath>

namespace sulcus::registration {
namespace {

constexpr double kEnoughOverlap = 0.5;  // share of the samples; see PairInformation

using Vector12 = Eigen::Matrix<double, 12, 1>;

Eigen::Matrix4d matrixOf(const Affine& map) {
  Eigen::Matrix4d m = Eigen::Matrix4d::Identity();
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) m(i, j) = map.m[i][j];
    m(i, 3) = map.t[i];
  }
  return m;
}

VoxelMap voxelMapOf(const Affine& map) {
  VoxelMap result;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) result.rows[i][j] = float(map.m[i][j]);
    result.rows[i][3] = float(map.t[i]);
  }
  return result;
}

/// The matrix of the linear map G ↦ left G right of 3 × 4 matrices in row order.
Matrix12 product(const Eigen::Matrix3d& left, const Eigen::Matrix4d& right) {
  Matrix12 result;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 4; ++j)
      for (int k = 0; k < 3; ++k)
        for (int l = 0; l < 4; ++l) result(4 * i + j, 4 * k + l) = left(i, k) * right(l, j);
  return result;
}

/// A map between the frames of two images, converted to their voxels in both directions, and the relation of
/// its derivatives to those along X, see Information.
struct MapOfPair {
  OfDirections<VoxelMap> inVoxels;
  /// Converts derivatives with respect to the entries of a VoxelMap to those along X, both in row order.
  OfDirections<Matrix12> motionFromVoxelMap;
};

MapOfPair mapOfPair(const Affine& map, const Affine& T, const Affine& R) {
  const Affine inverse = map.inverse();
  // For the two maps F⁻¹ h G, where h becomes h + X h, and G⁻¹ h⁻¹ F, where h⁻¹ becomes h⁻¹ − h⁻¹ X.
  const Eigen::Matrix4d fromT = matrixOf(T.inverse()), toR = matrixOf(R.inverse() * inverse);
  return {{voxelMapOf(T.inverse() * map * R), voxelMapOf(R.inverse() * inverse * T)},
          {product(fromT.topLeftCorner<3, 3>().transpose(), matrixOf(map * R).transpose()),
           product(-toR.topLeftCorner<3, 3>().transpose(), matrixOf(T).transpose())}};
}

/// The symmetric matrix of the sums made by addSquare().
Matrix12 matrixOfSquares(const std::array<double, kSquareSums>& squares) {
  Matrix12 result;
  std::size_t n = 0;
  for (int r = 0; r < 3; ++r)
    for (int q = r; q < 3; ++q)
      for (int c = 0; c < 4; ++c)
        for (int d = c; d < 4; ++d, ++n)
          for (const auto& [i, j] : {std::pair{4 * r + c, 4 * q + d}, {4 * r + d, 4 * q + c}})
            result(i, j) = result(j, i) = squares[n];
  return result;
}

/// @param samples  number of samples in each direction
Information informationOf(const OfDirections<DirectionSums>& sums, const OfDirections<Matrix12>& fromVoxelMap,
                          const OfDirections<std::size_t>& samples, bool curvature) {
  Information result;
  Vector12 slope = Vector12::Zero();
  double counted = 0, share = 0;
  for (std::size_t d = 0; d < 2; ++d) {
    slope -= fromVoxelMap[d] * Eigen::Map<const Vector12>(sums[d].slopes.data());
    result.value += sums[d].information;
    counted += sums[d].counted;
    if (samples[d] > 0) share = std::max(share, sums[d].counted / double(samples[d]));
  }
  if (counted == 0) return {};
  const double weight = std::min(1.0, share / kEnoughOverlap) / counted;
  result.value *= weight;
  for (int i = 0; i < 12; ++i) result.slope(i / 4, i % 4) = weight * slope(i);
  if (curvature)
    for (std::size_t d = 0; d < 2; ++d)
      result.curvature +=
          fromVoxelMap[d] * matrixOfSquares(sums[d].squares) * fromVoxelMap[d].transpose() / counted;
  return result;
}

}  // namespace

std::vector<Information> PairInformation::operator()(const std::vector<Affine>& maps, bool curvature) const {
  std::vector<OfDirections<VoxelMap>> inVoxels;
  std::vector<OfDirections<Matrix12>> fromVoxelMaps;
  for (const Affine& map : maps) {
    const MapOfPair of = mapOfPair(map, templateImage_.frameFromVoxel, reference_.frameFromVoxel);
    inVoxels.push_back(of.inVoxels), fromVoxelMaps.push_back(of.motionFromVoxelMap);
  }
  const auto sums = measure_(inVoxels, curvature);
  std::vector<Information> result;
  for (std::size_t i = 0; i < maps.size(); ++i)
    result.push_back(informationOf(sums[i], fromVoxelMaps[i],
                                   {reference_.samples.size(), templateImage_.samples.size()}, curvature));
  return result;
}

}  // namespace sulcus::registration
