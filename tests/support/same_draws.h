#pragma once

#include "core/activation/sampler/gibbs.h"
#include "tests/support/same_bits.h"

#include <gtest/gtest.h>

namespace sulcus::test {

/// Expects all numbers of two results of the sampler to be equal bit for bit.
inline void expectSameBits(const activation::GibbsResult& a, const activation::GibbsResult& b) {
  EXPECT_TRUE(sameBits(a.hyper, b.hyper));
  EXPECT_TRUE(sameBits(a.delta, b.delta));
  EXPECT_TRUE(sameBits(a.vBeta, b.vBeta));
  EXPECT_TRUE(sameBits(a.moments.mean, b.moments.mean));
  EXPECT_TRUE(sameBits(a.moments.covariance, b.moments.covariance));
  EXPECT_TRUE(sameBits(a.moments.sigma2Mean, b.moments.sigma2Mean));
  EXPECT_TRUE(sameBits(a.moments.sigma2Var, b.moments.sigma2Var));
  EXPECT_TRUE(sameBits(a.moments.rhat, b.moments.rhat));
  EXPECT_TRUE(sameBits(a.moments.ess, b.moments.ess));
}

}  // namespace sulcus::test
