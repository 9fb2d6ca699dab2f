#include "core/activation/design/design.h"

#include "core/activation/design/events.h"
#include "core/activation/design/hemodynamics.h"
#include "tests/core/activation/tables.h"

#include <cmath>
#include <numbers>

namespace sulcus::activation {
namespace {

using namespace test;
using Rows = std::vector<std::vector<std::string>>;
using Names = std::vector<std::string>;

Names numbered(int columns) {
  Names names;
  for (int c = 0; c < columns; ++c) names.push_back("reg" + std::to_string(c + 1));
  return names;
}

TEST(DesignOfATable, GetsTheInterceptFirst) {
  const Design design = designFromTable(tableOf(numbered(2), wavesOf(10, 2)), nullptr, 0, {});
  EXPECT_EQ(design.names, (Names{"intercept", "reg1", "reg2"}));
  ASSERT_EQ(design.scans(), 10);
  ASSERT_EQ(design.regressors(), 3);
  for (int t = 0; t < 10; ++t) {
    EXPECT_EQ(design.matrix(t, 0), 1);
    EXPECT_NEAR(design.matrix(t, 2), std::sin(0.74 * t + 1), 1e-6);
  }
  EXPECT_NE(joined(design.notes).find("An intercept was added"), std::string::npos);
  checkDesign(design, 10);
}

TEST(DesignOfATable, TakesItsConstantColumnAsTheIntercept) {
  Rows rows = wavesOf(10, 2);
  for (auto& row : rows) row.push_back("4.5");
  const Design design = designFromTable(tableOf({"a", "b", "const"}, rows), nullptr, 0, {});
  EXPECT_EQ(design.names, (Names{"intercept", "a", "b"}));
  EXPECT_EQ(design.matrix(3, 0), 1);
  EXPECT_NE(joined(design.notes).find("'const' became the intercept"), std::string::npos);
}

TEST(DesignOfATable, TakesNoColumnThatVariesForTheIntercept) {
  Rows rows = wavesOf(10, 2);
  for (std::size_t t = 0; t < rows.size(); ++t)
    rows[t].push_back(std::to_string(1e6 + std::sin(3.7 * double(t))));
  const Design design = designFromTable(tableOf({"a", "b", "far"}, rows), nullptr, 0, {});
  EXPECT_EQ(design.names, (Names{"intercept", "a", "b", "far"}));
  checkDesign(design, 10);
  for (std::size_t t = 0; t < rows.size(); ++t) rows[t][2] = t % 2 == 0 ? "1e9" : "1000000001";
  expectError(
      [&] {
        checkDesign(designFromTable(tableOf({"a", "b", "far"}, rows), nullptr, 0, {}), 10);
      },
      {"'far' is constant", "subtract its mean"});
}

TEST(DesignOfATable, HasNamesThatAreUniqueAndFitForFiles) {
  const Design design = designFromTable(
      tableOf({"left/right", "left:right", "Intercept", "7", ".hidden", "Größe"}, wavesOf(10, 6)), nullptr, 0,
      {});
  EXPECT_EQ(design.names,
            (Names{"intercept", "left_right", "left_right_2", "Intercept_2", "reg7", "reg.hidden", "Größe"}));
}

TEST(DesignOfATable, NamesTheCellThatIsNoNumber) {
  for (const char* cell : {"n/a", "", "high", "nan", "inf", "1,5", "0x10"}) {
    Rows rows = wavesOf(5, 2);
    rows[3][1] = cell;
    expectError(
        [&] {
          designFromTable(tableOf({"a", "b"}, rows, "design"), nullptr, 0, {});
        },
        {"'design' row 4", "column 'b'", std::string("holds '").append(cell).append("'")});
  }
}

TEST(DesignOfATable, RefusesMoreColumnsThanRows) {
  expectError([] { designFromTable(tableOf(numbered(6), wavesOf(4, 6)), nullptr, 0, {}); },
              {"6 columns and 4 rows"});
  expectError([] { designFromTable(tableOf({"a"}, {}), nullptr, 0, {}); }, {"is empty"});
}

TEST(DesignDrift, OfCosinesIsOrthogonalAndCountsByThePeriod) {
  DesignOptions options;
  options.drift = Drift::cosine, options.highPass = 50;
  // There are 2 · 40 · 2.5 / 50 = 4 cosines, with periods of 200, 100, 66.7 and 50 s.
  const Design design = designFromTable(tableOf({"a"}, wavesOf(40, 1)), nullptr, 2.5, options);
  ASSERT_EQ(design.names, (Names{"intercept", "a"}));
  ASSERT_EQ(design.confoundNames, (Names{"cosine1", "cosine2", "cosine3", "cosine4"}));
  for (int i = 0; i < 4; ++i) {
    EXPECT_NEAR(design.confounds.col(i).sum(), 0, 1e-12);
    for (int j = 0; j < 4; ++j)
      EXPECT_NEAR(design.confounds.col(i).dot(design.confounds.col(j)), i == j ? 20 : 0, 1e-12);
  }
  EXPECT_NEAR(design.confounds(7, 1), std::cos(2 * std::numbers::pi * 7.5 * 2.5 / 100), 1e-12);
  options.highPass = 0;
  EXPECT_EQ(designFromTable(tableOf({"a"}, wavesOf(40, 1)), nullptr, 2.5, options).confounds.cols(), 0);
}

TEST(DesignDrift, OfPolynomialsIsLegendres) {
  DesignOptions options;
  options.drift = Drift::polynomial, options.polynomial = 3;
  const Design design = designFromTable(tableOf({"a"}, wavesOf(21, 1)), nullptr, 0, options);
  ASSERT_EQ(design.confoundNames, (Names{"drift1", "drift2", "drift3"}));
  for (int t = 0; t < 21; ++t) {
    const double x = t / 10.0 - 1;
    EXPECT_NEAR(design.confounds(t, 0), x, 1e-14);
    EXPECT_NEAR(design.confounds(t, 1), (3 * x * x - 1) / 2, 1e-14);
    EXPECT_NEAR(design.confounds(t, 2), (5 * x * x * x - 3 * x) / 2, 1e-14);
  }
}

TEST(DesignDrift, NeedsTheRepetitionTimeForCosinesOnly) {
  DesignOptions options;
  options.drift = Drift::polynomial;
  EXPECT_EQ(designFromTable(tableOf({"a"}, wavesOf(20, 1)), nullptr, 0, options).confounds.cols(), 2);
  options.drift = Drift::cosine;
  expectError([&] { designFromTable(tableOf({"a"}, wavesOf(20, 1)), nullptr, 0, options); }, {"--tr"});
}

TEST(RepetitionTime, IsTheGivenOneElseTheScansAndPossible) {
  DesignOptions options;
  EXPECT_EQ(repetitionTime(2.5, options), 2.5);
  options.tr = 3;
  EXPECT_EQ(repetitionTime(2.5, options), 3);
  options.tr = 0;
  for (const double absurd : {0.05, 0.002, 31.0, 2500.0, double(INFINITY)})
    expectError([&] { repetitionTime(absurd, options); }, {"--tr", "0.05 and 30 s"});
  for (const double missing : {0.0, -1.0, double(NAN)})
    expectError([&] { repetitionTime(missing, options); }, {"--tr", "not known"});
}

TEST(DesignOfEvents, HasARegressorPerTypeInOrderOfAppearance) {
  const Layer events = tableOf({"onset", "duration", "trial_type"},
                               {{"10", "5", "houses"}, {"30", "0", "faces"}, {"50", "5", "houses"}});
  DesignOptions options;
  options.drift = Drift::none;
  const Design design = designFromEvents(events, nullptr, 2, 50, options);
  ASSERT_EQ(design.names, (Names{"intercept", "houses", "faces"}));
  ASSERT_EQ(design.scans(), 50);
  for (int t = 0; t < 50; ++t) {
    const double s = 2 * t + 1;
    EXPECT_NEAR(design.matrix(t, 1),
                canonicalStep(s - 10) - canonicalStep(s - 15) + canonicalStep(s - 50) - canonicalStep(s - 55),
                1e-12);
    EXPECT_NEAR(design.matrix(t, 2), canonicalResponse(s - 30), 1e-12);
  }
  checkDesign(design, 50);
}

TEST(DesignOfEvents, HasCosinesUnlessToldOtherwise) {
  const Layer events = tableOf({"onset", "duration"}, {{"20", "10"}, {"90", "10"}});
  DesignOptions options;
  EXPECT_EQ(designFromEvents(events, nullptr, 2, 100, options).confoundNames,
            (Names{"cosine1", "cosine2", "cosine3"}));
  options.tr = 1;  // instead of the header's 2: 100 s of scans
  EXPECT_EQ(designFromEvents(events, nullptr, 2, 100, options).confoundNames, (Names{"cosine1"}));
}

TEST(DesignOfEvents, RefusesWhatCannotBePlaced) {
  const Layer events = tableOf({"onset", "duration"}, {{"20", "10"}, {"90", "10"}});
  expectError([&] { designFromEvents(events, nullptr, 0, 100, {}); }, {"time between scans", "--tr"});
  expectError([&] { designFromEvents(events, nullptr, 2, 40, {}); },
              {"row 2", "outside the run", "0 to 80 s"});
}

TEST(DesignOfEvents, HasDerivativesBesideEachResponse) {
  const Layer events = tableOf({"onset", "duration", "trial_type"},
                               {{"10", "5", "houses"}, {"30", "0", "faces"}, {"50", "5", "houses"}});
  DesignOptions options;
  options.drift = Drift::none;
  options.derivatives = Derivatives::time;
  Design design = designFromEvents(events, nullptr, 2, 50, options);
  EXPECT_EQ(design.names, (Names{"intercept", "houses", "houses_derivative", "faces", "faces_derivative"}));
  EXPECT_EQ(design.responses, (std::vector<std::vector<int>>{{1, 2}, {3, 4}}));
  EXPECT_NEAR(design.matrix(20, 4), responsePart(ResponsePart::timeDerivative, 11), 1e-12);
  checkDesign(design, 50);
  options.derivatives = Derivatives::timeAndDispersion;
  options.sliceTime = 0;
  design = designFromEvents(events, nullptr, 2, 50, options);
  EXPECT_EQ(design.responses, (std::vector<std::vector<int>>{{1, 2, 3}, {4, 5, 6}}));
  EXPECT_EQ(design.names[6], "faces_dispersion");
  EXPECT_NEAR(design.matrix(20, 6), responsePart(ResponsePart::dispersionDerivative, 10), 1e-12);
  checkDesign(design, 50);
}

TEST(DesignOfEvents, HasModulatorsAroundTheirMean) {
  const Layer events = tableOf({"onset", "duration", "trial_type", "reaction time", "level"},
                               {{"10", "0", "go", "0.5", "3"},
                                {"40", "0", "go", "0.9", "3"},
                                {"70", "0", "go", "n/a", "3"},
                                {"20", "0", "stop", "0.4", "1"},
                                {"60", "0", "stop", "0.8", "2"}},
                               "events");
  DesignOptions options;
  options.drift = Drift::none;
  options.modulators = "reaction time; level";
  const Design design = designFromEvents(events, nullptr, 2, 60, options);
  EXPECT_EQ(design.names, (Names{"intercept", "go", "go_by_reaction_time", "stop", "stop_by_reaction_time",
                                 "stop_by_level"}));
  EXPECT_NE(joined(design.notes).find("level does not vary in go"), std::string::npos);
  for (int t = 0; t < 60; ++t) {
    const double s = 2 * t + 1;
    EXPECT_NEAR(design.matrix(t, 2), -0.2 * canonicalResponse(s - 10) + 0.2 * canonicalResponse(s - 40),
                1e-12);
  }
  options.modulators = "speed";
  expectError([&] { designFromEvents(events, nullptr, 2, 60, options); },
              {"'events' has no column 'speed'", "reaction time"});
  const Layer word = tableOf({"onset", "duration", "rt"}, {{"10", "0", "fast"}, {"30", "0", "1"}}, "events");
  options.modulators = "rt";
  expectError([&] { designFromEvents(word, nullptr, 2, 60, options); }, {"row 1", "'rt'", "'fast'"});
}

TEST(DesignConfounds, AreCenteredAndMayMissTheFirstValue) {
  Rows rows = wavesOf(12, 2);
  rows[0][1] = "n/a";  // as for a derivative
  const Layer confounds = tableOf({"csf", "framewise displacement"}, rows, "confounds");
  const Design design = designFromTable(tableOf({"a"}, wavesOf(12, 1)), &confounds, 0, {});
  EXPECT_EQ(design.names, (Names{"intercept", "a"}));
  EXPECT_EQ(design.confoundNames, (Names{"csf", "framewise_displacement"}));
  EXPECT_NEAR(design.confounds.col(0).sum(), 0, 1e-12);
  EXPECT_NEAR(design.confounds.col(1).sum(), 0, 1e-12);
  EXPECT_NEAR(design.confounds(1, 1) - design.confounds(0, 1), std::sin(0.74 + 1), 1e-6);  // the first was 0
  EXPECT_NE(joined(design.notes).find("framewise displacement"), std::string::npos);
  rows[4][0] = "n/a";
  const Layer holey = tableOf({"csf", "fd"}, rows, "confounds");
  expectError([&] { designFromTable(tableOf({"a"}, wavesOf(12, 1)), &holey, 0, {}); },
              {"'confounds' row 5", "'csf'", "'n/a'"});
}

TEST(DesignConfounds, OfFmriprepAreTheSixOfMotion) {
  Names names{"global_signal", "trans_x", "trans_x_derivative1", "trans_y", "trans_z", "rot_x",
              "rot_y",         "rot_z"};
  const Layer confounds = tableOf(names, wavesOf(30, 8));
  const Layer table = tableOf({"a"}, wavesOf(30, 1));
  DesignOptions options;
  EXPECT_EQ(designFromTable(table, &confounds, 0, options).confoundNames,
            (Names{"trans_x", "trans_y", "trans_z", "rot_x", "rot_y", "rot_z"}));
  options.confoundColumns = "rot_*; global_signal";
  EXPECT_EQ(designFromTable(table, &confounds, 0, options).confoundNames,
            (Names{"global_signal", "rot_x", "rot_y", "rot_z"}));
  options.confoundColumns = "rot_*; csf";
  expectError([&] { designFromTable(table, &confounds, 0, options); }, {"no column 'csf'", "global_signal"});
}

TEST(DesignConfounds, AreChosenByAStrategy) {
  Names names;
  for (const char* motion : {"trans_x", "trans_y", "trans_z", "rot_x", "rot_y", "rot_z"})
    for (const char* ending : {"", "_derivative1", "_power2", "_derivative1_power2"})
      names.push_back(std::string(motion) + ending);
  for (const char* name : {"csf", "white_matter", "global_signal", "cosine00", "motion_outlier00"})
    names.emplace_back(name);
  for (int i = 0; i < 8; ++i) names.push_back("a_comp_cor_0" + std::to_string(i));
  const Layer confounds = tableOf(names, wavesOf(80, int(names.size())));
  const auto designOf = [&](ConfoundStrategy strategy, const std::string& more = "") {
    DesignOptions options;
    options.confounds = strategy, options.confoundColumns = more;
    return designFromEvents(tableOf({"onset", "duration"}, {{"20", "10"}}), &confounds, 2, 80, options);
  };
  const auto countOf = [&](ConfoundStrategy strategy) { return designOf(strategy).confounds.cols(); };
  constexpr int kDrift = 2;  // cosines of 160 s
  EXPECT_EQ(countOf(ConfoundStrategy::motion6), 6 + kDrift);
  EXPECT_EQ(countOf(ConfoundStrategy::motion24), 24 + kDrift);
  EXPECT_EQ(countOf(ConfoundStrategy::tissues), 26 + kDrift);
  EXPECT_EQ(countOf(ConfoundStrategy::scrub), 25 + kDrift);
  // The cosines that belong to the components replace those of the drift.
  const Design compcor = designOf(ConfoundStrategy::compcor);
  EXPECT_EQ(compcor.confounds.cols(), 6 + 6 + 1);
  EXPECT_NE(joined(compcor.notes).find("cosines of the confounds"), std::string::npos);
  EXPECT_EQ(designOf(ConfoundStrategy::motion6, "global_signal").confounds.cols(), 7 + kDrift);

  const Layer few = tableOf({"trans_x"}, wavesOf(80, 1));
  DesignOptions options;
  options.confounds = ConfoundStrategy::motion6;
  const Layer table = tableOf({"a"}, wavesOf(80, 1));
  expectError([&] { designFromTable(table, &few, 0, options); }, {"no column 'trans_y'"});
  expectError([&] { designFromTable(table, nullptr, 0, options); }, {"no table of confounds"},
              ErrorKind::usage);
}

TEST(DesignConfounds, TakeOutFirstScansMarkedAsUnsteadyInEveryStrategy) {
  Names names;
  for (const char* motion : {"trans_x", "trans_y", "trans_z", "rot_x", "rot_y", "rot_z"})
    for (const char* ending : {"", "_derivative1", "_power2", "_derivative1_power2"})
      names.push_back(std::string(motion) + ending);
  for (const char* name : {"csf", "white_matter"}) names.emplace_back(name);
  for (int i = 0; i < 6; ++i) names.push_back("a_comp_cor_0" + std::to_string(i));
  const std::size_t usual = names.size();
  for (const char* name : {"non_steady_state_outlier00", "NonSteadyStateOutlier1", "motion_outlier00"})
    names.emplace_back(name);
  Rows rows = wavesOf(80, int(names.size()));
  for (std::size_t t = 0; t < rows.size(); ++t)
    for (std::size_t c = usual; c < names.size(); ++c) rows[t][c] = t == c - usual ? "1" : "0";
  const Layer confounds = tableOf(names, rows);
  for (const auto strategy :
       {ConfoundStrategy::automatic, ConfoundStrategy::motion6, ConfoundStrategy::motion24,
        ConfoundStrategy::tissues, ConfoundStrategy::compcor, ConfoundStrategy::scrub}) {
    DesignOptions options;
    options.confounds = strategy, options.drift = Drift::none;
    const Design design = designFromTable(tableOf({"a"}, wavesOf(80, 1)), &confounds, 0, options);
    const auto has = [&](const std::string& name) {
      return std::ranges::count(design.confoundNames, name) == 1;
    };
    EXPECT_TRUE(has("non_steady_state_outlier00") && has("NonSteadyStateOutlier1")) << int(strategy);
    EXPECT_EQ(has("motion_outlier00"), strategy == ConfoundStrategy::scrub);
    EXPECT_NE(joined(design.notes).find("non-steady-state, excluded: 2."), std::string::npos);
    EXPECT_EQ(joined(design.notes).find("motion outliers") == std::string::npos,
              strategy == ConfoundStrategy::scrub);
  }
}

TEST(DesignConfounds, BecomeRegressorsWhereTheyAreModelled) {
  const Layer confounds = tableOf({"a", "csf"}, wavesOf(12, 2));
  const Design design = designFromTable(tableOf({"a"}, wavesOf(12, 1)), &confounds, 0, {});
  EXPECT_EQ(design.confoundNames, (Names{"a_2", "csf"})) << "names are unique";
  const Design modelled = withModelledConfounds(design);
  EXPECT_EQ(modelled.names, (Names{"intercept", "a", "a_2", "csf"}));
  EXPECT_EQ(modelled.matrix.leftCols(2), design.matrix);
  EXPECT_EQ(modelled.matrix.rightCols(2), design.confounds);
  EXPECT_EQ(modelled.confounds.cols(), 0);
  EXPECT_TRUE(modelled.confoundNames.empty());
  expectError([&] { checkDesign(design, 12); }, {"collinear"});
}

TEST(DesignConfounds, NeedOneRowPerScan) {
  const Layer confounds = tableOf({"csf"}, wavesOf(11, 1), "confounds");
  expectError([&] { designFromTable(tableOf({"a"}, wavesOf(12, 1)), &confounds, 0, {}); },
              {"'confounds'", "11 rows", "12"});
}

TEST(Design, IsMadeOfWhatTheTableHolds) {
  const Layer events = tableOf({"onset", "duration"}, {{"20", "10"}});
  EXPECT_EQ(makeDesign(events, nullptr, 2, 50, {}).allNames(), (Names{"intercept", "task", "cosine1"}));
  EXPECT_EQ(makeDesign(tableOf({"a"}, wavesOf(50, 1)), nullptr, 2, 50, {}).names, (Names{"intercept", "a"}));
  expectError([] { makeDesign(tableOf({"a"}, wavesOf(50, 1)), nullptr, 2, 45, {}); },
              {"50 rows", "45 volumes"});
}

class CheckDesign : public testing::Test {
 protected:
  Design design_ = designFromTable(tableOf({"a", "b", "c", "d"}, wavesOf(30, 4)), nullptr, 0, {});
  void expectRefused(const std::vector<std::string>& words, int scans = 30) {
    expectError([&] { checkDesign(design_, scans); }, words);
  }
};

TEST_F(CheckDesign, AcceptsIndependentColumnsOfAnySize) {
  design_.matrix.col(2) *= 1e-9;
  design_.matrix.col(3) *= 1e9;
  EXPECT_NO_THROW(checkDesign(design_, 30));
}

TEST_F(CheckDesign, SaysBothNumbersOfRows) { expectRefused({"30 rows", "29 volumes"}, 29); }

TEST_F(CheckDesign, NamesAColumnThatIsASumOfOthers) {
  // The error names all regressors involved and no others, whatever their scale.
  design_.matrix.col(4) = 1e-4 * (2 * design_.matrix.col(1) - design_.matrix.col(3)).array() + 5e-4;
  expectRefused({"collinear", "'a'", "'c'", "'d'"});
  EXPECT_EQ(errorOf([&] { checkDesign(design_, 30); }).find("'b'"), std::string::npos);
}

TEST_F(CheckDesign, NamesAColumnThatIsThereTwice) {
  design_.matrix.col(2) = -3 * design_.matrix.col(3);
  expectRefused({"collinear", "'b'", "'c'"});
}

TEST_F(CheckDesign, TellsNearlyCollinearFromCollinear) {
  const Eigen::VectorXd a = design_.matrix.col(1), other = design_.matrix.col(1).reverse();
  design_.matrix.col(3) = a + 1e-4 * other;
  EXPECT_NO_THROW(checkDesign(design_, 30));
  design_.matrix.col(3) = a + 1e-9 * other;
  expectRefused({"'a'", "'c'"});
}

TEST_F(CheckDesign, NamesConstantAndEmptyColumns) {
  design_.matrix.col(2).setConstant(0.1);
  expectRefused({"'b'", "constant", "intercept"});
  design_.matrix.col(2).setZero();
  expectRefused({"'b'", "0 in every scan"});
}

TEST_F(CheckDesign, NamesWhatIsNotFinite) {
  design_.matrix(11, 3) = NAN;
  expectRefused({"'c'", "scan 12"});
}

TEST_F(CheckDesign, NeedsMoreScansThanRegressors) {
  design_.matrix = Eigen::MatrixXd::Random(5, 5);
  expectRefused({"5 regressors", "5 scans"}, 5);
}

}  // namespace
}  // namespace sulcus::activation
