#include "core/activation/results/activation_agreement.h"

#include "tests/core/activation/activation_inputs.h"
#include "tests/core/activation/tables.h"

#include <algorithm>

namespace sulcus::activation {
namespace {

using test::expectError, test::inputOf, test::modelPhantom, test::phantomOptions, test::phantomResult;

const ActivationResult& otherSeed() {
  static const ActivationResult result = [] {
    auto options = phantomOptions();
    options.seed = 2;
    return analyzeActivation(inputOf(modelPhantom()), options, {});
  }();
  return result;
}

ActivationTruth truthOf(const phantom::ActivationPhantom& phantom) {
  return {phantom.beta, std::make_shared<const Series<float>>(*phantom.sigma2), phantom.delta, phantom.vBeta};
}

const AgreementRow& rowOf(const std::vector<AgreementRow>& rows, const std::string& quantity) {
  return *std::find_if(rows.begin(), rows.end(),
                       [&](const AgreementRow& row) { return row.quantity == quantity; });
}

TEST(ActivationAgreement, OfAResultWithItselfIsPerfect) {
  const auto comparison = compareActivation(*phantomResult(), *phantomResult());
  EXPECT_TRUE(comparison.agrees());
  ASSERT_EQ(comparison.rows.size(), 6u);
  for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(comparison.rows[i].maximum, 0) << comparison.rows[i].quantity;
  // Least squares is a different estimate: the prior pulls the posterior towards what the voxels share.
  const AgreementRow& classical = comparison.rows[5];
  EXPECT_EQ(classical.quantity, "least-squares z against posterior mean / s.d.");
  EXPECT_GT(classical.median, 0.01);
  EXPECT_LT(classical.median, 2);
  EXPECT_EQ(classical.shareNeeded, 0);
  EXPECT_TRUE(comparison.worst.empty());
}

TEST(ActivationAgreement, OfTwoSeedsIsWithinMonteCarloError) {
  const auto comparison = compareActivation(*phantomResult(), otherSeed());
  for (const auto& row : comparison.rows) EXPECT_TRUE(row.agrees()) << row.quantity << " " << row.shareWithin;
  EXPECT_GT(comparison.rows[0].median, 0.002);  // but they are different runs
  EXPECT_EQ(comparison.worst.size(), 20u);
  ASSERT_TRUE(comparison.difference.has_value());
}

TEST(ActivationAgreement, NamesTheVoxelThatDiffers) {
  auto changed = *phantomResult();
  changed.mean[std::size_t(changed.count()) + 40] += 50;
  const auto comparison = compareActivation(*phantomResult(), changed);
  ASSERT_EQ(comparison.worst.size(), 1u);
  EXPECT_EQ(changed.grid.index(comparison.worst[0].voxel.x, comparison.worst[0].voxel.y,
                               comparison.worst[0].voxel.z),
            changed.voxels[40]);
  EXPECT_LT(comparison.rows[0].shareWithin, 1);
}

TEST(ActivationAgreement, SeesABiasOfAllVoxels) {
  auto changed = *phantomResult();
  for (float& mean : changed.mean) mean += 0.5f;
  EXPECT_FALSE(compareActivation(*phantomResult(), changed).rows[0].agrees());
}

TEST(ActivationAgreement, CountsVoxelsOfOneResultOnly) {
  auto options = phantomOptions();
  options.slice = 6;
  const auto slice = analyzeActivation(inputOf(modelPhantom()), options, {});
  const auto comparison = compareActivation(*phantomResult(), slice);
  EXPECT_EQ(comparison.rows[2].compared, double(phantomResult()->count()));
  EXPECT_FALSE(comparison.rows[2].agrees());
}

TEST(ActivationAgreement, RefusesResultsThatDoNotCorrespond) {
  auto other = *phantomResult();
  other.design.names[1] = "faces";
  expectError([&] { compareActivation(*phantomResult(), other); }, {"different regressors"});
  other = *phantomResult();
  other.grid.worldFromVoxel.t.x += 1;
  expectError([&] { compareActivation(*phantomResult(), other); }, {"different grids"});
}

TEST(ActivationTruth, IsCoveredByNinetyPercentOfTheIntervals) {
  const auto rows = compareActivationWithTruth(*phantomResult(), truthOf(modelPhantom()));
  ASSERT_EQ(rows.size(), 3u * 2 + 1 + 2);
  for (const char* name : {"intercept", "visual", "auditory"}) {
    const auto& covered = rowOf(rows, std::string(name) + ": in the 90 % interval");
    EXPECT_GE(covered.shareWithin, 0.88) << name;
    EXPECT_LE(covered.shareWithin, 0.92) << name;
    EXPECT_NEAR(rowOf(rows, std::string(name) + ": error").median, 0.674, 0.05)
        << name;  // median of |N(0, 1)|
  }
  for (const auto& row : rows) EXPECT_TRUE(row.agrees()) << row.quantity << " " << row.shareWithin;
}

TEST(ActivationTruth, IsTurnedIntoTheResponse) {
  for (const Response response : {Response::standardized, Response::percent}) {
    auto options = phantomOptions();
    options.response = response, options.draws = 600;
    const auto result = analyzeActivation(inputOf(modelPhantom()), options, {});
    const auto rows = compareActivationWithTruth(result, truthOf(modelPhantom()));
    ASSERT_EQ(rows.size(), 7u);  // Δ and V_β are known only in the unit of the series
    EXPECT_NEAR(rowOf(rows, "visual: in the 90 % interval").shareWithin, 0.9, 0.04);
    EXPECT_GT(rowOf(rows, "σ²: error").shareWithin, 0.97);
  }
}

TEST(ActivationTruth, OfAnotherScanDoesNotAgree) {
  auto truth = truthOf(modelPhantom());
  auto beta = std::make_shared<Series<float>>(*truth.beta);
  for (std::int64_t v = 0; v < beta->grid.voxels(); ++v) beta->at(v, 1) += 2;
  truth.beta = beta;
  const auto rows = compareActivationWithTruth(*phantomResult(), truth);
  EXPECT_FALSE(rowOf(rows, "visual: in the 90 % interval").agrees());
  EXPECT_TRUE(rowOf(rows, "auditory: in the 90 % interval").agrees());
  truth.beta = std::make_shared<const Series<float>>(beta->grid, 2, 0.0f);
  expectError([&] { compareActivationWithTruth(*phantomResult(), truth); },
              {"2 coefficients", "3 regressors"});
}

TEST(ActivationTruth, OfSeveralRunsIsComparedInTheirUnitAlone) {
  ActivationResult result = *phantomResult();
  const int scans = result.design.scans();
  result.design.joined = {{0, scans / 2}, {scans / 2, scans}};
  EXPECT_FALSE(compareActivationWithTruth(result, truthOf(modelPhantom())).empty());
  result.response = Response::percent;
  expectError([&] { compareActivationWithTruth(result, truthOf(modelPhantom())); },
              {"several runs", "response raw"});
}

TEST(ActivationTruth, IsReadFromLayers) {
  Layer beta, sigma2;
  beta.name = "true_beta", sigma2.name = "true_sigma2";
  beta.content = VolumeLayer{modelPhantom().beta, {}, 0, {}};
  sigma2.content = VolumeLayer{std::make_shared<const Series<float>>(*modelPhantom().sigma2), {}, 0, {}};
  const Layer delta = test::tableOf({"covariate", "a", "b"}, {{"intercept", "1.5", "-2"}}, "true_delta");
  const Layer vBeta = test::tableOf({"regressor", "a"}, {{"a", "4e-1"}}, "true_vbeta");
  const auto truth = activationTruth({&beta, &sigma2, &delta, &vBeta});
  EXPECT_EQ(truth.beta, modelPhantom().beta);
  EXPECT_NE(truth.sigma2, nullptr);
  EXPECT_EQ(truth.delta(0, 1), -2);
  EXPECT_EQ(truth.vBeta(0, 0), 0.4);
}

}  // namespace
}  // namespace sulcus::activation
