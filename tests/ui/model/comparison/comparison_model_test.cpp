#include "ui/model/comparison/comparison_model.h"

#include "tests/ui/fake_analysis.h"

#include <QAbstractItemModelTester>

#include <gtest/gtest.h>

namespace sulcus::ui::model {
namespace {

RunPtr makeRun(const Analysis& analysis, const QString& title, double seconds) {
  auto run = std::make_shared<model::Run>();
  run->analysis = &analysis;
  run->id = 1;
  run->title = title;
  RunResult result;
  result.stages = {{"fit", seconds * 0.75}, {"search", seconds * 0.25}};
  result.seconds = seconds;
  result.items = 1000;
  result.itemName = "voxels";
  run->result = std::make_shared<const RunResult>(result);
  return run;
}

struct ComparisonModelTest : testing::Test {
  Analysis analysis = test::fakeAnalysis();
  std::shared_ptr<ComparedRuns> compared = std::make_shared<ComparedRuns>();
  ComparisonModel model;

  ComparisonModelTest() {
    compared->a = makeRun(analysis, "CPU", 2);
    compared->b = makeRun(analysis, "GPU", 0.5);
    compared->comparison.rows = {{"peak direction", "°", 0.4, 0.01, 0.05, 0.99984, 0.1, 0.999, 5000}};
    compared->comparison.worst = {{{1, 2, 3}, 0.4}};
    Layer difference = test::volumeLayer("difference");
    compared->comparison.difference = difference;
  }
  QString cell(const QString& row, int column) {
    for (int i = 0; i < model.rowCount(); ++i)
      if (model.index(i, 0).data().toString() == row) return model.index(i, column).data().toString();
    return QStringLiteral("no such row");
  }
};

TEST_F(ComparisonModelTest, ShowsTimesPerStageAndInAllWithTheSpeedUp) {
  QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
  model.setComparison(compared);
  EXPECT_EQ(cell("fit", ComparisonModel::difference), "4 ×");
  EXPECT_EQ(cell("in all", ComparisonModel::first), QString("2") + QChar(0x00A0) + "s");
  EXPECT_EQ(cell("in all", ComparisonModel::difference), "4 ×");
  EXPECT_EQ(cell("throughput", ComparisonModel::second),
            QString("2") + QChar(0x202F) + "000" + QChar(0x00A0) + "voxels/s");
}

TEST_F(ComparisonModelTest, ShowsWhatWasWaitedForAndWhatOfItForTheGpu) {
  model.setComparison(compared);
  EXPECT_EQ(cell("waited", ComparisonModel::first), "no such row") << "of a run from before";
  RunResult cpu = *compared->a->result, gpu = *compared->b->result;
  cpu.waited = 3, gpu.waited = 1.5, gpu.gpu = {0.25, 0.125};
  auto a = std::make_shared<model::Run>(*compared->a), b = std::make_shared<model::Run>(*compared->b);
  a->result = std::make_shared<const RunResult>(cpu), b->result = std::make_shared<const RunResult>(gpu);
  compared->a = a, compared->b = b;
  model.setComparison(compared);
  EXPECT_EQ(cell("waited", ComparisonModel::difference), "2 ×");
  EXPECT_EQ(cell("of it for the GPU", ComparisonModel::first), QString("–"));
  EXPECT_EQ(cell("of it for the GPU", ComparisonModel::second), QString("0.25") + QChar(0x00A0) + "s");
  EXPECT_EQ(cell("of that for copies", ComparisonModel::second), QString("0.125") + QChar(0x00A0) + "s");
}

TEST_F(ComparisonModelTest, GivesTheVerdictInWordsAndNeverRoundsUpToAll) {
  model.setComparison(compared);
  EXPECT_EQ(cell("peak direction, maximum", ComparisonModel::difference), "0.4°");
  EXPECT_EQ(cell("peak direction, within 0.1°", ComparisonModel::difference), "99.984 %");
  EXPECT_EQ(cell("peak direction, within 0.1°", ComparisonModel::verdict), "agrees (99.9 % needed)");
  EXPECT_TRUE(model.summary().startsWith("CPU and GPU agree: 99.984 %"));
  EXPECT_TRUE(model.summary().endsWith("GPU was 4 times as fast."));
  auto worse = std::make_shared<ComparedRuns>(*compared);
  worse->comparison.rows[0].shareWithin = 0.5;
  model.setComparison(worse);
  EXPECT_EQ(cell("peak direction, within 0.1°", ComparisonModel::verdict), "differs (99.9 % needed)");
  EXPECT_TRUE(model.summary().startsWith("CPU and GPU differ"));
}

TEST_F(ComparisonModelTest, SaysInWhatTheyDiffer) {
  compared->comparison.rows.push_back({"number of fibers", "", 0, 0, 0, 0.75, 0, 0.999, 5000});
  model.setComparison(compared);
  EXPECT_TRUE(model.summary().startsWith("CPU and GPU differ: number of fibers, 75 %."))
      << model.summary().toStdString();
}

TEST_F(ComparisonModelTest, ShowsTheErrorAgainstTheTruthWhereThereIsOne) {
  model.setComparison(compared);
  EXPECT_EQ(cell("error, mean", ComparisonModel::first), "no such row");
  compared->truthA = {{"error", "°", 9, 2.5, 5, 1, 10, 1, 100}};
  compared->truthB = {{"error", "°", 9, 2.25, 5, 1, 10, 1, 100}};
  model.setComparison(compared);
  EXPECT_EQ(cell("error, mean", ComparisonModel::first), "2.5°");
  EXPECT_EQ(cell("error, mean", ComparisonModel::difference), "0.25°");
}

TEST_F(ComparisonModelTest, ExportsATableThatMarkdownAndCsvReadersTake) {
  model.setComparison(compared);
  const QStringList lines = model.markdown().split('\n');
  EXPECT_EQ(lines[0].count('|'), ComparisonModel::columns + 1);
  EXPECT_TRUE(lines[1].startsWith("| ---"));
  EXPECT_TRUE(model.csv().contains("Difference,\"peak direction, mean\",,,0.01°,"));
}

TEST_F(ComparisonModelTest, KnowsWhereTheWorstVoxelIs) {
  model.setComparison(compared);
  EXPECT_EQ(model.worstTexts(), QStringList("0.4° at voxel 1, 2, 3"));
  EXPECT_EQ(model.index(0, 0).data().toString(), "Difference")
      << "what was asked stands first, times after it";
  EXPECT_EQ(model.worstPosition(0), (Vec3<double>{1, 2, 3}));
}

TEST(FormatNumberTest, GroupsThousandsAndKeepsThreeDigits) {
  EXPECT_EQ(formatNumber(0.0012345), "0.00123");
  EXPECT_EQ(formatNumber(1234567), QString("1") + QChar(0x202F) + "234" + QChar(0x202F) + "567");
  EXPECT_EQ(formatNumber(-0.0012345), QString::fromUtf8("−0.00123"));
  EXPECT_EQ(formatNumber(12024.4, 5), "12024");
  EXPECT_EQ(formatNumber(123456, 5), QString("123") + QChar(0x202F) + "456")
      << "no digit before the point is cut";
  EXPECT_EQ(formatNumber(1e30), "1e+30");
  EXPECT_EQ(formatNumber(std::nan("")), "–");
}

}  // namespace
}  // namespace sulcus::ui::model
