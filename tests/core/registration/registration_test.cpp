#include "core/registration/registration.h"

#include "core/base/error.h"
#include "core/base/parallel/parallel_for.h"
#include "core/phantom/registration_phantom.h"
#include "core/registration/deformation/vector_field.h"
#include "core/registration/preparation/resample.h"
#include "tests/support/same_bits.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

#include <gmock/gmock.h>

namespace sulcus::registration {
namespace {

using test::sameBits;

RegistrationInput inputOf(const phantom::RegistrationPhantom& phantom, bool swapped = false) {
  RegistrationInput input;
  input.templateImage = swapped ? phantom.reference : phantom.templateImage;
  input.reference = swapped ? phantom.templateImage : phantom.reference;
  return input;
}

phantom::RegistrationPhantom brain(int size, double displacement, double noise, int seed = 1) {
  phantom::RegistrationPhantomOptions options;
  options.size = size, options.displacement = displacement, options.noise = noise;
  options.seed = seed;
  return phantom::makeRegistrationPhantom(options);
}

/// Squared differences, with the weights of the paper.
RegistrationOptions squaredDifferences() {
  RegistrationOptions options;
  options.similarity = Similarity::l2, options.lambda = 0.02, options.membrane = 0;
  return options;
}

/// A phantom of one deformed head, as between two scans of a participant.
RegistrationOptions withinSubject() {
  RegistrationOptions options = squaredDifferences();
  options.lambda = 5e-4;
  return options;
}

const phantom::RegistrationPhantom& warpedBrain() {
  static const phantom::RegistrationPhantom phantom = brain(64, 4, 2);
  return phantom;
}
const RegistrationResult& warpedBrainResult() {
  static const RegistrationResult result = registerImages(inputOf(warpedBrain()), withinSubject(), {});
  return result;
}

Vec3<double> at(const Series<float>& field, std::int64_t i) {
  return {field.at(i, 0), field.at(i, 1), field.at(i, 2)};
}

/// Expects what holds for every result.
void expectSound(const RegistrationResult& result) {
  for (std::size_t i = 1; i < result.iterations.size(); ++i)
    if (result.iterations[i].level == result.iterations[i - 1].level) {
      EXPECT_LT(result.iterations[i].energy, result.iterations[i - 1].energy);
    }
  for (const auto& i : result.iterations) EXPECT_GT(i.smallestJ, 0);
  EXPECT_GT(result.smallestJ, 0);
  for (const float l : result.logJacobian.values) ASSERT_TRUE(std::isfinite(l));
  for (const float d : result.displacement.values) ASSERT_TRUE(std::isfinite(d));
  for (const float d : result.inverse.values) ASSERT_TRUE(std::isfinite(d));
  for (const float v : result.warped.values) ASSERT_TRUE(std::isfinite(v));
  EXPECT_LE(result.largestInverseResidual, 0.05);
}

TEST(Registration, SaysOnceThatASmallImageHasFewerLevels) {
  const auto input = inputOf(brain(32, 2, 2));
  for (const bool symmetric : {false, true}) {
    RegistrationOptions options = squaredDifferences();
    options.symmetric = symmetric, options.levels = 5, options.iterations = "0";
    const auto notes = registerImages(input, options, {}).notes;
    EXPECT_EQ(std::count(notes.begin(), notes.end(), "3 levels instead of 5: the image is small."), 1)
        << testing::PrintToString(notes);
  }
}

TEST(Registration, ResultsLieInTheSpaceOfTheImageTheyLieOn) {
  auto input = inputOf(brain(32, 2, 2));
  auto onto = std::make_shared<Series<float>>(*input.reference);
  auto from = std::make_shared<Series<float>>(*input.templateImage);
  onto->grid.space = Space::mni, from->grid.space = Space::aligned;
  input.reference = onto, input.templateImage = from;
  for (const bool symmetric : {false, true}) {
    RegistrationOptions options = squaredDifferences();
    options.symmetric = symmetric, options.iterations = "1";
    const auto result = registerImages(input, options, {});
    EXPECT_EQ(result.displacement.grid.space, Space::mni);
    EXPECT_EQ(result.warped.grid.space, Space::mni);
    EXPECT_EQ(result.logJacobian.grid.space, Space::mni);
    EXPECT_EQ(result.inverse.grid.space, Space::aligned);
    if (symmetric) {
      EXPECT_EQ(result.warpedReference.grid.space, Space::aligned);
    }
  }
}

TEST(Registration, FindsAKnownWarpOfANoisyBrain) {
  const auto& phantom = warpedBrain();
  const auto& result = warpedBrainResult();
  expectSound(result);
  std::vector<double> errors;
  for (std::int64_t i = 0; i < phantom.object->grid.voxels(); ++i)
    if (phantom.object->values[std::size_t(i)])
      errors.push_back(norm(at(result.displacement, i) - at(*phantom.truth, i)) / 2);  // voxels of 2 mm
  std::sort(errors.begin(), errors.end());
  double mean = 0;
  for (const double e : errors) mean += e / double(errors.size());
  EXPECT_LE(mean, 0.4);
  EXPECT_LE(errors[errors.size() * 95 / 100], 1.1);
  EXPECT_GE(result.after.correlation, 0.98);
  EXPECT_LE(result.after.nmse, 0.2 * result.before.nmse);
  EXPECT_EQ(result.foldedCells, 0);
}

/// What holds for each similarity with the default λ.
class RegistrationBy : public testing::TestWithParam<Similarity> {
 protected:
  RegistrationOptions options() const {
    RegistrationOptions options;
    options.similarity = GetParam();
    return options;
  }
};

/// The mean distance in voxels between two displacements inside the object.
double meanDistance(const Series<float>& a, const Series<float>& b, const Mask& object) {
  double sum = 0, n = 0;
  for (std::int64_t i = 0; i < object.grid.voxels(); ++i)
    if (object.values[std::size_t(i)]) sum += norm(at(a, i) - at(b, i)) / 2, ++n;
  return sum / n;
}

TEST_P(RegistrationBy, FindsAKnownWarpBothWays) {
  const auto& phantom = warpedBrain();
  const auto result = registerImages(inputOf(phantom), options(), {});
  expectSound(result);
  EXPECT_EQ(result.similarity, GetParam());
  EXPECT_LE(meanDistance(result.displacement, *phantom.truth, *phantom.object), 0.55);
  EXPECT_EQ(result.foldedCells, 0);
  const auto swapped = registerImages(inputOf(phantom, true), options(), {});
  expectSound(swapped);
  EXPECT_LE(meanDistance(swapped.displacement, result.inverse, *phantom.object), 0.65);
}

TEST_P(RegistrationBy, GivesTheSameBitsOnAnyNumberOfThreads) {
  const auto phantom = brain(40, 4, 2);
  RegistrationResult one, two;
  withThreads(1, [&] { one = registerImages(inputOf(phantom), options(), {}); });
  withThreads(2, [&] { two = registerImages(inputOf(phantom), options(), {}); });
  EXPECT_TRUE(sameBits(one.displacement.values, two.displacement.values));
}

TEST(Registration, ByLocalCorrelationLeavesAnImageOnItselfAlone) {
  const auto phantom = brain(40, 4, 2);
  RegistrationInput input = inputOf(phantom);
  input.reference = input.templateImage;
  RegistrationOptions options;
  options.similarity = Similarity::lcc;
  EXPECT_LT(registerImages(input, options, {}).largestDisplacement, 0.01);  // mm, of voxels of 2 mm
}

INSTANTIATE_TEST_SUITE_P(Each, RegistrationBy,
                         testing::Values(Similarity::lcc, Similarity::mi, Similarity::l2));

/// The template with another contrast: its brightness is folded, so that dark and bright look alike.
RegistrationInput ofOtherContrast(const phantom::RegistrationPhantom& phantom) {
  RegistrationInput input = inputOf(phantom);
  auto other = std::make_shared<Series<float>>(*phantom.templateImage);
  for (float& v : other->values) v = v < 600 ? 1000 - 1.5f * v : 100 + 2 * (v - 600);
  input.templateImage = other;
  return input;
}

TEST(Registration, ByDefaultTakesImagesOfAnotherContrastToo) {
  const auto& phantom = warpedBrain();
  const auto result = registerImages(ofOtherContrast(phantom), {}, {});
  EXPECT_EQ(result.similarity, Similarity::mi);
  EXPECT_TRUE(result.localCorrelation.values.empty());
  EXPECT_LE(meanDistance(result.displacement, *phantom.truth, *phantom.object), 0.6);
  RegistrationOptions squares = squaredDifferences();
  squares.iterations = "20/20/5";
  const auto misled = registerImages(ofOtherContrast(phantom), squares, {});
  EXPECT_GE(meanDistance(misled.displacement, *phantom.truth, *phantom.object), 1);
}

TEST(Registration, ByDefaultDoesNotSeeASmoothBiasField) {
  phantom::RegistrationPhantomOptions shaded;
  shaded.kind = phantom::RegistrationPhantomKind::brain;
  shaded.size = 64, shaded.displacement = 4, shaded.noise = 2, shaded.bias = 1;
  const auto phantom = phantom::makeRegistrationPhantom(shaded);
  const auto result = registerImages(inputOf(phantom), {}, {});
  RegistrationOptions squares;
  squares.similarity = Similarity::l2;
  const auto misled = registerImages(inputOf(phantom), squares, {});
  EXPECT_GE(meanDistance(misled.displacement, *phantom.truth, *phantom.object),
            1.4 * meanDistance(result.displacement, *phantom.truth, *phantom.object));
  EXPECT_EQ(result.similarity, Similarity::lcc);
  EXPECT_LE(meanDistance(result.displacement, *phantom.truth, *phantom.object), 0.45);
  ASSERT_EQ(result.localCorrelation.values.size(), result.warped.values.size());
  const auto [low, high] =
      std::minmax_element(result.localCorrelation.values.begin(), result.localCorrelation.values.end());
  EXPECT_GE(*low, 0);
  EXPECT_LE(*high, 1.0001f);
  EXPECT_GT(*high, 0.9f);
}

TEST(Registration, WritesWhatItsDisplacementSays) {
  const auto& phantom = warpedBrain();
  const auto& result = warpedBrainResult();
  const auto warped = displaced(*phantom.templateImage, result.displacement, Interpolation::cubic, 0, {});
  EXPECT_TRUE(sameBits(warped.values, result.warped.values));
  double longest = 0;
  for (std::int64_t i = 0; i < warped.grid.voxels(); ++i)
    longest = std::max(longest, norm(at(result.displacement, i)));
  EXPECT_NEAR(result.largestDisplacement, longest, 1e-3);
  EXPECT_TRUE(sameGrid(result.inverse.grid, phantom.templateImage->grid));
  std::int64_t retries = 0;
  for (const auto& i : result.iterations) retries += i.retries;
  EXPECT_EQ(result.retries, retries);
}

TEST(Registration, OfTheSwappedPairIsTheInverse) {
  const auto& phantom = warpedBrain();
  const auto& result = warpedBrainResult();
  const auto swapped = registerImages(inputOf(phantom, true), withinSubject(), {});
  expectSound(swapped);
  double mean = 0, n = 0;
  for (std::int64_t i = 0; i < phantom.object->grid.voxels(); ++i)
    if (phantom.object->values[std::size_t(i)])
      mean += norm(at(swapped.displacement, i) - at(result.inverse, i)) / 2, ++n;
  EXPECT_LE(mean / n, 0.5);
}

TEST(Registration, OfPairsThatDifferByNoiseHasNoBias) {
  // A small image holds few features of the displacement: three pairs together determine the skewness.
  double square = 0, cube = 0, n = 0;
  for (const int seed : {1, 2, 3}) {
    const auto phantom = brain(48, 0, 5, seed);
    const auto result = registerImages(inputOf(phantom), squaredDifferences(), {});
    expectSound(result);
    EXPECT_LE(std::abs(result.meanLogJ), 1e-3);
    for (const float l : result.logJacobian.values) {
      const double d = l - result.meanLogJ;
      square += d * d, cube += d * d * d, ++n;
    }
  }
  EXPECT_LE(std::abs(cube / n / std::pow(square / n, 1.5)), 0.1);

  RegistrationOptions without = squaredDifferences();
  without.lambda = 0;
  EXPECT_LE(registerImages(inputOf(brain(48, 0, 5)), without, {}).meanLogJ,
            -2e-3);  // without the bias term the mean is not 0
}

TEST(Registration, ByMutualInformationLeavesAHeadThatDidNotChangeAsLargeAsItIs) {
  // The mean of log J in the head was -0.009 when the more informative parts grew.
  const auto phantom = brain(48, 0, 2);
  RegistrationOptions options;
  options.similarity = Similarity::mi;
  const auto result = registerImages(inputOf(phantom), options, {});
  double sum = 0, square = 0, voxels = 0;
  for (std::size_t i = 0; i < result.logJacobian.values.size(); ++i) {
    if (!phantom.object->values[i]) continue;
    const double l = result.logJacobian.values[i];
    sum += l, square += l * l, ++voxels;
  }
  EXPECT_LE(std::abs(sum / voxels), 1e-3);
  EXPECT_LE(std::sqrt(square / voxels), 0.03);
}

TEST(Registration, ReportsTheFitOfTheImageThatItWrites) {
  const auto phantom = brain(48, 3, 4);
  RegistrationOptions options = withinSubject();
  options.match = IntensityMatch::linear;  // does not change a correlation
  const auto result = registerImages(inputOf(phantom), options, {});
  const auto& reference = phantom.reference->values;
  const double threshold =
      std::accumulate(reference.begin(), reference.end(), 0.0) / double(reference.size());
  double n = 0, a = 0, b = 0, aa = 0, bb = 0, ab = 0;
  for (std::size_t i = 0; i < reference.size(); ++i) {
    if (!(reference[i] > threshold)) continue;
    const double w = result.warped.values[i], r = reference[i];
    ++n, a += w, b += r, aa += w * w, bb += r * r, ab += w * r;
  }
  const double correlation = (ab - a * b / n) / std::sqrt((aa - a * a / n) * (bb - b * b / n));
  EXPECT_NEAR(result.after.correlation, correlation, 1e-3);
}

TEST(Registration, IsTheSameBitForBitOnOneAndTwoThreads) {
  const auto phantom = brain(32, 2, 2);
  RegistrationOptions options = squaredDifferences();
  options.iterations = "10/10/5";
  RegistrationResult one, two;
  withThreads(1, [&] { one = registerImages(inputOf(phantom), options, {}); });
  withThreads(2, [&] { two = registerImages(inputOf(phantom), options, {}); });
  EXPECT_TRUE(sameBits(one.displacement.values, two.displacement.values));
  EXPECT_TRUE(sameBits(one.inverse.values, two.inverse.values));
  EXPECT_TRUE(sameBits(one.logJacobian.values, two.logJacobian.values));
}

TEST(Registration, DoesNotDependOnTheWorldsAxesOrTheIntensities) {
  // The same voxels on a flipped, rotated and shifted grid, and ten times as bright.
  const auto phantom = brain(32, 2, 2);
  RegistrationOptions options = squaredDifferences();
  options.iterations = "10/10/5";
  const auto plain = registerImages(inputOf(phantom), options, {});
  Affine turn;
  turn.m = {{{-0.8, 0.6, 0}, {0.6, 0.8, 0}, {0, 0, 1}}};
  turn.t = {30, -20, 11};
  const auto turned = [&](const std::shared_ptr<const Series<float>>& image) {
    auto copy = std::make_shared<Series<float>>(*image);
    copy->grid.worldFromVoxel = turn * image->grid.worldFromVoxel;
    for (auto& v : copy->values) v *= 10;
    return copy;
  };
  RegistrationInput input{turned(phantom.templateImage), turned(phantom.reference), {}, {}, {}};
  const auto result = registerImages(input, options, {});
  EXPECT_NEAR(result.after.correlation, plain.after.correlation, 1e-4);
  double largest = 0;
  for (std::int64_t i = 0; i < plain.displacement.grid.voxels(); ++i)
    largest = std::max(largest, norm(at(result.displacement, i) - turn.vector(at(plain.displacement, i))));
  EXPECT_LE(largest, 0.02);  // mm, from the rounding of the interpolated template
}

TEST(Registration, TakesThePreAlignmentIntoItsDisplacement) {
  const auto phantom = brain(32, 0, 0);
  auto shifted = std::make_shared<Series<float>>(*phantom.templateImage);
  shifted->grid.worldFromVoxel.t = shifted->grid.worldFromVoxel.t + Vec3<double>{40, 6, -8};
  RegistrationInput input{shifted, phantom.reference, {}, {}, {}};
  input.initial.emplace().t = {40, 6, -8};
  RegistrationOptions options = squaredDifferences();
  options.iterations = "5/5/2";
  const auto result = registerImages(input, options, {});
  expectSound(result);
  EXPECT_GE(result.before.correlation, 0.999);
  for (std::int64_t i = 0; i < result.displacement.grid.voxels(); i += 37)
    EXPECT_LE(norm(at(result.displacement, i) - Vec3<double>{40, 6, -8}), 0.5);
  EXPECT_TRUE(sameGrid(result.inverse.grid, shifted->grid));
  EXPECT_LE(norm(at(result.inverse, 16000) + Vec3<double>{40, 6, -8}), 0.5);
}

TEST(Registration, WorksOnThickSlicesAndOnAPlane) {
  const auto phantom = brain(64, 4, 1);
  for (const bool plane : {false, true}) {
    // Every third slice is compared, or the middle one.
    Grid grid = phantom.reference->grid;
    grid.size.z = plane ? 1 : 21;
    for (auto& row : grid.worldFromVoxel.m) row[2] *= 3;
    const auto cut = [&](const Series<float>& image) {
      auto slices = std::make_shared<Series<float>>(grid, image.count);
      for (std::int64_t i = 0; i < grid.voxels(); ++i) {
        const auto v = grid.voxel(i);
        for (int c = 0; c < image.count; ++c)
          slices->at(i, c) = image.at(image.grid.index(v.x, v.y, plane ? 32 : 3 * v.z), c);
      }
      return slices;
    };
    RegistrationInput input{cut(*phantom.templateImage), cut(*phantom.reference), {}, {}, {}};
    const auto result = registerImages(input, withinSubject(), {});
    expectSound(result);
    EXPECT_GE(result.after.correlation, plane ? 0.9 : 0.95);
    EXPECT_LE(result.after.nmse, 0.4 * result.before.nmse);
    if (plane) {
      for (std::int64_t i = 0; i < grid.voxels(); ++i) EXPECT_EQ(result.displacement.at(i, 2), 0);
    }
  }
}

TEST(Registration, LetsACFlowIntoADisk) {
  phantom::RegistrationPhantomOptions options;
  options.kind = phantom::RegistrationPhantomKind::c, options.size = 48, options.noise = 0;
  const auto phantom = phantom::makeRegistrationPhantom(options);
  RegistrationOptions how = squaredDifferences();
  how.lambda = 1e-3;
  const auto result = registerImages(inputOf(phantom), how, {});
  expectSound(result);
  EXPECT_GE(result.after.correlation, 0.95);
  EXPECT_GT(result.after.correlation, result.before.correlation + 0.1);
}

TEST(Registration, GoesOnWhereOneVoxelIsAtTheSmallestVolume) {
  // A disk that tears into a C: voxels between its ends are compressed as far as allowed. When all others
  // waited for them, the last level ended after 5 iterations, at an energy of 3.28e-3.
  phantom::RegistrationPhantomOptions options;
  options.kind = phantom::RegistrationPhantomKind::c, options.size = 32, options.noise = 0;
  const auto phantom = phantom::makeRegistrationPhantom(options);
  RegistrationOptions how = squaredDifferences();
  how.lambda = 1e-3;
  const auto result = registerImages(inputOf(phantom, true), how, {});
  expectSound(result);
  const auto& last = result.iterations.back();
  EXPECT_EQ(last.level, 2);
  EXPECT_GE(last.iteration, 30);
  EXPECT_LT(last.energy, 2.6e-3);
  EXPECT_EQ(result.foldedCells, 0);
  int held = 0;
  for (const auto& i : result.iterations) {
    EXPECT_GT(i.smallestJ, 0.01);
    held += i.held;
  }
  EXPECT_GT(held, 0);

  RegistrationResult again;
  withThreads(1, [&] { again = registerImages(inputOf(phantom, true), how, {}); });
  EXPECT_TRUE(sameBits(again.displacement.values, result.displacement.values));
}

TEST(Registration, ComparesInsideTheMaskOnly) {
  const auto phantom = brain(32, 2, 0);
  auto spoiled = std::make_shared<Series<float>>(*phantom.reference);
  auto mask = std::make_shared<Mask>(*phantom.object);
  for (std::size_t i = 0; i < spoiled->values.size(); ++i)
    if (!mask->values[i]) spoiled->values[i] = float(3000 + i % 7);
  RegistrationOptions options = withinSubject();
  options.iterations = "40/40/20";
  const auto result = registerImages({phantom.templateImage, spoiled, {}, mask, {}}, options, {});
  expectSound(result);
  EXPECT_GE(result.after.correlation, 0.9);
  EXPECT_GT(result.after.correlation, result.before.correlation);
}

TEST(Registration, ShowsItselfOnTheWayAndCanBeStopped) {
  const auto phantom = brain(64, 4, 2);
  RegistrationInput input = inputOf(phantom);
  std::stop_source stop;
  int previews = 0;
  input.preview = [&](const RegistrationPreview& preview) {
    ++previews;
    EXPECT_EQ(preview.displacement.count, 3);
    EXPECT_EQ(preview.warped.values,
              displaced(*phantom.templateImage, preview.displacement, Interpolation::linear, 0, {}).values)
        << "as bright as the template, which the result is too";
    ASSERT_FALSE(preview.iterations.empty());
    const float least = *std::ranges::min_element(preview.logJacobian.values);
    EXPECT_NEAR(std::exp(double(least)), preview.iterations.back().smallestJ, 1e-3);
    EXPECT_EQ(preview.foldedCells, 0);
    stop.request_stop();
  };
  RegistrationOptions options = squaredDifferences();
  options.iterations = "10000", options.tolerance = 0, options.levels = 1;
  EXPECT_THROW(registerImages(input, options, Progress(stop.get_token(), [](double, std::string_view) {})),
               Cancelled);
  EXPECT_EQ(previews, 1);
}

}  // namespace
}  // namespace sulcus::registration
