#include "core/registration/population/population_template.h"

#include "core/phantom/people_phantom.h"
#include "core/registration/linear/linear_alignment.h"
#include "core/registration/population/shape_average.h"
#include "core/registration/preparation/resample.h"
#include "tests/support/expect_error.h"
#include "tests/support/same_bits.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace sulcus::registration {
namespace {

constexpr double kVoxel = 4;  // mm

phantom::PeoplePhantom familyOf(int pairs, double displacement = 2) {
  phantom::PeoplePhantomOptions options;
  options.people = 2 * pairs, options.size = 48, options.displacement = displacement;
  return phantom::PeoplePhantom(options);
}

PopulationInput inputOf(const phantom::PeoplePhantom& family, const std::vector<std::size_t>& order) {
  std::vector<std::shared_ptr<const Series<float>>> images;
  PopulationInput input;
  for (const std::size_t person : order) {
    images.push_back(family.image(person));
    input.names.push_back("person " + std::to_string(person + 1));
  }
  input.open = [images](std::size_t person) { return images[person]; };
  input.alignLinearly = alignLinearly;
  input.registerImages = registerImages;
  return input;
}

std::vector<std::size_t> inOrder(std::size_t count) {
  std::vector<std::size_t> order(count);
  for (std::size_t i = 0; i < count; ++i) order[i] = i;
  return order;
}

PopulationTemplate made(const phantom::PeoplePhantom& family, const std::vector<std::size_t>& order,
                        int rounds, std::vector<TemplatePerson>* people = nullptr) {
  PopulationInput input = inputOf(family, order);
  if (people) input.deliver = [people](const TemplatePerson& person) { people->push_back(person); };
  PopulationOptions options;
  options.rounds = rounds;
  return makeTemplate(input, options, memoryStore(), {});
}

TEST(PopulationTemplate, IsTheHeadFromWhichAllWereMadeWithoutBias) {
  const auto family = familyOf(3);
  std::vector<TemplatePerson> people;
  const auto result = made(family, inOrder(family.count()), 4, &people);
  const Grid& grid = result.average.grid;
  ASSERT_EQ(people.size(), family.count());

  // The image of the head, and the positions of each person's points.
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
  EXPECT_LT(std::abs(logJacobian / count), 0.004);  // in the brain only
  EXPECT_LT(result.figures.back().moved, 0.06) << "other noise gives up to 0.054";
}

TEST(PopulationTemplate, AnotherFirstPersonGivesTheSame) {
  const auto family = familyOf(2);
  const auto one = made(family, {0, 1, 2, 3}, 3), other = made(family, {2, 3, 1, 0}, 3);
  const Volume<float> onOne = resampled({other.average.grid, other.average.view()}, one.average.grid, {},
                                        {Interpolation::cubic, 0.f}, nullptr, {});
  EXPECT_GT(correlationIn(onOne, one.average, one.object), 0.995);
}

TEST(PopulationTemplate, LabelsAreThoseOfMostPeople) {
  const auto family = familyOf(2, 1);
  PopulationInput input = inputOf(family, inOrder(family.count()));
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

TEST(PopulationTemplate, ContinuesWhereItWasInterrupted) {
  const auto family = familyOf(2);
  const auto whole = made(family, inOrder(4), 3);
  // The third registration of the second round fails.
  PopulationInput input = inputOf(family, inOrder(4));
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
  const auto family = familyOf(1);
  test::expectError([&] { made(family, {0}, 2); }, {"There is one image", "two people or more"});
  PopulationInput input = inputOf(family, {0, 1});
  input.open = [](std::size_t) { return nullptr; };
  test::expectError([&] { makeTemplate(input, {}, memoryStore(), {}); },
                    {"'person 1' is not an image of one volume"});
}

}  // namespace
}  // namespace sulcus::registration
