#include "core/registration/preparation/template_mask.h"

#include "core/base/error.h"
#include "core/phantom/registration_phantom.h"
#include "core/registration/linear/linear_alignment.h"
#include "tests/support/expect_error.h"
#include "tests/support/grid.h"

#include <cmath>

#include <gmock/gmock.h>

namespace sulcus::registration {
namespace {

using test::gridOf;
using testing::HasSubstr;

TEST(TemplateMask, GoesWithThePreAlignment) {
  const Grid own = gridOf({8, 8, 8}, {1, 1, 1}), grid = gridOf({8, 8, 8}, {1, 1, 1});
  Mask mask(own, 1);
  mask(4, 4, 4) = 0;
  Affine templateFromReference;
  templateFromReference.t = {2, 0, 0};
  const auto kept = templateVoxels(mask, grid, templateFromReference, {});
  EXPECT_EQ(kept[std::size_t(grid.index(2, 4, 4))], 0);
  EXPECT_EQ(kept[std::size_t(grid.index(3, 4, 4))], 1);
  EXPECT_EQ(kept[std::size_t(grid.index(7, 4, 4))], 1) << "outside of the template";
  templateFromReference.t = {1.5, 0, 0};
  const auto between = templateVoxels(mask, grid, templateFromReference, {});
  EXPECT_EQ(between[std::size_t(grid.index(2, 4, 4))], 0) << "half of it is made of what is masked";
  EXPECT_EQ(between[std::size_t(grid.index(3, 4, 4))], 0);
}

TEST(TemplateMask, LetsNothingOfWhatItLeavesOutIntoTheImageBesideIt) {
  const Grid grid = gridOf({12, 9, 9}, {1, 1, 1});
  Mask mask(grid, 1);
  Series<float> image(grid, 1);
  for (std::int64_t i = 0; i < grid.voxels(); ++i) {
    const Vec3<int> v = grid.voxel(i);
    const bool isLesion = v.x >= 6 && v.x < 9 && v.y >= 3 && v.y < 6 && v.z >= 3 && v.z < 6;
    mask.values[std::size_t(i)] = !isLesion;
    image.values[std::size_t(i)] = isLesion ? 5000 : float(v.x);
  }
  const auto continued = continuedBeyond(mask, image, {});
  for (std::int64_t i = 0; i < grid.voxels(); ++i) {
    const Vec3<int> v = grid.voxel(i);
    const float value = continued->values[std::size_t(i)];
    if (mask.values[std::size_t(i)])
      EXPECT_EQ(value, float(v.x));
    else
      EXPECT_NEAR(value, v.x, 1) << "by what is beside it";
  }
}

TEST(TemplateMask, GoesWithTheDisplacement) {
  PlannedLevel level;
  level.grid = gridOf({8, 8, 8}, {2, 2, 2});
  const auto voxels = std::size_t(level.grid.voxels());
  level.input = LevelInput<float>(
      {level.grid.size, level.grid.spacing(), std::vector<float>(voxels, 1), std::vector<float>(voxels, 2)});
  level.templateVoxels.assign(voxels, 1);
  level.templateVoxels[std::size_t(level.grid.index(4, 4, 4))] = 0;
  VectorField<float> u(level.grid.size);
  for (int z = 0; z < 8; ++z)
    for (int y = 0; y < 8; ++y)
      for (int x = 0; x < 8; ++x)
        u.set(x, y, z, {-2, 0, 0});  // the template's point is one voxel further along x
  const PlannedLevel masked = withTemplateMask(level, u, {});
  const auto& reference = masked.images().reference;
  EXPECT_TRUE(std::isnan(reference[std::size_t(level.grid.index(3, 4, 4))]));
  EXPECT_EQ(reference[std::size_t(level.grid.index(4, 4, 4))], 2);
  EXPECT_EQ(reference[std::size_t(level.grid.index(5, 4, 4))], 2);
  EXPECT_EQ(reference[std::size_t(level.grid.index(4, 5, 4))], 2);
  EXPECT_EQ(masked.images().moving, level.images().moving);
  level.templateVoxels.assign(voxels, 0);
  EXPECT_THAT(test::errorOf([&] { withTemplateMask(level, u, {}); }), HasSubstr("leaves no voxel"));
}

/// A deformed head with a bright lesion in the template.
struct Patient {
  Patient() {
    phantom::RegistrationPhantomOptions options;
    options.size = 32, options.displacement = 3, options.noise = 1;
    head = phantom::makeRegistrationPhantom(options);
    const Grid& grid = head.templateImage->grid;
    center = grid.center() + Vec3<double>{12, 6, 4};
    auto image = std::make_shared<Series<float>>(*head.templateImage);
    auto healthy = std::make_shared<Mask>(grid, std::uint8_t(1));
    for (std::int64_t i = 0; i < grid.voxels(); ++i)
      if (norm(placeOf(grid, i) - center) < kLesion)
        image->values[std::size_t(i)] = 1500, healthy->values[std::size_t(i)] = 0;
    withLesion = image, mask = healthy;
  }
  static Vec3<double> placeOf(const Grid& grid, std::int64_t i) {
    const Vec3<int> v = grid.voxel(i);
    return grid.worldFromVoxel.point({double(v.x), double(v.y), double(v.z)});
  }
  /// The mean distance from the truth around the lesion, mm.
  double errorOf(const RegistrationResult& result) const {
    double sum = 0;
    int count = 0;
    for (std::int64_t i = 0; i < head.truth->grid.voxels(); ++i) {
      const auto at = [&](const Series<float>& u) {
        return Vec3<double>{u.at(i, 0), u.at(i, 1), u.at(i, 2)};
      };
      const Vec3<double> truth = at(*head.truth);
      if (!head.object->values[std::size_t(i)] ||
          norm(placeOf(head.truth->grid, i) + truth - center) > 1.7 * kLesion)
        continue;
      sum += norm(at(result.displacement) - truth), ++count;
    }
    return sum / count;
  }
  static constexpr double kLesion = 11;  // mm
  phantom::RegistrationPhantom head;
  Vec3<double> center;
  std::shared_ptr<const Series<float>> withLesion;
  std::shared_ptr<const Mask> mask;
};

TEST(TemplateMask, KeepsALesionOutOfTheRegistration) {
  const Patient patient;
  RegistrationOptions options;
  const auto registered = [&](const std::shared_ptr<const Series<float>>& image,
                              const std::shared_ptr<const Mask>& mask, bool symmetric) {
    RegistrationInput input;
    input.templateImage = image, input.reference = patient.head.reference, input.templateMask = mask;
    input.alignLinearly = alignLinearly;
    options.symmetric = symmetric;
    return patient.errorOf(registerImages(input, options, {}));
  };
  for (const bool symmetric : {false, true})
    EXPECT_LT(registered(patient.withLesion, patient.mask, symmetric),
              0.6 * registered(patient.withLesion, nullptr, symmetric))
        << "symmetric " << symmetric;
  // The indirect way: the atlas onto the patient, with a mask of the reference, and the inverse of that.
  RegistrationInput round;
  round.templateImage = patient.head.reference, round.reference = patient.withLesion,
  round.mask = patient.mask;
  round.alignLinearly = alignLinearly;
  options.symmetric = false;
  RegistrationResult there = registerImages(round, options, {});
  there.displacement = there.inverse;
  EXPECT_LT(registered(patient.withLesion, patient.mask, false), 1.8 * patient.errorOf(there));
}

}  // namespace
}  // namespace sulcus::registration
