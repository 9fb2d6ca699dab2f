#include "core/registration/prealign_information.h"

#include "core/base/block_sums.h"
#include "core/registration/mutual_information.h"

#include <algorithm>
#include <cmath>

namespace sulcus::registration {
namespace {

constexpr std::int64_t kSamplesPerBlock = 4096;
constexpr double kEnoughOverlap = 0.5;  // share of the samples; see PairInformation

using Matrix12 = Eigen::Matrix<double, 12, 12>;
using Vector12 = Eigen::Matrix<double, 12, 1>;

Eigen::Matrix4d matrixOf(const Affine& map) {
  Eigen::Matrix4d m = Eigen::Matrix4d::Identity();
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) m(i, j) = map.m[std::size_t(i)][std::size_t(j)];
    m(i, 3) = map.t[i];
  }
  return m;
}

VoxelMap voxelMapOf(const Affine& map) {
  VoxelMap result;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) result.rows[i][j] = float(map.m[std::size_t(i)][std::size_t(j)]);
    result.rows[i][3] = float(map.t[i]);
  }
  return result;
}

/// The matrix of the linear function G ↦ left G right of 3 × 4 matrices in row order.
Matrix12 product(const Eigen::Matrix3d& left, const Eigen::Matrix4d& right) {
  Matrix12 result;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 4; ++j)
      for (int k = 0; k < 3; ++k)
        for (int l = 0; l < 4; ++l) result(4 * i + j, 4 * k + l) = left(i, k) * right(l, j);
  return result;
}

}  // namespace

void PairInformation::measure(const VoxelMap& map, Direction& direction) {
  const AlignLevel& to = direction.to;
  const auto& samples = direction.from.samples;
  const auto count = std::int64_t(samples.size());
  const std::uint8_t* const compared = to.compared.empty() ? nullptr : to.compared.data();
  direction.moved.resize(samples.size()), direction.slopes.resize(samples.size());
  const auto pairOf = [&](std::size_t i) {
    return BinnedPair<float>{direction.moved[i].compared ? samples[i].bin : kNoBin, direction.moved[i].value};
  };
  const auto histogram = jointHistogram(to.range, count, kSamplesPerBlock, {}, [&](std::size_t i) {
    direction.moved[i] = movedSample(samples[i], map, to.grid.size, to.values.data(), compared);
    return pairOf(i);
  });
  const auto entropy = entropyOf<float>(histogram);
  direction.sums =
      blockSums<12>(count, kSamplesPerBlock, {}, [&](std::int64_t begin, std::int64_t end, auto& sum) {
        for (auto i = std::size_t(begin); i < std::size_t(end); ++i) {
          direction.slopes[i] = entropy.slope(to.range, pairOf(i)) / float(kInformationWeight);
          const float place[4] = {samples[i].x, samples[i].y, samples[i].z, 1};
          for (std::size_t r = 0; r < 3; ++r) {
            const float along = direction.slopes[i] * direction.moved[i].slope[r];
            for (std::size_t c = 0; c < 4; ++c) sum[4 * r + c] += double(along * place[c]);
          }
        }
      });
  direction.counted = 0;
  for (const auto n : histogram) direction.counted += double(n) / kWeightUnit<float>;
  direction.entropy = entropy.energy / kInformationWeight - entropyOfRows<float>(histogram);
}

Information PairInformation::operator()(const Affine& map) {
  const Affine &T = directions_[0].to.frameFromVoxel, &R = directions_[0].from.frameFromVoxel;
  const Affine inverse = map.inverse();
  // Of the two maps F⁻¹ h G, where h becomes h + X h, and G⁻¹ h⁻¹ F, where h⁻¹ becomes h⁻¹ − h⁻¹ X.
  const Affine there = T.inverse() * map * R, back = R.inverse() * inverse * T;
  parallelFor(
      2, {}, [&](std::int64_t i) { measure(voxelMapOf(i == 0 ? there : back), directions_[i]); }, 1);
  const Eigen::Matrix4d fromT = matrixOf(T.inverse()), toR = matrixOf(R.inverse() * inverse);
  directions_[0].motionFromVoxelMap =
      product(fromT.topLeftCorner<3, 3>().transpose(), matrixOf(map * R).transpose());
  directions_[1].motionFromVoxelMap =
      product(-toR.topLeftCorner<3, 3>().transpose(), matrixOf(T).transpose());

  Information result;
  Vector12 slope = Vector12::Zero();
  double counted = 0, share = 0;
  for (const Direction& direction : directions_) {
    slope -= direction.motionFromVoxelMap * Eigen::Map<const Vector12>(direction.sums.data());
    result.value -= direction.entropy;
    counted += direction.counted;
    if (const auto samples = double(direction.from.samples.size()); samples > 0)
      share = std::max(share, direction.counted / samples);
  }
  if (counted == 0) return {};
  const double weight = std::min(1.0, share / kEnoughOverlap) / counted;
  result.value *= weight;
  for (int i = 0; i < 12; ++i) result.slope(i / 4, i % 4) = weight * slope(i);
  return result;
}

Eigen::Matrix<double, 12, 12> PairInformation::curvature() const {
  Matrix12 result = Matrix12::Zero();
  double counted = 0;
  for (const Direction& direction : directions_) {
    const auto& samples = direction.from.samples;
    const auto sums = blockSums<60>(std::int64_t(samples.size()), kSamplesPerBlock, {},
                                    [&](std::int64_t begin, std::int64_t end, auto& sum) {
                                      for (auto i = std::size_t(begin); i < std::size_t(end); ++i) {
                                        const double place[4] = {samples[i].x, samples[i].y, samples[i].z, 1};
                                        double places[10];
                                        for (int c = 0, n = 0; c < 4; ++c)
                                          for (int d = c; d < 4; ++d) places[n++] = place[c] * place[d];
                                        std::size_t n = 0;
                                        for (int r = 0; r < 3; ++r)
                                          for (int q = r; q < 3; ++q) {
                                            const double along =
                                                double(direction.slopes[i]) * direction.slopes[i] *
                                                direction.moved[i].slope[r] * direction.moved[i].slope[q];
                                            for (const double p : places) sum[n++] += along * p;
                                          }
                                      }
                                    });
    Matrix12 ofVoxelMap;
    std::size_t n = 0;
    for (int r = 0; r < 3; ++r)
      for (int q = r; q < 3; ++q)
        for (int c = 0; c < 4; ++c)
          for (int d = c; d < 4; ++d, ++n)
            for (const auto& [i, j] : {std::pair{4 * r + c, 4 * q + d}, {4 * r + d, 4 * q + c}})
              ofVoxelMap(i, j) = ofVoxelMap(j, i) = sums[n];
    result += direction.motionFromVoxelMap * ofVoxelMap * direction.motionFromVoxelMap.transpose();
    counted += direction.counted;
  }
  return result / std::max(counted, 1.0);
}

}  // namespace sulcus::registration
