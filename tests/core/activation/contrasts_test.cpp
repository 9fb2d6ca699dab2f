#include "core/activation/contrasts.h"

#include "tests/core/activation/tables.h"

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
  // Four numbers, of which one has a comma, are not five.
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

TEST(Contrasts, HaveUniqueNamesFitForFiles) {
  const auto contrasts = parseContrasts(
      "a/b: 0 1 -1 0 0; a:b: 0 1 0 0 0; a?b: 0 2 0 0 0; A_B: 0 3 0 0 0; faces: 0 0 1 0 0", kNames);
  ASSERT_EQ(contrasts.size(), 5u);
  EXPECT_EQ(contrasts[0].name, "a_b");
  EXPECT_EQ(contrasts[1].name, "a_b_2");
  EXPECT_EQ(contrasts[2].name, "a_b_3");
  EXPECT_EQ(contrasts[3].name, "A_B_4");
  EXPECT_EQ(contrasts[4].name, "faces_2");  // it is not faces
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
