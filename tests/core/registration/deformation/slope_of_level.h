#pragma once

#include <cmath>

#include <gtest/gtest.h>

namespace sulcus::test {

/// Moves a level by dt along its last velocity, of `speed`, and compares the slope that it reports with the
/// difference of the energies on both sides.
template <class Level>
void expectSlopeIsTheDerivative(Level& level, double dt, double speed, double lambda) {
  ASSERT_TRUE(level.attempt(dt).positive());
  level.accept();
  const double t = 1e-6 / speed;
  const double forth = level.attempt(t).total(lambda), back = level.attempt(-t).total(lambda);
  level.start();
  const double slope = level.velocity(0.9).slope, expected = (forth - back) / (2 * t);
  EXPECT_NEAR(slope, expected, 1e-4 * std::abs(expected));
}

}  // namespace sulcus::test
