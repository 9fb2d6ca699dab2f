#include "core/registration/linear/linear_level.h"

#include "core/base/error.h"
#include "core/math/linear_algebra.h"
#include "core/phantom/registration_phantom.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace sulcus::registration {
namespace {

const Series<float>& headImage() {
  static const auto image = [] {
    phantom::RegistrationPhantomOptions options;
    options.size = 64;
    return phantom::makeRegistrationPhantom(options).reference;
  }();
  return *image;
}

TEST(AlignContent, IsAShareOfTheRangeWithoutOutliers) {
  Series<float> image = headImage();
  image.values[7] = 1e6F, image.values[8] = -1e6F;
  const AlignLevel content = alignContent(image, nullptr, "head", {});
  EXPECT_EQ(content.values[7], 1);
  EXPECT_EQ(content.values[8], 0);
  const auto white =
      std::find_if(image.values.begin(), image.values.end(), [](float v) { return v > 950 && v < 1e5F; });
  EXPECT_GT(content.values[std::size_t(white - image.values.begin())], 0.8);
}

TEST(AlignContent, LooksAtAllOfALargeImage) {
  Series<float> image({{32, 512, 512}, {}}, 1);  // 32 times as many voxels as are sampled
  const std::int64_t n = image.grid.voxels();
  for (std::int64_t i = 0; i < n; ++i) image.values[std::size_t(i)] = float(image.grid.voxel(i).x);
  const AlignLevel content = alignContent(image, nullptr, "ramp", {});
  const Mask all(image.grid, 1);
  const AlignLevel inMask = alignContent(image, &all, "ramp", {});
  for (int x = 0; x < 32; ++x) {
    EXPECT_NEAR(content.values[std::size_t(x)], x / 31.0, 1e-6);
    EXPECT_EQ(inMask.values[std::size_t(x)], content.values[std::size_t(x)]);
  }
}

TEST(AlignContent, RefusesWhatIsConstantInTheMask) {
  Mask mask(headImage().grid);
  EXPECT_THROW(alignContent(headImage(), &mask, "head", {}), Error);
  EXPECT_THROW(alignContent(Series<float>(headImage().grid, 1, 7), nullptr, "head", {}), Error);
}

TEST(AlignLevels, HaveVoxelsOfTheirSizeAndSamplesInTheObject) {
  const ObjectFrame frame = frameOf(headImage(), "head", {});
  const auto levels =
      alignLevels(alignContent(headImage(), nullptr, "head", {}), frame, {{0.2, 1000}, {0.05, 20000}}, {});
  EXPECT_LE(finestEdge(levels[0].grid), 0.2 * frame.unit);
  EXPECT_GT(2 * finestEdge(levels[0].grid), 0.2 * frame.unit);
  EXPECT_EQ(levels[1].grid.size, headImage().grid.size) << "2 mm are finest";
  EXPECT_NEAR(double(levels[0].samples.size()), 1000, 20)
      << "few of the distribution lie outside of the image";
  // As many as a three-dimensional normal distribution has within one standard deviation.
  const Matrix3 shape = frame.shape();
  const Eigen::Matrix3d spread = inverse(Eigen::Map<const Eigen::Matrix3d>(shape[0].data()));
  double within = 0;
  for (const AlignSample& s : levels[1].samples) {
    const auto p = levels[1].frameFromVoxel.point({s.x, s.y, s.z});
    const Eigen::Vector3d v(p.x, p.y, p.z);
    within += v.dot(spread * v) < 1;
  }
  EXPECT_NEAR(within / double(levels[1].samples.size()), 0.1987, 0.01);
}

TEST(AlignLevels, HaveTheirSamplesInTheMask) {
  Mask mask(headImage().grid);
  for (std::int64_t i = 0; i < mask.grid.voxels(); ++i)
    mask.values[std::size_t(i)] = mask.grid.voxel(i).x < 20 && mask.grid.voxel(i).y < 30;
  const auto level = alignLevels(alignContent(headImage(), &mask, "head", {}),
                                 frameOf(headImage(), "head", {}), {{0.05, 20000}}, {})[0];
  EXPECT_EQ(level.samples.size(), 20000u);
  for (const AlignSample& s : level.samples) EXPECT_TRUE(s.x < 19.5F && s.y < 29.5F);
}

}  // namespace
}  // namespace sulcus::registration
