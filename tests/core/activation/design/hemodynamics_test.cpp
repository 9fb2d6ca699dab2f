#include "core/activation/design/hemodynamics.h"

#include <cmath>

#include <gtest/gtest.h>

namespace sulcus::activation {
namespace {

/// The gamma densities by the C library's gamma function: Γ(6) = 120, Γ(16) = 15!.
double densities(double t) {
  const double first = std::pow(t, 5) * std::exp(-t) / std::tgamma(6.0);
  const double second = std::pow(t, 15) * std::exp(-t) / std::tgamma(16.0);
  return 1.2 * (first - second / 6);
}

TEST(CanonicalResponse, IsTheDifferenceOfTwoGammaDensities) {
  for (const double t : {0.1, 1.0, 2.5, 5.0, 6.0, 10.0, 16.0, 20.0, 32.0, 60.0})
    EXPECT_NEAR(canonicalResponse(t), densities(t), 1e-14) << t;
  EXPECT_EQ(canonicalResponse(0), 0);
  EXPECT_EQ(canonicalResponse(-3), 0);
  EXPECT_EQ(canonicalResponse(1e9), 0);
  EXPECT_EQ(canonicalResponse(NAN), 0);
}

TEST(CanonicalResponse, HasTheValuesWorkedOutByHand) {
  // t = 5: 5⁵ e⁻⁵/120 = 0.1754674, 5¹⁵ e⁻⁵/15! = 0.0001572; 1.2 · (0.1754674 − 0.0001572/6) = 0.2105294.
  EXPECT_NEAR(canonicalResponse(5), 0.2105294, 1e-7);
  // t = 16: 16⁵ e⁻¹⁶/120 = 0.0009833, 16¹⁵ e⁻¹⁶/15! = 0.0992175; 1.2 · (0.0009833 − 0.0165363) = −0.0186635.
  EXPECT_NEAR(canonicalResponse(16), -0.0186635, 1e-7);
}

TEST(CanonicalResponse, PeaksAtFiveSecondsAndUndershootsNearSixteen) {
  double highest = 0, lowest = 0;
  for (double t = 0; t < 40; t += 0.01) {
    if (canonicalResponse(t) > canonicalResponse(highest)) highest = t;
    if (canonicalResponse(t) < canonicalResponse(lowest)) lowest = t;
  }
  EXPECT_NEAR(highest, 5.0, 0.02);
  EXPECT_NEAR(lowest, 15.75, 0.1);
}

TEST(CanonicalStep, IsTheIntegralOfTheResponse) {
  double integral = 0;
  const double h = 1e-3;
  int compared = 0;
  for (int i = 0; i < 60000; ++i) {  // Simpson's rule
    const double t = i * h;
    integral += h / 6 * (canonicalResponse(t) + 4 * canonicalResponse(t + h / 2) + canonicalResponse(t + h));
    if ((i + 1) % 1000 != 0) continue;
    EXPECT_NEAR(canonicalStep(t + h), integral, 1e-12) << t + h;
    ++compared;
  }
  EXPECT_EQ(compared, 60);
  EXPECT_NEAR(canonicalStep(100), 1, 1e-15);
  EXPECT_EQ(canonicalStep(1e300), 1);
  EXPECT_EQ(canonicalStep(0), 0);
}

TEST(ExpectedSignal, IsTheConvolutionOfTheStimulusWithTheResponse) {
  const std::vector<Event> events{{3.3, 12.7, 1, 0}, {40.1, 5, 2.5, 0}, {43, 6, -1, 0}, {-4, 9, 1, 0}};
  const double tr = 2.3;
  const int scans = 40;
  const auto signal = expectedSignal(events, tr, scans);
  ASSERT_EQ(signal.size(), 40u);
  for (int scan = 0; scan < scans; ++scan) {
    // Midpoint rule over the stimulus; its error is h²/24 · 12.7 s · max h'' ≈ 1e-7.
    double sum = 0;
    const double h = 2e-3;
    for (const auto& event : events)
      for (double s = h / 2; s < event.duration; s += h)
        sum += h * event.amplitude * densities(std::max(0.0, (scan + 0.5) * tr - event.onset - s));
    EXPECT_NEAR(signal[std::size_t(scan)], sum, 1e-6) << scan;
  }
}

TEST(ExpectedSignal, OfALongBlockReachesItsAmplitude) {
  const std::vector<Event> block{{10, 200, 3, 0}};
  const auto signal = expectedSignal(block, 1, 300);
  EXPECT_EQ(signal[9], 0);
  EXPECT_NEAR(signal[100], 3, 1e-12);
  EXPECT_NEAR(signal[299], 0, 1e-12);
}

TEST(ExpectedSignal, OfAnImpulseIsTheLimitOfShortBlocksOfArea1) {
  const std::vector<Event> impulse{{7.25, 0, 1, 0}}, block{{7.25, 1e-4, 1e4, 0}};
  const auto signal = expectedSignal(impulse, 2, 30), limit = expectedSignal(block, 2, 30);
  for (std::size_t scan = 0; scan < signal.size(); ++scan) {
    EXPECT_NEAR(signal[scan], limit[scan], 1e-5) << scan;
    EXPECT_NEAR(signal[scan], densities(std::max(0.0, 2 * double(scan) + 1 - 7.25)), 1e-14) << scan;
  }
}

TEST(ResponsePart, HoldsTheDerivativesOfTheResponse) {
  const double h = 1e-5;
  // The response whose first gamma density has the scale d.
  const auto narrow = [](double t, double d) {
    const double first = std::pow(t / d, 6 / d - 1) * std::exp(-t / d) / (d * std::tgamma(6 / d));
    return 1.2 * (first - std::pow(t, 15) * std::exp(-t) / std::tgamma(16.0) / 6);
  };
  for (const double t : {0.1, 1.0, 2.5, 5.0, 6.0, 10.0, 16.0, 20.0, 32.0}) {
    EXPECT_NEAR(responsePart(ResponsePart::timeDerivative, t),
                (densities(t + h) - densities(t - h)) / (2 * h), 1e-9)
        << t;
    EXPECT_NEAR(responsePart(ResponsePart::dispersionDerivative, t),
                (narrow(t, 1 - h) - narrow(t, 1 + h)) / (2 * h), 1e-9)
        << t;
  }
  for (const auto part : {ResponsePart::timeDerivative, ResponsePart::dispersionDerivative})
    for (const double t : {0.0, -3.0, 1e9}) EXPECT_EQ(responsePart(part, t), 0);
}

TEST(ExpectedSignal, OfTheDerivativesIsThatOfMovedAndNarrowedResponses) {
  const std::vector<Event> events{{3.3, 12.7, 1, 0}, {40.1, 5, 2.5, 0}, {70, 0, -1, 0}};
  const double tr = 2.3, h = 2e-3;
  for (const auto part : {ResponsePart::timeDerivative, ResponsePart::dispersionDerivative}) {
    const auto signal = expectedSignal(events, tr, 50, part);
    for (int scan = 0; scan < 50; ++scan) {
      double sum = 0;  // midpoint rule
      for (const auto& event : events) {
        const double since = (scan + 0.5) * tr - event.onset;
        if (event.duration == 0) sum += event.amplitude * responsePart(part, since);
        for (double s = h / 2; s < event.duration; s += h)
          sum += h * event.amplitude * responsePart(part, since - s);
      }
      EXPECT_NEAR(signal[std::size_t(scan)], sum, 1e-6) << scan;
    }
  }
  // To first order, a response that comes 0.1 s earlier is the response and a tenth of its derivative.
  std::vector<Event> earlier = events;
  for (auto& event : earlier) event.onset -= 0.1;
  const auto moved = expectedSignal(earlier, tr, 50), signal = expectedSignal(events, tr, 50),
             slope = expectedSignal(events, tr, 50, ResponsePart::timeDerivative);
  for (std::size_t scan = 0; scan < 50; ++scan)
    EXPECT_NEAR(moved[scan], signal[scan] + 0.1 * slope[scan], 2e-3) << scan;
}

TEST(ExpectedSignal, StandsForTheTimeWithinTheScan) {
  const std::vector<Event> events{{3.3, 4, 1, 0}};
  std::vector<Event> later = events;
  later[0].onset += 0.5 * 2;
  const auto middle = expectedSignal(later, 2, 30),
             first = expectedSignal(events, 2, 30, ResponsePart::canonical, 0);
  for (std::size_t scan = 0; scan < 30; ++scan) EXPECT_NEAR(middle[scan], first[scan], 1e-14);
}

}  // namespace
}  // namespace sulcus::activation
