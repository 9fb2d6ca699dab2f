#include "core/fibers/fibers.h"

#include "core/analysis/peak_agreement.h"
#include "core/base/error.h"
#include "core/base/parallel/parallel_for.h"
#include "core/fibers/peaks/starts.h"
#include "core/image/diffusion/spherical_harmonics.h"
#include "tests/core/fibers/fiber_inputs.h"
#include "tests/support/for_each_seed.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <mutex>
#include <set>

#include <gmock/gmock.h>

namespace sulcus::fibers {
namespace {

using test::inputOf, test::noisyPhantom, test::optionsFor;
using ::testing::HasSubstr;

constexpr double kDegrees = 180 / std::numbers::pi;

/// The median error of the worse fiber and the share of voxels with the correct number, for each class of the
/// phantom.
struct Reached {
  double error, right;
};
std::vector<Reached> reached(const FiberMaps& maps, const phantom::FibersPhantom& phantom) {
  std::vector<Reached> result;
  const auto rows = comparePeaksWithTruth(maps.peaks, *phantom.truth);
  for (std::size_t i = 0; i + 1 < rows.size(); i += 2)
    result.push_back({rows[i].median, rows[i + 1].shareWithin});
  return result;
}

class FibersOfOrder : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Usual, FibersOfOrder, ::testing::Values(8, 0));

TEST_P(FibersOfOrder, OfTheNoisyPhantomAreFoundByDeconvolution) {
  const auto maps = findFibers(inputOf(noisyPhantom()), optionsFor(FiberModel::automatic, GetParam()), {});
  EXPECT_EQ(maps.model, FiberModel::csd);
  EXPECT_EQ(maps.order, GetParam() == 0 ? 10 : 8);
  EXPECT_EQ(maps.voxels, 1024);
  const auto classes = reached(maps, noisyPhantom());
  ASSERT_EQ(classes.size(), 4u);
  EXPECT_LT(classes[0].error, 1.0);
  EXPECT_LT(classes[1].error, 3.2);
  EXPECT_LT(classes[2].error, 3.0);
  EXPECT_LT(classes[3].error, 3.0);
  for (const auto& c : classes) EXPECT_GT(c.right, 0.98);
}

TEST(Fibers, OfTheNoiseFreePhantomAreAllFound) {
  phantom::FibersPhantomOptions options;
  options.snr = 0;
  const auto phantom = phantom::makeFibersPhantom(options);
  const auto classes = reached(findFibers(inputOf(phantom), {}, {}), phantom);
  ASSERT_EQ(classes.size(), 4u);
  EXPECT_LT(classes[0].error, 0.1);
  for (const auto& c : classes) {
    EXPECT_EQ(c.right, 1);
    EXPECT_LT(c.error, 2);
  }
}

TEST(Fibers, OfTheOtherModelsComeOutAsTheirKindAllows) {
  const auto input = inputOf(noisyPhantom());
  const auto qball = reached(findFibers(input, optionsFor(FiberModel::qball, 6), {}), noisyPhantom());
  EXPECT_LT(qball[0].error, 1.0);
  EXPECT_LT(qball[3].error, 5);
  const auto csa = reached(findFibers(input, optionsFor(FiberModel::csa, 6), {}), noisyPhantom());
  EXPECT_LT(csa[0].error, 2.0);
  EXPECT_LT(csa[1].error, 8);
  EXPECT_LT(csa[3].error, 4);
  const auto adc = reached(findFibers(input, optionsFor(FiberModel::adc, 4), {}), noisyPhantom());
  EXPECT_GT(adc[3].error, 40);  // maxima of adc are between the fibers
}

TEST(Fibers, OutsideTheMaskAndWhereTheInputIsNoSignalAreNone) {
  auto input = inputOf(noisyPhantom());
  auto dwi = std::make_shared<Series<float>>(*input.dwi);
  auto mask = std::make_shared<Mask>(*input.mask);
  mask->values[5] = 0;
  dwi->at(6, 30) = NAN;
  dwi->at(7, 2) = INFINITY, dwi->at(9, 40) = 1e20F;
  for (int v = 0; v < 6; ++v) dwi->at(8, v) = 0;
  input.dwi = dwi, input.mask = mask;
  const auto maps = findFibers(input, {}, {});
  EXPECT_EQ(maps.voxels, 1019);
  EXPECT_EQ(maps.skippedNotFinite, 3);
  for (const int voxel : {5, 6, 7, 8, 9}) {
    for (int v = 0; v < maps.peaks.count; ++v) EXPECT_TRUE(std::isnan(maps.peaks.at(voxel, v)));
    EXPECT_EQ(maps.count.values[std::size_t(voxel)], 0);
    EXPECT_EQ(maps.residual.values[std::size_t(voxel)], 0);
    EXPECT_EQ(maps.anisotropy.values[std::size_t(voxel)], 0);
  }
  EXPECT_GT(maps.count.values[10], 0);
  EXPECT_THAT(maps.notes, ::testing::Contains(HasSubstr("3 voxels hold values that are not finite")));
  EXPECT_THAT(maps.notes, ::testing::Contains(HasSubstr("1 voxels of the mask have no unweighted signal")));
}

TEST(Fibers, WhoseFunctionIsNotFiniteAreSkippedCountedAndSaid) {
  auto input = inputOf(noisyPhantom());
  auto dwi = std::make_shared<Series<float>>(*input.dwi);
  for (int v = 0; v < 6; ++v) dwi->at(2, v) = 1e-41f;  // a signal so small that dividing by it overflows
  input.dwi = dwi;
  const auto maps = findFibers(input, optionsFor(FiberModel::qball, 4), {});
  EXPECT_EQ(maps.voxels, 1023);
  EXPECT_TRUE(std::isnan(maps.peaks.at(2, 0)));
  EXPECT_THAT(maps.notes, ::testing::Contains(HasSubstr("1 voxels have a function that is not finite")));
}

TEST(Fibers, AreTheSameBitForBitOnOneAndManyThreads) {
  FiberMaps one, many;
  withThreads(1, [&] { one = findFibers(inputOf(noisyPhantom()), {}, {}); });
  withThreads(2, [&] { many = findFibers(inputOf(noisyPhantom()), {}, {}); });
  const auto same = [](const std::vector<float>& a, const std::vector<float>& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
  };
  EXPECT_TRUE(same(one.tensor.values, many.tensor.values));
  EXPECT_TRUE(same(one.peaks.values, many.peaks.values));
  EXPECT_TRUE(same(one.residual.values, many.residual.values));
}

TEST(Fibers, DoNotDependOnTheScaleOfTheSignal) {
  auto input = inputOf(noisyPhantom());
  const auto maps = findFibers(input, {}, {});
  auto dwi = std::make_shared<Series<float>>(*input.dwi);
  for (auto& value : dwi->values) value *= 0.125f;
  input.dwi = dwi;
  EXPECT_TRUE(comparePeaks(maps.peaks, findFibers(input, {}, {}).peaks).agrees());
}

TEST(Fibers, DoNotDependOnTheOrderOfTheVolumes) {
  const auto input = inputOf(noisyPhantom());
  auto turned = input;
  auto dwi = std::make_shared<Series<float>>(*input.dwi);
  for (int v = 0; v < dwi->count; ++v) {
    const int from = (v * 27 + 11) % dwi->count;  // 27 and 70 have no common factor
    std::copy_n(input.dwi->volume(from).data, dwi->grid.voxels(), dwi->volume(v).data);
    turned.gradients.rows[std::size_t(v)] = input.gradients.rows[std::size_t(from)];
  }
  turned.dwi = dwi;
  for (const auto model : {FiberModel::csd, FiberModel::csa}) {
    const auto comparison = comparePeaks(findFibers(input, optionsFor(model), {}).peaks,
                                         findFibers(turned, optionsFor(model), {}).peaks);
    EXPECT_TRUE(comparison.agrees()) << comparison.rows[0].shareWithin << " " << comparison.rows[0].maximum;
  }
}

TEST(Fibers, TurnWithTheGradients) {
  const auto axis = normalized(Vec3<double>{1, 2, -1.5});
  const auto rotate = [&](const Vec3<double>& v) {
    const double angle = 0.7;
    return std::cos(angle) * v + std::sin(angle) * cross(axis, v) +
           ((1 - std::cos(angle)) * dot(axis, v)) * axis;
  };
  const auto input = inputOf(noisyPhantom());
  auto turned = input;
  for (auto& row : turned.gradients.rows) row.directionWorld = rotate(row.directionWorld);
  const std::pair<FiberModel, double> cases[] = {
      {FiberModel::adc, 0.05},
      {FiberModel::qball, 0.05},
      {FiberModel::csa, 0.05},
      {FiberModel::csd, 2.0}};  // the constraint directions of csd do not move
  for (const auto& [model, tolerance] : cases) {
    auto maps = findFibers(input, optionsFor(model, 6), {});
    for (std::int64_t v = 0; v < maps.peaks.grid.voxels(); ++v)
      for (int p = 0; p < maps.peaks.count; p += 3) {
        const auto peak = rotate({maps.peaks.at(v, p), maps.peaks.at(v, p + 1), maps.peaks.at(v, p + 2)});
        for (int i = 0; i < 3; ++i) maps.peaks.at(v, p + i) = float(peak[i]);
      }
    const auto row =
        comparePeaks(maps.peaks, findFibers(turned, optionsFor(model, 6), {}).peaks, tolerance).rows[0];
    EXPECT_GT(row.shareWithin, 0.98) << int(model) << ", median " << row.median;
    EXPECT_LT(row.median, tolerance / 5) << int(model);
  }
}

/// A function of order 8 given by its spherical harmonics, in double.
struct HarmonicFunction {
  Eigen::VectorXd coefficients;
  ShBasis basis;

  double operator()(const Vec3<double>& g) const {
    return shMatrix(8, std::span(&g, 1), basis).row(0).dot(coefficients);
  }

  /// The local maximum reached from x by uphill steps, which shrink if none of eight directions leads up.
  Vec3<double> climbedFrom(Vec3<double> x) const {
    double best = (*this)(x);
    for (double step = 0.02; step > 1e-5;) {
      const auto e1 =
          normalized(cross(x, std::abs(x.x) < 0.6 ? Vec3<double>{1, 0, 0} : Vec3<double>{0, 1, 0}));
      const auto e2 = cross(x, e1);
      bool climbed = false;
      for (int k = 0; k < 8 && !climbed; ++k) {
        const auto next =
            normalized(x + (step * std::cos(k * M_PI / 4)) * e1 + (step * std::sin(k * M_PI / 4)) * e2);
        const double there = (*this)(next);
        if (there > best) x = next, best = there, climbed = true;
      }
      if (!climbed) step /= 2;
    }
    return x;
  }

  /// The local maxima above 0.2 of the largest value.
  std::vector<Vec3<double>> maxima() const {
    static const auto grid = evenDirections(1500);
    const Eigen::VectorXd values = shMatrix(8, grid, basis) * coefficients;
    std::vector<Vec3<double>> found;
    for (std::size_t i = 0; i < grid.size(); ++i) {
      bool highest =
          values[Eigen::Index(i)] > 0.2 * values.maxCoeff();  // side lobes are not peaks and may be rings
      for (std::size_t j = 0; j < grid.size() && highest; ++j)
        highest = std::abs(dot(grid[i], grid[j])) < std::cos(5 / kDegrees) ||
                  values[Eigen::Index(j)] <= values[Eigen::Index(i)];
      if (highest) found.push_back(climbedFrom(grid[i]));
    }
    return found;
  }
};

double degreesBetween(const Vec3<double>& a, const Vec3<double>& b) {
  return std::atan2(norm(cross(a, b)), std::abs(dot(a, b))) * kDegrees;
}

TEST(Fibers, OfAHarmonicImageAreTheMaximaOfItsFunction) {
  for (const auto basis :
       {ShBasis::tournier07, ShBasis::descoteaux07, ShBasis::descoteaux07Legacy, ShBasis::tournier07Legacy}) {
    Grid grid;
    grid.size = {12, 1, 1};
    auto sh = std::make_shared<Series<float>>(grid, 45);
    test::Rng rng(std::uint64_t(basis) + 7);
    std::vector<HarmonicFunction> functions;
    for (int voxel = 0; voxel < grid.size.x; ++voxel) {
      Eigen::VectorXd c = Eigen::VectorXd::Zero(45);
      for (int fiber = 0; fiber < 1 + voxel % 3; ++fiber) {  // lobes: deltas cut at degree 8, smoothed
        const auto d = normalized(Vec3<double>{rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1)});
        c += rng.uniform(0.5, 1) * shMatrix(8, std::span(&d, 1)).row(0).transpose();
      }
      for (int l = 0; l <= 8; l += 2) c.segment(shIndex(l, -l), 2 * l + 1) *= std::exp(-0.02 * l * (l + 1));
      c = shFromTensor(8, basis) * tensorFromSh(8) * c;
      for (int j = 0; j < 45; ++j) c[j] = sh->at(voxel, j) = float(c[j]);
      functions.push_back({c, basis});
    }
    FiberInput input;
    input.sh = sh;
    FiberOptions options;
    options.shBasis = basis;
    options.shFrame = ShFrame::scanner;
    const auto maps = findFibers(input, options, {});
    EXPECT_EQ(maps.model, FiberModel::sh);
    for (int voxel = 0; voxel < grid.size.x; ++voxel) {
      SCOPED_TRACE("basis " + std::to_string(int(basis)) + ", voxel " + std::to_string(voxel));
      const auto& f = functions[std::size_t(voxel)];
      std::vector<Vec3<double>> peaks;
      for (int p = 0; p < int(maps.count.values[std::size_t(voxel)]); ++p) {
        peaks.push_back(
            {maps.peaks.at(voxel, 3 * p), maps.peaks.at(voxel, 3 * p + 1), maps.peaks.at(voxel, 3 * p + 2)});
        const double amplitude = norm(peaks.back());
        const auto direction = (1 / amplitude) * peaks.back();
        EXPECT_NEAR(amplitude, f(direction), 1e-5 * amplitude);
        EXPECT_LT(degreesBetween(f.climbedFrom(direction), direction), 0.05);
      }
      const auto truth = f.maxima();
      double largest = 0;
      for (const auto& direction : truth) largest = std::max(largest, f(direction));
      EXPECT_NEAR(maps.amplitude.values[std::size_t(voxel)], largest, 1e-5 * largest);
      for (const auto& direction : truth)
        if (f(direction) > 0.5 * largest) {
          double nearest = 90;
          for (const auto& peak : peaks) nearest = std::min(nearest, degreesBetween(peak, direction));
          EXPECT_LT(nearest, 0.05);
        }
    }
  }
}

/// A grid of one voxel that is rotated and, if wanted, mirrored.
Grid obliqueGrid(bool leftHanded) {
  Grid grid;
  grid.size = {1, 1, 1};
  const double c = std::cos(0.4), s = std::sin(0.4), d = std::cos(0.3), t = std::sin(0.3);
  grid.worldFromVoxel.m = {
      {{2 * c, -2 * s * d, 3 * s * t}, {2 * s, 2 * c * d, -3 * c * t}, {0, 2 * t, 3 * d}}};
  if (leftHanded)
    for (auto& row : grid.worldFromVoxel.m) row[0] = -row[0];
  return grid;
}

TEST(Fibers, OfDipysHarmonicsAreTurnedFromTheFrameOfTheBVectorsIntoTheScanners) {
  // A lobe along a b-vector of FSL, in the image's axes, the first of which is reversed if the grid is
  // right-handed.
  const auto inFrame = normalized(Vec3<double>{0.5, -0.3, 0.7});
  for (const bool leftHanded : {false, true}) {
    SCOPED_TRACE(leftHanded);
    const Grid grid = obliqueGrid(leftHanded);
    ASSERT_EQ(grid.worldFromVoxel.determinant() < 0, leftHanded);
    const auto axis = [&](int j) { return normalized(grid.worldFromVoxel.column(j)); };
    const auto inScanner =
        ((leftHanded ? 1 : -1) * inFrame.x) * axis(0) + inFrame.y * axis(1) + inFrame.z * axis(2);
    for (const auto basis : {ShBasis::tournier07, ShBasis::descoteaux07, ShBasis::descoteaux07Legacy,
                             ShBasis::tournier07Legacy}) {
      const bool isDipys = basis == ShBasis::descoteaux07 || basis == ShBasis::descoteaux07Legacy;
      const Eigen::VectorXd lobe =
          shFromTensor(8, basis) * tensorFromSh(8) * shMatrix(8, std::span(&inFrame, 1)).row(0).transpose();
      auto sh = std::make_shared<Series<float>>(grid, 45);
      for (int j = 0; j < 45; ++j) sh->at(0, j) = float(lobe[j]);
      FiberInput input;
      input.sh = sh;
      for (const auto frame : {ShFrame::automatic, ShFrame::scanner, ShFrame::image}) {
        FiberOptions options;
        options.shBasis = basis, options.shFrame = frame;
        const bool turned = frame == ShFrame::image || (frame == ShFrame::automatic && isDipys);
        const auto maps = findFibers(input, options, {});
        const Vec3<double> found{maps.peaks.at(0, 0), maps.peaks.at(0, 1), maps.peaks.at(0, 2)};
        EXPECT_LT(degreesBetween(found, turned ? inScanner : inFrame), 0.02);
        EXPECT_THAT(maps.notes, ::testing::Contains(HasSubstr(turned ? "axes of the image, as dipy"
                                                                     : "scanner axes, as MRtrix")));
      }
    }
  }
}

TEST(Fibers, OfATensorImageAreThoseOfTheFitItCameFrom) {
  const auto maps = findFibers(inputOf(noisyPhantom()), {}, {});
  FiberInput input;
  input.tensor = std::make_shared<Series<float>>(maps.tensor);
  const auto again = findFibers(input, {}, {});
  EXPECT_EQ(again.model, FiberModel::tensor);
  EXPECT_EQ(again.order, maps.order);
  EXPECT_EQ(comparePeaks(maps.peaks, again.peaks).rows[0].maximum, 0);
}

TEST(Fibers, OfATruncatedHarmonicImageHaveTheLowerOrder) {
  Grid grid;
  grid.size = {1, 1, 1};
  auto sh = std::make_shared<Series<float>>(grid, 45, 0.01f);
  sh->values[std::size_t(shIndex(2, 0))] = 1;
  FiberInput input;
  input.sh = sh;
  EXPECT_EQ(findFibers(input, optionsFor(FiberModel::automatic, 4), {}).tensor.count, 15);
}

TEST(FiberMaps, MeasureResidualAndAnisotropy) {
  // The residual of the correct model is the noise, 1/SNR of the unweighted signal, minus the share that the
  // fit explains.
  const auto maps = findFibers(inputOf(noisyPhantom()), {}, {});
  double residual = 0;
  for (const float r : maps.residual.values) residual += r / 1024;
  EXPECT_NEAR(residual, 1 / 30.0, 0.01);
  // f = 1 + P2 has the mean square 1 + 1/5 and the variance 1/5.
  Grid grid;
  grid.size = {1, 1, 1};
  auto tensor = std::make_shared<Series<float>>(grid, 6);
  tensor->values = {0.5f, 0, 0, 0.5f, 0, 2};
  FiberInput input;
  input.tensor = tensor;
  EXPECT_NEAR(findFibers(input, {}, {}).anisotropy.values[0], std::sqrt(0.2 / 1.2), 1e-6);
}

TEST(Fibers, ReportTheirStagesAndStopWhenAsked) {
  std::mutex mutex;
  std::set<std::string> stages;
  double last = 0;
  const Progress listening({}, [&](double fraction, std::string_view stage) {
    const std::lock_guard lock(mutex);
    stages.insert(std::string(stage));
    last = std::max(last, fraction);
  });
  const auto maps = findFibers(inputOf(noisyPhantom()), {}, listening);
  EXPECT_THAT(stages, ::testing::IsSupersetOf({"Response", "Fit", "Peaks"}));
  EXPECT_NEAR(last, 1, 1e-9);
  ASSERT_EQ(maps.stages.size(), 3u);
  EXPECT_EQ(maps.stages[1].name, "Fit");

  for (const std::string_view at : {"Response", "Fit", "Peaks"}) {
    std::stop_source stop;
    std::atomic<bool> later = false;
    const Progress stopping(stop.get_token(), [&](double, std::string_view stage) {
      if (stage == at) stop.request_stop();
      if (stop.stop_requested() && stage != at) later = true;
    });
    EXPECT_THROW(findFibers(inputOf(noisyPhantom()), {}, stopping), Cancelled) << at;
    EXPECT_FALSE(later) << at;
  }
}

}  // namespace
}  // namespace sulcus::fibers
