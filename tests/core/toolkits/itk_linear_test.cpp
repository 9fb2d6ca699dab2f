#include "tests/core/toolkits/itk_linear.h"

#include "core/phantom/registration_phantom.h"
#include "core/registration/linear/linear_alignment.h"
#include "core/registration/preparation/resample.h"

#include <gtest/gtest.h>

namespace sulcus::test {
namespace {

TEST(PrealignOfTwoHeads, IsThatOfItk) {
  using registration::LinearAlignment;
  phantom::RegistrationPhantomOptions options;
  options.size = 64, options.displacement = 0, options.noise = 2;
  const auto pair = phantom::makeRegistrationPhantom(options);
  Affine truth;
  truth.m = {{{0.95, 0.1, 0}, {-0.12, 1.04, 0.05}, {0, -0.04, 1.02}}}, truth.t = {6, -8, 3};
  const auto& image = *pair.templateImage;
  const Series<float> moved(registration::resampled({image.grid, image.volume(0)}, image.grid,
                                                    truth.inverse(), {registration::Interpolation::linear, 0},
                                                    nullptr, {}));
  const Affine own = registration::alignLinearly(moved, *pair.reference, nullptr, LinearAlignment::affine, {},
                                                 {}),
               itk = itkAlignLinearly(moved, *pair.reference, nullptr, LinearAlignment::affine, {}, {});
  for (const double x : {-30.0, 30.0})
    for (const double y : {-30.0, 30.0})
      for (const double z : {-30.0, 30.0})
        EXPECT_LT(norm(own.point({x, y, z}) - itk.point({x, y, z})), 0.5);  // mm
}

}  // namespace
}  // namespace sulcus::test
