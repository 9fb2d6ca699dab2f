#include "core/registration/similarity/similarity.h"

#include "core/base/parallel/parallel_for.h"
#include "core/registration/similarity/local_correlation.h"
#include "core/registration/similarity/mutual_information.h"
#include "tests/core/registration/deformation/level_inputs.h"

#include <gmock/gmock.h>

namespace sulcus::registration {
namespace {

/// A level of local correlation or mutual information, and the template resampled on the reference.
struct Case {
  LevelImages<double> images;
  std::vector<double> warped;
  RegistrationOptions options;
};

Case caseOf(Similarity similarity, const Vec3<int>& size, std::uint64_t seed, int window = 2) {
  test::Rng rng(seed);
  Case c{test::imagesOf<double>(size, {1, 1, 1}, rng), {}, {}};
  c.options.similarity = similarity, c.options.window = window;
  c.images.reference[0] = c.images.reference[1] = NAN;
  // Away from the ends of the bins' range, where the slope jumps.
  for (std::size_t i = 0; i < c.images.moving.size(); ++i)
    c.warped.push_back(c.images.reference[i] == c.images.reference[i] ? 0.5 + 0.8 * (c.images.moving[i] - 0.5)
                                                                      : 0);
  return c;
}

/// The energy as a sum over the voxels.
double energyOf(const Case& c, std::vector<double> warped) {
  const auto voxels = double(warped.size());
  return voxels * similarityMeasure(c.images, c.options, {})->replaceBySlope(warped, {});
}

std::vector<double> slopeOf(const Case& c) {
  std::vector<double> slope = c.warped;
  similarityMeasure(c.images, c.options, {})->replaceBySlope(slope, {});
  return slope;
}

/// The largest difference between the slope and finite differences of fourth order, over the largest slope.
double worstAgainstDifferences(const Case& c, double step) {
  const std::vector<double> slope = slopeOf(c);
  double worst = 0, largest = 0;
  for (std::size_t i = 0; i < slope.size(); ++i) {
    if (!(c.images.reference[i] == c.images.reference[i])) continue;
    const auto at = [&](double d) {
      std::vector<double> moved = c.warped;
      moved[i] += d;
      return energyOf(c, moved);
    };
    const double difference = (8 * (at(step) - at(-step)) - (at(2 * step) - at(-2 * step))) / (12 * step);
    worst = std::max(worst, std::abs(difference - slope[i]));
    largest = std::max(largest, std::abs(slope[i]));
  }
  return worst / largest;
}

TEST(LocalCorrelation, SlopeIsTheDerivativeOfTheEnergy) {
  for (const int window : {1, 2, 3, 4}) {
    SCOPED_TRACE(window);
    EXPECT_LE(worstAgainstDifferences(caseOf(Similarity::lcc, {7, 6, 5}, 1, window), 1e-3), 1e-6);
  }
  EXPECT_LE(worstAgainstDifferences(caseOf(Similarity::lcc, {9, 8, 1}, 2), 1e-3), 1e-6);
}

TEST(MutualInformation, SlopeIsTheDerivativeOfTheEnergy) {
  // The third derivative of the B-spline jumps between bins, and the counts are rounded to 2⁻⁴⁰.
  EXPECT_LE(worstAgainstDifferences(caseOf(Similarity::mi, {9, 8, 7}, 3), 1e-4), 1e-6);
}

/// Two images partly deformed towards the middle, as both halves of a symmetric level compare them.
struct Pair {
  LevelImages<double> images;  ///< at the start of the level
  RegistrationOptions options;

  struct Compared {
    double energy;  ///< Σ over the voxels
    std::vector<double> slopeOfTemplate, slopeOfReference;
  };
  /// The larger difference between the vectors; one is 0 where voxels are not compared.
  Compared compare(const std::vector<double>& a, const std::vector<double>& b) const {
    Compared result{0, a, b};
    for (const bool forth : {true, false}) {
      LevelImages<double> half = images;
      if (!forth) {
        std::swap(half.moving, half.reference);
        for (std::size_t i = 0; i < a.size(); ++i)
          if (!(images.reference[i] == images.reference[i])) half.moving[i] = 0, half.reference[i] = NAN;
      }
      const auto measure = similarityMeasure(half, options, {});
      for (std::size_t i = 0; i < a.size(); ++i)
        if (half.reference[i] == half.reference[i]) half.reference[i] = forth ? b[i] : a[i];
      measure->takeReference(half, {});
      auto& slope = forth ? result.slopeOfTemplate : result.slopeOfReference;
      result.energy += double(a.size()) * measure->replaceBySlope(slope, {}) / 2;
    }
    return result;
  }
};

TEST(SymmetricSimilarity, SlopesAreTheDerivativesByEitherImage) {
  for (const Similarity similarity : {Similarity::l2, Similarity::lcc, Similarity::mi}) {
    SCOPED_TRACE(int(similarity));
    const Case c = caseOf(similarity, {7, 6, 5}, 12);
    Pair pair{c.images, c.options};
    pair.options.symmetric = true;
    const std::vector<double>& a = c.warped;
    std::vector<double> b = c.images.reference;
    const auto isCompared = [&](std::size_t i) { return b[i] == b[i]; };
    for (double& value : b) value = 0.5 + 0.8 * (value - 0.5);
    std::vector<double> reference = b;
    for (double& value : reference)
      if (!(value == value)) value = 0;
    const Pair::Compared there = pair.compare(a, reference);
    for (const bool ofTemplate : {true, false}) {
      double worst = 0, largest = 0;
      for (std::size_t i = 0; i < a.size(); ++i) {
        if (!isCompared(i)) continue;
        const auto at = [&](double d) {
          std::vector<double> movedA = a, movedB = reference;
          (ofTemplate ? movedA : movedB)[i] += d;
          return pair.compare(movedA, movedB).energy;
        };
        constexpr double kStep = 2e-5;  // the third derivative of splines jumps between bins
        const double difference =
            (8 * (at(kStep) - at(-kStep)) - (at(2 * kStep) - at(-2 * kStep))) / (12 * kStep);
        const double slope = (ofTemplate ? there.slopeOfTemplate : there.slopeOfReference)[i];
        worst = std::max(worst, std::abs(difference - slope)), largest = std::max(largest, std::abs(slope));
      }
      EXPECT_LE(worst, 1e-6 * largest) << (ofTemplate ? "template" : "reference");
      EXPECT_GT(largest, 0);
    }
  }
}

TEST(SymmetricInformation, FallsWhereOneImageTellsTheOther) {
  Case c = caseOf(Similarity::mi, {12, 12, 12}, 7);
  c.options.symmetric = true;
  std::vector<double> unlike = c.warped, told = c.images.reference;
  for (double& value : told) value = value == value ? 1 - value : 0;
  EXPECT_LT(energyOf(c, told), energyOf(c, unlike));
  EXPECT_GT(energyOf(c, told), 0);
}

TEST(LocalCorrelation, EnergyIsThatOfTheFormula) {
  const Case c = caseOf(Similarity::lcc, {6, 7, 5}, 4);
  const Vec3<int> n = c.images.size;
  const auto at = [&](int x, int y, int z) { return std::size_t(x + n.x * (y + n.y * z)); };
  double expected = 0;
  for (int z = 0; z < n.z; ++z)
    for (int y = 0; y < n.y; ++y)
      for (int x = 0; x < n.x; ++x) {
        std::vector<std::pair<double, double>> window;
        for (int k = std::max(0, z - 2); k <= std::min(n.z - 1, z + 2); ++k)
          for (int j = std::max(0, y - 2); j <= std::min(n.y - 1, y + 2); ++j)
            for (int i = std::max(0, x - 2); i <= std::min(n.x - 1, x + 2); ++i)
              if (const double f = c.images.reference[at(i, j, k)]; f == f)
                window.emplace_back(f, c.warped[at(i, j, k)]);
        double f = 0, w = 0, ff = 0, ww = 0, fw = 0;
        for (const auto& [a, b] : window) f += a / double(window.size()), w += b / double(window.size());
        for (const auto& [a, b] : window) {
          ff += (a - f) * (a - f) / double(window.size());
          ww += (b - w) * (b - w) / double(window.size());
          fw += (a - f) * (b - w) / double(window.size());
        }
        const double v = (ff + ww) / 2, g = v / (v + 1e-3), a = fw + 1e-5, b = ff + 1e-5, c2 = ww + 1e-5;
        expected += kCorrelationWeight * g * g * (1 - a * a / (b * c2));
      }
  EXPECT_NEAR(energyOf(c, c.warped), expected, 1e-10 * expected);
}

TEST(LocalCorrelation, DoesNotSeeGainOffsetOrSignOfContrast) {
  Case c = caseOf(Similarity::lcc, {8, 8, 8}, 5);
  for (double& f : c.images.reference) f *= 30;  // the constant added to the variances becomes negligible
  std::vector<double> other = c.warped;
  for (double& w : c.warped) w *= 30;
  for (std::size_t i = 0; i < other.size(); ++i)
    other[i] = c.images.reference[i] == c.images.reference[i] ? 7 - 50 * other[i] : 0;
  const double energy = energyOf(c, c.warped);
  EXPECT_NEAR(energyOf(c, other), energy, 1e-4 * energy);
}

TEST(LocalCorrelation, IsLeastWhereBothImagesAreTheSame) {
  Case c = caseOf(Similarity::lcc, {8, 8, 8}, 6);
  std::vector<double> same = c.images.reference;
  for (double& w : same)
    if (!(w == w)) w = 0;
  EXPECT_LT(energyOf(c, same), 1e-12 * energyOf(c, c.warped));
}

TEST(LocalCorrelation, DrawsEqualImagesNowhere) {
  Case c = caseOf(Similarity::lcc, {8, 8, 8}, 6);
  for (std::size_t i = 0; i < c.images.reference.size(); ++i)  // from windows of noise to windows of tissue
    c.images.reference[i] *= std::pow(10.0, -3 * double(i) / double(c.images.reference.size()));
  const auto measure = similarityMeasure(c.images, c.options, {});
  std::vector<double> same = c.images.reference, other = c.warped;
  for (double& w : same)
    if (!(w == w)) w = 0;
  (void)measure->replaceBySlope(same, {});
  (void)measure->replaceBySlope(other, {});
  const auto largest = [](const std::vector<double>& slope) {
    return std::abs(*std::ranges::max_element(slope, {}, [](double s) { return std::abs(s); }));
  };
  EXPECT_LT(largest(same), 1e-9 * largest(other));
}

TEST(MutualInformation, FallsWhereOneImageTellsTheOther) {
  Case c = caseOf(Similarity::mi, {12, 12, 12}, 7);
  std::vector<double> told(c.warped.size());
  for (std::size_t i = 0; i < told.size(); ++i) {
    const double f = c.images.reference[i];
    told[i] = f == f ? 0.3 + 0.6 * std::abs(f - 0.5) : 0;  // not a monotone curve
  }
  c.images.moving = told;
  Case unlike = caseOf(Similarity::mi, {12, 12, 12}, 7);
  EXPECT_LT(energyOf(c, told), 0.8 * energyOf(unlike, unlike.warped));
}

TEST(MutualInformation, DoesNotDrawEqualImagesApart) {
  // Twice as many voxels are dark as bright: bright ones are rare and more informative, and would grow.
  Case c = caseOf(Similarity::mi, {14, 13, 12}, 7);
  for (double& f : c.images.reference) f = f == f ? 0.1 + 0.8 * f * f : f;
  c.images.moving = c.images.reference;
  for (double& value : c.images.moving)
    if (!(value == value)) value = 0;
  c.warped = c.images.moving;
  const auto drift = [&] {  // of the energy when bright voxels become brighter and dark ones stay
    const std::vector<double> slope = slopeOf(c);
    double sum = 0;
    for (std::size_t i = 0; i < slope.size(); ++i) sum += slope[i] * c.warped[i];
    return std::abs(sum);
  };
  const double balanced = drift();
  c.options.symmetric = true;  // where both halves have it, and it cancels
  EXPECT_LT(balanced, 0.1 * drift());
}

TEST(MutualInformation, WeightsOfAValueSumToOne) {
  for (float t = 0; t <= 1; t += 1.f / 64) {
    const BinWeights<float> w = binWeights(t);
    EXPECT_EQ(w.n[0] + w.n[1] + w.n[2] + w.n[3], 1 << 20);
    for (const auto n : w.n) EXPECT_GE(n, 0);
  }
}

TEST(MutualInformation, CountsValuesBeyondTheRangeInItsLastBins) {
  const BinRange<float> range{0, 29};
  EXPECT_EQ(binPlace(range, -1.f).first, 0);
  EXPECT_EQ(binPlace(range, 9.f).first, kBins - 4);
  EXPECT_EQ(binPlace(range, 1.f).first, kBins - 4);
  EXPECT_EQ(binPlace(range, NAN).first, 0);
  EXPECT_FALSE(binPlace(range, 9.f).inside);
}

class Similarities : public testing::TestWithParam<Similarity> {};

TEST_P(Similarities, AreTheSameForAnyNumberOfThreads) {
  const Case c = caseOf(GetParam(), {20, 18, 33}, 8);
  std::vector<double> one, many;
  withThreads(1, [&] { one = slopeOf(c); });
  withThreads(4, [&] { many = slopeOf(c); });
  EXPECT_EQ(one, many);
}

TEST_P(Similarities, DoNotSeeVoxelsThatAreNotCompared) {
  Case c = caseOf(GetParam(), {9, 9, 9}, 9);
  const std::vector<double> slope = slopeOf(c);
  for (std::size_t i = 0; i < slope.size(); ++i)
    if (!(c.images.reference[i] == c.images.reference[i])) c.images.moving[i] = -1000;
  EXPECT_EQ(slopeOf(c), slope);
}

INSTANTIATE_TEST_SUITE_P(Both, Similarities, testing::Values(Similarity::lcc, Similarity::mi));

}  // namespace
}  // namespace sulcus::registration
