#include "core/fibers/peaks/find_peaks.h"

#include "core/base/error.h"
#include "core/base/parallel/parallel_for.h"
#include "core/fibers/peaks/find_peaks_lanes.h"
#include "core/fibers/peaks/general_tensor.h"
#include "core/fibers/peaks/starts.h"
#include "tests/core/fibers/peaks/form_oracle.h"
#include "tests/support/same_bits.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include <gtest/gtest.h>

namespace sulcus::fibers {
namespace {

using test::sameBits;

PeakMaps peaksOf(const Series<float>& tensor, const FiberOptions& options) {
  return findPeaks(tensor, Mask(tensor.grid, 1), options, {});
}

Vec3<double> peak(const PeakMaps& maps, std::int64_t voxel, int p) {
  return {maps.peaks.at(voxel, 3 * p), maps.peaks.at(voxel, 3 * p + 1), maps.peaks.at(voxel, 3 * p + 2)};
}

bool sameMaps(const PeakMaps& a, const PeakMaps& b) {
  return sameBits(a.peaks.values, b.peaks.values) && sameBits(a.amplitude.values, b.amplitude.values) &&
         sameBits(a.count.values, b.count.values) && sameBits(a.iterations.values, b.iterations.values) &&
         a.degenerate == b.degenerate && a.totalIterations == b.totalIterations;
}

/// Options that keep all peaks.
FiberOptions allPeaks() {
  FiberOptions options;
  options.relativeThreshold = 0;
  options.maxPeaks = 8;
  return options;
}

template <int Order>
std::vector<test::Entries<Order>> fiberLikeForms(int count) {
  test::Rng rng(11);
  std::vector<test::Entries<Order>> forms;
  for (int v = 0; v < count; ++v) forms.push_back(test::fiberLikeForm<Order>(rng));
  return forms;
}

/// Forms and their critical points, computed once for each order.
template <int Order>
struct Truth {
  std::vector<test::Entries<Order>> forms;
  std::vector<std::vector<test::CriticalPoint>> maxima;  ///< largest first
  int incomplete = 0;  ///< voxels whose critical points break Euler's formula

  explicit Truth(int count) : forms(fiberLikeForms<Order>(count)) {
    for (const auto& form : forms) {
      auto points = test::criticalPoints<Order>(form, Order <= 8 ? 800 : 2400);
      incomplete += test::eulerCharacteristic(points) != 1;
      std::erase_if(points, [](const auto& p) { return p.kind != test::Critical::maximum; });
      std::sort(points.begin(), points.end(), [](const auto& a, const auto& b) { return a.value > b.value; });
      maxima.push_back(points);
    }
  }
  static const Truth& get() {
    static const Truth truth(test::cases(Order <= 8 ? 400 : 100));
    return truth;
  }
};

/// The number of voxels in which a maximum is not found to 0.05° and a thousandth of its value. Only maxima
/// that are above 0, among the eight largest and not flat count.
template <int Order>
int voxelsWithMisses(const Truth<Order>& truth, const PeakMaps& maps) {
  int voxels = 0;
  for (std::size_t v = 0; v < truth.forms.size(); ++v) {
    const double norm = tensorNorm<Order>(truth.forms[v].data());
    bool missed = false;
    for (std::size_t i = 0; i < std::min<std::size_t>(8, truth.maxima[v].size()); ++i) {
      const auto& truePeak = truth.maxima[v][i];
      if (truePeak.value < 1e-3 * norm || truePeak.flatness < 3e-3 * norm) continue;
      bool found = false;
      for (int p = 0; p < int(maps.count.values[v]); ++p) {
        const auto x = peak(maps, std::int64_t(v), p);
        found = found || (test::degreesBetween(x, truePeak.x) < 0.05 &&
                          std::abs(sulcus::norm(x) - truePeak.value) < 1e-3 * truePeak.value);
      }
      missed = missed || !found;
    }
    voxels += missed;
  }
  return voxels;
}

template <int Order>
int peaksThatAreNone(const Truth<Order>& truth, const PeakMaps& maps) {
  int wrong = 0;
  for (std::size_t v = 0; v < truth.forms.size(); ++v)
    for (int p = 0; p < int(maps.count.values[v]); ++p)
      wrong += std::none_of(truth.maxima[v].begin(), truth.maxima[v].end(), [&](const auto& m) {
        return test::degreesBetween(peak(maps, std::int64_t(v), p), m.x) < 0.05;
      });
  return wrong;
}

template <class Order>
class PeaksOfOrder : public ::testing::Test {};
using Orders = ::testing::Types<std::integral_constant<int, 2>, std::integral_constant<int, 4>,
                                std::integral_constant<int, 6>, std::integral_constant<int, 8>,
                                std::integral_constant<int, 10>, std::integral_constant<int, 12>>;
TYPED_TEST_SUITE(PeaksOfOrder, Orders);

TYPED_TEST(PeaksOfOrder, TruthIsComplete) { EXPECT_EQ(Truth<TypeParam::value>::get().incomplete, 0); }

TYPED_TEST(PeaksOfOrder, AreAllFoundWithEveryShift) {
  const auto& truth = Truth<TypeParam::value>::get();
  const auto tensor = test::tensorImage<TypeParam::value>(truth.forms);
  for (const auto shift : {ShiftRule::adaptive, ShiftRule::safe, ShiftRule::fixed}) {
    FiberOptions options = allPeaks();
    options.shift = shift;
    options.alpha = 6;
    options.maxIterations = shift == ShiftRule::adaptive ? 500 : 10000;
    const auto maps = peaksOf(tensor, options);
    EXPECT_LE(voxelsWithMisses(truth, maps), 1) << "shift " << int(shift);
    EXPECT_EQ(peaksThatAreNone(truth, maps), 0) << "shift " << int(shift);
  }
}

TYPED_TEST(PeaksOfOrder, AreTheEigenvectorsOfTheGeneralTensor) {
  constexpr int order = TypeParam::value;
  const auto forms = fiberLikeForms<order>(test::cases(4));
  FiberOptions options = allPeaks();
  options.relativeThreshold = 0.1;
  const auto maps = peaksOf(test::tensorImage<order>(forms), options);
  for (int v = 0; v < int(forms.size()); ++v) {
    EigenpairOptions reference;
    reference.starts = 64;
    const auto& form = forms[std::size_t(v)];
    auto pairs = findEigenpairs(tensorOf(order, 3, form), reference);
    std::erase_if(pairs, [](const Eigenpair& pair) { return pair.kind != EigenpairKind::maximum; });
    const int found = int(maps.count.values[std::size_t(v)]);
    ASSERT_GE(found, 1);
    ASSERT_LE(found, int(pairs.size()));
    for (int p = 0; p < found; ++p) {
      const auto& x = pairs[std::size_t(p)].x;
      EXPECT_LT(test::degreesBetween(peak(maps, v, p), {x[0], x[1], x[2]}), 0.01) << v << ", " << p;
      EXPECT_NEAR(norm(peak(maps, v, p)), pairs[std::size_t(p)].value, 1e-5);
    }
  }
}

TYPED_TEST(PeaksOfOrder, OfOneLobeAreItsAxis) {
  for (const Vec3<double> d : {Vec3<double>{0, 0, 1}, Vec3<double>{1, 0, 0}, Vec3<double>{0, -1, 0},
                               normalized(Vec3<double>{1, -2, -0.5})}) {
    test::Entries<TypeParam::value> form{};
    test::addLobe<TypeParam::value>(form, 0.7, d);
    const auto maps = peaksOf(test::tensorImage<TypeParam::value>({form}), {});
    ASSERT_EQ(maps.count.values[0], 1);
    EXPECT_LT(test::degreesBetween(peak(maps, 0, 0), d), 1e-3);
    constexpr double rounding = TypeParam::value <= 8 ? 1e-6 : 2e-6;  // for products of this many coordinates
    EXPECT_NEAR(norm(peak(maps, 0, 0)), 0.7, rounding);
    EXPECT_NEAR(maps.amplitude.values[0], 0.7, rounding);
    EXPECT_GE(maps.peaks.at(0, 2), 0);
    EXPECT_TRUE(std::isnan(maps.peaks.at(0, 3)));
  }
}

TYPED_TEST(PeaksOfOrder, TurnWithTheForm) {
  constexpr int order = TypeParam::value;
  test::forEachSeed(50, [](test::Rng& rng) {
    const auto e1 = test::randomDirection(rng);
    const auto e2 = normalized(cross(e1, test::randomDirection(rng)));
    const auto e3 = cross(e1, e2);
    test::Entries<order> form{}, turned{};
    const auto turn = [&](const Vec3<double>& x) { return x.x * e1 + x.y * e2 + x.z * e3; };
    for (int lobe = 0; lobe < 8; ++lobe) {
      const auto d = test::randomDirection(rng);
      const double weight = lobe < 3 ? rng.uniform(0.4, 1) : rng.uniform(-0.05, 0.05);
      test::addLobe<order>(form, weight, d);
      test::addLobe<order>(turned, weight, turn(d));
    }
    FiberOptions options;
    options.relativeThreshold = 0.1;
    const auto maps = peaksOf(test::tensorImage<order>({form, turned}), options);
    ASSERT_EQ(maps.count.values[0], maps.count.values[1]);
    ASSERT_GE(maps.count.values[0], 1);
    for (int p = 0; p < int(maps.count.values[0]); ++p) {
      const auto x = turn(peak(maps, 0, p));
      double nearest = 90;
      for (int q = 0; q < int(maps.count.values[1]); ++q)
        nearest = std::min(nearest, test::degreesBetween(x, peak(maps, 1, q)));
      EXPECT_LT(nearest, 0.01);
    }
  });
}

TYPED_TEST(PeaksOfOrder, OfIsotropicFormsAndRingsAreNone) {
  constexpr int order = TypeParam::value, many = 2000;
  test::Entries<order> sphere{}, ring{}, zero{};
  for (int i = 0; i < many; ++i) {
    const double z = (i + 0.5) / many, r = std::sqrt(1 - z * z), phi = 2.399963229728653 * i;
    test::addLobe<order>(sphere, 1.0 / many, {r * std::cos(phi), r * std::sin(phi), z});
    const double t = std::numbers::pi * i / many;
    test::addLobe<order>(ring, 1.0 / many, {std::cos(t), std::sin(t), 0.0});
  }
  const auto maps = peaksOf(test::tensorImage<order>({sphere, ring, zero}), {});
  EXPECT_EQ(maps.degenerate, 3);
  EXPECT_EQ(maps.voxels, 3);
  for (int v = 0; v < 3; ++v) {
    EXPECT_EQ(maps.count.values[v], 0);
    EXPECT_EQ(maps.amplitude.values[v], 0);
    EXPECT_TRUE(std::isnan(maps.peaks.at(v, 0)));
  }
}

TYPED_TEST(PeaksOfOrder, ScaleWithTheForm) {
  constexpr int order = TypeParam::value;
  test::Rng rng(2);
  const auto form = test::fiberLikeForm<order>(rng);
  const auto one = peaksOf(test::tensorImage<order>({form}), {});
  for (const int exponent : {-80, -20, 1, 60}) {
    auto scaled = form;
    for (double& entry : scaled) entry = std::ldexp(double(float(entry)), exponent);
    const auto maps = peaksOf(test::tensorImage<order>({scaled}), {});
    ASSERT_EQ(maps.count.values[0], one.count.values[0]);
    for (int i = 0; i < 3 * int(maps.count.values[0]); ++i)
      EXPECT_EQ(maps.peaks.at(0, i), std::ldexp(one.peaks.at(0, i), exponent));
  }
}

TYPED_TEST(PeaksOfOrder, AreTheSameOnVectorsOfEitherLength) {
  if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512dq"))
    GTEST_SKIP() << "needs AVX-512";
  constexpr int order = TypeParam::value;
  test::Rng rng(4);
  const auto starts = startingDirections({});
  for (int v = 0; v < 50; ++v) {
    const auto form = test::fiberLikeForm<order>(rng);
    float entries[tensorEntries(order)];
    std::copy(form.begin(), form.end(), entries);
    const auto rules = searchRules<order>({}, entries);
    std::vector<SearchEnd> a(starts.size()), b(starts.size());
    searchOn8Lanes(order)(entries, rules, starts.data(), int(starts.size()), a.data());
    searchOn16Lanes(order)(entries, rules, starts.data(), int(starts.size()), b.data());
    Peak peaksA[8], peaksB[8];
    const int count = selectPeaks(a.data(), int(a.size()), {}, 0, peaksA);
    ASSERT_EQ(count, selectPeaks(b.data(), int(b.size()), {}, 0, peaksB));
    for (int p = 0; p < count; ++p) {
      EXPECT_LT(norm(peaksA[p].x - peaksB[p].x), 1e-5);
      EXPECT_NEAR(peaksA[p].value, peaksB[p].value, 1e-5);
    }
  }
}

TEST(Peaks, BelowTheAmplitudeCutAreDropped) {
  test::Entries<8> form{};
  test::addLobe<8>(form, 1, {1, 0, 0});
  test::addLobe<8>(form, 0.5, {0, 1, 0});
  const auto tensor = test::tensorImage<8>({form, form});
  Volume<float> residual(tensor.grid);
  residual.values = {0.07f, 0.2f};
  const auto counts = [&](const AmplitudeCut& cut) {
    const auto maps = findPeaks(tensor, Mask(tensor.grid, 1), allPeaks(), {}, {cut, &residual});
    EXPECT_EQ(maps.degenerate, 0);
    for (int v = 0; v < 2; ++v) EXPECT_EQ(maps.amplitude.values[v] > 0, maps.count.values[v] > 0);
    return maps.count.values;
  };
  EXPECT_EQ(counts({}), (std::vector<float>{2, 2}));
  EXPECT_EQ(counts({0.7f, 0}), (std::vector<float>{1, 1}));
  EXPECT_EQ(counts({0, 6}), (std::vector<float>{2, 0}));  // below 0.42, below 1.2
  EXPECT_EQ(counts({2, 6}), (std::vector<float>{0, 0}));
}

TEST(Peaks, AreTheSameOnOneAndManyThreads) {
  const auto tensor = test::tensorImage<8>(fiberLikeForms<8>(400));
  PeakMaps one, many;
  withThreads(1, [&] { one = peaksOf(tensor, allPeaks()); });
  withThreads(2, [&] { many = peaksOf(tensor, allPeaks()); });
  EXPECT_TRUE(sameMaps(one, many));
}

TEST(Peaks, OfEveryExtentAreThoseOfTheVoxelsAlone) {
  test::Rng rng(6);
  std::vector<test::Entries<4>> forms;
  for (int v = 0; v < 257; ++v) forms.push_back(test::fiberLikeForm<4>(rng));
  const auto all = peaksOf(test::tensorImage<4>(forms), {});
  for (const int extent : {0, 1, 31, 33, 257}) {
    const auto maps = peaksOf(test::tensorImage<4>({forms.begin(), forms.begin() + extent}), {});
    EXPECT_EQ(maps.voxels, extent);
    ASSERT_EQ(int(maps.count.values.size()), extent);
    for (int v = 0; v < extent; ++v)
      for (int i = 0; i < 9; ++i) {
        const float a = maps.peaks.at(v, i), b = all.peaks.at(v, i);
        EXPECT_TRUE(a == b || (std::isnan(a) && std::isnan(b)));
      }
  }
}

TEST(Peaks, OfVoxelsThatAreNotFiniteAreSkippedAndCounted) {
  test::Rng rng(6);
  const auto form = test::fiberLikeForm<4>(rng);
  auto tensor = test::tensorImage<4>({form, form, form, form});
  tensor.at(1, 7) = NAN;
  tensor.at(2, 14) = INFINITY;
  const auto maps = peaksOf(tensor, {});
  EXPECT_EQ(maps.notFinite, 2);
  EXPECT_EQ(maps.voxels, 2);
  for (const int v : {1, 2}) {
    EXPECT_TRUE(std::isnan(maps.peaks.at(v, 0)));
    EXPECT_EQ(maps.count.values[v], 0);
    EXPECT_EQ(maps.iterations.values[v], 0);
  }
  EXPECT_GE(maps.count.values[0], 1);
  EXPECT_EQ(maps.peaks.at(0, 0), maps.peaks.at(3, 0));
}

TEST(Peaks, OutsideTheMaskAreNotLookedFor) {
  test::Rng rng(6);
  const auto form = test::fiberLikeForm<4>(rng);
  const auto tensor = test::tensorImage<4>({form, form});
  Mask mask(tensor.grid, 1);
  mask.values[0] = 0;
  const auto maps = findPeaks(tensor, mask, {}, {});
  EXPECT_EQ(maps.voxels, 1);
  EXPECT_TRUE(std::isnan(maps.peaks.at(0, 0)));
  EXPECT_EQ(maps.count.values[0], 0);
  EXPECT_GE(maps.count.values[1], 1);
}

TEST(Peaks, AreSortedLimitedAndAboveTheThreshold) {
  test::Entries<8> form{};
  test::addLobe<8>(form, 0.3, {0, 0, 1});
  test::addLobe<8>(form, 1.0, {1, 0, 0});
  test::addLobe<8>(form, 0.6, {0, 1, 0});
  const auto tensor = test::tensorImage<8>({form});
  const auto amplitudes = [&](double threshold, int most) {
    FiberOptions options;
    options.relativeThreshold = threshold;
    options.maxPeaks = most;
    const auto maps = peaksOf(tensor, options);
    std::vector<double> found;
    for (int p = 0; p < int(maps.count.values[0]); ++p) found.push_back(norm(peak(maps, 0, p)));
    return found;
  };
  const auto all = amplitudes(0.25, 3);
  ASSERT_EQ(all.size(), 3u);
  EXPECT_NEAR(all[0], 1.0, 1e-5);
  EXPECT_NEAR(all[1], 0.6, 1e-5);
  EXPECT_NEAR(all[2], 0.3, 1e-5);
  EXPECT_EQ(amplitudes(0.35, 3).size(), 2u);
  EXPECT_EQ(amplitudes(0.7, 3).size(), 1u);
  EXPECT_EQ(amplitudes(0.25, 2).size(), 2u);
}

TEST(Peaks, AboveAFloorAreMeasuredFromIt) {
  // The form is 1 plus cos⁸ lobes of 1 and 0.3: the smaller maximum is 1.3 of 2, but only 0.3 of the range.
  test::Entries<8> form{};
  for (int i = 0; i < 4000; ++i) {
    const double z = (i + 0.5) / 4000, r = std::sqrt(1 - z * z), phi = 2.399963229728653 * i;
    test::addLobe<8>(form, 9.0 / 4000, {r * std::cos(phi), r * std::sin(phi), z});
  }
  test::addLobe<8>(form, 1.0, {1, 0, 0});
  test::addLobe<8>(form, 0.3, {0, 1, 0});
  FiberOptions options;
  options.relativeThreshold = 0.25;
  EXPECT_EQ(peaksOf(test::tensorImage<8>({form}), options).count.values[0], 2);
  options.relativeThreshold = 0.4;
  EXPECT_EQ(peaksOf(test::tensorImage<8>({form}), options).count.values[0], 1);
}

TEST(Peaks, CloserThanTheMergeAngleAreOne) {
  test::Entries<8> form{};
  test::addLobe<8>(form, 1.0, {1, 0, 0});
  test::addLobe<8>(form, 0.9, normalized(Vec3<double>{1, 1.2, 0}));
  FiberOptions options;
  options.mergeAngle = 10;
  const auto apart = peaksOf(test::tensorImage<8>({form}), options);
  ASSERT_EQ(apart.count.values[0], 2);
  ASSERT_LT(test::degreesBetween(peak(apart, 0, 0), peak(apart, 0, 1)), 45);
  options.mergeAngle = 45;
  const auto merged = peaksOf(test::tensorImage<8>({form}), options);
  ASSERT_EQ(merged.count.values[0], 1);
  EXPECT_EQ(merged.amplitude.values[0], apart.amplitude.values[0]);
}

TEST(Peaks, FromManyRandomStartsAreThoseFromTheEvenOnes) {
  const auto& truth = Truth<6>::get();
  FiberOptions options = allPeaks();
  options.startSet = StartSet::random;
  options.starts = 128;
  EXPECT_LE(voxelsWithMisses(truth, peaksOf(test::tensorImage<6>(truth.forms), options)), 1);
}

TEST(Peaks, TakeFewIterations) {
  const auto tensor = test::tensorImage<8>(fiberLikeForms<8>(400));
  const auto maps = peaksOf(tensor, {});
  const double starts = 64.0 * double(maps.voxels);
  EXPECT_LT(double(maps.totalIterations) / starts, 10);
  EXPECT_LT(double(maps.notConverged) / starts, 0.001);
}

TEST(Peaks, OfAnotherNumberOfVolumesAreRefused) {
  Grid grid;
  grid.size = {1, 1, 1};
  EXPECT_THROW(findPeaks(Series<float>(grid, 7), Mask(grid, 1), {}, {}), Error);
  EXPECT_EQ(orderOfEntries(28), 6);
}

TEST(Peaks, StopWhenAsked) {
  const auto tensor = test::tensorImage<8>(fiberLikeForms<8>(400));
  std::stop_source stop;
  const Progress progress(stop.get_token(), [&](double, std::string_view) { stop.request_stop(); });
  EXPECT_THROW(findPeaks(tensor, Mask(tensor.grid, 1), {}, progress), Cancelled);
}

TEST(Peaks, LookWhetherTheyShouldStopAfterFewEvaluationsWhateverTheOptions) {
  for (const int starts : {1, 64, 1024})
    for (const int iterations : {1, 200, 10000}) {
      FiberOptions options;
      options.starts = starts, options.maxIterations = iterations;
      const SearchBatch share = searchBatch(options);
      constexpr double most = 1 << 18;
      EXPECT_LE(double(std::min(share.starts, starts)) * iterations, most);
      EXPECT_GE(share.voxels, 1);
      if (share.voxels > 1) {
        EXPECT_LE(double(share.voxels) * starts * std::min(10, iterations), most);
      }
    }
}

TEST(Peaks, DoNotDependOnHowManyStartsAreSearchedTogether) {
  const auto tensor =
      test::tensorImage<8>({Truth<8>::get().forms.begin(), Truth<8>::get().forms.begin() + 9});
  FiberOptions few, many;
  many.maxIterations = 10000;
  few.starts = many.starts = 100;
  ASSERT_LT(searchBatch(many).starts, few.starts);
  ASSERT_GE(searchBatch(few).starts, few.starts);
  EXPECT_TRUE(sameBits(peaksOf(tensor, few).peaks.values, peaksOf(tensor, many).peaks.values));
}

TEST(SmallestPeak, IsNeverAboveTheLargest) {
  test::forEachSeed(1000, [](test::Rng& rng) {
    const float largest = float(rng.uniform(0.1, 1)), least = float(rng.uniform(0, 0.1));
    EXPECT_LE(smallestPeak(least, largest, 1), largest);
  });
}

}  // namespace
}  // namespace sulcus::fibers
