#include "core/phantom/people_phantom.h"

#include "tests/support/same_bits.h"

#include <cmath>

#include <gtest/gtest.h>

namespace sulcus::phantom {
namespace {

PeoplePhantomOptions few(double noise) {
  PeoplePhantomOptions options;
  options.people = 2, options.size = 32, options.noise = noise;
  return options;
}

TEST(PeoplePhantom, HasTheHeadInTheMiddleOfAPair) {
  const PeoplePhantom people(few(0));
  ASSERT_EQ(people.count(), 2u);
  // To first order, the two are at the same distance from the middle in opposite directions.
  for (const Vec3<double>& x : {Vec3<double>{20, 10, -5}, Vec3<double>{-30, 0, 15}}) {
    const Vec3<double> one = people.personPoint(0, x) - x, other = people.personPoint(1, x) - x;
    EXPECT_GT(norm(one), 1);
    EXPECT_LT(norm(one + other), 0.2 * norm(one - other));
  }
}

TEST(PeoplePhantom, ShowsEverybodyTheHeadAtTheirOwnPoints) {
  const PeoplePhantom people(few(0));
  const auto image = people.image(1);
  const Grid& grid = people.grid();
  double squares = 0, count = 0;
  for (std::int64_t i = 0; i < grid.voxels(); i += 29) {
    const Vec3<int> v = grid.voxel(i);
    const Vec3<double> x = grid.worldFromVoxel.point({double(v.x), double(v.y), double(v.z)});
    const Vec3<double> there = grid.worldFromVoxel.inverse().point(people.personPoint(1, x));
    const int a = int(std::lround(there.x)), b = int(std::lround(there.y)), c = int(std::lround(there.z));
    if (!people.isBrain(x) || !grid.contains(a, b, c)) continue;
    const double off = image->values[std::size_t(grid.index(a, b, c))] / 1.2 - people.headAt(x);
    squares += off * off, ++count;
  }
  ASSERT_GT(count, 50);
  EXPECT_LT(std::sqrt(squares / count), 250) << "within a voxel, where white matter is 1000";
}

TEST(PeoplePhantom, IsTheSameEachTime) {
  EXPECT_TRUE(test::sameBits(PeoplePhantom(few(3)).image(0)->values, PeoplePhantom(few(3)).image(0)->values));
  EXPECT_FALSE(
      test::sameBits(PeoplePhantom(few(3)).image(0)->values, PeoplePhantom(few(3)).image(1)->values));
}

}  // namespace
}  // namespace sulcus::phantom
