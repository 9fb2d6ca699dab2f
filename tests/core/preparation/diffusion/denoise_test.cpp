#include "core/preparation/diffusion/denoise.h"

#include "core/base/error.h"
#include "core/base/parallel/parallel_for.h"
#include "tests/core/preparation/diffusion/noisy_series.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Dense>
#include <gtest/gtest.h>

namespace sulcus::preparation {
namespace {

/// The signal and noise of one voxel as in the papers: the matrix of its own window, all components.
struct PlainVoxel {
  Eigen::VectorXd signal;
  double noise = 0;
  int rank = 0;
};

Eigen::MatrixXd windowAbout(const Series<float>& series, Vec3<int> at) {
  const Vec3<int> window = denoisingWindow(series.grid.size, series.count);
  Vec3<int> begin;
  for (int i = 0; i < 3; ++i)
    begin[i] = std::clamp(at[i] - window[i] / 2, 0, series.grid.size[i] - window[i]);
  Eigen::MatrixXd x(series.count, window.x * window.y * window.z);
  for (int k = 0; k < x.cols(); ++k)
    for (int v = 0; v < series.count; ++v)
      x(v, k) = series.volume(v)(begin.x + k % window.x, begin.y + k / window.x % window.y,
                                 begin.z + k / window.x / window.y);
  return x;
}

PlainVoxel plainlyDenoised(const Series<float>& series, Vec3<int> at) {
  const Eigen::MatrixXd x = windowAbout(series, at);
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(x, Eigen::ComputeThinU);
  const int r = int(std::min(x.rows(), x.cols())), q = int(std::max(x.rows(), x.cols()));
  const Eigen::VectorXd lambda = svd.singularValues().array().square().reverse() / q;
  PlainVoxel voxel;
  voxel.rank = r;
  double sum = 0;
  for (int p = 1; p <= r; ++p) {
    sum += lambda[p - 1];
    const double byMean = sum / p;
    if ((lambda[p - 1] - lambda[0]) / (4 * std::sqrt(double(p) / (q - (r - p)))) >= byMean) continue;
    voxel.noise = std::sqrt(byMean);
    voxel.rank = r - p;
  }
  Eigen::VectorXd y(series.count);
  for (int v = 0; v < series.count; ++v) y[v] = series.volume(v)(at.x, at.y, at.z);
  const Eigen::MatrixXd basis = svd.matrixU().leftCols(voxel.rank);
  voxel.signal = basis * (basis.transpose() * y);
  return voxel;
}

void expectAsWritten(Vec3<int> size, int volumes) {
  const Series<float> series = noisySeries(size, volumes, 5, 7);
  const DenoisedSeries result = denoise(series, nullptr, {});
  for (int z = 0; z < size.z; ++z)
    for (int y = 0; y < size.y; y += 2)
      for (int x = 0; x < size.x; ++x) {
        const PlainVoxel plain = plainlyDenoised(series, {x, y, z});
        ASSERT_EQ(result.rank(x, y, z), plain.rank) << x << ' ' << y << ' ' << z;
        ASSERT_NEAR(result.noise(x, y, z), plain.noise, 1e-5);
        for (int v = 0; v < volumes; ++v)
          ASSERT_NEAR(result.series.volume(v)(x, y, z), plain.signal[v], 1e-4);
      }
}

TEST(DenoiseTest, IsTheFormulaOfThePapers) {
  expectAsWritten({9, 6, 5}, 20);
  expectAsWritten({7, 6, 5}, 40);
}

TEST(DenoiseTest, IsTheFormulaWhereVolumesOutnumberVoxels) { expectAsWritten({5, 6, 1}, 33); }

// dwidenoise -datatype float64 -noise of MRtrix 3.0.3.
TEST(DenoiseTest, IsEqualToMrtrix) {
  const DenoisedSeries result = denoise(noisySeries({8, 7, 6}, 30, 4, 3), nullptr, {});
  struct Expected {
    Vec3<int> at;
    float noise, first, eighth, last;
  };
  const Expected all[] = {{{0, 0, 0}, 3.955986f, 101.6796f, 116.3938f, 117.3186f},
                          {{4, 3, 2}, 3.980234f, 124.8671f, 119.9602f, 92.64796f},
                          {{7, 6, 5}, 3.956298f, 110.1164f, 93.15838f, 82.44288f},
                          {{2, 5, 1}, 3.986394f, 117.6988f, 110.1324f, 88.72076f}};
  for (const Expected& e : all) {
    EXPECT_NEAR(result.noise(e.at.x, e.at.y, e.at.z), e.noise, 2e-6);
    EXPECT_NEAR(result.series.volume(0)(e.at.x, e.at.y, e.at.z), e.first, 1e-4);
    EXPECT_NEAR(result.series.volume(7)(e.at.x, e.at.y, e.at.z), e.eighth, 1e-4);
    EXPECT_NEAR(result.series.volume(29)(e.at.x, e.at.y, e.at.z), e.last, 1e-4);
  }
}

TEST(DenoiseTest, FindsTheNoiseAndTakesMostOfItAway) {
  const Series<float> clean = noisySeries({16, 16, 8}, 40, 0, 5);
  const Series<float> noisy = noisySeries({16, 16, 8}, 40, 5, 5);
  const DenoisedSeries result = denoise(noisy, nullptr, {});
  double before = 0, after = 0, noise = 0;
  for (std::size_t i = 0; i < clean.values.size(); ++i) {
    before += std::pow(double(noisy.values[i]) - clean.values[i], 2);
    after += std::pow(double(result.series.values[i]) - clean.values[i], 2);
  }
  for (const float value : result.noise.values) noise += value;
  EXPECT_NEAR(noise / double(result.noise.values.size()), 5, 0.1);
  EXPECT_LT(after, 0.2 * before);
}

TEST(DenoiseTest, DoesNotDependOnTheNumberOfThreads) {
  const Series<float> series = noisySeries({13, 9, 7}, 31, 5, 9);
  DenoisedSeries one, two;
  withThreads(1, [&] { one = denoise(series, nullptr, {}); });
  withThreads(2, [&] { two = denoise(series, nullptr, {}); });
  EXPECT_EQ(one.series.values, two.series.values);
  EXPECT_EQ(one.noise.values, two.noise.values);
  EXPECT_EQ(one.rank.values, two.rank.values);
}

TEST(DenoiseTest, LeavesWhatIsOutsideTheMaskAndVoxelsWithoutNumbers) {
  Series<float> series = noisySeries({8, 8, 6}, 20, 5, 2);
  Mask mask(series.grid, 1);
  mask(3, 3, 3) = 0;
  series.volume(4)(5, 5, 2) = std::numeric_limits<float>::quiet_NaN();
  const DenoisedSeries result = denoise(series, &mask, {});
  for (int v = 0; v < series.count; ++v)
    EXPECT_EQ(result.series.volume(v)(3, 3, 3), series.volume(v)(3, 3, 3));
  EXPECT_EQ(result.rank(3, 3, 3), 0);
  EXPECT_EQ(result.series.volume(3)(5, 5, 2), series.volume(3)(5, 5, 2));
  EXPECT_TRUE(std::isnan(result.series.volume(4)(5, 5, 2)));
  EXPECT_NE(result.series.volume(3)(5, 4, 2), series.volume(3)(5, 4, 2));
  EXPECT_TRUE(std::isfinite(result.series.volume(4)(5, 4, 2)));
  ASSERT_EQ(result.notes.size(), 1u);
  EXPECT_EQ(result.notes[0], "1 voxel with values that are not finite: left as they are.");
}

TEST(DenoiseTest, ZerosStayZeros) {
  Series<float> series = noisySeries({12, 8, 6}, 20, 5, 2);
  for (int v = 0; v < series.count; ++v)
    for (int z = 0; z < 6; ++z)
      for (int y = 0; y < 8; ++y)
        for (int x = 0; x < 6; ++x) series.volume(v)(x, y, z) = 0;
  const DenoisedSeries result = denoise(series, nullptr, {});
  EXPECT_EQ(result.series.volume(7)(1, 4, 3), 0);
  EXPECT_EQ(result.series.volume(7)(5, 4, 3), 0);
  EXPECT_EQ(result.noise(1, 4, 3), 0);
  EXPECT_NEAR(result.noise(9, 4, 3), 5, 2);
}

TEST(DenoiseTest, RefusesWhatIsTooSmall) {
  EXPECT_THROW(denoise(noisySeries({8, 8, 8}, 1, 5, 1), nullptr, {}), Error);
  EXPECT_THROW(denoise(noisySeries({2, 9, 1}, 20, 5, 1), nullptr, {}), Error);
  EXPECT_THROW(denoise(noisySeries({9, 3, 1}, 65, 5, 1), nullptr, {}), Error);
}

TEST(DenoiseTest, WindowsAreThoseOfMrtrix) {
  const Vec3<int> size{96, 96, 60};
  EXPECT_EQ(denoisingWindow(size, 27).x, 3);
  EXPECT_EQ(denoisingWindow(size, 28).x, 5);
  EXPECT_EQ(denoisingWindow(size, 125).x, 5);
  EXPECT_EQ(denoisingWindow(size, 126).x, 7);
  EXPECT_EQ(denoisingWindow({96, 96, 4}, 126).z, 3);
  EXPECT_EQ(denoisingWindow({96, 96, 1}, 70).x, 9);
}

}  // namespace
}  // namespace sulcus::preparation
