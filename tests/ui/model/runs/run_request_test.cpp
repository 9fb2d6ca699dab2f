#include "ui/model/runs/run_request.h"

#include "core/base/error.h"

#include <gtest/gtest.h>

namespace sulcus::ui::model {
namespace {

RunResult nothing(const Run&, const Progress&, const Analysis::Preview&) { return {}; }

RunRequest requestWith(const Analysis& analysis) {
  RunRequest request;
  request.run.analysis = &analysis;
  request.run.inputs.emplace("truth", std::make_shared<const Layer>());
  request.preview = std::make_shared<RunPreview>();
  return request;
}

TEST(RunRequest, HasFiguresAgainstTheTruth) {
  Analysis analysis;
  analysis.compareWithTruth = [](const RunResult&, const AnalysisInputs&, const Progress&) {
    AgreementRow angle, number;
    angle.quantity = "angle", angle.unit = "°", angle.mean = 3, angle.tolerance = 1;
    number.quantity = "right number", number.shareWithin = 0.75;
    return std::vector{angle, number};
  };
  RunRequest request = requestWith(analysis);
  const auto figures = compute(request, nothing, {}).figures;
  ASSERT_EQ(figures.size(), 2u);
  EXPECT_EQ(figures[0].name, "truth: angle");
  EXPECT_EQ(figures[0].unit, "°");
  EXPECT_EQ(figures[0].value, 3);
  EXPECT_EQ(figures[1].unit, "%");
  EXPECT_EQ(figures[1].value, 75);
  request.run.inputs.clear();
  EXPECT_TRUE(compute(request, nothing, {}).figures.empty());
}

TEST(RunRequest, KeepsAResultWhoseTruthDoesNotBelongToIt) {
  Analysis analysis;
  analysis.compareWithTruth = [](const RunResult&, const AnalysisInputs&,
                                 const Progress&) -> std::vector<AgreementRow> {
    throw Error("The truth has a different grid", "its voxels are others", "give another");
  };
  const FinishedRun finished = compute(requestWith(analysis), nothing, {});
  ASSERT_EQ(finished.result.notes.size(), 1u);
  EXPECT_TRUE(finished.result.notes.front().isWarning());
}

}  // namespace
}  // namespace sulcus::ui::model
