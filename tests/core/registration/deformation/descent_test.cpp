#include "core/registration/deformation/descent.h"

#include <gtest/gtest.h>

namespace sulcus::registration {
namespace {

/// A level of one number instead of an image: E(x) = ½ (x − 10)², J = 1 − x/`vanishesAt`.
struct Number {
  double x = 0, trial = 0, v = 0, vanishesAt = 1e9;
  bool brokenForce = false;
  int attempts = 0;

  LevelEnergy energy(double at) const {
    LevelEnergy e;
    e.similarity = 0.5 * (at - 10) * (at - 10);
    e.smallestJ = 1 - at / vanishesAt;
    e.vanishing = e.smallestJ > kSmallestJ ? 0 : 1;
    return e;
  }
  LevelEnergy start() { return energy(x); }
  Direction velocity(double momentum) {
    const double force = brokenForce ? NAN : 10 - x, slope = -force * v;
    v = (slope > 0 ? 0 : momentum) * v + force;
    return {std::abs(v), slope};
  }
  LevelEnergy attempt(double dt) {
    ++attempts;
    trial = x + dt * v;
    return energy(trial);
  }
  void hold() { ADD_FAILURE() << "there are no others that could go on"; }
  void accept() { x = trial; }
};

/// A level of two numbers that both move to 10. The voxel of y, one of a million, vanishes when y is 3.
struct TwoNumbers {
  double x = 0, y = 0, trialX = 0, trialY = 0, vx = 0, vy = 0;
  double vanishing = 1e-6;  ///< share of the voxels that vanish with y
  int holds = 0;
  bool holdable = true;

  LevelEnergy energy(double atX, double atY) const {
    LevelEnergy e;
    e.similarity = 0.5 * (atX - 10) * (atX - 10) + 0.5 * (atY - 10) * (atY - 10);
    e.smallestJ = 1 - atY / 3;
    e.vanishing = e.smallestJ > kSmallestJ ? 0 : vanishing;
    return e;
  }
  LevelEnergy start() { return energy(x, y); }
  Direction velocity(double momentum) {
    const double slope = (x - 10) * vx + (y - 10) * vy;
    if (slope > 0) momentum = 0;
    vx = momentum * vx + 10 - x, vy = momentum * vy + 10 - y;
    return {std::max(std::abs(vx), std::abs(vy)), slope};
  }
  LevelEnergy attempt(double dt) {
    trialX = x + dt * vx, trialY = y + dt * vy;
    return energy(trialX, trialY);
  }
  void hold() {
    ++holds;
    if (holdable) vy = 0;
  }
  void accept() { x = trialX, y = trialY; }
};

template <class Level>
std::vector<RegistrationIteration> run(Level& level, int iterations, double momentum, double tolerance = 0,
                                       RegistrationForce force = RegistrationForce::descent) {
  RegistrationOptions options;
  options.force = force;
  options.lambda = 0, options.momentum = momentum, options.tolerance = tolerance, options.maxStep = 0.5;
  std::vector<RegistrationIteration> history;
  descend(level, 2, iterations, options, [&](const RegistrationIteration& i) { history.push_back(i); });
  return history;
}

TEST(Descent, GrowsOrShrinksAStepToTheLowestPointOfItsParabola) {
  // E(t) = (t − 1)² from 1 to 0.25 with slope −1 in a step of ½: the minimum is at twice the step.
  EXPECT_EQ(stepGrowth(1, 0.25, 0.5 * -1), 1.25);
  // From 1 to 0.04 in a step of 1.2 with slope 0.4: the minimum is at 1/1.2 = 0.83, in sixteenths 13.
  EXPECT_EQ(stepGrowth(1, 0.04, 1.2 * 0.4), 13.0 / 16);
  EXPECT_EQ(stepGrowth(1, 0.81, 1.9 * 1.8), 0.75);
  EXPECT_EQ(stepGrowth(1, 0.5, -0.5), 1.25);  // a line
  EXPECT_EQ(stepGrowth(1, 0.5, NAN), 1.25);
}

TEST(Descent, GoesInLargestStepsAndShortensThemAtTheGoal) {
  for (const double momentum : {0.0, 0.9}) {
    Number level;
    const auto history = run(level, 100, momentum);
    EXPECT_NEAR(level.x, 10, 0.01);
    ASSERT_GE(history.size(), 21u);
    EXPECT_EQ(history[0].iteration, 0);
    EXPECT_EQ(history[0].energy, 50);
    for (int i = 1; i <= 17; ++i) {
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

TEST(Descent, WithThePapersForceTriesTwiceTheLastStepAndCountsWhatItTookBack) {
  Number level;
  level.x = 9.9;
  const auto history = run(level, 3, 0, 0, RegistrationForce::paper);
  // The steps 0.5 and 0.25 overshoot the mirror image of 9.9; 0.125 leads to 10.025 and does not.
  ASSERT_GE(history.size(), 2u);
  EXPECT_EQ(history[1].step, 0.125);
  EXPECT_EQ(history[1].retries, 2);
  // The next step begins with twice that, 0.25, and has to be reduced to 0.03125.
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

TEST(Descent, HoldsAVoxelThatWouldVanishAndGoesOnElsewhere) {
  for (const double momentum : {0.0, 0.8}) {
    TwoNumbers level;
    const auto history = run(level, 100, momentum);
    EXPECT_NEAR(level.x, 10, 0.05);
    EXPECT_LT(level.y, 3 * (1 - kSmallestJ));
    EXPECT_GT(level.y, 2.4);
    int held = 0;
    for (std::size_t i = 1; i < history.size(); ++i) {
      EXPECT_LT(history[i].energy, history[i - 1].energy);
      EXPECT_GT(history[i].smallestJ, kSmallestJ);
      held += history[i].held;
    }
    EXPECT_GT(held, 0);
    EXPECT_LE(held, level.holds);
  }
}

TEST(Descent, HalvesTheStepWhereHoldingDoesNotHelpOrIsNotTheWay) {
  const auto shortOfGoal = [](TwoNumbers level, RegistrationForce force) {
    const auto history = run(level, 100, 0, 0, force);
    for (const auto& i : history) EXPECT_GT(i.smallestJ, kSmallestJ);
    EXPECT_NEAR(level.y, 3 * (1 - kSmallestJ), 0.01);
    EXPECT_LT(level.x, 3);
    return level.holds;
  };
  TwoNumbers stubborn, many;
  stubborn.holdable = false;
  many.vanishing = 2 * kFewVanishing;
  EXPECT_GT(shortOfGoal(stubborn, RegistrationForce::descent), 0);
  EXPECT_EQ(shortOfGoal(many, RegistrationForce::descent), 0) << "many voxels vanish: the step is too long";
  EXPECT_EQ(shortOfGoal({}, RegistrationForce::paper), 0) << "as published";
}

TEST(Descent, EndsWhenTheEnergyHardlyFalls) {
  Number level;
  level.x = -1e5;  // every step of 0.5 decreases E by a share of 1e-5
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
}  // namespace sulcus::registration
