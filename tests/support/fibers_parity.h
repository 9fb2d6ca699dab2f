#pragma once

#include "core/analysis/peak_agreement.h"
#include "core/base/error.h"
#include "core/fibers/fibers.h"
#include "core/image/diffusion/spherical_harmonics.h"
#include "core/phantom/fibers_phantom.h"
#include "tests/support/for_each_seed.h"
#include "tests/support/same_bits.h"
#include "tests/support/tissue_phantom.h"

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

// One suite for every backend of the fiber analysis, compared with sulcus::findFibers.

namespace sulcus::test {

/// The first `count` voxels of the noisy phantom, repeated if there are fewer, as a row.
inline fibers::FiberInput fibersRow(std::int64_t count) {
  static const phantom::FibersPhantom phantom = phantom::makeFibersPhantom({});
  Grid grid = phantom.dwi->grid;
  grid.size = {int(count), 1, 1};
  Series<float> dwi(grid, phantom.dwi->count);
  const std::int64_t available = phantom.dwi->grid.voxels();
  for (int v = 0; v < dwi.count; ++v)
    for (std::int64_t i = 0; i < count; ++i) dwi.at(i, v) = phantom.dwi->at(i % available, v);
  fibers::FiberInput input;
  input.dwi = std::make_shared<const Series<float>>(std::move(dwi));
  input.gradients = phantom.gradients;
  input.mask = std::make_shared<const Mask>(grid, std::uint8_t(1));
  return input;
}

/// The row as an image of tensors or harmonics of a fit; for msmt a phantom of several shells and tissues.
inline fibers::FiberInput fibersRowAs(fibers::FiberModel model, int order, std::int64_t count) {
  if (model == fibers::FiberModel::msmt) {
    Grid grid;
    grid.size = {int(count), 1, 1};
    auto input = tissuePhantom(grid, 30, 1).input;
    giveTrueResponses(input);
    return input;
  }
  fibers::FiberInput input = fibersRow(count);
  if (model != fibers::FiberModel::sh && model != fibers::FiberModel::tensor) return input;
  fibers::FiberOptions options;
  // Only csd reaches orders that 64 directions do not determine.
  options.model = order <= 8 ? fibers::FiberModel::csa : fibers::FiberModel::csd, options.order = order;
  const Series<float> tensor = fibers::findFibers(input, options, {}).tensor;
  fibers::FiberInput result;
  result.mask = input.mask;
  if (model == fibers::FiberModel::tensor) {
    result.tensor = std::make_shared<const Series<float>>(tensor);
    return result;
  }
  const auto toHarmonics = shFromTensor(order);
  Series<float> sh(tensor.grid, tensor.count);
  for (std::int64_t i = 0; i < count; ++i)
    for (int row = 0; row < tensor.count; ++row) {
      double sum = 0;
      for (int u = 0; u < tensor.count; ++u) sum += toHarmonics(row, u) * tensor.at(i, u);
      sh.at(i, row) = float(sum);
    }
  result.sh = std::make_shared<const Series<float>>(std::move(sh));
  return result;
}

/// Largest |a − b| over the largest |b|.
inline double relativeDifference(const std::vector<float>& a, const std::vector<float>& b) {
  double largest = 0, difference = 0;
  if (a.size() != b.size()) return 1e30;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (std::isnan(a[i]) && std::isnan(b[i])) continue;
    if (std::isnan(a[i]) != std::isnan(b[i])) return 1e30;
    largest = std::max(largest, std::abs(double(b[i])));
    difference = std::max(difference, std::abs(double(a[i]) - b[i]));
  }
  return largest > 0 ? difference / largest : difference;
}

/// Expects every map to be equal bit for bit.
inline void expectSameBits(const fibers::FiberMaps& a, const fibers::FiberMaps& b) {
  EXPECT_TRUE(sameBits(a.tensor.values, b.tensor.values));
  EXPECT_TRUE(sameBits(a.peaks.values, b.peaks.values));
  EXPECT_TRUE(sameBits(a.amplitude.values, b.amplitude.values));
  EXPECT_TRUE(sameBits(a.count.values, b.count.values));
  EXPECT_TRUE(sameBits(a.residual.values, b.residual.values));
  EXPECT_TRUE(sameBits(a.anisotropy.values, b.anisotropy.values));
  EXPECT_TRUE(sameBits(a.iterations.values, b.iterations.values));
  EXPECT_EQ(a.degenerate, b.degenerate);
}

struct FibersCase {
  const char* name;
  fibers::FiberModel model;
  int order;
  fibers::ShiftRule shift = fibers::ShiftRule::adaptive;
  fibers::StartSet startSet = fibers::StartSet::sphere;
  int starts = 64;
  double alpha = 0;
  int maxIterations = 200;
  int voxels = 1024;
  double countsShare = 0.998;  ///< of the voxels have the same number of peaks
};
inline std::ostream& operator<<(std::ostream& out, const FibersCase& c) { return out << c.name; }

inline fibers::FiberOptions optionsOf(const FibersCase& c) {
  fibers::FiberOptions options;
  options.model = c.model, options.order = c.order;
  options.shift = c.shift, options.alpha = c.alpha;
  options.startSet = c.startSet, options.starts = c.starts;
  options.maxIterations = c.maxIterations;
  return options;
}

/// Compares one result with the reference.
inline void expectAgreement(const fibers::FiberMaps& maps, const fibers::FiberMaps& reference,
                            double countsShare) {
  EXPECT_EQ(maps.model, reference.model);
  EXPECT_EQ(maps.order, reference.order);
  EXPECT_EQ(maps.voxels, reference.voxels);
  EXPECT_EQ(maps.skippedNotFinite, reference.skippedNotFinite);

  // Single precision, sums of up to 70 terms in a different order; a deconvolution also solves 45 equations.
  const bool isDeconvolved = maps.model == fibers::FiberModel::csd || maps.model == fibers::FiberModel::msmt;
  const double fitTolerance = isDeconvolved ? 2e-3 : 2e-5;
  EXPECT_LE(relativeDifference(maps.volumes.values, reference.volumes.values), fitTolerance);
  EXPECT_LE(relativeDifference(maps.tensor.values, reference.tensor.values), fitTolerance);
  EXPECT_LE(relativeDifference(maps.residual.values, reference.residual.values), fitTolerance);
  EXPECT_LE(relativeDifference(maps.anisotropy.values, reference.anisotropy.values), fitTolerance);

  // The angle is what a user sees; 0.1° is a tenth of the merge angle and a tenth of a degree below any
  // noise. One peak in a thousand may be so close to a threshold that rounding decides.
  const Comparison comparison = comparePeaks(maps.peaks, reference.peaks);
  ASSERT_FALSE(comparison.rows.empty());
  EXPECT_GE(comparison.rows[0].shareWithin, kPeakShareNeeded)
      << comparison.rows[0].quantity << ": largest " << comparison.rows[0].maximum;

  std::int64_t sameCount = 0, compared = std::int64_t(maps.count.values.size());
  for (std::size_t i = 0; i < maps.count.values.size(); ++i)
    sameCount += maps.count.values[i] == reference.count.values[i];
  EXPECT_GE(double(sameCount), countsShare * double(compared));
}

/// Suite for a backend: derive, and specify where it can run (SetUp) and its function.
class FibersParity : public testing::TestWithParam<FibersCase> {
 protected:
  void expectParity(fibers::FindFibers* find) {
    const FibersCase& c = GetParam();
    const fibers::FiberInput input = fibersRowAs(c.model, c.order, cases(c.voxels));
    const fibers::FiberOptions options = optionsOf(c);

    const fibers::FiberMaps reference = fibers::findFibers(input, options, {}),
                            maps = find(input, options, {});

    expectAgreement(maps, reference, c.countsShare);
    double iterations = 0, referenceIterations = 0;
    for (const float i : maps.iterations.values) iterations += i;
    for (const float i : reference.iterations.values) referenceIterations += i;
    // Rounding decides how long a start moves along a nearly flat ridge; an incorrect step would double the
    // number.
    EXPECT_NEAR(iterations / referenceIterations, 1, 0.2);
  }
};

inline const FibersCase kFibersCases[] = {
    {"Adc2", fibers::FiberModel::adc, 2},
    {"Adc4", fibers::FiberModel::adc, 4},
    {"Adc6", fibers::FiberModel::adc, 6},
    {"Adc8", fibers::FiberModel::adc, 8},
    {"Qball4", fibers::FiberModel::qball, 4},
    {"Qball6", fibers::FiberModel::qball, 6},
    {"Csa4", fibers::FiberModel::csa, 4},
    {"Csa8", fibers::FiberModel::csa, 8},
    {"Csd2", fibers::FiberModel::csd, 2},
    {"Csd4", fibers::FiberModel::csd, 4},
    {"Csd6", fibers::FiberModel::csd, 6},
    {"Csd8", fibers::FiberModel::csd, 8},
    {"Csd10", fibers::FiberModel::csd, 10},
    {"Csd12", fibers::FiberModel::csd, 12},
    {"Msmt4", fibers::FiberModel::msmt, 4},
    {"Msmt8", fibers::FiberModel::msmt, 8},
    {"Sh6", fibers::FiberModel::sh, 6},
    {"Sh12", fibers::FiberModel::sh, 12},
    {"Tensor10", fibers::FiberModel::tensor, 10},
    {"Tensor4", fibers::FiberModel::tensor, 4},
    {"Starts1", fibers::FiberModel::csd, 6, fibers::ShiftRule::adaptive, fibers::StartSet::sphere, 1},
    {"Starts16", fibers::FiberModel::csd, 8, fibers::ShiftRule::adaptive, fibers::StartSet::sphere, 16},
    {"Starts31", fibers::FiberModel::csd, 8, fibers::ShiftRule::adaptive, fibers::StartSet::sphere, 31},
    {"Starts33", fibers::FiberModel::csd, 8, fibers::ShiftRule::adaptive, fibers::StartSet::sphere, 33},
    {"Random128", fibers::FiberModel::csd, 6, fibers::ShiftRule::adaptive, fibers::StartSet::random, 128},
    {"Random1024", fibers::FiberModel::csd, 8, fibers::ShiftRule::adaptive, fibers::StartSet::random, 1024, 0,
     200, 64},
    {"Safe", fibers::FiberModel::csd, 6, fibers::ShiftRule::safe},
    {"Fixed", fibers::FiberModel::csd, 4, fibers::ShiftRule::fixed, fibers::StartSet::sphere, 64, 1.0},
    {"PaperRandom128", fibers::FiberModel::adc, 4, fibers::ShiftRule::fixed, fibers::StartSet::random, 128},
};

inline std::string nameOf(const testing::TestParamInfo<FibersCase>& info) { return info.param.name; }

}  // namespace sulcus::test
