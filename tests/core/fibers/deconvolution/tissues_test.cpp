#include "core/fibers/deconvolution/tissues.h"

#include "core/base/error.h"
#include "core/fibers/fiber_plan.h"
#include "core/fibers/fibers.h"
#include "tests/core/fibers/fiber_inputs.h"
#include "tests/support/for_each_seed.h"
#include "tests/support/tissue_phantom.h"

#include <cmath>
#include <iostream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sulcus::fibers {
namespace {

using test::optionsFor;
using testing::Contains;
using testing::HasSubstr;

Grid gridOf(int x, int y, int z) {
  Grid grid;
  grid.size = {x, y, z};
  return grid;
}

TissuePlan planOf(int order, const FiberInput& input) {
  const std::vector<TissueResponse> responses{input.response, input.responseGm, input.responseCsf};
  std::vector<Vec3<double>> directions;
  std::vector<int> shellOf;
  for (std::size_t v = 6; v < input.gradients.rows.size(); ++v) {
    directions.push_back(input.gradients.rows[v].directionWorld);
    shellOf.push_back(int(std::lround(input.gradients.rows[v].b / 1000)));
  }
  return planTissues(order, responses, directions, shellOf, 6);
}

/// y is the point of a cone nearest to y₀ if it lies in the cone, y₀ − y is orthogonal to y, and y₀ − y forms
/// no acute angle with any other point of the cone (Moreau).
TEST(Tissues, AreTheNearestToTheSignalThatIsNowhereNegative) {
  auto phantom = test::tissuePhantom(gridOf(60, 1, 1), 30, 3);
  test::giveTrueResponses(phantom.input);
  for (const int order : {4, 6, 8}) {
    const TissuePlan plan = planOf(order, phantom.input);
    const int unknowns = tissueUnknowns(order), n = int(plan.predict.size()) / unknowns;
    Eigen::MatrixXf ratios(n, 60);
    for (int i = 0; i < 60; ++i)
      for (int v = 0; v < n; ++v) {
        float unweighted = 0;
        for (int u = 0; u < 6; ++u) unweighted += phantom.input.dwi->at(i, u) / 6;
        ratios(v, i) = phantom.input.dwi->at(i, 6 + v) / unweighted;
      }
    const Eigen::MatrixXd start = ((matrixByRows(plan.projection, unknowns) * ratios).colwise() +
                                   Eigen::Map<const Eigen::VectorXf>(plan.constant.data(), unknowns))
                                      .cast<double>();
    const Eigen::MatrixXd found = deconvolveTissues(plan, ratios).cast<double>();
    using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    const Eigen::MatrixXd rows =
        Eigen::Map<const RowMajor>(plan.constraints.data(), kTissueRows, csdStride(unknowns))
            .leftCols(unknowns);
    EXPECT_GT((rows * found).minCoeff(), -1e-6) << "order " << order;
    for (int i = 0; i < 60; ++i) {
      const Eigen::VectorXd left = start.col(i) - found.col(i);
      EXPECT_LT(std::abs(left.dot(found.col(i))), 1e-5) << "order " << order << ", voxel " << i;
      EXPECT_LT((left.transpose() * found).maxCoeff(), 1e-5) << "order " << order << ", voxel " << i;
    }
  }
}

TEST(Tissues, OfAScaledScanAreScaled) {
  auto phantom = test::tissuePhantom(gridOf(24, 1, 1), 30, 5);
  test::giveTrueResponses(phantom.input);
  auto scaled = std::make_shared<Series<float>>(*phantom.input.dwi);
  for (float& value : scaled->values) value *= 4;
  FiberOptions options = optionsFor(FiberModel::msmt);
  options.falsePeaks = 1;  // then no trial chooses a cut-off for peaks, on which volumes do not depend
  const auto one = findFibers(phantom.input, options, {});
  phantom.input.dwi = scaled;
  const auto four = findFibers(phantom.input, options, {});
  for (std::size_t i = 0; i < one.volumes.values.size(); ++i)
    EXPECT_NEAR(four.volumes.values[i], 4 * one.volumes.values[i], 1e-4);
}

struct Counts {
  double perGray = 0, perCsf = 0, missed = 0, volumeError = 0;
};

Counts countsOf(const test::TissuePhantom& phantom, const FiberMaps& maps) {
  Counts counts;
  double gray = 0, csf = 0, fibers = 0;
  for (std::size_t i = 0; i < phantom.volumes.size(); ++i) {
    const auto voxel = std::int64_t(i);
    const auto& volumes = phantom.volumes[i];
    if (volumes[1] == 1) ++gray, counts.perGray += maps.count.values[i];
    if (volumes[2] == 1) ++csf, counts.perCsf += maps.count.values[i];
    for (int t = 0; t < kTissues; ++t)
      counts.volumeError += std::abs(maps.volumes.at(voxel, t) - volumes[std::size_t(t)]) / kTissues;
    if (volumes[0] != 1) continue;
    for (const auto& axis : phantom.directions[i]) {
      ++fibers;
      double nearest = 0;
      for (int p = 0; p < 9 && !std::isnan(maps.peaks.at(voxel, p)); p += 3) {
        const Vec3<double> peak{maps.peaks.at(voxel, p), maps.peaks.at(voxel, p + 1),
                                maps.peaks.at(voxel, p + 2)};
        nearest = std::max(nearest, std::abs(dot(normalized(peak), axis)));
      }
      counts.missed += nearest < std::cos(20 * std::numbers::pi / 180);
    }
  }
  counts.perGray /= gray, counts.perCsf /= csf, counts.missed /= fibers;
  counts.volumeError /= double(phantom.volumes.size());
  std::cout << "peaks a voxel of gray matter " << counts.perGray << ", of CSF " << counts.perCsf
            << "; missed " << counts.missed << "; volumes off by " << counts.volumeError << '\n';
  return counts;
}

TEST(TissuePhantom, ShowsFibersInWhiteMatterAlone) {
  for (const bool isGiven : {true, false}) {
    SCOPED_TRACE(isGiven ? "responses given" : "responses estimated");
    auto phantom = test::tissuePhantom(gridOf(24, 12, 8), 30, 7);
    if (isGiven) test::giveTrueResponses(phantom.input);

    const auto maps = findFibers(phantom.input, {}, {});

    EXPECT_EQ(maps.model, FiberModel::msmt);
    EXPECT_EQ(maps.order, 8);
    EXPECT_EQ(maps.volumes.count, kTissues);
    EXPECT_EQ(maps.tissueVoxels.empty(), isGiven);
    const Counts counts = countsOf(phantom, maps);
    EXPECT_LE(counts.perGray, 0.3);
    EXPECT_LE(counts.perCsf, 0.05);
    EXPECT_LE(counts.missed, 0.05);
    EXPECT_LE(counts.volumeError, 0.05);
  }
}

TEST(TissueResponses, AreEstimatedFromVoxelsOfTheirTissue) {
  auto phantom = test::tissuePhantom(gridOf(24, 12, 8), 30, 11);
  const auto maps = findFibers(phantom.input, optionsFor(FiberModel::msmt), {});
  ASSERT_EQ(maps.tissueVoxels.size(), 3u);
  for (std::size_t t = 0; t < 3; ++t) {
    int own = 0;
    for (const auto voxel : maps.tissueVoxels[t]) own += phantom.volumes[std::size_t(voxel)][t] == 1;
    EXPECT_GE(own, 0.95 * double(maps.tissueVoxels[t].size())) << "tissue " << t;
    EXPECT_GE(maps.tissueVoxels[t].size(), 10u);
  }
  test::giveTrueResponses(phantom.input);
  for (std::size_t shell = 0; shell < 4; ++shell) {
    EXPECT_NEAR(maps.tissueResponses[0][shell][0], phantom.input.response[shell][0],
                0.05 * phantom.input.response[0][0]);
    EXPECT_NEAR(maps.tissueResponses[1][shell][0], phantom.input.responseGm[shell][0],
                0.03 * phantom.input.responseGm[0][0]);
    EXPECT_NEAR(maps.tissueResponses[2][shell][0], phantom.input.responseCsf[shell][0],
                0.03 * phantom.input.responseCsf[0][0]);
  }
}

std::string complaintOf(const FiberInput& input, const FiberOptions& options) {
  try {
    planFibers(input, options, {});
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(TissueResponses, AreRefusedWhereTheyCannotBeUsed) {
  auto phantom = test::tissuePhantom(gridOf(24, 2, 2), 30, 13);
  test::giveTrueResponses(phantom.input);
  const auto options = optionsFor(FiberModel::msmt);
  EXPECT_EQ(complaintOf(phantom.input, options), "");
  EXPECT_THAT(complaintOf(phantom.input, optionsFor(FiberModel::csd)), HasSubstr("only msmt uses them"));

  auto changed = phantom.input;
  changed.response.clear();
  EXPECT_THAT(complaintOf(changed, options), HasSubstr("2 responses were given for msmt"));
  changed = phantom.input;
  changed.responseGm.pop_back();
  EXPECT_THAT(complaintOf(changed, options), HasSubstr("A response has 3 rows"));
  changed = phantom.input;
  std::swap(changed.responseGm, changed.responseCsf);
  EXPECT_THAT(complaintOf(changed, options), HasSubstr("too alike"));
  changed = phantom.input;
  std::swap(changed.responseGm[1], changed.responseGm[2]);
  EXPECT_THAT(complaintOf(changed, options), HasSubstr("is not monotonic"));
  changed = phantom.input;
  for (auto& row : changed.response) row.resize(1);
  EXPECT_THAT(complaintOf(changed, options), HasSubstr("flat"));
}

TEST(TissueResponses, ThatCannotBeEstimatedLeaveTheHighestShellToAuto) {
  auto phantom = test::tissuePhantom(gridOf(24, 12, 2), 30, 17);
  auto whiteOnly = std::make_shared<Mask>(phantom.input.dwi->grid);
  for (std::size_t i = 0; i < phantom.volumes.size(); ++i) whiteOnly->values[i] = phantom.volumes[i][0] == 1;
  phantom.input.mask = whiteOnly;

  EXPECT_THAT(complaintOf(phantom.input, optionsFor(FiberModel::msmt)), HasSubstr("voxels look like"));
  const FiberPlan plan = planFibers(phantom.input, {}, {});
  EXPECT_EQ(plan.model, FiberModel::csd);
  EXPECT_THAT(plan.notes, Contains(HasSubstr("Warning: the tissues could not be told apart")));
}

}  // namespace
}  // namespace sulcus::fibers
