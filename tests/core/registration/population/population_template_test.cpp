#include "core/registration/population/population_template.h"

#include "core/base/parallel/parallel_for.h"
#include "core/math/affine_mean.h"
#include "core/phantom/known_warp.h"
#include "core/phantom/registration_shapes.h"
#include "core/registration/linear/linear_alignment.h"
#include "core/registration/population/shape_average.h"
#include "core/registration/preparation/resample.h"
#include "tests/support/expect_error.h"
#include "tests/support/same_bits.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace sulcus::registration {
namespace {

constexpr int kSize = 48;     // voxels of a head
constexpr double kVoxel = 4;  // mm

/// One head under deformations whose velocities, and linear maps whose logarithms, come in pairs of both
/// signs: the middle of all is the head as it is.
class Family {
 public:
  explicit Family(int pairs, double displacement = 2, double noise = 1) : noise_(noise) {
    grid_.size = {kSize, kSize, kSize};
    for (int axis = 0; axis < 3; ++axis) {
      grid_.worldFromVoxel.m[std::size_t(axis)][std::size_t(axis)] = kVoxel;
      grid_.worldFromVoxel.t[axis] = -0.5 * kVoxel * (kSize - 1);
    }
    for (int pair = 0; pair < pairs; ++pair) {
      const phantom::KnownWarp warp(pair + 1, kSize, displacement);
      Affine logarithm;
      const double turn = 0.05 * (pair + 1), size = 0.04 * (pair % 2 == 0 ? 1 : -0.5);
      logarithm.m = {{{size, -turn, 0}, {turn, size, 0.01}, {0, 0, -size / 2}}};
      logarithm.t = {3.0 * (pair + 1), -2, 1.5};
      for (const double sign : {1.0, -1.0}) people_.push_back({warp, sign, scaled(logarithm, sign)});
    }
  }

  std::size_t count() const { return people_.size(); }
  const Grid& grid() const { return grid_; }

  /// Where a person has the point x of the head as it is, mm.
  Vec3<double> personPoint(std::size_t person, const Vec3<double>& x) const {
    const Person& p = people_[person];
    return exponentialOf(p.logarithm).point(flowed(p, x, 1));
  }
  double headAt(const Vec3<double>& x) const { return phantom::headAt((1 / kVoxel) * x, kSize); }
  bool isBrain(const Vec3<double>& x) const { return phantom::isInBrain((1 / kVoxel) * x, kSize); }

  std::shared_ptr<const Series<float>> image(std::size_t person) const {
    const Person& p = people_[person];
    const Affine back = exponentialOf(p.logarithm).inverse();
    auto image = std::make_shared<Series<float>>(grid_, 1);
    std::mt19937_64 random(person + 7);
    std::normal_distribution<double> normal;
    std::vector<double> noise(image->values.size());
    for (double& n : noise) n = 0.01 * noise_ * phantom::kBright * normal(random);
    parallelFor(grid_.voxels(), {}, [&](std::int64_t i) {
      image->values[std::size_t(i)] =
          float((1 + 0.2 * double(person % 3)) *
                (headAt(flowed(p, back.point(worldOf(i)), -1)) + noise[std::size_t(i)]));
    });
    return image;
  }
  Vec3<double> worldOf(std::int64_t i) const {
    const Vec3<int> v = grid_.voxel(i);
    return grid_.worldFromVoxel.point({double(v.x), double(v.y), double(v.z)});
  }

  PopulationInput input(const std::vector<std::size_t>& order) const {
    std::vector<std::shared_ptr<const Series<float>>> images;
    PopulationInput input;
    for (const std::size_t person : order) {
      images.push_back(image(person));
      input.names.push_back("person " + std::to_string(person + 1));
    }
    input.open = [images](std::size_t person) { return images[person]; };
    input.alignLinearly = alignLinearly;
    input.registerImages = registerImages;
    return input;
  }

 private:
  struct Person {
    phantom::KnownWarp velocity;
    double sign;
    Affine logarithm;
  };
  static Affine scaled(Affine logarithm, double factor) {
    for (auto& row : logarithm.m)
      for (double& entry : row) entry *= factor;
    logarithm.t = factor * logarithm.t;
    return logarithm;
  }
  /// The flow of a person's velocity for a time.
  Vec3<double> flowed(const Person& p, Vec3<double> x, double time) const {
    constexpr int kSteps = 16;
    const double step = time * p.sign / kSteps;
    const auto velocity = [&](const Vec3<double>& at) { return kVoxel * p.velocity((1 / kVoxel) * at); };
    for (int k = 0; k < kSteps; ++k) x = x + step * velocity(x + (step / 2) * velocity(x));
    return x;
  }

  Grid grid_;
  double noise_;
  std::vector<Person> people_;
};

std::vector<std::size_t> inOrder(std::size_t count) {
  std::vector<std::size_t> order(count);
  for (std::size_t i = 0; i < count; ++i) order[i] = i;
  return order;
}

PopulationTemplate made(const Family& family, const std::vector<std::size_t>& order, int rounds,
                        std::vector<TemplatePerson>* people = nullptr) {
  PopulationInput input = family.input(order);
  if (people) input.deliver = [people](const TemplatePerson& person) { people->push_back(person); };
  PopulationOptions options;
  options.rounds = rounds;
  return makeTemplate(input, options, memoryStore(), {});
}

TEST(PopulationTemplate, IsTheHeadOfWhichAllWereMadeAndPrefersNobody) {
  const Family family(3);
  std::vector<TemplatePerson> people;
  const auto result = made(family, inOrder(family.count()), 4, &people);
  const Grid& grid = result.average.grid;
  ASSERT_EQ(people.size(), family.count());

  // The image of the head, and the place of everybody's points.
  Volume<float> head(grid);
  double squares = 0, count = 0, logJacobian = 0;
  Vec3<double> shift{};
  for (std::int64_t i = 0; i < grid.voxels(); ++i) {
    const Vec3<int> v = grid.voxel(i);
    const Vec3<double> x = grid.worldFromVoxel.point({double(v.x), double(v.y), double(v.z)});
    head.values[std::size_t(i)] = float(family.headAt(x));
    if (!family.isBrain(x)) continue;
    for (const auto& person : people) {
      const Vec3<double> found = x + Vec3<double>{person.displacement.at(i, 0), person.displacement.at(i, 1),
                                                  person.displacement.at(i, 2)};
      const Vec3<double> error = found - family.personPoint(person.person, x);
      squares += dot(error, error), ++count;
      shift = shift + error;
      logJacobian += person.logJacobian.values[std::size_t(i)];
    }
  }
  EXPECT_GT(correlationIn(result.average, head, result.object), 0.97);
  EXPECT_LT(std::sqrt(squares / count), 0.35 * kVoxel);
  EXPECT_LT(norm((1 / count) * shift), 0.1 * kVoxel);
  EXPECT_LT(std::abs(result.meanLogJacobian), 0.002);
  EXPECT_LT(std::abs(logJacobian / count), 0.004);  // in the brain alone
  EXPECT_LT(result.figures.back().moved, 0.05);
}

TEST(PopulationTemplate, AnotherFirstPersonGivesTheSame) {
  const Family family(2);
  const auto one = made(family, {0, 1, 2, 3}, 3), other = made(family, {2, 3, 1, 0}, 3);
  const Volume<float> onOne = resampled(other.average.grid, other.average.view(), one.average.grid, {},
                                        Interpolation::cubic, 0.f, nullptr, {});
  EXPECT_GT(correlationIn(onOne, one.average, one.object), 0.995);
}

TEST(PopulationTemplate, LabelsAreThoseOfMostPeople) {
  const Family family(2, 1);
  PopulationInput input = family.input(inOrder(family.count()));
  input.openLabels = [&](std::size_t person) {
    auto labels = std::make_shared<Volume<Label>>(family.grid());
    const auto image = input.open(person);
    const float bright = *std::max_element(image->values.begin(), image->values.end());
    for (std::size_t i = 0; i < labels->values.size(); ++i)
      labels->values[i] = image->values[i] > 0.75f * bright  ? 7000000001
                          : image->values[i] > 0.3f * bright ? 2
                                                             : 0;
    return labels;
  };
  PopulationOptions options;
  options.rounds = 2;
  const auto result = makeTemplate(input, options, memoryStore(), {});
  ASSERT_TRUE(result.labels);
  double right = 0, count = 0;
  const float bright = *std::max_element(result.average.values.begin(), result.average.values.end());
  for (std::size_t i = 0; i < result.labels->values.size(); ++i) {
    if (result.labels->values[i] != 7000000001) continue;
    ++count, right += result.average.values[i] > 0.6f * bright;
  }
  EXPECT_GT(count, 1000);
  EXPECT_GT(right / count, 0.95);
}

TEST(PopulationTemplate, GoesOnWhereItWasBrokenOff) {
  const Family family(2);
  const auto whole = made(family, inOrder(4), 3);
  // The third registration of the second round fails.
  PopulationInput input = family.input(inOrder(4));
  int registrations = 0;
  input.registerImages = [&](const RegistrationInput& one, const RegistrationOptions& options,
                             const Progress& progress) {
    if (++registrations == 7) throw Cancelled();
    return registerImages(one, options, progress);
  };
  PopulationOptions options;
  options.rounds = 3;
  const PopulationStore store = memoryStore();
  EXPECT_THROW(makeTemplate(input, options, store, {}), Cancelled);
  registrations = 100;
  const auto resumed = makeTemplate(input, options, store, {});
  EXPECT_EQ(registrations, 100 + 6);
  EXPECT_TRUE(test::sameBits(resumed.average.values, whole.average.values));
  EXPECT_EQ(resumed.notes.front(), "Goes on after round 1.");
}

TEST(PopulationTemplate, RefusesWhatCannotBeAveraged) {
  const Family family(1);
  test::expectError([&] { made(family, {0}, 2); }, {"There is one image", "two people or more"});
  PopulationInput input = family.input({0, 1});
  input.open = [](std::size_t) { return nullptr; };
  test::expectError([&] { makeTemplate(input, {}, memoryStore(), {}); },
                    {"'person 1' is not an image of one volume"});
}

}  // namespace
}  // namespace sulcus::registration
