#include "core/registration/similarity/level_channels.h"

#include "core/base/parallel/parallel_for.h"
#include "core/registration/similarity/similarity.h"
#include "tests/core/registration/deformation/level_inputs.h"
#include "tests/support/expect_error.h"

#include <gmock/gmock.h>

namespace sulcus::registration {
namespace {

/// Three different channels, each of which excludes different voxels.
LevelInput<double> channelsOn(const Vec3<int>& size, const Vec3<double>& spacing, test::Rng& rng) {
  LevelInput<double> input(test::imagesOf<double>(size, spacing, rng));
  for (int c = 0; c < 2; ++c) {
    input.channels.push_back(test::imagesOf<double>(size, spacing, rng));
    for (double& v : input.channels.back().moving) v = c == 0 ? 1 - v : v * v;
  }
  input.shares = {0.5, 0.2, 0.3};
  return input;
}

/// The level's similarity as a sum over voxels, and its force.
struct Evaluated {
  double similarity;
  VectorField<double> force;
};

Evaluated evaluated(const LevelInput<double>& input, const VectorField<double>& u,
                    const RegistrationOptions& options) {
  RegistrationLevel<double> level(input, u, options, {});
  const double similarity = level.start().similarity;
  return {similarity * double(u.size.x) * u.size.y * u.size.z, level.imageForce()};
}

/// The largest difference between the force and finite differences, over the largest force.
double worstAgainstDifferences(const LevelInput<double>& input, VectorField<double> u,
                               const RegistrationOptions& options, double step) {
  const VectorField<double> force = evaluated(input, u, options).force;
  double worst = 0, largest = 0;
  for (int z = 0; z < u.size.z; ++z)
    for (int y = 0; y < u.size.y; ++y)
      for (int x = 0; x < u.size.x; ++x)
        for (int i = 0; i < 3; ++i) {
          if (!mayMove(u.size, x, y, z) || u.size[i] == 1) continue;
          double& value = *u.at(i, x, y, z);
          const double before = value;
          const auto at = [&](double d) {
            value = before + d;
            return evaluated(input, u, options).similarity;
          };
          const double slope = (8 * (at(step) - at(-step)) - (at(2 * step) - at(-2 * step))) / (12 * step);
          value = before;
          worst = std::max(worst, std::abs(slope + *force.at(i, x, y, z)));
          largest = std::max(largest, std::abs(slope));
        }
  return worst / largest;
}

/// 0 in some voxels, up to 1 in others.
std::vector<double> weightsOn(const Vec3<int>& size, test::Rng& rng) {
  std::vector<double> weights(std::size_t(size.x) * std::size_t(size.y) * std::size_t(size.z));
  for (double& w : weights) w = std::max(0.0, rng.uniform(-0.3, 1));
  return weights;
}

class LevelChannels : public testing::TestWithParam<Similarity> {
 protected:
  LevelChannels() { options_.similarity = GetParam(), options_.gradient = TemplateGradient::exact; }
  RegistrationOptions options_;
};

TEST_P(LevelChannels, ForceIsTheGradientOfTheSumOfTheirEnergies) {
  for (const Vec3<int> size : {Vec3<int>{6, 7, 5}, {8, 7, 1}}) {
    test::Rng rng(21);
    const auto input = channelsOn(size, {1, 0.7, 2}, rng);
    const auto u = test::displacementOf<double>(size, 0.3, 0.05, rng);
    EXPECT_LE(worstAgainstDifferences(input, u, options_, 1e-5), 1e-6);
  }
}

TEST_P(LevelChannels, ForceIsTheGradientWithWeightsToo) {
  for (const Vec3<int> size : {Vec3<int>{6, 7, 5}, {8, 7, 1}})
    for (const bool several : {false, true}) {
      test::Rng rng(24);
      auto input = channelsOn(size, {1, 0.7, 2}, rng);
      if (!several) input = input.channels[0];
      input.weights = weightsOn(size, rng);
      const auto u = test::displacementOf<double>(size, 0.3, 0.05, rng);
      EXPECT_LE(worstAgainstDifferences(input, u, options_, 1e-5), 1e-6);
    }
}

TEST_P(LevelChannels, WeightsOfOneChangeNothing) {
  const Vec3<int> size{9, 8, 7};
  test::Rng rng(25);
  auto input = channelsOn(size, {1, 1, 1}, rng);
  const auto u = test::displacementOf<double>(size, 0.3, 0.05, rng);
  const Evaluated plain = evaluated(input, u, options_);
  input.weights.assign(input.channels[0].moving.size(), 1);
  const Evaluated weighted = evaluated(input, u, options_);
  EXPECT_EQ(weighted.similarity, plain.similarity);
  EXPECT_EQ(weighted.force.values, plain.force.values);
}

TEST_P(LevelChannels, CountByTheirShares) {
  const Vec3<int> size{9, 8, 7};
  test::Rng rng(22);
  auto input = channelsOn(size, {1, 1, 1}, rng);
  const auto u = test::displacementOf<double>(size, 0.3, 0.05, rng);
  const Evaluated all = evaluated(input, u, options_);
  double similarity = 0;
  VectorField<double> force(size);
  for (std::size_t c = 0; c < 3; ++c) {
    const Evaluated one = evaluated(input.channels[c], u, options_);
    similarity += input.shares[c] * one.similarity;
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t k = 0; k < force.values[i].size(); ++k)
        force.values[i][k] += input.shares[c] * one.force.values[i][k];
  }
  EXPECT_NEAR(all.similarity, similarity, 1e-12 * similarity);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t k = 0; k < force.values[i].size(); ++k)
      EXPECT_NEAR(all.force.values[i][k], force.values[i][k], 1e-12);
}

TEST_P(LevelChannels, AreTheSameForAnyNumberOfThreads) {
  const Vec3<int> size{20, 18, 33};
  test::Rng rng(23);
  const auto input = channelsOn(size, {1, 1, 1}, rng);
  const auto u = test::displacementOf<double>(size, 0.3, 0.05, rng);
  Evaluated one{}, many{};
  withThreads(1, [&] { one = evaluated(input, u, options_); });
  withThreads(4, [&] { many = evaluated(input, u, options_); });
  EXPECT_EQ(one.similarity, many.similarity);
  EXPECT_EQ(one.force.values, many.force.values);
}

INSTANTIATE_TEST_SUITE_P(All, LevelChannels,
                         testing::Values(Similarity::l2, Similarity::lcc, Similarity::mi));

/// An image of balls with 2 voxels of soft edge.
std::shared_ptr<const Series<float>> balls(const std::vector<Vec3<double>>& centers) {
  Series<float> image(Grid{{32, 24, 24}, {}}, 1);
  for (std::int64_t i = 0; i < image.grid.voxels(); ++i) {
    const Vec3<int> v = image.grid.voxel(i);
    const Vec3<double> p{double(v.x), double(v.y), double(v.z)};
    for (const Vec3<double>& c : centers)
      image.values[std::size_t(i)] += float(100 / (1 + std::exp(2 * (norm(p - c) - 4))));
  }
  return std::make_shared<const Series<float>>(std::move(image));
}

/// A ball at the left is visible only in the first channel, one at the right only in the second.
class ChannelRegistration : public testing::TestWithParam<bool> {
 protected:
  ChannelRegistration() {
    input_.templateImage = balls({{8, 12, 12}}), input_.reference = balls({{9.5, 12, 12}});
    input_.further = {{balls({{22, 12, 12}}), balls({{22, 13.5, 12}})}};
    options_.affine = LinearAlignment::none, options_.similarity = Similarity::l2;
    options_.match = IntensityMatch::off, options_.symmetric = GetParam();
  }
  /// mm, at the centers of the balls.
  std::pair<Vec3<float>, Vec3<float>> found() const {
    const auto result = registerImages(input_, options_, {});
    const auto at = [&](const Vec3<int>& v) {
      const std::int64_t i = result.displacement.grid.index(v.x, v.y, v.z);
      return Vec3<float>{result.displacement.at(i, 0), result.displacement.at(i, 1),
                         result.displacement.at(i, 2)};
    };
    return {at({9, 12, 12}), at({22, 13, 12})};
  }

  RegistrationInput input_;
  RegistrationOptions options_;
};

TEST_P(ChannelRegistration, FollowsEveryChannel) {
  const auto [left, right] = found();
  EXPECT_NEAR(left.x, -1.5, 0.4);
  EXPECT_NEAR(right.y, -1.5, 0.4);
  options_.channelWeights = "1 0";
  const auto [alone, nothing] = found();
  EXPECT_NEAR(alone.x, -1.5, 0.4);
  EXPECT_NEAR(nothing.y, 0, 0.1);
}

TEST_P(ChannelRegistration, TakesChannelsOfOtherGrids) {
  const auto coarse = [](const Series<float>& image) {
    Series<float> result(Grid{{16, 12, 12}, {}}, 1);
    for (int i = 0; i < 3; ++i) result.grid.worldFromVoxel.m[std::size_t(i)][std::size_t(i)] = 2;
    for (std::int64_t i = 0; i < result.grid.voxels(); ++i) {
      const Vec3<int> v = result.grid.voxel(i);
      result.values[std::size_t(i)] = image.values[std::size_t(image.grid.index(2 * v.x, 2 * v.y, 2 * v.z))];
    }
    return std::make_shared<const Series<float>>(std::move(result));
  };
  for (auto& channel : input_.further) channel = {coarse(*channel.templateImage), coarse(*channel.reference)};
  const auto [left, right] = found();
  EXPECT_NEAR(left.x, -1.5, 0.4);
  EXPECT_NEAR(right.y, -1.5, 0.4);
}

INSTANTIATE_TEST_SUITE_P(OneSidedAndSymmetric, ChannelRegistration, testing::Bool());

TEST_P(ChannelRegistration, DoesNotFollowWhereTheWeightIsNothing) {
  Volume<float> weights(input_.reference->grid, 7);
  for (std::int64_t i = 0; i < weights.grid.voxels(); ++i)
    if (weights.grid.voxel(i).x > 15) weights.values[std::size_t(i)] = 0;
  input_.weights = std::make_shared<const Volume<float>>(weights);
  options_.levels = 1;  // at coarser levels the weights are blurred
  const auto [left, right] = found();
  EXPECT_NEAR(left.x, -1.5, 0.4);
  EXPECT_NEAR(right.y, 0, 0.1);
}

TEST_P(ChannelRegistration, HasTheSameResultForWeightsThatAreAllAlike) {
  const auto plain = registerImages(input_, options_, {});
  input_.weights = std::make_shared<const Volume<float>>(input_.reference->grid, 7.f);
  const auto weighted = registerImages(input_, options_, {});
  EXPECT_EQ(weighted.displacement.values, plain.displacement.values);
}

TEST(Channels, WithSomethingWrongAreNamedByTheirNumber) {
  RegistrationInput input;
  input.templateImage = input.reference = balls({{8, 12, 12}});
  input.further = {{balls({{8, 12, 12}}), nullptr}};
  test::expectError([&] { (void)registerImages(input, {}, {}); }, {"No reference 2 was given"});
  auto bad = std::make_shared<Series<float>>(*input.reference);
  bad->values[5] = NAN;
  input.further[0].reference = bad;
  test::expectError([&] { (void)registerImages(input, {}, {}); },
                    {"The reference 2 holds 1 values that are not finite"});
}

TEST(Weights, ThatCannotBeUsedAreRefused) {
  RegistrationInput input;
  input.templateImage = input.reference = balls({{8, 12, 12}});
  const auto expect = [&](const Volume<float>& weights, const char* sentence) {
    input.weights = std::make_shared<const Volume<float>>(weights);
    test::expectError([&] { (void)registerImages(input, {}, {}); }, {sentence});
  };
  Volume<float> weights(input.reference->grid, 1);
  weights.values[3] = -1;
  expect(weights, "The weights hold numbers below 0");
  weights.values[3] = NAN;
  expect(weights, "The image of weights holds 1 values that are not finite");
  expect(Volume<float>(input.reference->grid), "The weights are 0 wherever the images are compared");
  expect(Volume<float>(Grid{{4, 4, 4}, {}}, 1), "give weights on the reference's grid");
}

}  // namespace
}  // namespace sulcus::registration
