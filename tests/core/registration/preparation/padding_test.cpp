#include "core/registration/preparation/padding.h"

#include "tests/support/for_each_seed.h"
#include "tests/support/grid.h"

#include <cmath>
#include <functional>

#include <gmock/gmock.h>

namespace sulcus::registration {
namespace {

/// An image with values of (distance from the center of a slice in half sides, distance from the center).
std::shared_ptr<Series<float>> imageOf(const std::function<double(double, double)>& value) {
  const Grid grid = test::gridOf({32, 32, 24}, {2, 2, 2});
  auto image = std::make_shared<Series<float>>(grid, 1);
  for (std::int64_t i = 0; i < grid.voxels(); ++i) {
    const Vec3<int> v = grid.voxel(i);
    const double x = (v.x - 15.5) / 16, y = (v.y - 15.5) / 16, z = (v.z - 11.5) / 12;
    image->at(i, 0) = float(std::round(value(std::hypot(x, y), std::hypot(x, y, z))));
  }
  return image;
}

double ct(double r) { return r < 0.6 ? 40 : r < 0.7 ? 900 : -1000; }

TEST(PaddingOf, ACtIsWhatStandsAroundItsScanCircle) {
  test::Rng rng(1);
  for (const double value : {-3024., -2000., -2048.}) {
    const auto noisy =
        imageOf([&](double slice, double r) { return slice > 1 ? value : ct(r) + rng.uniform(-30, 30); });
    const auto found = paddingOf(*noisy);
    ASSERT_TRUE(found) << value;
    EXPECT_EQ(found->value, float(value));
    EXPECT_NEAR(found->air, -1030, 3);
  }
}

TEST(PaddingOf, OtherImagesIsNone) {
  EXPECT_FALSE(paddingOf(*imageOf([](double, double r) { return ct(r); }))) << "air";
  EXPECT_FALSE(paddingOf(*imageOf([](double, double r) { return r < 0.7 ? 300 + 500 * r : 0; })))
      << "a brain";
  EXPECT_FALSE(paddingOf(*imageOf([](double, double r) { return r < 0.7 ? 300 + 500 * r : -1000; })))
      << "a brain in a dark";
  EXPECT_FALSE(paddingOf(*imageOf([](double, double r) { return r < 0.3   ? 2
                                                                : r < 0.7 ? 1
                                                                          : 0; })))
      << "labels";
  EXPECT_FALSE(paddingOf(*imageOf([](double, double) { return 5; }))) << "nothing";
}

TEST(WithoutPadding, AirStandsThereAndANoteSaysSo) {
  RegistrationInput input;
  input.templateImage = imageOf([](double slice, double r) { return slice > 1 ? -3024 : ct(r); });
  input.reference = imageOf([](double, double r) { return ct(r); });
  Notes notes;
  const RegistrationInput filled = withoutPadding(input, notes);
  EXPECT_EQ(filled.templateImage->values, input.reference->values);
  EXPECT_EQ(filled.reference, input.reference) << "not even copied";
  EXPECT_THAT(notes, testing::ElementsAre(testing::HasSubstr("The template is padded with -3024: -1000")));
}

}  // namespace
}  // namespace sulcus::registration
