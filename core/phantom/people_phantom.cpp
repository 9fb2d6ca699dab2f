#include "core/phantom/people_phantom.h"

#include "core/base/parallel/parallel_for.h"
#include "core/math/affine_mean.h"
#include "core/phantom/centered_grid.h"
#include "core/phantom/registration_draws.h"
#include "core/phantom/registration_shapes.h"

namespace sulcus::phantom {
namespace {

constexpr double kCubeWidth = 192;  // of the cube, mm

Affine scaled(Affine logarithm, double factor) {
  for (auto& row : logarithm.m)
    for (double& entry : row) entry *= factor;
  logarithm.t = factor * logarithm.t;
  return logarithm;
}

}  // namespace

PeoplePhantom::PeoplePhantom(const PeoplePhantomOptions& options)
    : options_(options), spacing_(kCubeWidth / options.size), grid_(centeredCube(options.size, spacing_)) {
  for (int pair = 0; pair < options.people / 2; ++pair) {
    const KnownWarp warp(options.seed + pair, options.size, options.displacement);
    Affine logarithm;
    const double turn = 0.05 * (pair % 3 + 1), size = 0.04 * (pair % 2 == 0 ? 1 : -0.5);
    logarithm.m = {{{size, -turn, 0}, {turn, size, 0.01}, {0, 0, -size / 2}}};
    logarithm.t = {3.0 * (pair % 3 + 1), -2, 1.5};
    for (const double sign : {1.0, -1.0}) people_.push_back({warp, sign, scaled(logarithm, sign)});
  }
}

Vec3<double> PeoplePhantom::personPoint(std::size_t person, const Vec3<double>& x) const {
  const Person& p = people_[person];
  return exponentialOf(p.logarithm).point(flowed(p, x, 1));
}

double PeoplePhantom::headAt(const Vec3<double>& x) const {
  return phantom::headAt((1 / spacing_) * x, options_.size);
}

bool PeoplePhantom::isBrain(const Vec3<double>& x) const {
  return isInBrain((1 / spacing_) * x, options_.size);
}

std::shared_ptr<const Series<float>> PeoplePhantom::image(std::size_t person) const {
  const Person& p = people_[person];
  const Affine back = exponentialOf(p.logarithm).inverse();
  auto image = std::make_shared<Series<float>>(grid_, 1);
  const double brightness = 1 + 0.2 * double(person % 3);
  parallelFor(grid_.voxels(), {}, [&](std::int64_t i) {
    const std::uint64_t draw = std::uint64_t(person) << 32 | std::uint64_t(i);
    const double noise = 0.01 * options_.noise * kBright * normal(options_.seed, Draw::templateNoise, draw);
    image->values[i] = float(brightness * (headAt(flowed(p, back.point(grid_.positionOf(i)), -1)) + noise));
  });
  return image;
}

std::shared_ptr<const Series<float>> PeoplePhantom::head() const {
  auto image = std::make_shared<Series<float>>(grid_, 1);
  parallelFor(grid_.voxels(), {},
              [&](std::int64_t i) { image->values[i] = float(headAt(grid_.positionOf(i))); });
  return image;
}

Vec3<double> PeoplePhantom::flowed(const Person& person, Vec3<double> x, double time) const {
  constexpr int kSteps = 16;
  const double step = time * person.sign / kSteps;
  const auto velocity = [&](const Vec3<double>& at) {
    return spacing_ * person.velocity((1 / spacing_) * at);
  };
  for (int k = 0; k < kSteps; ++k) x = x + step * velocity(x + (step / 2) * velocity(x));
  return x;
}

}  // namespace sulcus::phantom
