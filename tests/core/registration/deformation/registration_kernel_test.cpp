#include "core/registration/deformation/registration_kernel.h"

#include "tests/support/for_each_seed.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace sulcus::registration {
namespace {

Mat3<double> randomGradient(test::Rng& rng, double size) {
  const auto draw = [&] { return rng.uniform(-size, size); };
  return {draw(), draw(), draw(), draw(), draw(), draw(), draw(), draw(), draw()};
}

double determinant(const Mat3<double>& h) {
  return h.xx * (h.yy * h.zz - h.yz * h.zy) - h.xy * (h.yx * h.zz - h.yz * h.zx) +
         h.xz * (h.yx * h.zy - h.yy * h.zx);
}
Mat3<double> identityMinus(const Mat3<double>& g) {
  return {1 - g.xx, -g.xy, -g.xz, -g.yx, 1 - g.yy, -g.yz, -g.zx, -g.zy, 1 - g.zz};
}

TEST(VolumeChange, IsTheDeterminantLessOne) {
  test::forEachSeed(50, [](test::Rng& rng) {
    const auto g = randomGradient(rng, 0.7);
    EXPECT_NEAR(volumeChange(g), determinant(identityMinus(g)) - 1, 1e-14);
  });
}

TEST(VolumeChange, KeepsItsDigitsInSinglePrecisionWhereAlmostNothingChanges) {
  test::forEachSeed(50, [](test::Rng& rng) {
    auto g = randomGradient(rng, 1e-4);
    g.xx = 1e-4, g.yy = 0.5e-4;  // values for which the sum itself does not cancel
    g.zz = 0.25e-4;
    const Mat3<float> f{float(g.xx), float(g.xy), float(g.xz), float(g.yx), float(g.yy),
                        float(g.yz), float(g.zx), float(g.zy), float(g.zz)};
    const Mat3<double> same{f.xx, f.xy, f.xz, f.yx, f.yy, f.yz, f.zx, f.zy, f.zz};
    EXPECT_NEAR(volumeChange(f) / volumeChange(same), 1, 3e-7);
    EXPECT_NEAR(biasSlope(volumeChange(f)) / biasSlope(volumeChange(same)), 1, 6e-7);
  });
}

TEST(LogOnePlus, IsExactToRoundingFromAlmostNothingToHundredfold) {
  const auto expectClose = [](float j) {
    EXPECT_NEAR(logOnePlus(j) / std::log1p(double(j)), 1, 1.2e-7) << j;  // two units in the last place
  };
  for (float magnitude = 1e-12f; magnitude < 0.989f; magnitude *= 1.01f)
    expectClose(magnitude), expectClose(-magnitude);
  for (float j = 0.9f; j < 100; j *= 1.001f) expectClose(j);
  EXPECT_EQ(logOnePlus(0.f), 0);
}

TEST(BiasSlope, IsTheDerivativeOfTheBias) {
  for (double j = -0.95; j < 5; j += 0.11) {
    const double e = 1e-5 * (1 + j);
    EXPECT_NEAR(biasSlope(j), (biasDensity(j + e) - biasDensity(j - e)) / (2 * e),
                1e-7 * (1 + std::abs(biasSlope(j))));
  }
}

TEST(Regularizer, WeighsShearWhichKeepsVolumes) {
  Mat3<double> shear{};
  shear.xy = 0.3;
  EXPECT_EQ(volumeChange(shear), 0);
  EXPECT_EQ(regularizerDensity(0.0, shear, 0.0), 0);
  EXPECT_DOUBLE_EQ(regularizerDensity(0.0, shear, 2.0), 0.3 * 0.3);
  EXPECT_DOUBLE_EQ(regularizerStress(shear, 2.0).xy, -2 * 0.3);
}

TEST(Regularizer, IsTheBiasAloneWithoutAMembrane) {
  test::forEachSeed(20, [](test::Rng& rng) {
    const auto g = randomGradient(rng, 0.25);
    const double j = volumeChange(g);
    EXPECT_EQ(regularizerDensity(j, g, 0.0), biasDensity(j));
    EXPECT_EQ(regularizerStress(g, 0.0).yz, biasStress(g).yz);
  });
}

TEST(HeldShare, IsAllAtNeighborsOfTheVoxelAndFallsSmoothlyToNone) {
  for (int squared = 0; squared <= 3; ++squared) EXPECT_EQ(heldShare<float>(squared), 1);
  EXPECT_EQ(heldShare<float>(kHoldRadius * kHoldRadius), 0);
  EXPECT_EQ(heldShare<double>(1000), 0);
  for (int squared = 4; squared < kHoldRadius * kHoldRadius; ++squared) {
    const double fall = heldShare<double>(squared - 1) - heldShare<double>(squared);
    EXPECT_GT(fall, 0);
    EXPECT_LT(fall, 0.05);
    EXPECT_FLOAT_EQ(heldShare<float>(squared), float(heldShare<double>(squared)));
  }
}

TEST(KeepsVolume, RefusesWhatIsTooSmallOrNotANumber) {
  EXPECT_TRUE(keepsVolume(0.0));
  EXPECT_TRUE(keepsVolume(kSmallestJ - 1 + 1e-6));
  EXPECT_FALSE(keepsVolume(kSmallestJ - 1));
  EXPECT_FALSE(keepsVolume(-1.0f));
  EXPECT_FALSE(keepsVolume(NAN));
}

TEST(BiasStress, HoldsTheCofactors) {
  test::forEachSeed(50, [](test::Rng& rng) {
    const auto g = randomGradient(rng, 0.25);
    const auto h = identityMinus(g);
    const auto p = biasStress(g);
    const double slope = biasSlope(volumeChange(g)), jacobian = determinant(h);
    // Σⱼ hᵢⱼ cofₖⱼ = J δᵢₖ
    const double hRow[3][3] = {{h.xx, h.xy, h.xz}, {h.yx, h.yy, h.yz}, {h.zx, h.zy, h.zz}};
    const double pRow[3][3] = {{p.xx, p.xy, p.xz}, {p.yx, p.yy, p.yz}, {p.zx, p.zy, p.zz}};
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < 3; ++k) {
        double sum = 0;
        for (int j = 0; j < 3; ++j) sum += hRow[i][j] * pRow[k][j];
        EXPECT_NEAR(sum, i == k ? slope * jacobian : 0, 1e-14);
      }
  });
}

TEST(PulledBack, IsTheTransposedDerivativeOfTheMapTimesTheForce) {
  test::forEachSeed(20, [](test::Rng& rng) {
    const auto g = randomGradient(rng, 0.5);
    const Vec3<double> f{rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1)},
        v{rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1)};
    const Vec3<double> moved{v.x - (g.xx * v.x + g.xy * v.y + g.xz * v.z),
                             v.y - (g.yx * v.x + g.yy * v.y + g.yz * v.z),
                             v.z - (g.zx * v.x + g.zy * v.y + g.zz * v.z)};  // Dh v
    EXPECT_NEAR(dot(pulledBack(g, f), v), dot(f, moved), 1e-14);
  });
}

/// A random image on a small grid.
struct SmallImage {
  Vec3<int> size{5, 4, 6};
  std::vector<double> values;
  explicit SmallImage(test::Rng& rng) : values(std::size_t(size.x * size.y * size.z)) {
    for (auto& v : values) v = rng.uniform(-1, 1);
  }
};

TEST(Composition, IsTrilinearInterpolationPlusTheMove) {
  test::forEachSeed(20, [](test::Rng& rng) {
    const SmallImage ux(rng), uy(rng), uz(rng);
    const Vec3<int> n = ux.size;
    const Vec3<double> spacing{2, 0.5, 3};
    const Vec3<double> move{rng.uniform(-2, 2), rng.uniform(-0.5, 0.5), rng.uniform(-3, 3)};
    const int x = 2, y = 1, z = 3;
    const std::int64_t row = n.x, plane = n.x * n.y, at = x + row * y + plane * z;
    const FieldAround<double> u{ux.values.data() + at, uy.values.data() + at, uz.values.data() + at, row,
                                plane};
    const auto sum = composed(u, move, Vec3<double>{1 / spacing.x, 1 / spacing.y, 1 / spacing.z});
    const auto cell = cellAt(n, x - move.x / spacing.x, y - move.y / spacing.y, z - move.z / spacing.z);
    EXPECT_NEAR(sum.x, interpolated(ux.values.data(), cell) + move.x, 1e-14);
    EXPECT_NEAR(sum.y, interpolated(uy.values.data(), cell) + move.y, 1e-14);
    EXPECT_NEAR(sum.z, interpolated(uz.values.data(), cell) + move.z, 1e-14);
  });
}

std::vector<Texel<double>> withCentralDifferences(const SmallImage& image, const Vec3<double>& spacing) {
  const Vec3<int> n = image.size;
  const auto at = [&](int x, int y, int z) {
    return image.values[std::size_t(std::clamp(x, 0, n.x - 1) +
                                    n.x * (std::clamp(y, 0, n.y - 1) + n.y * std::clamp(z, 0, n.z - 1)))];
  };
  std::vector<Texel<double>> texels;
  for (int z = 0; z < n.z; ++z)
    for (int y = 0; y < n.y; ++y)
      for (int x = 0; x < n.x; ++x)
        texels.push_back({{at(x, y, z), (at(x + 1, y, z) - at(x - 1, y, z)) / (2 * spacing.x),
                           (at(x, y + 1, z) - at(x, y - 1, z)) / (2 * spacing.y),
                           (at(x, y, z + 1) - at(x, y, z - 1)) / (2 * spacing.z)}});
  return texels;
}

TEST(TemplateGradient, ByCentralDifferencesIsThatOfTheTemplateAtTheMovedPoint) {
  test::forEachSeed(20, [](test::Rng& rng) {
    const SmallImage image(rng);
    const Vec3<double> spacing{1, 2, 0.5};
    const auto texels = withCentralDifferences(image, spacing);
    const double x = rng.uniform(1, 3), y = rng.uniform(1, 2), z = rng.uniform(1, 4);
    const auto value = [&](double dx, double dy, double dz) {
      return interpolated(image.values.data(), cellAt(image.size, x + dx, y + dy, z + dz));
    };
    const auto t = sampledWithCentralGradient(texels.data(), image.size, x, y, z);
    EXPECT_NEAR(t.v[0], value(0, 0, 0), 1e-14);
    EXPECT_NEAR(t.v[1], (value(1, 0, 0) - value(-1, 0, 0)) / 2, 1e-14);
    EXPECT_NEAR(t.v[2], (value(0, 1, 0) - value(0, -1, 0)) / 4, 1e-14);
    EXPECT_NEAR(t.v[3], (value(0, 0, 1) - value(0, 0, -1)) / 1, 1e-14);
  });
}

TEST(TemplateGradient, ExactIsTheDerivativeOfTheInterpolant) {
  test::forEachSeed(20, [](test::Rng& rng) {
    const SmallImage image(rng);
    const Vec3<double> inverse{1, 0.5, 2};
    const auto texels = withCentralDifferences(image, {1, 2, 0.5});
    const double x = 1 + rng.uniform(0.1, 0.9), y = rng.uniform(0.1, 0.9), z = 4 + rng.uniform(0.1, 0.9),
                 e = 1e-4;
    const auto value = [&](double dx, double dy, double dz) {
      return interpolated(image.values.data(), cellAt(image.size, x + dx, y + dy, z + dz));
    };
    const auto t = sampledWithExactGradient(texels.data(), image.size, x, y, z, inverse);
    EXPECT_NEAR(t.v[0], value(0, 0, 0), 1e-14);
    EXPECT_NEAR(t.v[1], inverse.x * (value(e, 0, 0) - value(-e, 0, 0)) / (2 * e), 1e-10);
    EXPECT_NEAR(t.v[2], inverse.y * (value(0, e, 0) - value(0, -e, 0)) / (2 * e), 1e-10);
    EXPECT_NEAR(t.v[3], inverse.z * (value(0, 0, e) - value(0, 0, -e)) / (2 * e), 1e-10);
  });
}

TEST(DisplacedValue, HasTheBitsOfTheTexel) {
  test::forEachSeed(50, [](test::Rng& rng) {
    const SmallImage image(rng);
    const auto texels = withCentralDifferences(image, {1, 2, 0.5});
    const Vec3<double> inverse{1, 0.5, 2}, u{rng.uniform(-3, 3), rng.uniform(-3, 3), rng.uniform(-1, 1)};
    const Vec3<int> voxel{2, 1, 2};
    for (const bool exact : {false, true})
      EXPECT_EQ(displacedValue(image.values.data(), image.size, voxel, u, inverse, exact),
                displacedTexel(texels.data(), image.size, voxel, u, inverse, exact).v[0]);
  });
}

}  // namespace
}  // namespace sulcus::registration
