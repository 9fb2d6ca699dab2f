#include "ui/scene/common/screen_images.h"

#include "tests/ui/scene/off_screen.h"

#include <array>

#include <vtkImageData.h>
#include <vtkRenderer.h>

namespace sulcus::ui::scene {
namespace {

class ScreenImagesDrawing : public Drawing {
 protected:
  void SetUp() override {
    Drawing::SetUp();
    renderer->AddViewProp(images);
    window->AddRenderer(renderer);
  }

  using Rgba = std::array<unsigned char, 4>;
  /// Two pixels side by side.
  static vtkSmartPointer<vtkImageData> two(const Rgba& left, const Rgba& right) {
    auto image = vtkSmartPointer<vtkImageData>::New();
    image->SetDimensions(2, 1, 1);
    image->AllocateScalars(VTK_UNSIGNED_CHAR, 4);
    for (int c = 0; c < 4; ++c) {
      image->SetScalarComponentFromDouble(0, 0, 0, c, left[std::size_t(c)]);
      image->SetScalarComponentFromDouble(1, 0, 0, c, right[std::size_t(c)]);
    }
    return image;
  }
  std::array<int, 3> seen(int x, int y) {
    const Pixel pixel = at(x, y);
    return {pixel.r, pixel.g, pixel.b};
  }

  vtkNew<vtkRenderer> renderer;
  vtkNew<ScreenImages> images;
};

constexpr std::array<unsigned char, 4> kRed{255, 0, 0, 255}, kBlue{0, 0, 255, 255}, kClear{0, 0, 0, 0};
using Triple = std::array<int, 3>;

TEST_F(ScreenImagesDrawing, LieWhereTheyAreSaidToLieAndKeepTheirColors) {
  const auto image = two(kRed, kBlue);
  images->show({{image, 40, 20, 100, 50}});
  window->Render();
  EXPECT_EQ(seen(40, 20), (Triple{255, 0, 0})) << "the lower left corner";
  EXPECT_EQ(seen(69, 49), (Triple{255, 0, 0}));
  EXPECT_EQ(seen(70, 20), (Triple{0, 0, 255})) << "the second pixel begins in the middle";
  EXPECT_EQ(seen(99, 49), (Triple{0, 0, 255}));
  for (const auto& [x, y] : {std::pair(39, 30), {100, 30}, {60, 19}, {60, 50}})
    EXPECT_EQ(seen(x, y), (Triple{0, 0, 0})) << x << ", " << y;
  images->show({{image, 40, 20, 100, 50, 1, true}});
  window->Render();
  const Triple between = seen(70, 30);
  EXPECT_NEAR(between[0], 127, 4);
  EXPECT_NEAR(between[2], 127, 4);
  image->SetScalarComponentFromDouble(0, 0, 0, 1, 255);
  image->Modified();
  window->Render();
  EXPECT_EQ(seen(42, 30), (Triple{255, 255, 0})) << "what has changed is drawn anew";
}

TEST_F(ScreenImagesDrawing, AreMixedInTheirOrder) {
  const auto below = two(kRed, kRed), above = two(kBlue, kClear);
  images->show({{below, 0, 0, 200, 200, 1, false, true}, {above, 0, 0, 200, 100, 0.5}});
  window->Render();
  EXPECT_NEAR(seen(50, 50)[0], 128, 2);
  EXPECT_NEAR(seen(50, 50)[2], 128, 2);
  EXPECT_EQ(seen(150, 50), (Triple{255, 0, 0})) << "it is clear there";
  EXPECT_EQ(seen(50, 150), (Triple{255, 0, 0}));
  images->show({{above, 0, 0, 200, 100}, {below, 0, 0, 200, 200, 1, false, true, 1}});
  window->Render();
  EXPECT_EQ(seen(50, 50), (Triple{0, 0, 255})) << "the first column of the other is left out";
  EXPECT_EQ(seen(150, 50), (Triple{255, 0, 0}));
}

}  // namespace
}  // namespace sulcus::ui::scene
