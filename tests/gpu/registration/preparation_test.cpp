#include "gpu/registration/preparation.h"

#include "core/phantom/registration_phantom.h"
#include "core/registration/linear/linear_alignment.h"
#include "core/registration/registration_plan.h"
#include "gpu/registration/registration.h"
#include "tests/core/registration/deformation/level_inputs.h"
#include "tests/support/device_memory.h"
#include "tests/support/gpu.h"
#include "tests/support/grid.h"

#include <bit>
#include <functional>
#include <stop_token>

#include <gmock/gmock.h>

namespace sulcus::registration {
namespace {

using test::gridOf;
namespace device = gpu::registration;

/// Whether the bits are equal, or both are NaN.
bool same(float a, float b) {
  return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b) || (a != a && b != b);
}
void expectSame(const std::vector<float>& there, const std::vector<float>& here) {
  ASSERT_EQ(there.size(), here.size());
  std::size_t differ = 0;
  for (std::size_t i = 0; i < here.size(); ++i) differ += same(there[i], here[i]) ? 0 : 1;
  EXPECT_EQ(differ, 0u) << "of " << here.size();
}

/// Sizes near those of warps and blocks, and planes.
const std::vector<Vec3<int>> kSizes{{31, 32, 33}, {33, 31, 32}, {64, 15, 16}, {65, 17, 18}, {129, 63, 4},
                                    {9, 130, 8},  {1, 64, 33},  {33, 1, 64},  {64, 33, 1},  {255, 257, 1}};
const std::vector<Vec3<double>> kSpacings{{1, 1, 1}, {0.9, 2, 3.1}, {1.3, 1, 0.8}};

std::vector<float> noise(std::int64_t voxels, test::Rng& rng) {
  std::vector<float> image;
  for (std::int64_t i = 0; i < voxels; ++i) image.push_back(float(rng.uniform(-50, 200)));
  return image;
}

Series<float> noiseOn(const Grid& grid, test::Rng& rng) {
  Series<float> image(grid, 1);
  image.values = noise(grid.voxels(), rng);
  return image;
}

class GpuPreparation : public test::NeedsGpu {};

TEST_F(GpuPreparation, CoarsensToTheBitsOfTheCpu) {
  test::Rng rng(1);
  for (const Vec3<int>& size : kSizes)
    for (const Vec3<double>& spacing : kSpacings) {
      SCOPED_TRACE(testing::Message() << size.x << 'x' << size.y << 'x' << size.z << ", " << spacing.x);
      const Grid fine = gridOf(size, spacing), coarse = coarser(fine);
      auto image = noise(fine.voxels(), rng);
      image[0] = -0.f;
      expectSame(device::coarsened(image, {}, fine, coarse, {}), coarsened(image, {}, fine, coarse, {}));
    }
}

TEST_F(GpuPreparation, CoarsensInAMaskToTheBitsOfTheCpu) {
  test::Rng rng(2);
  for (const Vec3<int>& size : kSizes) {
    SCOPED_TRACE(testing::Message() << size.x << 'x' << size.y << 'x' << size.z);
    const Grid fine = gridOf(size, {1, 1.2, 1}), coarse = coarser(fine);
    // A part of the image with holes, only its voxels, and none.
    const std::function<bool(Vec3<int>)> masks[] = {
        [&](Vec3<int> v) { return v.x + v.y > size.x / 2 && rng.uniform() > 0.2; },
        [&](Vec3<int> v) {
          return v == Vec3<int>{size.x / 2, size.y / 2, size.z / 2};
        },
        [](Vec3<int>) { return false; }};
    for (const auto& in : masks) {
      auto image = noise(fine.voxels(), rng);
      std::vector<std::uint8_t> mask;
      for (std::int64_t i = 0; i < fine.voxels(); ++i) {
        mask.push_back(in(fine.voxel(i)) ? 1 : 0);
        if (!mask.back() && rng.uniform() > 0.5) image[std::size_t(i)] = NAN;  // must be ignored
      }
      expectSame(device::coarsened(image, mask, fine, coarse, {}), coarsened(image, mask, fine, coarse, {}));
    }
  }
}

TEST_F(GpuPreparation, AlignsToTheBitsOfTheCpu) {
  test::Rng rng(3);
  Affine turn;
  turn.m = {{{0.95, 0.1, -0.02}, {-0.12, 1.02, 0.05}, {0.03, -0.04, 1.05}}}, turn.t = {1.3, -2.1, 0.7};
  for (const Vec3<int>& size : kSizes)
    for (const Vec3<double>& spacing : kSpacings)
      for (const Affine& map : {Affine{}, turn}) {
        SCOPED_TRACE(testing::Message() << size.x << 'x' << size.y << 'x' << size.z << ", " << spacing.x);
        const Grid grid = gridOf({34, 31, 33}, {1.6, 1.7, 1.5}, {-3, 4, -2});
        const Series<float> image = noiseOn(gridOf(size, spacing), rng);
        for (const auto kind : {Interpolation::linear, Interpolation::cubic}) {
          Mask here, there;
          const Volume<float> expected = alignedImage(image, grid, map, kind, here, {}),
                              got = device::alignedImage(image, grid, map, kind, there, {});
          expectSame(got.values, expected.values);
          EXPECT_EQ(there.values, here.values);
          EXPECT_EQ(there.grid.size, here.grid.size);
        }
      }
}

TEST_F(GpuPreparation, FindsAsMuchTextureAsTheCpu) {
  test::Rng rng(4);
  for (const Vec3<int>& size : kSizes)
    for (const int radius : {1, 2, 4, 7}) {
      SCOPED_TRACE(testing::Message() << size.x << 'x' << size.y << 'x' << size.z << ", " << radius);
      auto images = test::imagesOf<float>(size, {1, 1, 1}, rng);
      std::vector<std::uint8_t> region;
      for (float& value : images.reference) {
        const auto i = std::int64_t(region.size());
        if (i % size.x < size.x / 2) value = 0.5;  // flat
        region.push_back(rng.uniform() > 0.3 ? 1 : 0);
      }
      const double here = texturedShare(images, radius, region, {});
      EXPECT_EQ(device::texturedShare(images, radius, region, {}), here);
      if (size.x > 32) {
        EXPECT_THAT(here, testing::AllOf(testing::Gt(0.1), testing::Lt(1)));
      }
    }
  const auto images = test::imagesOf<float>({8, 8, 8}, {1, 1, 1}, rng);
  EXPECT_EQ(device::texturedShare(images, 2, std::vector<std::uint8_t>(512), {}), 0) << "nothing to look at";
}

RegistrationInput phantom(int size) {
  phantom::RegistrationPhantomOptions options;
  options.kind = phantom::RegistrationPhantomKind::brain, options.size = size;
  const phantom::RegistrationPhantom made = phantom::makeRegistrationPhantom(options);
  RegistrationInput input;
  input.templateImage = made.templateImage, input.reference = made.reference;
  return input;
}

/// A ball at the center of the reference.
std::shared_ptr<const Mask> maskOf(const Grid& grid) {
  Mask mask(grid);
  for (std::int64_t i = 0; i < grid.voxels(); ++i) {
    const Vec3<int> v = grid.voxel(i);
    Vec3<double> d;
    for (int a = 0; a < 3; ++a) d[a] = 2.0 * v[a] / grid.size[a] - 1;
    mask.values[std::size_t(i)] = norm(d) < 0.8;
  }
  return std::make_shared<const Mask>(std::move(mask));
}

TEST_F(GpuPreparation, PlansWhatTheCpuPlans) {
  RegistrationInput whole = phantom(48), masked = whole, channels = whole;
  masked.mask = maskOf(whole.reference->grid);
  masked.weights = std::make_shared<const Volume<float>>(whole.reference->grid, 0.5f);
  test::Rng rng(5);
  channels.further.push_back({std::make_shared<const Series<float>>(
                                  noiseOn(gridOf({90, 80, 70}, {1, 1, 1.2}, {-40, -40, -40}), rng)),
                              std::make_shared<const Series<float>>(
                                  noiseOn(gridOf({30, 40, 35}, {3, 3, 3}, {-50, -50, -50}), rng))});
  for (const RegistrationInput& input : {whole, masked, channels})
    for (const bool symmetric : {false, true}) {
      RegistrationOptions options;
      options.symmetric = symmetric;
      const RegistrationPlan here = planRegistration(input, options, {}),
                             there =
                                 planRegistration(input, options, {}, PlanUse::flow, device::kDeviceSteps);
      EXPECT_EQ(there.similarity, here.similarity);
      EXPECT_EQ(there.notes, here.notes);
      EXPECT_EQ(there.region, here.region);
      ASSERT_EQ(there.levels.size(), here.levels.size());
      EXPECT_GT(here.levels.size(), 1u);
      for (std::size_t l = 0; l < here.levels.size(); ++l) {
        const LevelInput<float>&a = there.levels[l].input, &b = here.levels[l].input;
        expectSame(a.weights, b.weights);
        for (std::size_t c = 0; c < b.channels.size(); ++c) {
          expectSame(a.channels[c].moving, b.channels[c].moving);
          expectSame(a.channels[c].reference, b.channels[c].reference);
        }
      }
    }
}

TEST_F(GpuPreparation, PrealignsAsTheCpuDoes) {
  const RegistrationInput input = phantom(128);
  ASSERT_EQ(device::stepsFor(input.reference->grid.voxels()).coarsened, device::kDeviceSteps.coarsened);
  Series<float> moved = *input.templateImage;
  moved.grid.worldFromVoxel.t = moved.grid.worldFromVoxel.t + Vec3<double>{7, -5, 9};
  const auto mask = maskOf(input.reference->grid);
  for (const Mask* in : {static_cast<const Mask*>(nullptr), mask.get()})
    for (const auto kind : {LinearAlignment::rigid, LinearAlignment::affine})
      EXPECT_EQ(device::alignLinearly(moved, *input.reference, in, kind, {}, {}),
                alignLinearly(moved, *input.reference, in, kind, {}, {}));
}

TEST_F(GpuPreparation, StopsWhenAsked) {
  test::Rng rng(6);
  const Series<float> image = noiseOn(gridOf({40, 40, 40}, {1, 1, 1}), rng);
  std::stop_source stop;
  stop.request_stop();
  const Progress stopped(stop.get_token(), {});
  Mask covered;
  const std::int64_t before = test::deviceBytesInUse();

  EXPECT_THROW(device::coarsened(image.values, {}, image.grid, coarser(image.grid), stopped), Cancelled);
  EXPECT_THROW(device::alignedImage(image, image.grid, {}, Interpolation::cubic, covered, stopped),
               Cancelled);

  EXPECT_EQ(test::deviceBytesInUse(), before);
}

TEST_F(GpuPreparation, TakesNoMoreMemoryThanIsSaid) {
  test::Rng rng(7);
  RegistrationInput input = phantom(128), large = input;
  input.mask = maskOf(input.reference->grid);
  const auto wide =
      std::make_shared<const Series<float>>(noiseOn(gridOf({300, 300, 100}, {0.5, 0.5, 1}), rng));
  large.further.push_back({wide, wide});
  RegistrationOptions options;
  options.affine = LinearAlignment::none;
  for (const RegistrationInput& given : {input, large}) {
    const double said = double(device::preparationBytes(given)),
                 taken = double(test::mostDeviceMemory([&] {
                   (void)planRegistration(given, options, {}, PlanUse::flow, device::kDeviceSteps);
                 }));
    EXPECT_LE(taken, said * 1.02);
    EXPECT_GE(taken, said * 0.4) << "two images that may be made one after the other";
  }
}

}  // namespace
}  // namespace sulcus::registration
