#include "core/base/name_pattern.h"

#include <gtest/gtest.h>

namespace sulcus {
namespace {

TEST(NamePattern, StarsStandForAnyText) {
  EXPECT_TRUE(matchesPattern("phi", "phi"));
  EXPECT_FALSE(matchesPattern("phi", "ph"));
  EXPECT_FALSE(matchesPattern("phi", "phi2"));
  EXPECT_TRUE(matchesPattern("ppm_*", "ppm_"));
  EXPECT_TRUE(matchesPattern("ppm_*", "ppm_faces"));
  EXPECT_TRUE(matchesPattern("*_face*s", "ppm_faces_and_faces"));
  EXPECT_FALSE(matchesPattern("*_face*s", "ppm_faces_and_face"));
  EXPECT_TRUE(matchesPattern("a?c", "abc"));
  EXPECT_FALSE(matchesPattern("a?c", "ac"));
  EXPECT_TRUE(matchesPattern("**", ""));
  EXPECT_TRUE(matchesPattern("*", ".hidden"));
}

TEST(NamePattern, OfManyStarsEndsSoon) {
  EXPECT_FALSE(matchesPattern("*a*a*a*a*a*a*a*a*a*a*a*b", std::string(100'000, 'a')));
}

TEST(NamePattern, OfPathsStandsForNoFolder) {
  EXPECT_TRUE(matchesPathPattern("cpu/*.vtp", "cpu/surface.vtp"));
  EXPECT_FALSE(matchesPathPattern("*.vtp", "cpu/surface.vtp"));
  EXPECT_FALSE(matchesPathPattern("*", "../surface.vtp"));
  EXPECT_FALSE(matchesPathPattern("cpu/*", "cpu"));
  EXPECT_FALSE(matchesPathPattern("cpu", "cpu/"));
}

TEST(NamePattern, OfPathsStandsForNothingHidden) {
  EXPECT_FALSE(matchesPathPattern("*", ".bashrc"));
  EXPECT_FALSE(matchesPathPattern("cpu/?*", "cpu/.bashrc"));
  EXPECT_TRUE(matchesPathPattern(".*", ".bashrc"));
}

}  // namespace
}  // namespace sulcus
