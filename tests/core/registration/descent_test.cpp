#include "core/registration/descent.h"

#include <gtest/gtest.h>

namespace sulcus {
namespace {

/// One number instead of an image: E(x) = ½ (x − 10)², J = 1 − x/`vanishesAt`.
struct Number {
  double x = 0, trial = 0, v = 0, vanishesAt = 1e9;
  bool brokenForce = false;
  int attempts = 0;

  LevelEnergy energy(double at) const {
    LevelEnergy e;
    e.similarity = 0.5 * (at - 10) * (at - 10);
    e.smallestJ = 1 - at / vanishesAt;
    e.positive = e.smallestJ > kSmallestJ;
    return e;
  }
  LevelEnergy start() { return energy(x); }
  double velocity(double momentum) {
    v = momentum * v + (brokenForce ? NAN : 10 - x);
    return std::abs(v);
  }
  LevelEnergy attempt(double dt) {
    ++attempts;
    trial = x + dt * v;
    return energy(trial);
  }
  void accept() { x = trial; }
};

std::vector<RegistrationIteration> run(Number& level, int iterations, double momentum, double tolerance = 0) {
  RegistrationOptions options;
  options.lambda = 0, options.momentum = momentum, options.tolerance = tolerance, options.maxStep = 0.5;
  std::vector<RegistrationIteration> history;
  descend(level, 2, iterations, options, [&](const RegistrationIteration& i) { history.push_back(i); });
  return history;
}

TEST(Descent, GoesInLargestStepsAndHalvesThemAtTheGoal) {
  for (const double momentum : {0.0, 0.9}) {
    Number level;
    const auto history = run(level, 100, momentum);
    EXPECT_NEAR(level.x, 10, 0.01);
    ASSERT_GE(history.size(), 21u);
    EXPECT_EQ(history[0].iteration, 0);
    EXPECT_EQ(history[0].energy, 50);
    for (int i = 1; i <= 19; ++i) {
      EXPECT_EQ(history[std::size_t(i)].level, 2);
      EXPECT_EQ(history[std::size_t(i)].iteration, i);
      EXPECT_EQ(history[std::size_t(i)].step, 0.5);
    }
  }
}

TEST(Descent, NeverLetsTheEnergyRise) {
  for (const double momentum : {0.0, 0.5, 0.95}) {
    Number level;
    level.x = 9.3;
    const auto history = run(level, 100, momentum);
    for (std::size_t i = 1; i < history.size(); ++i) EXPECT_LT(history[i].energy, history[i - 1].energy);
  }
}

TEST(Descent, TriesTwiceTheLastStepAndCountsWhatItTookBack) {
  Number level;
  level.x = 9.9;
  const auto history = run(level, 3, 0);
  // 0.5 and 0.25 overshoot beyond the mirror image of 9.9, 0.125 does not: 10.025.
  ASSERT_GE(history.size(), 2u);
  EXPECT_EQ(history[1].step, 0.125);
  EXPECT_EQ(history[1].retries, 2);
  // Then twice that, 0.25, which has to come down to 0.03125.
  EXPECT_EQ(history[2].step, 0.03125);
  EXPECT_EQ(history[2].retries, 3);
}

TEST(Descent, StopsShortOfVanishingVolumes) {
  Number level;
  level.vanishesAt = 3;
  const auto history = run(level, 100, 0);
  for (const auto& i : history) EXPECT_GT(i.smallestJ, kSmallestJ);
  EXPECT_NEAR(level.x, 3 * (1 - kSmallestJ), 0.01);
  EXPECT_LT(history.size(), 100u);
}

TEST(Descent, EndsWhenTheEnergyHardlyFalls) {
  Number level;
  level.x = -1e5;  // every step of 0.5 lowers E by a share of 1e-5
  EXPECT_EQ(run(level, 100, 0, 1e-4).size(), 1u + kFallWindow);
  level.x = -1e5;
  EXPECT_EQ(run(level, 100, 0, 1e-6).size(), 101u);
}

TEST(Descent, EndsWithoutAForceOrWithOneThatIsNotANumber) {
  Number level;
  level.x = 10;
  EXPECT_EQ(run(level, 100, 0).size(), 1u);
  level.x = 0, level.brokenForce = true;
  EXPECT_EQ(run(level, 100, 0).size(), 1u);
  EXPECT_EQ(level.attempts, 0);
}

}  // namespace
}  // namespace sulcus
