#include "core/phantom/known_warp.h"

#include "core/phantom/registration_draws.h"

#include <algorithm>
#include <cmath>

namespace sulcus::phantom {
namespace {

constexpr int kBumps = 24;

}  // namespace

KnownWarp::KnownWarp(int seed, int size, double largest) : size_(size) {
  for (int b = 0; b < kBumps; ++b) {
    const auto draw = [&](int i) {
      return uniforms(seed, Draw::warp, 8 * std::uint64_t(b) + std::uint64_t(i))[0] - 0.5;
    };
    bumps_.push_back({(0.55 * size) * Vec3<double>{draw(0), draw(1), draw(2)}, {draw(3), draw(4), draw(5)}});
  }
  double longest = 0;
  const int n = 33;
  for (int i = 0; i < n * n * n; ++i) {
    const int y = i / n % n, z = i / (n * n);
    const Vec3<double> p{double(i % n), double(y), double(z)};
    longest =
        std::max(longest, norm((*this)((double(size) / (n - 1)) * p - 0.5 * size * Vec3<double>{1, 1, 1})));
  }
  scale_ = longest > 0 ? largest / longest : 0;
}

Vec3<double> KnownWarp::operator()(const Vec3<double>& p) const {
  Vec3<double> sum{};
  const double width = 0.13 * size_;
  for (const auto& bump : bumps_) {
    const Vec3<double> d = p - bump.center;
    sum = sum + std::exp(-0.5 * dot(d, d) / (width * width)) * bump.direction;
  }
  double window = scale_;  // 0 at the faces of the image
  for (int i = 0; i < 3; ++i) window *= std::clamp(4 * (0.5 - std::abs(p[i]) / size_), 0.0, 1.0);
  return window * sum;
}

}  // namespace sulcus::phantom
