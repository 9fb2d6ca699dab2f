#include "core/group/group.h"

#include "core/base/parallel/parallel_for.h"
#include "core/math/linear_algebra.h"
#include "tests/core/group/group_inputs.h"
#include "tests/support/expect_error.h"

#include <cmath>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sulcus::group {
namespace {

using test::expectError;
using testing::HasSubstr;

GroupInput smallInput() {
  phantom::GroupPhantomOptions options;
  options.size = 16, options.people = 12;
  return phantomInput(options);
}

GroupOptions byGroups(int permutations) {
  GroupOptions options;
  options.groups = "group";
  options.contrast = "patients - controls";
  options.permutations = permutations;
  return options;
}

TEST(Group, FindsTheTOfTwoGroups) {
  const GroupInput input = smallInput();
  const GroupResult result = findEffects(input, byGroups(8), {});
  EXPECT_EQ(result.freedom, 10);
  const ContrastResult& found = result.contrasts.at(0);
  for (std::size_t i = 0; i < result.voxels.size(); i += 37) {
    double mean[2] = {0, 0}, squares = 0;
    const auto value = [&](int n) {
      return double(input.maps[std::size_t(n)]->values[std::size_t(result.voxels[i])]);
    };
    for (int n = 0; n < 12; ++n) mean[n % 2] += value(n) / 6;
    for (int n = 0; n < 12; ++n) squares += std::pow(value(n) - mean[n % 2], 2);
    const double t = (mean[0] - mean[1]) / std::sqrt(squares / 10 * (2.0 / 6));
    EXPECT_NEAR(found.t[i], t, 2e-5 * (1 + std::abs(t)));
    EXPECT_NEAR(found.effect[i], mean[0] - mean[1], 1e-5);
  }
}

TEST(Group, HasTheSameBitsForAnyNumberOfThreads) {
  const GroupInput input = smallInput();
  GroupResult one, several;
  withThreads(1, [&] { one = findEffects(input, byGroups(50), {}); });
  withThreads(3, [&] { several = findEffects(input, byGroups(50), {}); });
  EXPECT_EQ(one.contrasts[0].t, several.contrasts[0].t);
  EXPECT_EQ(one.contrasts[0].tfce, several.contrasts[0].tfce);
  EXPECT_EQ(one.contrasts[0].largestTfce, several.contrasts[0].largestTfce);
  EXPECT_EQ(one.contrasts[0].largestMass, several.contrasts[0].largestMass);
}

/// The share of images without an effect in which anything is shown at p = 0.1, by the largest TFCE and t.
TEST(Group, HasTheFalsePositiveRateThatItStates) {
  constexpr int kImages = 400, kPeople = 10, kSize = 6;
  std::mt19937 random(20);
  std::normal_distribution<float> normal;
  int byTfce = 0, byVoxel = 0;
  GroupInput input;
  input.volumes.assign(kPeople, 0);
  input.names.assign(kPeople, "");
  GroupOptions options;
  options.permutations = 100;
  for (int image = 0; image < kImages; ++image) {
    input.maps.clear();
    for (int n = 0; n < kPeople; ++n) {
      Series<float> map(Grid{{kSize, kSize, kSize}, {}}, 1);
      for (float& value : map.values) value = normal(random);
      input.maps.push_back(std::make_shared<const Series<float>>(std::move(map)));
    }
    options.seed = image;
    const ContrastResult found = findEffects(input, options, {}).contrasts.at(0);
    const auto isFirstTenth = [](std::vector<float> largest) {
      const float own = largest.front();
      std::sort(largest.begin(), largest.end());
      return familywiseP(own, largest) <= 0.1;
    };
    byTfce += isFirstTenth(found.largestTfce);
    byVoxel += isFirstTenth(found.largestT);
  }
  // 40 are expected, with a standard deviation of 6.
  EXPECT_NEAR(byTfce, 40, 20);
  EXPECT_NEAR(byVoxel, 40, 20);
}

TEST(Group, ExcludesAndReportsVoxelsWhereAMapHasNoValue) {
  GroupInput input = smallInput();
  Series<float> holed = *input.maps[3];
  const auto full = findEffects(input, byGroups(8), {}).voxels;
  holed.values[std::size_t(full[5])] = NAN;
  holed.values[std::size_t(full[6])] = NAN;
  input.maps[3] = std::make_shared<const Series<float>>(holed);
  const GroupResult result = findEffects(input, byGroups(8), {});
  EXPECT_EQ(result.voxels.size(), full.size() - 2);
  EXPECT_THAT(result.notes, testing::Contains(HasSubstr("2 voxels are excluded")));
  EXPECT_THAT(result.notes, testing::Contains(HasSubstr("most are missing in 'sub-04': 2")));
}

TEST(Group, TestsRowsTogetherByF) {
  const GroupInput input = smallInput();
  GroupOptions options = byGroups(50);
  options.covariates = "age";
  options.contrast = "difference: patients - controls; any: F(patients - controls; age); sum: F(age; age)";
  const GroupResult result = findEffects(input, options, {});
  EXPECT_THAT(result.notes, testing::Contains(HasSubstr("'sum' has one independent row")));
  const auto find = [&](const std::string& name) -> const ContrastResult& {
    for (const auto& contrast : result.contrasts)
      if (contrast.contrast.name == name) return contrast;
    throw std::runtime_error("no " + name);
  };
  const ContrastResult& joint = find("any");
  ASSERT_TRUE(joint.contrast.isJoint());
  EXPECT_EQ(joint.exchange, Exchange::order);
  // F from two models: with groups and age, and with the mean alone.
  const auto people = result.mapOfRow.size();
  for (std::size_t i = 0; i < joint.t.size(); i += 97) {
    Eigen::VectorXd y(Eigen::Index(people), 1);
    Eigen::MatrixXd x(Eigen::Index(people), 3);
    for (std::size_t n = 0; n < people; ++n) {
      y[Eigen::Index(n)] = input.maps[result.mapOfRow[n]]->values[std::size_t(result.voxels[i])];
      for (int c = 0; c < 3; ++c) x(Eigen::Index(n), c) = result.design.rows[n][std::size_t(c)];
    }
    const double full = (y - x * solveLeastSquares(x, y).solution).squaredNorm(),
                 mean = (y.array() - y.mean()).matrix().squaredNorm();
    const double f = (mean - full) / 2 / (full / result.freedom);
    EXPECT_NEAR(joint.t[i] * joint.t[i], f, 1e-3 * (1 + f));
  }
  for (const float value : joint.tfce) EXPECT_GE(value, 0);
}

TEST(Group, WeighsPeopleByTheVariancesOfTheirMaps) {
  GroupInput input = smallInput();
  const GroupResult plain = findEffects(input, byGroups(20), {});
  const auto variancesOf = [&](float first) {
    std::vector<MapVariance> variances;
    for (std::size_t m = input.maps.size(); m-- > 0;)  // in another order
      variances.push_back({input.names[m], std::make_shared<const Series<float>>(input.maps[m]->grid, 1,
                                                                                 m == 0 ? first : 0.01f)});
    return variances;
  };
  input.variances = inOrderOfMaps(input, variancesOf(0.01f));
  ASSERT_EQ(input.variances[2].name, input.names[2]);
  const GroupResult alike = findEffects(input, byGroups(20), {});
  ASSERT_EQ(alike.between.size(), alike.voxels.size());
  EXPECT_EQ(alike.contrasts[0].t, plain.contrasts[0].t) << "the exchanges are those without variances";
  for (std::size_t i = 0; i < alike.voxels.size(); i += 53)
    EXPECT_NEAR(alike.contrasts[0].weightedT[i], alike.contrasts[0].t[i],
                2e-3 * (1 + std::abs(alike.contrasts[0].t[i])));
  // A map with a very large variance counts as if it were missing.
  input.variances = inOrderOfMaps(input, variancesOf(1e6f));
  const GroupResult without = findEffects(input, byGroups(20), {});
  const std::size_t v = without.voxels.size() / 2;
  double sum[2] = {}, count[2] = {};
  for (std::size_t n = 0; n < without.mapOfRow.size(); ++n) {
    if (without.mapOfRow[n] == 0) continue;
    const int group = without.design.rows[n][0] == 1 ? 0 : 1;
    sum[group] += input.maps[without.mapOfRow[n]]->values[std::size_t(without.voxels[v])], ++count[group];
  }
  const double sign = without.contrasts[0].contrast.rows[0][0];
  EXPECT_NEAR(without.contrasts[0].weightedEffect[v], sign * (sum[0] / count[0] - sum[1] / count[1]), 1e-3);
  auto fewer = variancesOf(1);
  fewer.pop_back();
  expectError([&] { inOrderOfMaps(input, fewer); }, {"There are 11 maps of variances for 12 maps"});
  auto stranger = variancesOf(1);
  stranger[0].name = "sub-99";
  expectError([&] { inOrderOfMaps(input, stranger); }, {"There is no variance for the map"});
}

TEST(Group, ReportsHowManyExchangesThereAre) {
  phantom::GroupPhantomOptions few;
  few.size = 16, few.people = 6;
  const GroupResult result = findEffects(phantomInput(few), byGroups(5000), {});
  EXPECT_EQ(result.contrasts[0].exchanges, 20);
  EXPECT_THAT(result.notes, testing::Contains(HasSubstr("There are 20 different orders")));
  EXPECT_THAT(result.notes, testing::Contains(HasSubstr("no p is below 0.05")));
}

TEST(Group, RefusesMapsThatCannotBeCompared) {
  GroupInput input = smallInput();
  GroupInput twice = input;
  twice.maps[1] = twice.maps[0];
  expectError([&] { findEffects(twice, byGroups(8), {}); }, {"'sub-01' and 'sub-02' are the same"});
  GroupInput other = input;
  other.maps[2] = std::make_shared<const Series<float>>(Grid{{8, 8, 8}, {}}, 1);
  expectError([&] { findEffects(other, byGroups(8), {}); },
              {"'sub-03' has a different grid", "sulcus-cli apply"});
  expectError([&] { findEffects({}, byGroups(8), {}); }, {"There are no maps"});
  GroupInput apart = input;
  apart.mask = nullptr;
  apart.maps[0] = std::make_shared<const Series<float>>(input.maps[0]->grid, 1);
  expectError([&] { findEffects(apart, byGroups(8), {}); },
              {"The map 'sub-01' has no value: all are 0 or not finite"});
}

}  // namespace
}  // namespace sulcus::group
