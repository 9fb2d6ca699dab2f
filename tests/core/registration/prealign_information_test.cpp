#include "core/registration/prealign_information.h"

#include "core/phantom/registration_phantom.h"
#include "core/registration/prealign_climb.h"
#include "core/registration/resample.h"

#include <cmath>

#include <gtest/gtest.h>

namespace sulcus::registration {
namespace {

/// The image with more air around it, so that no sample crosses its border when the map changes a little.
Series<float> padded(const Series<float>& image) {
  Grid grid = image.grid;
  for (int i = 0; i < 3; ++i) grid.size[i] += 60;
  grid.worldFromVoxel.t = image.grid.worldFromVoxel.point({-30, -30, -30});
  return Series<float>(
      resampled(image.grid, image.volume(0), grid, {}, Interpolation::linear, 0, nullptr, {}));
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

Matrix34 someMotion() {
  Matrix34 x;
  x << 0.02, -0.05, 0.03, 0.1, 0.04, -0.03, 0.02, -0.05, -0.01, 0.05, 0.04, 0.08;
  return x;
}

TEST(PairInformation, SlopesAreThoseOfFiniteDifferences) {
  PairInformation information(heads().templateImage, heads().reference);
  const Affine map = exponential(someMotion());
  const Matrix34 slope = information(map).slope;
  const double largest = slope.cwiseAbs().maxCoeff();
  for (const Matrix34& motion : motionsOf(Motions::affine, 3)) {
    const double step = 2e-3, by = motion.cwiseProduct(slope).sum();
    const double difference = (information(exponential(step * motion) * map).value -
                               information(exponential(-step * motion) * map).value) /
                              (2 * step);
    EXPECT_NEAR(by, difference, 0.005 * largest);  // the interpolant has kinks where samples cross voxels
  }
}

TEST(PairInformation, IsTheSameOfExchangedImages) {
  const Affine map = exponential(someMotion());
  PairInformation there(heads().templateImage, heads().reference),
      back(heads().reference, heads().templateImage);
  EXPECT_NEAR(there(map).value, back(map.inverse()).value, 1e-5);
}

TEST(PairInformation, OfAnImageWithItselfIsLargestWhereTheyCoincide) {
  PairInformation information(heads().reference, heads().reference);
  const double best = information({}).value;
  EXPECT_GT(best, 1);
  for (const Matrix34& motion : motionsOf(Motions::affine, 3)) {
    EXPECT_LT(information(exponential(0.05 * motion)).value, best);
    EXPECT_LT(information(exponential(-0.05 * motion)).value, best);
  }
}

TEST(PairInformation, IsNoneOfImagesThatDoNotMeet) {
  Affine far;
  far.t = {30, 0, 0};
  PairInformation information(heads().templateImage, heads().reference);
  EXPECT_EQ(information(far).value, 0);
  EXPECT_EQ(information(far).slope, Matrix34::Zero());
}

TEST(PairInformation, CurvatureIsTheMeanSquareSlope) {
  PairInformation information(heads().templateImage, heads().reference);
  information(exponential(someMotion()));
  const auto curvature = information.curvature();
  EXPECT_TRUE(curvature.isApprox(curvature.transpose(), 1e-9));
  Eigen::Matrix<double, 12, 1> x;
  x.setLinSpaced(-1, 1);
  EXPECT_GT(x.dot(curvature * x), 0);
}

}  // namespace
}  // namespace sulcus::registration
