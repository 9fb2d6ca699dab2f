#include "core/registration/deformation/landmarks.h"

#include "core/phantom/registration_phantom.h"
#include "core/registration/deformation/landmark_table.h"
#include "tests/core/registration/deformation/level_inputs.h"
#include "tests/support/expect_error.h"

#include <gmock/gmock.h>

namespace sulcus::registration {
namespace {

/// Landmarks everywhere in a grid: some share a cell, some a voxel, one is at a voxel, one at the border.
LevelLandmarks randomLandmarks(const Vec3<int>& size, double unit, test::Rng& rng) {
  LevelLandmarks landmarks{{}, unit};
  const auto place = [&] {
    Vec3<double> p;
    for (int i = 0; i < 3; ++i) p[i] = size[i] == 1 ? 0 : rng.uniform(0, size[i] - 1);
    return p;
  };
  for (int k = 0; k < 12; ++k) {
    const Vec3<double> p = place();
    landmarks.pairs.push_back({p, place()});
    if (k < 3) landmarks.pairs.push_back({p, place()});
  }
  landmarks.pairs[5].point = {double(size.x / 2), double(size.y / 2), double(size.z / 2)};
  landmarks.pairs[6].point = {0, 0, 0};
  return landmarks;
}

template <class Real>
VectorField<Real> forceOf(const LandmarkTables<Real>& tables, const VectorField<Real>& u,
                          const Vec3<double>& spacing) {
  VectorField<Real> force(u.size);
  for (int z = 0; z < u.size.z; ++z) addLandmarkForce(tables, u, spacing, z, force);
  return force;
}

class LandmarkForce : public testing::TestWithParam<Vec3<int>> {};

TEST_P(LandmarkForce, IsTheGradientOfTheirEnergy) {
  const Vec3<int> size = GetParam();
  const Vec3<double> spacing{0.8, 1.5, 2};
  test::Rng rng(3);
  RegistrationOptions options;
  options.force = RegistrationForce::paper, options.landmarkWeight = 0.03;
  const auto tables = landmarkTables<double>(size, spacing, randomLandmarks(size, 0.8, rng), options);
  auto u = test::displacementOf<double>(size, 0.4, 0.1, rng);
  const auto force = forceOf(tables, u, spacing);
  const double voxels = double(size.x) * size.y * size.z, step = 1e-3;
  double worst = 0, largest = 0;
  for (int z = 0; z < size.z; ++z)
    for (int y = 0; y < size.y; ++y)
      for (int x = 0; x < size.x; ++x)
        for (int i = 0; i < 3; ++i) {
          double& value = *u.at(i, x, y, z);
          const double before = value, f = *force.at(i, x, y, z);
          if (!mayMove(size, x, y, z)) {
            EXPECT_EQ(f, 0);
            continue;
          }
          value = before + step;
          const double above = landmarkEnergy(tables, u);
          value = before - step;
          const double slope = voxels * (above - landmarkEnergy(tables, u)) / (2 * step);
          value = before;
          worst = std::max(worst, std::abs(slope + f)), largest = std::max(largest, std::abs(f));
        }
  EXPECT_GT(largest, 0);
  EXPECT_LE(worst, 1e-6 * largest);
}

TEST_P(LandmarkForce, OfADescentIsPulledBack) {
  const Vec3<int> size = GetParam();
  const Vec3<double> spacing{1, 1, 1}, half{0.5, 0.5, 0.5};
  test::Rng rng(4);
  const LevelLandmarks landmarks = randomLandmarks(size, 1, rng);
  const auto u = test::displacementOf<double>(size, 0.4, 0.1, rng);
  RegistrationOptions paper;
  paper.force = RegistrationForce::paper;
  const auto plain = forceOf(landmarkTables<double>(size, spacing, landmarks, paper), u, spacing),
             pulled = forceOf(landmarkTables<double>(size, spacing, landmarks, {}), u, spacing);
  for (int z = 1; z + 1 < size.z; ++z)
    for (int y = 1; y + 1 < size.y; ++y)
      for (int x = 1; x + 1 < size.x; ++x) {
        const auto gradient =
            centralGradient(u.at(0, x, y, z), u.at(1, x, y, z), u.at(2, x, y, z), u.row, u.plane, half);
        const Vec3<double> expected = pulledBack(gradient, plain(x, y, z)), found = pulled(x, y, z);
        for (int i = 0; i < 3; ++i) EXPECT_NEAR(found[i], expected[i], 1e-12);
      }
}

INSTANTIATE_TEST_SUITE_P(Sizes, LandmarkForce,
                         testing::Values(Vec3<int>{7, 6, 8}, Vec3<int>{9, 8, 1}, Vec3<int>{1, 8, 9}));

TEST(LandmarkEnergy, IsTheWeightedMeanOfHalfTheSquaredDistances) {
  RegistrationOptions options;
  options.landmarkWeight = 5;
  const LevelLandmarks landmarks{{{{3, 3, 3}, {3, 3, 5}}, {{4.5, 4, 4}, {4.5, 4, 4}}}, 2};
  VectorField<double> u({9, 9, 9});
  for (const int x : {4, 5}) u.set(x, 4, 4, {1.5, 0, 0});
  const auto tables = landmarkTables<double>(u.size, {1, 1, 3}, landmarks, options);
  // 6 mm are 3 units, 1.5 mm are 0.75.
  EXPECT_NEAR(landmarkEnergy(tables, u), 5.0 / 2 * 0.5 * (9 + 0.75 * 0.75), 1e-12);
}

TEST(LandmarkEnergy, IsTheSameOnEveryLevel) {
  const Grid fine{{33, 33, 33}, {}};
  Grid coarse{{17, 17, 17}, {}};
  for (int i = 0; i < 3; ++i) coarse.worldFromVoxel.m[std::size_t(i)][std::size_t(i)] = 2;
  const auto landmarks =
      placed({{"a", {4.3, 7, 9}, {6, 7.7, 8}}, {"b", {20, 21, 22}, {22, 23, 20}}}, {}, {}, false);
  const auto energyOn = [&](const Grid& grid) {
    const LevelLandmarks there = landmarksOf(landmarks, grid, &PlacedLandmark::ofTemplate, 1);
    return landmarkEnergy(landmarkTables<double>(grid.size, grid.spacing(), there, {}),
                          VectorField<double>(grid.size));
  };
  EXPECT_GT(energyOn(fine), 0);
  EXPECT_NEAR(energyOn(coarse), energyOn(fine), 1e-12);
}

TEST(Landmarks, LieHalfwayInSymmetricRegistration) {
  Affine shift;
  shift.t = {2, 0, 0};
  const auto landmarks = placed({{"a", {5, 0, 0}, {1, 0, 0}}}, shift, shift.inverse(), true);
  EXPECT_EQ(landmarks[0].ofTemplate, (Vec3<double>{3, 0, 0}));
  EXPECT_EQ(landmarks[0].ofReference, (Vec3<double>{3, 0, 0}));
  EXPECT_EQ(landmarks[0].at, (Vec3<double>{3, 0, 0}));
}

/// A deformed brain with its true displacement as landmarks.
class LandmarkRegistration : public testing::Test {
 protected:
  LandmarkRegistration() {
    phantom::RegistrationPhantomOptions options;
    options.kind = phantom::RegistrationPhantomKind::brain, options.size = 32;
    const auto made = phantom::makeRegistrationPhantom(options);
    input_.templateImage = made.templateImage, input_.reference = made.reference;
    const Grid& grid = made.reference->grid;
    const Vec3<double> far{3, -2, 2};  // different from what the images show
    for (const Vec3<int> v : {Vec3<int>{12, 14, 16}, {20, 16, 15}, {16, 20, 18}}) {
      const Vec3<double> p = grid.worldFromVoxel.point({double(v.x), double(v.y), double(v.z)});
      input_.landmarks.push_back({"", p + far, p});
    }
    options_.affine = LinearAlignment::none, options_.iterations = "60";
  }

  RegistrationInput input_;
  RegistrationOptions options_;
};

TEST_F(LandmarkRegistration, BringsThemTogetherWhateverTheSimilarity) {
  for (const bool symmetric : {false, true})
    for (const auto similarity : {Similarity::l2, Similarity::lcc, Similarity::mi}) {
      SCOPED_TRACE(testing::Message() << int(similarity) << (symmetric ? ", symmetric" : ""));
      options_.similarity = similarity, options_.symmetric = symmetric;
      options_.landmarkWeight = 0;
      const auto without =
          spreadOf(registerImages(input_, options_, {}).landmarks, &LandmarkDistance::deformed);
      options_.landmarkWeight = 0.1;
      const auto result = registerImages(input_, options_, {});
      const auto with = spreadOf(result.landmarks, &LandmarkDistance::deformed);
      EXPECT_GT(without.mean, 2);
      EXPECT_LT(with.mean, 0.5);
      EXPECT_GT(result.smallestCornerJ, 0);
      EXPECT_NEAR(result.landmarks[0].before, std::sqrt(17.0), 1e-9);
      EXPECT_EQ(result.landmarks[0].linearlyAligned, result.landmarks[0].before);
      for (std::size_t i = 1; i < result.iterations.size(); ++i)
        if (result.iterations[i].level == result.iterations[i - 1].level) {
          EXPECT_LT(result.iterations[i].energy, result.iterations[i - 1].energy) << i;
        }
    }
}

TEST_F(LandmarkRegistration, WithoutWeightIsThatWithoutThem) {
  options_.landmarkWeight = 0;
  const auto with = registerImages(input_, options_, {});
  input_.landmarks.clear();
  EXPECT_EQ(registerImages(input_, options_, {}).displacement.values, with.displacement.values);
}

TEST_F(LandmarkRegistration, RefusesWhatLiesOutside) {
  input_.landmarks[1].name = "tip";
  input_.landmarks[1].ofTemplate.x += 1000;
  test::expectError([&] { (void)registerImages(input_, options_, {}); },
                    {"The landmark 'tip' lies outside of the template", "RAS+"}, ErrorKind::badInput);
  input_.landmarks[1] = {"tip", input_.landmarks[0].ofTemplate, {0, 0, 1e6}};
  test::expectError([&] { (void)registerImages(input_, options_, {}); },
                    {"The landmark 'tip' lies outside of the reference"}, ErrorKind::badInput);
}

}  // namespace
}  // namespace sulcus::registration
