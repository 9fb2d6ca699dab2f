#include "core/registration/linear/linear_alignment.h"

#include "core/base/error.h"
#include "core/base/parallel/parallel_for.h"
#include "core/phantom/registration_phantom.h"
#include "core/registration/preparation/resample.h"
#include "tests/core/registration/deformation/align_levels.h"
#include "tests/support/bias_field.h"

#include <atomic>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

namespace sulcus::registration {
namespace {

Affine turned(const Vec3<double>& degrees, const Vec3<double>& shift) {
  Affine map;
  for (int axis = 0; axis < 3; ++axis) {
    const double angle = degrees[axis] * std::numbers::pi / 180, c = std::cos(angle), s = std::sin(angle);
    const std::size_t a = std::size_t(axis + 1) % 3, b = std::size_t(axis + 2) % 3;
    Affine turn;
    turn.m[a][a] = c, turn.m[a][b] = -s, turn.m[b][a] = s, turn.m[b][b] = c;
    map = turn * map;
  }
  map.t = shift;
  return map;
}

Affine general(const Vec3<double>& degrees, const Vec3<double>& shift, const Vec3<double>& scale,
               double shear) {
  Affine form;
  form.m = {{{scale.x, shear, -shear}, {0, scale.y, shear}, {0, 0, scale.z}}};
  Affine map = turned(degrees, {}) * form;
  map.t = shift;
  return map;
}

Grid centeredGrid(const Vec3<int>& size, const Vec3<double>& step) {
  Grid grid;
  grid.size = size;
  for (int i = 0; i < 3; ++i) {
    grid.worldFromVoxel.m[std::size_t(i)][std::size_t(i)] = step[i];
    grid.worldFromVoxel.t[i] = -0.5 * step[i] * (size[i] - 1);
  }
  return grid;
}

/// A phantom of the head with different noise in both images.
const phantom::RegistrationPhantom& head() {
  static const phantom::RegistrationPhantom phantom = [] {
    phantom::RegistrationPhantomOptions options;
    options.size = 64, options.displacement = 0, options.noise = 2;
    return phantom::makeRegistrationPhantom(options);
  }();
  return phantom;
}

/// The image on `grid` after each point x has moved to imageFromWorld⁻¹(x).
Series<float> movedImage(const Series<float>& image, const Grid& grid, const Affine& map) {
  return Series<float>(
      resampled({image.grid, image.volume(0)}, grid, map.inverse(), {Interpolation::linear, 0}, nullptr, {}));
}

/// The mean distance inside the object, in voxels.
double meanError(const Affine& found, const Affine& truth, const Mask& object) {
  double sum = 0, count = 0;
  for (std::int64_t i = 0; i < object.grid.voxels(); ++i)
    if (object.values[std::size_t(i)]) {
      const Vec3<int> v = object.grid.voxel(i);
      const auto p = object.grid.worldFromVoxel.point({double(v.x), double(v.y), double(v.z)});
      sum += norm(found.point(p) - truth.point(p)), ++count;
    }
  return sum / count / object.grid.spacing().x;
}

/// The error in voxels of the map found for a head that was moved by `truth`.
double errorFor(const Affine& truth, const LinearOptions& options) {
  const auto moved = movedImage(*head().templateImage, head().templateImage->grid, truth);
  return meanError(alignLinearly(moved, *head().reference, nullptr, options, {}, {}), truth, *head().object);
}

class AlignLinearlyBy : public testing::TestWithParam<LinearSimilarity> {
 protected:
  const LinearOptions rigid_{LinearAlignment::rigid, GetParam()},
      affine_{LinearAlignment::affine, GetParam()};
};
INSTANTIATE_TEST_SUITE_P(, AlignLinearlyBy, testing::ValuesIn(test::kLinearSimilarities),
                         test::similarityName);

TEST_P(AlignLinearlyBy, FindsAffineMapsOfAHead) {
  EXPECT_LT(errorFor(general({15, -15, 15}, {12, -5, 3}, {0.9, 1.1, 1}, 0.05), affine_), 0.05);
  EXPECT_LT(errorFor(general({-12, 8, -15}, {-6, 12, -8}, {1.1, 1.05, 0.9}, -0.05), affine_), 0.05);
  EXPECT_LT(errorFor({}, affine_), 0.05);
}

std::atomic<int> coarsenings = 0;  // for both images together

std::vector<float> countedCoarsening(const std::vector<float>& image, const std::vector<std::uint8_t>& mask,
                                     const Grid& fine, const Grid& coarse, const Progress& progress) {
  ++coarsenings;
  return coarsened(image, mask, fine, coarse, progress);
}

std::atomic<int> measured = 0;  // maps

Measure countedMeasure(const AlignLevel& templateImage, const AlignLevel& reference,
                       LinearSimilarity similarity) {
  return [measure = measureOf(templateImage, reference, similarity)](const auto& maps, bool squares) {
    measured += int(maps.size());
    return measure(maps, squares);
  };
}

TEST(AlignLinearly, IsMadeByTheStepsThatAreGiven) {
  const Series<float>&a = *head().templateImage, &b = *head().reference;
  EXPECT_EQ(
      alignLinearlyBy({countedCoarsening, countedMeasure}, {a, b, nullptr}, LinearAlignment::affine, {}, {}),
      alignLinearly(a, b, nullptr, LinearAlignment::affine, {}, {}));
  EXPECT_GE(coarsenings, 2);
  EXPECT_GE(measured, 189 + 27 + 10) << "where it begins, and steps from there";
}

TEST_P(AlignLinearlyBy, FindsHeadsThatAreTurnedOrFarApart) {
  EXPECT_LT(errorFor(general({30, 0, 0}, {5, 0, -5}, {1.05, 0.95, 1}, 0.03), affine_), 0.1);
  EXPECT_LT(errorFor(turned({0, 20, -25}, {0, 8, 0}), rigid_), 0.1);
  const Affine apart = general({10, -5, 8}, {30, -22, 15}, {1, 1.05, 0.97}, 0);
  const auto moved = movedImage(*head().templateImage, centeredGrid({96, 96, 96}, {2, 2, 2}), apart);
  EXPECT_LT(
      meanError(alignLinearly(moved, *head().reference, nullptr, affine_, {}, {}), apart, *head().object),
      0.1);
}

TEST(AlignLinearly, FindsHalfABrain) {
  const Affine truth = general({6, -8, 5}, {3, 5, -4}, {1.05, 0.97, 1}, 0.02);
  for (const bool upper : {false, true}) {
    auto moved = movedImage(*head().templateImage, head().templateImage->grid, truth);
    for (std::int64_t i = 0; i < moved.grid.voxels(); ++i)
      if ((moved.grid.voxel(i).x > 32) == upper) moved.values[std::size_t(i)] = 0;
    EXPECT_LT(meanError(alignLinearly(moved, *head().reference, nullptr, LinearAlignment::affine, {}, {}),
                        truth, *head().object),
              0.5);
  }
}

TEST_P(AlignLinearlyBy, FindsAnInvertedHeadUnderABiasField) {
  const Affine truth = general({6, -8, 5}, {3, 5, -4}, {1.05, 0.97, 1}, 0.02);
  auto moved = movedImage(*head().templateImage, head().templateImage->grid, truth);
  for (float& value : moved.values)
    if (value > 150) value = 1100 - value;  // air stays dark
  moved = test::times(std::move(moved), test::smoothField(moved.grid));
  EXPECT_LT(
      meanError(alignLinearly(moved, *head().reference, nullptr, affine_, {}, {}), truth, *head().object),
      0.3);
}

TEST_P(AlignLinearlyBy, IsInvertedWhenTheImagesAreExchanged) {
  const Affine truth = general({6, -8, 5}, {3, 5, -4}, {1.05, 0.97, 1}, 0.02);
  const auto moved = movedImage(*head().templateImage, head().templateImage->grid, truth);
  const Affine there = alignLinearly(moved, *head().reference, nullptr, affine_, {}, {}),
               back = alignLinearly(*head().reference, moved, nullptr, affine_, {}, {});
  EXPECT_LT(meanError(back * there, {}, *head().object), 0.02);
}

TEST_P(AlignLinearlyBy, RigidTurnsAndShiftsOnly) {
  const Affine truth = turned({-9, 15, 12}, {-12, 4, 7});
  const auto moved = movedImage(*head().templateImage, head().templateImage->grid, truth);
  const Affine found = alignLinearly(moved, *head().reference, nullptr, rigid_, {}, {});
  EXPECT_NEAR(found.determinant(), 1, 1e-9);
  EXPECT_NEAR(norm(found.column(0)), 1, 1e-9);
  EXPECT_LT(meanError(found, truth, *head().object), 0.05);
  EXPECT_LT(errorFor(turned({14, -13, 6}, {3, 11, -9}), rigid_), 0.05);
  EXPECT_LT(errorFor(turned({-5, -14, -15}, {10, -12, 2}), rigid_), 0.05);
}

TEST_P(AlignLinearlyBy, FindsTheMapBetweenOtherContrastsOnOtherGrids) {
  const Affine truth = general({6, -8, 10}, {40, -25, 15}, {1.05, 0.95, 1.02}, 0.03);
  Grid grid =
      centeredGrid({50, 72, 40}, {-2.6, 1.8, 3.2});  // x runs to the left and the edges of voxels differ
  grid.worldFromVoxel = turned({20, 0, 30}, {30, -20, 10}) * grid.worldFromVoxel;
  Series<float> moved = movedImage(*head().templateImage, grid, truth);
  for (float& value : moved.values)  // fluid brightest, white matter dark, as in T2
    if (value > 100) value = 100 + 1.2e5F / value;
  EXPECT_LT(
      meanError(alignLinearly(moved, *head().reference, nullptr, affine_, {}, {}), truth, *head().object),
      0.5);
}

TEST(AlignLinearly, ComparesInTheMaskOnly) {
  // A bright block next to the head moves in the opposite direction; the mask excludes it.
  const Grid grid = centeredGrid({96, 64, 64}, {2, 2, 2});
  const auto withBlock = [&](const Series<float>& image, const Affine& map, int from) {
    Series<float> result = movedImage(image, grid, map);
    for (int z = 20; z < 44; ++z)
      for (int y = 20; y < 44; ++y)
        for (int x = from; x < from + 8; ++x) result.volume(0)(x, y, z) = 2000;
    return result;
  };
  const Affine truth = turned({0, 0, 10}, {6, -4, 0});
  const auto reference = withBlock(*head().reference, {}, 84);
  const auto moved = withBlock(*head().templateImage, truth, 76);
  Mask mask(grid);
  for (std::int64_t i = 0; i < grid.voxels(); ++i) mask.values[std::size_t(i)] = grid.voxel(i).x < 80;
  const Affine found = alignLinearly(moved, reference, &mask, LinearAlignment::rigid, {}, {});
  EXPECT_LT(meanError(found, truth, *head().object), 0.25);
}

TEST_P(AlignLinearlyBy, IsTheSameOnAnyNumberOfThreads) {
  const auto moved =
      movedImage(*head().templateImage, head().templateImage->grid, turned({5, 5, 5}, {3, 0, 0}));
  const auto onThreads = [&](int threads) {
    Affine map;
    withThreads(threads, [&] { map = alignLinearly(moved, *head().reference, nullptr, affine_, {}, {}); });
    return map;
  };
  const Affine one = onThreads(1);
  EXPECT_EQ(onThreads(2), one);
  EXPECT_EQ(onThreads(5), one);
}

TEST(AlignLinearly, NoneLeavesTheImagesWhereTheirHeadersPutThem) {
  EXPECT_EQ(alignLinearly(*head().templateImage, *head().reference, nullptr, LinearAlignment::none, {}, {}),
            Affine{});
}

/// The middle slice of the head, one voxel thick along `axis`, on a grid that is moved by `place`.
Series<float> slice(const Series<float>& image, int axis, const Affine& place) {
  Grid grid;
  grid.size = {64, 64, 64}, grid.size[axis] = 1;
  grid.worldFromVoxel = image.grid.worldFromVoxel;
  grid.worldFromVoxel.t[axis] = 0;
  Series<float> result(
      resampled({image.grid, image.volume(0)}, grid, {}, {Interpolation::linear, 0}, nullptr, {}));
  result.grid.worldFromVoxel = place * grid.worldFromVoxel;
  return result;
}

TEST(AlignLinearly, StartsAtTheInitialTransform) {
  // From upside down, no path leads back from the centers of mass.
  const Affine truth = general({0, 172, 0}, {6, -4, 3}, {1.05, 0.95, 1}, 0), near = turned({0, 180, 0}, {});
  const auto moved = movedImage(*head().templateImage, head().templateImage->grid, truth);
  const auto error = [&](LinearAlignment kind, const std::optional<Affine>& initial) {
    return meanError(alignLinearly(moved, *head().reference, nullptr, kind, initial, {}), truth,
                     *head().object);
  };
  EXPECT_GT(error(LinearAlignment::affine, {}), 5);
  EXPECT_LT(error(LinearAlignment::affine, near), 0.3);
  EXPECT_LT(error(LinearAlignment::affine, truth), 0.3);
  EXPECT_LT(error(LinearAlignment::rigid, near), 1);  // it cannot fit the size
  const Affine rigid = alignLinearly(moved, *head().reference, nullptr, LinearAlignment::rigid, truth, {});
  EXPECT_NEAR(rigid.determinant(), 1, 1e-9);
  EXPECT_EQ(alignLinearly(moved, *head().reference, nullptr, LinearAlignment::none, truth, {}), truth);
}

TEST(AlignLinearly, StartsAtTheInitialTransformOfPlanes) {
  for (int axis = 0; axis < 3; ++axis) {
    Vec3<double> angle{}, around{}, shift{5, -3, 4};
    angle[axis] = 172, around[axis] = 180, shift[axis] = 0;
    const auto reference = slice(*head().reference, axis, {});
    const Affine truth = turned(angle, shift), near = turned(around, {});
    auto moved = slice(*head().templateImage, axis, {});
    moved.grid.worldFromVoxel = truth * moved.grid.worldFromVoxel;
    const Affine found = alignLinearly(moved, reference, nullptr, LinearAlignment::rigid, near, {});
    for (const double a : {0.0, 30.0})
      for (const double b : {0.0, 30.0}) {
        Vec3<double> p{a, b, a};
        p[axis] = 0;
        EXPECT_LT(norm(found.point(p) - truth.point(p)), 1) << "axis " << axis << ", " << a << ' ' << b;
      }
  }
}

TEST(AlignLinearly, RefusesAnInitialTransformThatMirrors) {
  Affine mirror;
  mirror.m[0][0] = -1;
  EXPECT_THROW(
      alignLinearly(*head().templateImage, *head().reference, nullptr, LinearAlignment::rigid, mirror, {}),
      Error);
}

TEST(AlignLinearly, AlignsPlanesInTheirPlane) {
  for (int axis = 0; axis < 3; ++axis) {
    Vec3<double> angle{}, shift{5, -4, 6};
    angle[axis] = 11, shift[axis] = 30;
    const Affine truth = turned(angle, shift);
    const auto reference = slice(*head().reference, axis, {}),
               moved = slice(*head().templateImage, axis, truth);
    for (const auto kind : {LinearAlignment::rigid, LinearAlignment::affine}) {
      const Affine found = alignLinearly(moved, reference, nullptr, kind, {}, {});
      for (const double a : {-30.0, 30.0})
        for (const double b : {-30.0, 30.0}) {
          Vec3<double> p{a, b, a};
          p[axis] = 0;
          EXPECT_LT(norm(found.point(p) - truth.point(p)), 1)
              << "axis " << axis;  // mm, which is half a voxel
        }
    }
  }
}

TEST(AlignLinearly, PlanesAreTurnedIntoEachOther) {
  const Affine tilt = turned({30, 0, 0}, {0, 5, 10});
  const auto reference = slice(*head().reference, 2, {}), moved = slice(*head().templateImage, 2, tilt);
  const Affine found = alignLinearly(moved, reference, nullptr, LinearAlignment::rigid, {}, {});
  EXPECT_LT(norm(found.point({20, 30, 0}) - tilt.point({20, 30, 0})), 1);
  EXPECT_NEAR(found.determinant(), 1, 1e-9);
  EXPECT_THROW(
      alignLinearly(slice(*head().templateImage, 0, {}), reference, nullptr, LinearAlignment::rigid, {}, {}),
      Error);
}

TEST(AlignLinearly, RefusesWhatCannotBeCompared) {
  const auto& image = *head().reference;
  const auto refused = [&](const Series<float>& moving, const Series<float>& fixed, const Mask* mask) {
    EXPECT_THROW(alignLinearly(moving, fixed, mask, LinearAlignment::affine, {}, {}), Error);
  };
  refused(Series<float>(image.grid, 1, 7), image, nullptr);
  refused(image, Series<float>(image.grid, 1, 7), nullptr);
  const Mask empty(image.grid);
  refused(image, image, &empty);
  refused(slice(image, 2, {}), image, nullptr);
  for (const float bright : {1e9F, 1e12F, 1e15F}) {  // one single voxel is brighter than the mean
    Series<float> spike = image;
    spike.values[spike.values.size() / 2] = bright;
    refused(spike, image, nullptr);
    refused(image, spike, nullptr);
  }
  const Grid line = centeredGrid({64, 1, 1}, {2, 2, 2});
  refused(movedImage(image, line, {}), movedImage(image, line, {}), nullptr);
}

TEST(AlignLinearly, IsCancelledBetweenIterations) {
  std::stop_source stop;
  std::atomic<double> reached{0};  // reported by several threads
  const Progress progress(stop.get_token(), [&](double fraction, std::string_view) {
    reached = fraction;
    if (fraction > 0.1) stop.request_stop();
  });
  const auto moved = movedImage(*head().templateImage, head().templateImage->grid, turned({9, 0, 0}, {}));
  EXPECT_THROW(alignLinearly(moved, *head().reference, nullptr, LinearAlignment::affine, {}, progress),
               Cancelled);
  EXPECT_LT(reached.load(), 0.5);
}

}  // namespace
}  // namespace sulcus::registration
