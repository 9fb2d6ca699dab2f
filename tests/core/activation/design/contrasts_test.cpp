#include "core/activation/design/contrasts.h"

#include "core/activation/design/design.h"
#include "tests/core/activation/tables.h"

#include <algorithm>

namespace sulcus::activation {
namespace {

using namespace test;
using Weights = std::vector<double>;

const std::vector<std::string> kNames{"intercept", "faces", "houses", "left-hand", "left"};

Contrast one(const std::string& text) {
  const auto contrasts = parseContrasts(text, kNames);
  EXPECT_EQ(contrasts.size(), 1u) << text;
  return contrasts.empty() ? Contrast() : contrasts[0];
}

TEST(Contrasts, AreWeightsPartedByBlanksOrCommas) {
  for (const char* text : {"0 1 -1 0 0.5", "0,1,-1,0,0.5", " 0, +1,\t-1 0  5e-1 ;"})
    EXPECT_EQ(one(text).weights, (Weights{0, 1, -1, 0, 0.5})) << text;
}

TEST(Contrasts, MayHaveDecimalCommas) {
  for (const char* text : {"0 1 -1 0 0,5", " 0  1,0\t-1,0 0 0,5 ", "0,0 1 -1 0 0.5"})
    EXPECT_EQ(one(text).weights, (Weights{0, 1, -1, 0, 0.5})) << text;
  EXPECT_EQ(one("0,1 , -1,0 ,0.5").weights, (Weights{0, 1, -1, 0, 0.5})) << "each blank is beside a comma";
  // Four numbers, one with a decimal comma, are not five.
  expectError([] { parseContrasts("1,5 0 0 -1", kNames); }, {"has 4 numbers"}, ErrorKind::usage);
}

TEST(Contrasts, ArePartedBySemicolonsAndMayHaveNames) {
  const auto contrasts = parseContrasts("0 1 0 0 0; faces > houses: 0 1 -1 0 0;; mean: 0 .5 .5 0 0", kNames);
  ASSERT_EQ(contrasts.size(), 3u);
  EXPECT_EQ(contrasts[0].name, "faces");
  EXPECT_EQ(contrasts[1].name, "faces_houses");
  EXPECT_EQ(contrasts[1].weights, (Weights{0, 1, -1, 0, 0}));
  EXPECT_EQ(contrasts[2].name, "mean");
  EXPECT_TRUE(parseContrasts("", kNames).empty());
  EXPECT_TRUE(parseContrasts(" ; ", kNames).empty());
}

TEST(Contrasts, MayBeSumsOfRegressors) {
  EXPECT_EQ(one("faces - houses").weights, (Weights{0, 1, -1, 0, 0}));
  EXPECT_EQ(one("faces-houses").weights, (Weights{0, 1, -1, 0, 0}));
  EXPECT_EQ(one("-faces + 2 houses").weights, (Weights{0, -1, 2, 0, 0}));
  EXPECT_EQ(one("0.5*faces+0.5*houses - intercept").weights, (Weights{-1, .5, .5, 0, 0}));
  EXPECT_EQ(one("faces + faces").weights, (Weights{0, 2, 0, 0, 0}));
  EXPECT_EQ(one("two: left-hand-left").weights, (Weights{0, 0, 0, 1, -1}));
  EXPECT_EQ(one("left - left-hand").weights, (Weights{0, 0, 0, -1, 1}));
  EXPECT_EQ(one("houses").name, "houses");
}

JointContrast joint(const std::string& text, const Regressors& regressors = kNames) {
  const auto found = jointContrasts(text, regressors);
  EXPECT_EQ(found.size(), 1u) << text;
  return found.empty() ? JointContrast() : found[0];
}

TEST(JointContrasts, AreRowsInF) {
  for (const char* text : {"F(faces - houses; houses - left)", "F(faces - houses, houses - left)",
                           " f ( faces-houses ;houses-left; ) ", "F(0 1 -1 0 0; 0 0 1 0 -1)",
                           "F(0,1,-1,0,0; 0,0,1,0,-1)", "F(0 1 -1 0 0, 0 0 1 0 -1)"}) {
    const auto one = joint(text);
    ASSERT_EQ(one.rows.size(), 2u) << text;
    EXPECT_EQ(one.rows[0].weights, (Weights{0, 1, -1, 0, 0})) << text;
    EXPECT_EQ(one.rows[1].weights, (Weights{0, 0, 1, 0, -1})) << text;
    EXPECT_EQ(one.name, "F_faces-houses_houses-left") << text;
    EXPECT_EQ(one.independent.size(), 2u) << text;
  }
  EXPECT_EQ(joint("F(0,1,-1,0,0)").rows.size(), 1u);
  EXPECT_EQ(joint("any: F(faces; houses)").name, "any");
  EXPECT_EQ(joint("any: of: F(faces; houses)").name, "any_of");
  EXPECT_TRUE(jointContrasts("faces - houses; 0 1 0 0 0", kNames).empty());
}

TEST(JointContrasts, HaveRowsThatAreContrasts) {
  const auto names = [](const std::string& text) {
    std::vector<std::string> all;
    for (const auto& contrast : allContrasts(text, kNames))
      if (std::find(kNames.begin(), kNames.end(), contrast.name) == kNames.end())
        all.push_back(contrast.name);
    return all;
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(names("F(faces; houses)"), Names{});
  EXPECT_EQ(names("F(faces - houses; houses)"), Names{"faces-houses"});
  // A row that is already a contrast is that one, wherever it is.
  EXPECT_EQ(names("F(faces - houses; houses - left); d: faces - houses"), (Names{"d", "houses-left"}));
  EXPECT_EQ(names("F(e: faces - houses; houses - left); faces - houses"),
            (Names{"faces-houses", "e", "houses-left"}));
  EXPECT_EQ(names("F(faces - houses; left - houses); F(faces - houses; 2 left)"),
            (Names{"faces-houses", "left-houses", "x2_left"}));
  const auto two = jointContrasts("a: F(faces); a: F(houses); houses: F(faces; houses)", kNames);
  ASSERT_EQ(two.size(), 3u);
  EXPECT_EQ(two[1].name, "a_2");
  EXPECT_EQ(two[2].name, "houses_2");
}

TEST(JointContrasts, CountIndependentRows) {
  EXPECT_EQ(joint("F(faces - houses; houses - left; faces - left)").independent.size(), 2u);
  EXPECT_EQ(joint("F(faces; 2 faces)").independent.size(), 1u);
  EXPECT_EQ(joint("F(1e-6 faces; 1e6 houses; 0.3 faces + 0.1 left)").independent.size(), 3u);
}

TEST(JointContrasts, HaveParenthesesThatEnd) {
  expectError([] { jointContrasts("F(faces; houses", kNames); }, {"no parenthesis that ends it"},
              ErrorKind::usage);
  expectError([] { jointContrasts("a: F(faces; houses) - left", kNames); }, {"continues after"},
              ErrorKind::usage);
  expectError([] { jointContrasts("F( ; )", kNames); }, {"has no rows"}, ErrorKind::usage);
  expectError([] { jointContrasts("F(faces; tools)", kNames); }, {"tools"}, ErrorKind::usage);
  expectError([] { jointContrasts("F(F(faces); houses)", kNames); }, {"F(faces)"}, ErrorKind::usage);
}

TEST(JointContrasts, LeaveNamesWithParenthesesAlone) {
  const Regressors odd{"intercept", "F(x)", "F(y)", "up; (down"};
  EXPECT_EQ(parseContrasts("F(x) - F(y)", odd).front().weights, (Weights{0, 1, -1, 0}));
  EXPECT_TRUE(jointContrasts("F(x) - F(y); F(x): F(y)", odd).empty());
  const auto one = joint("F(F(x); \"up; (down\")", odd);
  ASSERT_EQ(one.rows.size(), 2u);
  EXPECT_EQ(one.rows[1].weights, (Weights{0, 0, 0, 1}));
  EXPECT_EQ(joint("F('up; (down';F(y))", odd).rows.size(), 2u);
}

TEST(JointContrasts, AreLeftOutAloneWhereARowHasNoEffect) {
  Design design;
  design.names = {"intercept", "faces", "houses"}, design.ofEvents = true;
  design.matrix = Eigen::MatrixXd::Random(9, 3);
  const std::string text = "F(faces - houses; tools); ok: F(faces; 2 faces); faces - houses";
  const auto notes = checkContrasts(text, design);
  ASSERT_EQ(notes.size(), 2u);
  EXPECT_EQ(notes[0].line(),
            "Warning: The contrast 'F(faces - houses; tools)' is left out: there is no 'tools' among the "
            "events; the regressors are intercept, faces, houses.");
  EXPECT_EQ(notes[1].line(),
            "The rows of 'ok' are linearly dependent: 1 of 2 are independent; the others add nothing.");
  EXPECT_EQ(jointContrasts(text, Regressors(design)).size(), 1u);
}

TEST(Contrasts, HaveUniqueNamesFitForFiles) {
  const auto contrasts = parseContrasts(
      "a/b: 0 1 -1 0 0; a:b: 0 1 0 0 0; a?b: 0 2 0 0 0; A_B: 0 3 0 0 0; faces: 0 0 1 0 0", kNames);
  ASSERT_EQ(contrasts.size(), 5u);
  EXPECT_EQ(contrasts[0].name, "a_b");
  EXPECT_EQ(contrasts[1].name, "a_b_2");
  EXPECT_EQ(contrasts[2].name, "a_b_3");
  EXPECT_EQ(contrasts[3].name, "A_B_4");
  EXPECT_EQ(contrasts[4].name, "faces_2");  // it differs from faces
  EXPECT_EQ(one("0 1 -1 0 0").name, "faces-houses");
  EXPECT_EQ(one("0 0.5 0.5 0 0").name, "x0.5_faces_plus_0.5_houses");
  EXPECT_EQ(one("../../etc: 0 1 1 0 0").name.find('/'), std::string::npos);
  EXPECT_EQ(one("../../etc: 0 1 1 0 0").name[0], 'c');
}

TEST(Contrasts, BesideTheRegressorsDoNotRepeatThem) {
  const auto contrasts = allContrasts("0 0 1 0 0; faces; d: faces - houses", kNames);
  ASSERT_EQ(contrasts.size(), 6u);
  for (std::size_t r = 0; r < 5; ++r) {
    EXPECT_EQ(contrasts[r].name, kNames[r]);
    for (std::size_t c = 0; c < 5; ++c) EXPECT_EQ(contrasts[r].weights[c], r == c ? 1 : 0);
  }
  EXPECT_EQ(contrasts[5].name, "d");
}

TEST(Contrasts, MayBeOfRegressorsWhoseNamesReadAsNumbersThatAreNone) {
  const auto found = parseContrasts("inf - nan", {"intercept", "inf", "nan"});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].weights, (Weights{0, 1, -1}));
  EXPECT_EQ(parseContrasts("inf", {"intercept", "inf"}).at(0).weights, (Weights{0, 1}));
}

/// A design of events with these trial types.
Design designOf(const std::vector<std::string>& names, const std::vector<std::string>& given) {
  Design design;
  design.names = names, design.given = given, design.ofEvents = true;
  return design;
}

TEST(Contrasts, TakeNamesAsEventsHaveThemBeforeNumbers) {
  const Regressors named(designOf({"intercept", "type2faces", "faces", "type2-back", "type0-back", "face_new",
                                   "face_famous", "e1", "C", "C_2", "a_b"},
                                  {"intercept", "2faces", "faces", "2-back", "0-back", "face new",
                                   "face famous", "e1", "C", "C#", "a;b: c"}));
  const auto weights = [&](const std::string& text) {
    const auto contrasts = parseContrasts(text, named);
    EXPECT_EQ(contrasts.size(), 1u) << text;
    return contrasts.empty() ? Weights() : contrasts[0].weights;
  };
  const auto with = [&](std::size_t a, double x, std::size_t b, double y) {
    Weights all(11, 0.0);
    all[a] = x, all[b] = y;
    return all;
  };
  EXPECT_EQ(weights("2faces - faces"), with(1, 1, 2, -1));
  EXPECT_EQ(weights("2*faces - 2faces"), with(2, 2, 1, -1));
  EXPECT_EQ(weights("0.5*2faces + 2 faces"), with(1, 0.5, 2, 2));
  EXPECT_EQ(weights("type2faces-faces"), with(1, 1, 2, -1)) << "as the files are named";
  EXPECT_EQ(weights("2-back - 0-back"), with(3, 1, 4, -1));
  EXPECT_EQ(weights("2-back-0-back"), with(3, 1, 4, -1));
  EXPECT_EQ(weights("face new - face famous"), with(5, 1, 6, -1));
  EXPECT_EQ(weights("\"face new\" - 2*'face famous'"), with(5, 1, 6, -2));
  EXPECT_EQ(weights("2e1 - faces"), with(7, 2, 2, -1));
  EXPECT_EQ(weights("C# - C"), with(9, 1, 8, -1));
  EXPECT_EQ(weights("named: 'a;b: c' - faces"), with(10, 1, 2, -1));
  EXPECT_EQ(parseContrasts("named: 'a;b: c' - faces; faces", named).size(), 2u);
  EXPECT_EQ(parseContrasts("2faces - faces", named)[0].name, "type2faces-faces") << "fit for files";
  for (const char* text : {"'face new - faces", "\"2faces - faces"})
    expectError([&] { parseContrasts(text, named); }, {"quotation mark"}, ErrorKind::usage);
}

TEST(Contrasts, TakeNamesThatAreNumbers) {
  const Regressors named(designOf({"intercept", "type1", "type2", "type10"}, {"intercept", "1", "2", "10"}));
  EXPECT_EQ(parseContrasts("2 - 1", named)[0].weights, (Weights{0, -1, 1, 0}));
  EXPECT_EQ(parseContrasts("10 - 1", named)[0].weights, (Weights{0, -1, 0, 1}));
  EXPECT_EQ(parseContrasts("2", named)[0].name, "type2");
  EXPECT_EQ(parseContrasts("2*1", named)[0].weights, (Weights{0, 2, 0, 0}));
  EXPECT_EQ(parseContrasts("0 1 -1 0", named)[0].weights, (Weights{0, 1, -1, 0})) << "one for each";
  expectError([&] { parseContrasts("0 1 -1", named); }, {"has 3 numbers"}, ErrorKind::usage);
}

TEST(Contrasts, MayHaveColonsInNames) {
  const Regressors named(
      designOf({"intercept", "face_new", "face_old"}, {"intercept", "face:new", "face:old"}));
  EXPECT_EQ(parseContrasts("face:new - face:old", named)[0].name, "face_new-face_old");
  EXPECT_EQ(parseContrasts("d: face:new - face:old", named)[0].name, "d");
  EXPECT_EQ(parseContrasts("d: e: face:new", named)[0].name, "d_e");
}

TEST(Contrasts, OfWhatDidNotOccurAreLeftOutAndTold) {
  Design design = designOf({"intercept", "correct"}, {"intercept", "correct"});
  const std::string text = "correct - error; twice: 2 correct; 0error - correct";
  const auto contrasts = allContrasts(text, Regressors(design));
  ASSERT_EQ(contrasts.size(), 3u);
  EXPECT_EQ(contrasts[2].name, "twice");
  const auto notes = checkContrasts(text, design);
  ASSERT_EQ(notes.size(), 2u);
  EXPECT_TRUE(
      notes[0].line().starts_with("Warning: The contrast 'correct - error' is left out: there is no 'error'"))
      << notes[0];
  expectError([&] { checkContrasts("correct - ", design); }, {"ends too early"}, ErrorKind::usage);
  design.ofEvents = false;  // a design has only its given columns
  expectError([&] { checkContrasts(text, design); }, {"no regressor with 'error'"}, ErrorKind::usage);

  // An excluded regressor keeps its position among the weights.
  design.leftOut = {{1, "ev1", "ev1", "it is 0 in every scan"}};
  EXPECT_EQ(parseContrasts("0 0 2", Regressors(design))[0].weights, (Weights{0, 2}));
  EXPECT_EQ(parseContrasts("0 2", Regressors(design))[0].weights, (Weights{0, 2}));
  EXPECT_TRUE(parseContrasts("0 1 -1; correct - ev1", Regressors(design)).empty());
  EXPECT_NE(joined(checkContrasts("0 1 -1", design)).find("'ev1' has no effect here: it is 0"),
            std::string::npos);
}

TEST(Contrasts, ThatAreWrongSayWhatIsRight) {
  const auto refused = [](const std::string& text, const std::vector<std::string>& words) {
    expectError([&] { parseContrasts(text, kNames); }, words, ErrorKind::usage);
  };
  refused("0 1", {"'0 1'", "2 numbers", "5 regressors", "intercept, faces, houses, left-hand, left"});
  refused("0 1 0 0 0 0", {"6 numbers", "5 regressors"});
  refused("0 0 0 0 0", {"only zeros"});
  refused("faces - faces", {"only zeros"});
  refused("faces - Houses", {"'Houses'", "faces, houses"});
  refused("facesx", {"'facesx'"});
  refused("face", {"'face'"});
  refused("faces houses", {"'houses'"});
  refused("faces -", {"ends too early"});
  refused("name:", {"nothing else"});
  refused("0 1 nan 0 0", {"not finite"});
  refused("0 1 x 0 0", {"0 1 x 0 0"});
  refused("0 1e308 -1e308 0 0", {"the weight 1e+308", "from 0.000001 to 1000000"});
  refused("faces - 1e-30 houses", {"the weight -1e-30"});
  refused(std::string(100000, 'x'), {"'xxx", "x…x"});
  refused("2 *", {"ends too early"});
  refused("+", {"ends too early"});
}

TEST(Contrasts, OfConfoundsSayThatTheseAreTakenOut) {
  Design design;
  design.names = kNames;
  EXPECT_NO_THROW(checkContrasts("faces - houses", design));
  expectError([&] { checkContrasts("faces - trans_x", design); }, {"names no regressor with 'trans_x'"},
              ErrorKind::usage);
  design.confoundNames = {"trans_x", "drift_1"};
  expectError([&] { checkContrasts("faces - trans_x", design); }, {"weighs confounds", "--model-confounds"},
              ErrorKind::usage);
  expectError([&] { checkContrasts("0 1 0 0 0 0 0", design); }, {"weighs confounds"}, ErrorKind::usage);
  expectError([&] { checkContrasts("faces - Trans", design); }, {"names no regressor with 'Trans'"},
              ErrorKind::usage);
}

}  // namespace
}  // namespace sulcus::activation
