#include "core/preparation/diffusion/direction_part.h"

#include <cmath>
#include <numeric>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace sulcus::preparation {
namespace {

constexpr int kVolumes = 48;

/// Directions without an order, motion parameters of a walk and of noise, and a form of the directions.
struct Shell {
  std::vector<int> times = std::vector<int>(kVolumes);
  std::vector<Vec3<double>> directions;
  Eigen::MatrixXd walk{kVolumes, 1}, noise{kVolumes, 1}, form{kVolumes, 1};

  explicit Shell(unsigned seed) {
    std::iota(times.begin(), times.end(), 4);
    std::mt19937 words(seed);
    std::normal_distribution<double> normal;
    double at = 0;
    for (int v = 0; v < kVolumes; ++v) {
      Vec3<double> d{normal(words), normal(words), normal(words)};
      d = (1 / norm(d)) * d;
      directions.push_back(d);
      walk(v, 0) = at += 0.2 * normal(words);
      noise(v, 0) = 0.1 * normal(words);
      form(v, 0) = d.x * d.y + 0.5 * (d.z * d.z - d.x * d.x);
    }
  }
};

double deviation(const Eigen::MatrixXd& a) { return std::sqrt((a.array() - a.mean()).square().mean()); }

TEST(DirectionPart, IsFoundBesideNoiseAndAWalk) {
  for (const unsigned seed : {1U, 2U, 3U}) {
    const Shell shell(seed);
    const auto off = [&](const Eigen::MatrixXd& motion) {
      return deviation(directionPart(shell.times, shell.directions, motion + shell.form) - shell.form);
    };
    EXPECT_GT(deviation(shell.form), 0.25);
    EXPECT_LT(off(shell.noise), 0.06);
    EXPECT_LT(off(shell.walk + 0.5 * shell.noise), 0.1);
  }
}

TEST(DirectionPart, LeavesMotionThatDoesNotGoWithTheDirection) {
  for (const unsigned seed : {1U, 2U, 3U}) {
    const Shell shell(seed);
    for (const Eigen::MatrixXd& motion : {shell.noise, shell.walk, Eigen::MatrixXd(20 * shell.noise)})
      EXPECT_EQ(directionPart(shell.times, shell.directions, motion).norm(), 0);
    EXPECT_EQ(directionPart(shell.times, shell.directions, 0 * shell.noise).norm(), 0);
  }
}

}  // namespace
}  // namespace sulcus::preparation
