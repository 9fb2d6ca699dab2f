#include "core/registration/linear/linear_information.h"

#include "core/phantom/registration_phantom.h"
#include "core/registration/linear/linear_climb.h"
#include "core/registration/preparation/resample.h"
#include "tests/core/registration/deformation/align_levels.h"

#include <cmath>

#include <gtest/gtest.h>

namespace sulcus::registration {
namespace {

/// The image with more air around it, so that no sample crosses its border if the map changes slightly.
Series<float> padded(const Series<float>& image) {
  Grid grid = image.grid;
  for (int i = 0; i < 3; ++i) grid.size[i] += 60;
  grid.worldFromVoxel.t = image.grid.worldFromVoxel.point({-30, -30, -30});
  return Series<float>(
      resampled({image.grid, image.volume(0)}, grid, {}, {Interpolation::linear, 0}, nullptr, {}));
}

/// The two heads of a phantom at one level.
struct Heads {
  AlignLevel templateImage, reference;
};

const Heads& heads() {
  static const Heads heads = [] {
    phantom::RegistrationPhantomOptions options;
    options.size = 64, options.noise = 2;
    const auto pair = phantom::makeRegistrationPhantom(options);
    const auto level = [](const Series<float>& image) {
      return alignLevels(alignContent(image, nullptr, "image", {}), frameOf(image, "image", {}),
                         {{0.2, 8000}, {0.1, 8000}}, {})[0];
    };
    return Heads{level(padded(*pair.templateImage)), level(padded(*pair.reference))};
  }();
  return heads;
}

/// For one map.
Information under(const PairInformation& information, const Affine& map) {
  return information({map}).front();
}

Matrix34 someMotion() {
  Matrix34 x;
  x << 0.02, -0.05, 0.03, 0.1, 0.04, -0.03, 0.02, -0.05, -0.01, 0.05, 0.04, 0.08;
  return x;
}

class PairInformationBy : public testing::TestWithParam<LinearSimilarity> {};
INSTANTIATE_TEST_SUITE_P(, PairInformationBy, testing::ValuesIn(test::kLinearSimilarities),
                         test::similarityName);

TEST_P(PairInformationBy, SlopesAreThoseOfFiniteDifferences) {
  const PairInformation information(heads().templateImage, heads().reference, GetParam());
  const Affine map = exponential(someMotion());
  const Matrix34 slope = under(information, map).slope;
  const double largest = slope.cwiseAbs().maxCoeff();
  for (const Matrix34& motion : motionsOf(Motions::affine, 3)) {
    const double step = 2e-3, by = motion.cwiseProduct(slope).sum();
    const double difference = (under(information, exponential(step * motion) * map).value -
                               under(information, exponential(-step * motion) * map).value) /
                              (2 * step);
    EXPECT_NEAR(by, difference, 0.005 * largest);  // the interpolant has kinks where samples cross voxels
  }
}

TEST_P(PairInformationBy, IsTheSameOfExchangedImages) {
  const Affine map = exponential(someMotion());
  const PairInformation there(heads().templateImage, heads().reference, GetParam()),
      back(heads().reference, heads().templateImage, GetParam());
  EXPECT_NEAR(under(there, map).value, under(back, map.inverse()).value, 1e-5);
}

TEST_P(PairInformationBy, OfAnImageWithItselfIsLargestWhereTheyCoincide) {
  const PairInformation information(heads().reference, heads().reference, GetParam());
  const double best = under(information, {}).value;
  EXPECT_GT(best, 1);
  for (const Matrix34& motion : motionsOf(Motions::affine, 3)) {
    EXPECT_LT(under(information, exponential(0.05 * motion)).value, best);
    EXPECT_LT(under(information, exponential(-0.05 * motion)).value, best);
  }
}

TEST_P(PairInformationBy, IsNoneOfImagesThatDoNotMeet) {
  Affine far;
  far.t = {30, 0, 0};
  const PairInformation information(heads().templateImage, heads().reference, GetParam());
  EXPECT_EQ(under(information, far).value, 0);
  EXPECT_EQ(under(information, far).slope, Matrix34::Zero());
}

TEST_P(PairInformationBy, OfManyMapsIsThatOfEach) {
  const PairInformation information(heads().templateImage, heads().reference, GetParam());
  std::vector<Affine> maps;
  for (const double by : {-1.0, 0.0, 0.3, 2.0}) maps.push_back(exponential(by * someMotion()));
  const auto all = information(maps, true);
  for (std::size_t i = 0; i < maps.size(); ++i) {
    const Information alone = information({maps[i]}, true).front();
    EXPECT_EQ(all[i].value, alone.value);
    EXPECT_EQ(all[i].slope, alone.slope);
    EXPECT_EQ(all[i].curvature, alone.curvature);
  }
}

TEST_P(PairInformationBy, CurvatureIsTheMeanSquareSlope) {
  const PairInformation information(heads().templateImage, heads().reference, GetParam());
  const Affine map = exponential(someMotion());
  EXPECT_EQ(under(information, map).curvature, Matrix12::Zero()) << "nobody asked";
  const Matrix12 curvature = information({map}, true).front().curvature;
  EXPECT_TRUE(curvature.isApprox(curvature.transpose(), 1e-9));
  Eigen::Matrix<double, 12, 1> x;
  x.setLinSpaced(-1, 1);
  EXPECT_GT(x.dot(curvature * x), 0);
}

}  // namespace
}  // namespace sulcus::registration
