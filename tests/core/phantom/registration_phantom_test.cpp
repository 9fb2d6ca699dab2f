#include "core/phantom/registration_phantom.h"

#include "core/phantom/cubic_interpolation.h"
#include "core/registration/preparation/resample.h"
#include "core/registration/results/overlap.h"
#include "tests/support/expect_error.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

namespace sulcus::phantom {
namespace {

RegistrationPhantomOptions small(double noise = 0) {
  RegistrationPhantomOptions options;
  options.size = 64, options.noise = noise;
  return options;
}

TEST(RegistrationPhantom, IsTheTemplateUnderItsTrueDisplacement) {
  const auto phantom = makeRegistrationPhantom(small());
  const auto warped = registration::displaced(*phantom.templateImage, *phantom.truth,
                                              registration::Interpolation::linear, 0, {});
  double misfit = 0, without = 0;
  for (std::int64_t i = 0; i < warped.grid.voxels(); ++i) {
    misfit += std::pow(warped.at(i, 0) - phantom.reference->at(i, 0), 2);
    without += std::pow(phantom.templateImage->at(i, 0) - phantom.reference->at(i, 0), 2);
  }
  EXPECT_LE(misfit, 0.1 * without);  // interpolation blurs the edges
}

TEST(RegistrationPhantom, MovesAsFarAsAskedWithoutFoldingAndNotAtTheBorder) {
  for (const int seed : {1, 2, 3}) {
    auto options = small();
    options.seed = seed;
    const auto phantom = makeRegistrationPhantom(options);
    const auto& d = *phantom.truth;
    const Grid& g = d.grid;
    double longest = 0, smallest = 1;
    for (int z = 0; z < g.size.z; ++z)
      for (int y = 0; y < g.size.y; ++y)
        for (int x = 0; x < g.size.x; ++x) {
          const auto i = g.index(x, y, z);
          const double length = std::hypot(d.at(i, 0), d.at(i, 1), d.at(i, 2)) / 2;
          longest = std::max(longest, length);
          const bool border = x == 0 || y == 0 || z == 0 || x == 63 || y == 63 || z == 63;
          if (border) {
            EXPECT_LE(length, 0.1);
            continue;
          }
          double h[3][3];
          const std::int64_t step[3] = {1, 64, 64 * 64};
          for (int a = 0; a < 3; ++a)
            for (int b = 0; b < 3; ++b)
              h[a][b] = (a == b) + (d.at(i + step[b], a) - d.at(i - step[b], a)) / 8;  // 4 mm, in voxels of 2
          smallest = std::min(smallest, h[0][0] * (h[1][1] * h[2][2] - h[1][2] * h[2][1]) -
                                            h[0][1] * (h[1][0] * h[2][2] - h[1][2] * h[2][0]) +
                                            h[0][2] * (h[1][0] * h[2][1] - h[1][1] * h[2][0]));
        }
    EXPECT_NEAR(longest, 4, 0.2);
    EXPECT_GT(smallest, 0.2);
  }
}

TEST(RegistrationPhantom, HasNoiseOfTheAskedStrengthInBothImages) {
  const auto clean = makeRegistrationPhantom(small(0)), noisy = makeRegistrationPhantom(small(5));
  for (const auto& [a, b] :
       {std::pair{clean.templateImage, noisy.templateImage}, {clean.reference, noisy.reference}}) {
    double sum = 0, square = 0;
    const double n = double(a->values.size());
    for (std::size_t i = 0; i < a->values.size(); ++i) {
      const double d = double(b->values[i]) - a->values[i];
      sum += d / n, square += d * d / n;
    }
    EXPECT_NEAR(sum, 0, 5 * 50 / std::sqrt(n));
    EXPECT_NEAR(std::sqrt(square), 50, 0.5);
  }
  EXPECT_NE(noisy.templateImage->values[0] - clean.templateImage->values[0],
            noisy.reference->values[0] - clean.reference->values[0]);
}

TEST(RegistrationPhantom, OfTheCHasAGapWhereTheDiskHasNone) {
  auto options = small();
  options.kind = RegistrationPhantomKind::c;
  const auto phantom = makeRegistrationPhantom(options);
  EXPECT_EQ(phantom.truth, nullptr);
  const Grid& grid = phantom.reference->grid;
  EXPECT_EQ(grid.size, (Vec3<int>{64, 64, 32}));
  const auto value = [&](const Series<float>& image, int x, int y) {
    return image.at(grid.index(x, y, 16), 0);
  };
  EXPECT_LT(value(*phantom.templateImage, 32, 32), 10);  // middle
  EXPECT_LT(value(*phantom.templateImage, 47, 32), 10);  // slot
  EXPECT_GT(value(*phantom.templateImage, 17, 32), 990);
  for (const int x : {17, 32, 47}) EXPECT_GT(value(*phantom.reference, x, 32), 990);
}

// Made by version 0.1.0, before scans, contrasts and fields were added; to all digits of a float.
TEST(RegistrationPhantom, KeepsTheNumbersThatItAlwaysHad) {
  RegistrationPhantomOptions options;
  options.size = 32;
  const auto phantom = makeRegistrationPhantom(options);
  struct Known {
    Vec3<int> voxel;
    float moving, reference;
    Vec3<float> truth;  // mm, RAS+
  };
  for (const auto& [v, moving, reference, truth] :
       {Known{{0, 0, 0}, 27.227568F, 27.654991F, {5.1629584e-10F, -7.7313755e-09F, 3.5781225e-10F}},
        Known{{16, 16, 16}, 558.789F, 589.51776F, {-1.8603735F, 1.6465673F, 0.3351189F}},
        Known{{10, 20, 15}, 782.7058F, 768.4596F, {-0.2584137F, -0.03355036F, 0.6533524F}},
        Known{{22, 9, 12}, 298.91815F, 594.10236F, {-3.3835297F, 0.18857631F, -0.44418216F}},
        Known{{16, 25, 20}, 348.9514F, 446.17755F, {0.70772123F, -0.31942374F, -0.4559229F}}}) {
    const auto i = phantom.reference->grid.index(v.x, v.y, v.z);
    EXPECT_FLOAT_EQ(phantom.templateImage->at(i, 0), moving);
    EXPECT_FLOAT_EQ(phantom.reference->at(i, 0), reference);
    for (int c = 0; c < 3; ++c) EXPECT_FLOAT_EQ(phantom.truth->at(i, c), truth[c]);
  }
}

TEST(RegistrationPhantom, ChangesTheTemplateAloneAndKeepsTheTruth) {
  const auto plain = makeRegistrationPhantom(small());
  for (int change = 0; change < 4; ++change) {
    SCOPED_TRACE(change);
    auto options = small();
    if (change == 0) options.contrast = PhantomContrast::remapped;
    if (change == 1) options.bias = 1;
    if (change == 2) options.dropout = 0.9;
    if (change == 3) options.spacing = 3;
    const auto changed = makeRegistrationPhantom(options);
    EXPECT_EQ(changed.reference->values, plain.reference->values);
    EXPECT_EQ(changed.truth->values, plain.truth->values);
    EXPECT_NE(changed.templateImage->values, plain.templateImage->values);
  }
}

TEST(RegistrationPhantom, MultipliesTheTemplateByAFieldOfTheAskedStrength) {
  auto options = small();
  const auto plain = makeRegistrationPhantom(options);
  for (const double strength : {0.5, 1.0}) {
    options.bias = strength;
    const auto biased = makeRegistrationPhantom(options);
    double low = 10, high = 0;
    for (std::size_t i = 0; i < plain.templateImage->values.size(); ++i) {
      if (!(plain.templateImage->values[i] > 100)) continue;
      const double factor = double(biased.templateImage->values[i]) / plain.templateImage->values[i];
      low = std::min(low, factor), high = std::max(high, factor);
    }
    EXPECT_GE(low, 0.999 * std::exp(-0.3 * strength));
    EXPECT_LE(high, 1.001 * std::exp(0.3 * strength));
    EXPECT_LT(low, 0.9) << "in the head, which does not fill the image";
    EXPECT_GT(high, 1.05);
  }
}

TEST(RegistrationPhantom, LosesTheTemplatesSignalInOnePlaceOnly) {
  auto options = small();
  const auto plain = makeRegistrationPhantom(options);
  options.dropout = 0.9;
  const auto dropped = makeRegistrationPhantom(options);
  const Grid& grid = plain.templateImage->grid;
  double smallest = 1, lost = 0, bright = 0, forward = 0, up = 0;
  for (std::int64_t i = 0; i < grid.voxels(); ++i) {
    if (!(plain.templateImage->at(i, 0) > 100)) continue;
    const double factor = double(dropped.templateImage->at(i, 0)) / plain.templateImage->at(i, 0);
    EXPECT_LE(factor, 1 + 1e-6);
    smallest = std::min(smallest, factor), ++bright;
    if (factor > 0.5) continue;
    const Vec3<int> v = grid.voxel(i);
    ++lost, forward += v.y - 31.5, up += v.z - 31.5;
  }
  EXPECT_NEAR(smallest, 0.1, 0.03);
  EXPECT_GT(lost, 0.002 * bright);
  EXPECT_LT(lost, 0.1 * bright);
  EXPECT_GT(forward / lost, 5) << "in front";
  EXPECT_LT(up / lost, -5) << "below";
}

TEST(RegistrationPhantom, HasATemplateOfTheAskedVoxelsOverTheSameBox) {
  auto options = small();
  const auto plain = makeRegistrationPhantom(options);
  options.spacing = 4;
  const auto coarse = makeRegistrationPhantom(options);
  const Grid& grid = coarse.templateImage->grid;
  EXPECT_EQ(grid.size, (Vec3<int>{32, 32, 32}));
  EXPECT_NEAR(grid.spacing().y, 4, 1e-12);
  EXPECT_LE(norm(grid.center() - plain.reference->grid.center()), 1e-9);
  EXPECT_TRUE(sameGrid(coarse.reference->grid, plain.reference->grid));
  const auto sum = [](const Series<float>& image) {
    return std::accumulate(image.values.begin(), image.values.end(), 0.0);
  };
  // A voxel is the mean of eight points, which here are offset from those of the fine grid by half of its
  // voxels.
  EXPECT_NEAR(8 * sum(*coarse.templateImage) / sum(*plain.templateImage), 1, 1e-3);

  options.spacing = 2;
  EXPECT_EQ(makeRegistrationPhantom(options).templateImage->values, plain.templateImage->values);
  options.spacing = 50;
  test::expectError([&] { makeRegistrationPhantom(options); }, {"choose another --spacing"},
                    ErrorKind::usage);
}

/// The brain on an oblique, anisotropic grid, with three labels.
RegistrationPhantomImage obliqueScan() {
  const auto brain = makeRegistrationPhantom(small());
  Grid grid{{40, 52, 45}, {}};
  const double c = std::cos(0.3), s = std::sin(0.3);
  grid.worldFromVoxel.m = {{{-2.8 * c, 2.2 * s, 0}, {2.8 * s, 2.2 * c, 0}, {0, 0, 2.6}}};
  grid.worldFromVoxel.t = {};
  grid.worldFromVoxel.t = -grid.worldFromVoxel.point({19.5, 25.5, 22});
  auto image = std::make_shared<Series<float>>(
      registration::resampled({brain.templateImage->grid, brain.templateImage->volume(0)}, grid, {},
                              {registration::Interpolation::linear, 0}, nullptr, {}));
  auto labels = std::make_shared<Volume<Label>>(grid);
  for (std::int64_t i = 0; i < grid.voxels(); ++i) {
    const float value = image->at(i, 0);
    labels->values[std::size_t(i)] = value > 850 ? 1000001 : value > 550 ? 7 : value > 300 ? -3 : 0;
  }
  return {image, labels};
}

TEST(RegistrationPhantom, OfAScanIsTheScanUnderItsTrueDisplacement) {
  const auto scan = obliqueScan();
  const auto phantom = makeRegistrationPhantom(small(), scan);
  EXPECT_EQ(phantom.templateImage->values, scan.image->values);
  EXPECT_EQ(phantom.templateLabels, scan.labels);
  const Grid& grid = scan.image->grid;
  const Affine voxelFromWorld = grid.worldFromVoxel.inverse();
  const double brightest = *std::max_element(scan.image->values.begin(), scan.image->values.end());
  double longest = 0;
  for (std::int64_t i = 0; i < grid.voxels(); ++i) {
    const Vec3<int> v = grid.voxel(i);
    const Vec3<double> d{phantom.truth->at(i, 0), phantom.truth->at(i, 1), phantom.truth->at(i, 2)};
    const Vec3<double> p =
        voxelFromWorld.point(grid.worldFromVoxel.point({double(v.x), double(v.y), double(v.z)}) + d);
    const double value = std::clamp(cubicAt(scan.image->volume(0), p), 0.0, brightest);
    EXPECT_NEAR(phantom.reference->at(i, 0), value, 1e-2);  // of about 1000; d is rounded to float
    longest = std::max(longest, norm(d));
  }
  EXPECT_NEAR(longest, 4 * 2.8 * 40 / 64, 0.4) << "of the shortest axis, of 40 voxels of 2.8 mm";
}

TEST(RegistrationPhantom, OfAScanWarpsItsLabelsAlong) {
  const auto scan = obliqueScan();
  const auto phantom = makeRegistrationPhantom(small(), scan);
  const auto overlap = [&](const Volume<Label>& reference) {
    return registration::meanDice(registration::labelOverlap(reference, *phantom.referenceLabels));
  };
  Series<float> numbers(scan.labels->grid, 1);
  std::copy(scan.labels->values.begin(), scan.labels->values.end(), numbers.values.begin());
  const auto nearest =
      registration::displaced(numbers, *phantom.truth, registration::Interpolation::nearest, 0, {});
  Volume<Label> expected(scan.labels->grid);
  for (std::size_t i = 0; i < nearest.values.size(); ++i) expected.values[i] = Label(nearest.values[i]);
  EXPECT_GT(overlap(expected), 0.9);  // nearest voxel there, label here: they differ at borders
  EXPECT_LT(overlap(*scan.labels), 0.75);

  auto coarse = small();
  coarse.spacing = 5;
  const auto other = makeRegistrationPhantom(coarse, scan);
  EXPECT_TRUE(sameGrid(other.templateLabels->grid, other.templateImage->grid));
  EXPECT_TRUE(sameGrid(other.referenceLabels->grid, other.reference->grid));
  EXPECT_EQ(other.referenceLabels->values, phantom.referenceLabels->values);
}

TEST(RegistrationPhantom, OfAPlaneStaysInThePlane) {
  const auto brain = makeRegistrationPhantom(small());
  Grid grid = brain.reference->grid;
  grid.size.z = 1;
  auto plane = std::make_shared<Series<float>>(grid, 1);
  std::copy_n(brain.templateImage->values.begin() + 32 * 64 * 64, 64 * 64, plane->values.begin());
  const auto phantom = makeRegistrationPhantom(small(), {plane, nullptr});
  double within = 0;
  for (std::int64_t i = 0; i < grid.voxels(); ++i) {
    EXPECT_EQ(phantom.truth->at(i, 2), 0);
    within = std::max(within, double(std::hypot(phantom.truth->at(i, 0), phantom.truth->at(i, 1))));
  }
  EXPECT_GT(within, 1);
  EXPECT_EQ(phantom.templateLabels, nullptr);
}

TEST(RegistrationPhantom, RefusesScansItCannotBeMadeOf) {
  const auto refused = [](RegistrationPhantomImage scan, const char* words) {
    test::expectError([&] { makeRegistrationPhantom({}, scan); }, {words});
  };
  const Grid grid{{8, 8, 8}, {}};
  refused({std::make_shared<Series<float>>(grid, 2), nullptr}, "The image has 2 volumes");
  refused({std::make_shared<Series<float>>(grid, 1, 3.F), nullptr}, "The image is constant");
  auto image = std::make_shared<Series<float>>(grid, 1);
  image->values[3] = std::numeric_limits<float>::quiet_NaN();
  refused({image, nullptr}, "The image holds 1 values");
  auto good = std::make_shared<Series<float>>(grid, 1);
  good->values[3] = 1;
  refused({good, std::make_shared<Volume<Label>>(Grid{{8, 8, 7}, {}})}, "give labels on the grid");
}

}  // namespace
}  // namespace sulcus::phantom
