#include "core/registration/preparation/bias_field.h"

#include "core/phantom/registration_phantom.h"
#include "tests/support/bias_field.h"
#include "tests/support/expect_error.h"

#include <gtest/gtest.h>

namespace sulcus::registration {
namespace {

using test::logError;

const phantom::RegistrationPhantom& head() {
  static const phantom::RegistrationPhantom phantom = [] {
    phantom::RegistrationPhantomOptions options;
    options.size = 64;
    return phantom::makeRegistrationPhantom(options);
  }();
  return phantom;
}

std::vector<std::uint8_t> everywhere() {
  return std::vector<std::uint8_t>(head().reference->values.size(), 1);
}

Volume<float> fitted(const Series<float>& moving, const Series<float>& reference,
                     IntensityMatch match = IntensityMatch::histogram) {
  return fittedBiasField(moving.values, reference.values, everywhere(), reference.grid, match, {});
}

Volume<float> ones() { return Volume<float>(head().reference->grid, 1.f); }

TEST(BiasField, IsRecoveredBetweenHeadsThatDiffer) {
  const auto field = test::smoothField(head().reference->grid);
  EXPECT_GT(logError(ones(), field, *head().object), 0.07);  // what there is to find
  const auto brighter = test::times(*head().reference, field);
  for (const auto match : {IntensityMatch::histogram, IntensityMatch::linear, IntensityMatch::off})
    EXPECT_LT(logError(fitted(*head().templateImage, brighter, match), field, *head().object), 0.03)
        << int(match);  // 1.5 % come from the differences between the heads, see below
}

TEST(BiasField, IsTheSameInSmallVoxels) {
  const auto field = test::smoothField(head().reference->grid);
  const auto brighter = test::times(*head().reference, field);
  Grid small = head().reference->grid;
  for (auto& row : small.worldFromVoxel.m)
    for (double& m : row) m *= 0.05;
  const auto found = fitted(*head().templateImage, brighter),
             there = fittedBiasField(head().templateImage->values, brighter.values, everywhere(), small,
                                     IntensityMatch::histogram, {});
  for (std::size_t i = 0; i < found.values.size(); ++i)
    ASSERT_NEAR(there.values[i], found.values[i], 5e-3 * found.values[i]);
}

TEST(BiasField, IsOneWithoutBias) {
  // Not exactly, since the heads differ by up to four voxels.
  EXPECT_LT(logError(fitted(*head().templateImage, *head().reference), ones(), *head().object), 0.02);
}

TEST(BiasField, HoldsTheOverallBrightnessWhereNothingElseMatchesIt) {
  Series<float> brighter = *head().reference;
  for (float& v : brighter.values) v *= 40;
  for (const auto match : {IntensityMatch::off, IntensityMatch::linear}) {
    const auto field = fitted(*head().templateImage, brighter, match);
    double logs = 0;
    for (const float b : field.values) logs += std::log(b);
    EXPECT_NEAR(logs / double(field.values.size()), match == IntensityMatch::off ? std::log(40) : 0, 0.05);
  }
}

TEST(BiasField, TakesNoChangeOfTheObjectForBias) {
  Series<float> changed = *head().reference;
  const Grid& grid = changed.grid;
  Mask unchanged = *head().object;
  for (std::int64_t i = 0; i < grid.voxels(); ++i) {
    const Vec3<int> v = grid.voxel(i);
    if (std::abs(v.x - 32) > 5 || std::abs(v.y - 32) > 5 || std::abs(v.z - 32) > 5) continue;
    changed.values[std::size_t(i)] *= 0.4F;
    unchanged.values[std::size_t(i)] = 0;
  }
  EXPECT_LT(logError(fitted(*head().reference, changed, IntensityMatch::off), ones(), unchanged), 0.003);
}

TEST(BiasField, GoesOnSmoothlyPastTheObjectAndOutsideTheMask) {
  const auto truth = test::smoothField(head().reference->grid);
  auto half = everywhere();
  for (std::size_t i = 0; i < half.size() / 2; ++i) half[i] = 0;
  auto reference = test::times(*head().reference, truth);
  for (std::size_t i = 0; i < half.size() / 2; ++i) reference.values[i] = 1e6f;  // must not be used
  const auto field = fittedBiasField(head().templateImage->values, reference.values, half, reference.grid,
                                     IntensityMatch::histogram, {});
  Mask object = *head().object;
  for (std::size_t i = 0; i < half.size(); ++i) object.values[i] = object.values[i] && half[i];
  EXPECT_LT(logError(field, truth, object), 0.03);
  for (const float b : field.values) ASSERT_TRUE(b > 0.3F && b < 3) << b;
}

TEST(BiasField, IsOneWhereNothingIsBright) {
  Series<float> dark = *head().reference;
  for (float& v : dark.values) v = -std::abs(v) - 1;
  for (const float b : fitted(dark, dark).values) ASSERT_EQ(b, 1);
}

TEST(BiasField, OfBothImagesIsTheirRatioWhereTheyAreAligned) {
  Grid grid;
  grid.size = {8, 8, 8};
  Volume<float> ofReference(grid), ofTemplate(grid);
  for (std::int64_t i = 0; i < grid.voxels(); ++i) {
    ofReference.values[std::size_t(i)] = 2.f + float(grid.voxel(i).y);
    ofTemplate.values[std::size_t(i)] = 1.f + float(grid.voxel(i).x);
  }
  Affine shift;
  shift.t = {2, 0, 0};
  std::vector<std::uint8_t> region(std::size_t(grid.voxels()));
  region[std::size_t(grid.index(1, 0, 0))] = 1;  // where the ratio is 2/4
  const auto ratio = biasFieldRatio(ofTemplate, ofReference, shift, region, {});
  EXPECT_FLOAT_EQ(ratio(1, 0, 0), 1);
  EXPECT_FLOAT_EQ(ratio(3, 5, 7), 7.f / 6 * 2);
  EXPECT_FLOAT_EQ(ratio(7, 0, 0), 2.f / 8 * 2);  // outside the template its nearest value is used
}

TEST(BiasField, NeedsN4WhereItIsAskedFor) {
  RegistrationInput input;
  input.templateImage = head().templateImage, input.reference = head().reference;
  RegistrationOptions options;
  options.biasField = BiasField::n4;
  test::expectError([&] { registerImages(input, options, {}); },
                    {"N4 bias correction is not available", "--bias-field fit"}, ErrorKind::unavailable);
}

TEST(BiasField, OfARegistrationUndoesTheBiasOfAnImage) {
  const auto field = test::smoothField(head().reference->grid);
  RegistrationInput input;
  input.templateImage = head().templateImage, input.reference = head().reference;
  RegistrationOptions options;
  options.similarity = Similarity::l2, options.lambda = 5e-4, options.levels = 2,
  options.iterations = "50/10";
  const auto error = [&] {
    const auto result = registerImages(input, options, {});
    double sum = 0, n = 0;
    for (std::int64_t i = 0; i < head().object->grid.voxels(); ++i)
      if (head().object->values[std::size_t(i)]) {
        Vec3<double> miss;
        for (int c = 0; c < 3; ++c) miss[c] = result.displacement.at(i, c) - head().truth->at(i, c);
        sum += norm(miss), ++n;
      }
    EXPECT_EQ(result.biasField.values.empty(), options.biasField == BiasField::none);
    return sum / n;
  };
  const double clean = error();
  input.reference = std::make_shared<const Series<float>>(test::times(*head().reference, field));
  const double biased = error();
  options.biasField = BiasField::fit;
  const double corrected = error();
  EXPECT_GT(biased, 1.3 * clean);
  EXPECT_LT(corrected, 1.1 * clean);
  input.findBiasField = [&](const Series<float>& image, const Mask*, const Progress&) {
    return image.values == input.reference->values ? field : Volume<float>(image.grid, 1.f);
  };
  options.biasField = BiasField::n4;
  EXPECT_LT(error(), 1.1 * clean);
}

}  // namespace
}  // namespace sulcus::registration
