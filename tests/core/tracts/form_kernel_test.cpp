#include "core/tracts/form_kernel.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace sulcus::tracts {
namespace {

constexpr double kDegree = 3.14159265358979 / 180;

Vec3<double> direction(double polar, double azimuth) {
  return {std::sin(polar * kDegree) * std::cos(azimuth * kDegree),
          std::sin(polar * kDegree) * std::sin(azimuth * kDegree), std::cos(polar * kDegree)};
}
Vec3<float> inFloat(const Vec3<double>& a) { return {float(a.x), float(a.y), float(a.z)}; }

/// Adds share · (g·t)^Order to a form with multiplicities.
template <int Order>
void addPower(const Vec3<double>& t, double share, std::vector<float>& form) {
  form.resize(tensorEntries(Order));
  constexpr auto classes = indexClasses<Order>();
  for (std::size_t u = 0; u < classes.size(); ++u)
    form[u] += float(share * classes[u].multiplicity * std::pow(t.x, classes[u].i) *
                     std::pow(t.y, classes[u].j) * std::pow(t.z, classes[u].k));
}

template <int Order>
void expectPowersOfACosine() {
  std::vector<float> form;
  const Vec3<double> t = direction(50, 20);
  addPower<Order>(t, 1, form);
  for (double polar = 5; polar < 180; polar += 35)
    for (double azimuth = 0; azimuth < 360; azimuth += 50) {
      const Vec3<double> g = direction(polar, azimuth);
      const double expected = std::pow(dot(g, t), Order);
      EXPECT_NEAR(formValue<Order>(form.data(), inFloat(g)), expected, 2e-5) << "float rounds";
      const SymMat3<float> m = formMatrix<Order>(form.data(), inFloat(g));
      EXPECT_NEAR(dotOf(inFloat(g), productOf(m, inFloat(g))), expected, 2e-5);
    }
}

TEST(Form, HasTheValuesOfAPowerOfACosine) {
  expectPowersOfACosine<2>();
  expectPowersOfACosine<4>();
  expectPowersOfACosine<6>();
  expectPowersOfACosine<8>();
  expectPowersOfACosine<10>();
  expectPowersOfACosine<12>();
}

TEST(MaximumNear, IsTheDirectionOfASingleFiber) {
  std::vector<float> form;
  const Vec3<double> t = direction(70, 130);
  addPower<8>(t, 2, form);
  for (double off = 0; off <= 40; off += 5) {
    const Way way = maximumNear<8>(form.data(), inFloat(direction(70 - off, 130)));
    EXPECT_LT(std::acos(std::min(1.0, double(dotOf(way.direction, inFloat(t))))) / kDegree, 0.2) << off;
    EXPECT_NEAR(way.amplitude, 2, 1e-3);
  }
}

/// The maximum within 15° of a direction, on a fine grid.
Vec3<double> largestAround(const std::vector<float>& form, double polar, double azimuth) {
  Vec3<double> best;
  double value = -1;
  for (double p = polar - 15; p <= polar + 15; p += 0.1)
    for (double a = azimuth - 15; a <= azimuth + 15; a += 0.1)
      if (const double v = formValue<8>(form.data(), inFloat(direction(p, a))); v > value)
        value = v, best = direction(p, a);
  return best;
}

TEST(MaximumNear, StaysOnItsSideOfACrossing) {
  std::vector<float> form;
  addPower<8>(direction(90, 0), 1, form);
  addPower<8>(direction(90, 70), 0.8, form);
  for (const double azimuth : {0.0, 70.0}) {
    const Vec3<double> expected = largestAround(form, 90, azimuth);
    for (const double off : {-12.0, 0.0, 12.0}) {
      const Way way = maximumNear<8>(form.data(), inFloat(direction(90 + off, azimuth + off)));
      EXPECT_LT(std::acos(std::min(1.0, double(dotOf(way.direction, inFloat(expected))))) / kDegree, 0.3)
          << "the grid has 0.1°, the last step leaves as much";
    }
  }
}

TEST(MaximumNear, FindsNoneOnABall) {
  std::vector<float> ball(tensorEntries(2));
  ball[0] = ball[3] = ball[5] = 1;  // x² + y² + z²
  EXPECT_EQ(maximumNear<2>(ball.data(), {0, 0, 1}).amplitude, 0);
}

}  // namespace
}  // namespace sulcus::tracts
