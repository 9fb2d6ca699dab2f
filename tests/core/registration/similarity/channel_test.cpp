#include "core/registration/similarity/channel.h"

#include "tests/support/expect_error.h"

#include <gmock/gmock.h>

namespace sulcus::registration {
namespace {

using testing::DoubleEq;
using testing::ElementsAre;

TEST(ChannelShares, SumToOne) {
  EXPECT_THAT(channelShares("", 1), ElementsAre(1));
  EXPECT_THAT(channelShares("  ", 4), ElementsAre(0.25, 0.25, 0.25, 0.25));
  EXPECT_THAT(channelShares("1 0.5 0", 3), ElementsAre(DoubleEq(2 / 3.0), DoubleEq(1 / 3.0), 0));
}

TEST(ChannelShares, OfOtherNumbersAreRefused) {
  const auto expect = [](const char* weights, std::size_t channels, const char* sentence) {
    test::expectError([&] { (void)channelShares(weights, channels); }, {sentence}, ErrorKind::usage);
  };
  expect("1 two", 2, "The channel weights '1 two' are not understood");
  expect("1 -1", 2, "are not understood");
  expect("1 nan", 2, "are not understood");
  expect("1 1", 1, "There are 2 channel weights for 1 channel");
  expect("1", 3, "There is 1 channel weight for 3 channels");
  expect("0 0", 2, "leave no channel");
}

/// An image that rises along x, y and z in the world.
std::shared_ptr<const Series<float>> ramp(const Grid& grid) {
  Series<float> image(grid, 1);
  for (std::int64_t i = 0; i < grid.voxels(); ++i) {
    const Vec3<int> v = grid.voxel(i);
    const Vec3<double> p = grid.worldFromVoxel.point({double(v.x), double(v.y), double(v.z)});
    image.values[std::size_t(i)] = float(p.x + 10 * p.y + 100 * p.z);
  }
  return std::make_shared<const Series<float>>(std::move(image));
}

TEST(AlignedChannel, LiesWhereTheHeadersSay) {
  const Grid grid{{6, 6, 6}, {}};
  Grid other{{9, 9, 9}, {}};
  for (int i = 0; i < 3; ++i) other.worldFromVoxel.m[std::size_t(i)][std::size_t(i)] = 0.75;
  other.worldFromVoxel.t = {1, 0, 0};  // so that the first plane is not covered
  Affine shift;
  shift.t = {0, 0, 0.5};

  const ChannelImages images =
      alignedChannel({ramp(grid), ramp(other)}, 1, {grid, nullptr, shift, Interpolation::linear}, {});

  EXPECT_EQ(images.which, " 2");
  const auto at = [&](int x, int y, int z) { return std::size_t(grid.index(x, y, z)); };
  EXPECT_NEAR(images.reference[at(3, 4, 2)], 243, 1e-3);
  EXPECT_NEAR(images.moving[at(3, 4, 2)], 293, 1e-3);
  EXPECT_EQ(images.compared[at(0, 4, 2)], 0);
  EXPECT_EQ(images.compared[at(3, 4, 2)], 1);
}

TEST(AlignedChannel, ThatIsElsewhereIsRefusedByItsNumber) {
  const Grid grid{{6, 6, 6}, {}};
  Grid far = grid;
  far.worldFromVoxel.t = {100, 0, 0};
  test::expectError(
      [&] {
        (void)alignedChannel({ramp(grid), ramp(far)}, 1, {grid, nullptr, {}, Interpolation::linear}, {});
      },
      {"Template 2 and reference 2 do not overlap"});
}

}  // namespace
}  // namespace sulcus::registration
