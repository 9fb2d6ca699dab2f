#include "tests/bench/registration/pairs_bench.h"

#include "core/io/files.h"
#include "core/phantom/registration_phantom.h"
#include "core/registration/results/registration_maps.h"
#include "tests/support/expect_error.h"
#include "tests/support/temporary_folder.h"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace sulcus::bench {
namespace {

using testing::HasSubstr;

Affine shifted(const Series<float>&, const Series<float>&, const registration::LinearMasks&,
               const registration::LinearOptions&, const std::optional<Affine>&, const Progress&) {
  Affine map;
  map.t.x = 4;
  return map;
}

/// A deformed brain with two labels in a folder, and a table with it under two names.
class PairsBench : public testing::Test {
 protected:
  PairsBench() {
    phantom::RegistrationPhantomOptions options;
    options.size = 32;
    const auto brain = phantom::makeRegistrationPhantom(options);
    auto labels = std::make_shared<Volume<Label>>(brain.templateImage->grid);
    for (std::size_t i = 0; i < labels->values.size(); ++i) {
      const float value = brain.templateImage->values[i];
      labels->values[i] = value > 800 ? 2 : value > 400 ? 1 : 0;
    }
    const auto pair = phantom::makeRegistrationPhantom(options, {brain.templateImage, labels});
    save("t", VolumeLayer{pair.templateImage, {}, 0, {}}), save("r", VolumeLayer{pair.reference, {}, 0, {}});
    save("tl", LabelsLayer{pair.templateLabels}), save("rl", LabelsLayer{pair.referenceLabels});
    options_.table = write("pairs.tsv",
                           "name\ttemplate\ttemplate-labels\treference\treference-labels\taffine\n"
                           "one\tt.nii\ttl.nii\tr.nii\trl.nii\tn/a\n"
                           "two\tt.nii\ttl.nii\tr.nii\trl.nii\taffine.txt\n");
    write("affine.txt", registration::affineText({}));
    options_.lists = {{"levels", {"1"}}, {"similarity", {"l2"}}, {"iterations", {"0", "15"}}};
  }
  void save(const std::string& name, LayerContent content) {
    Layer layer;
    layer.name = name, layer.content = std::move(content);
    io::saveLayer(layer, folder_ / (name + ".nii"));
  }
  std::filesystem::path write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name) << text;
    return folder_ / name;
  }

  test::TemporaryFolder folder_;
  PairBenchOptions options_;
};

TEST_F(PairsBench, RunsEverySettingOnEveryPair) {
  int found = 0;
  std::vector<std::string> told;
  const auto alignLinearly = [&](const auto&... given) { return ++found, shifted(given...); };
  const auto report =
      runPairBench(options_, alignLinearly, [&](const std::string& line) { told.push_back(line); });
  ASSERT_EQ(report.rows.size(), 4u);
  EXPECT_EQ(told.size(), 4u);
  EXPECT_EQ(found, 1) << "once for a pair, and not where the table gives it";
  const auto &still = report.rows[0], &moved = report.rows[1], &given = report.rows[3];
  EXPECT_EQ(still.pair, "one");
  EXPECT_EQ(still.setting, "levels 1, similarity l2, iterations 0");
  EXPECT_EQ(still.before, still.after) << "no iteration, no deformation";
  EXPECT_EQ(still.iterations, 0);
  EXPECT_EQ(still.sdLogJ, 0);
  EXPECT_EQ(moved.iterations, 15);
  EXPECT_GT(moved.after, moved.before + 0.05);
  EXPECT_LT(moved.smallestLogJ, -0.01);
  EXPECT_GT(moved.sdLogJ, 0.001);
  EXPECT_GT(given.before, moved.before + 0.05) << "from where it lies, and not shifted";

  options_.lists = {{"affine", {"none"}}, {"iterations", {"0"}}};
  EXPECT_EQ(runPairBench(options_, alignLinearly, [](const std::string&) {}).rows[0].before, given.before);
  EXPECT_EQ(found, 1);
}

TEST_F(PairsBench, WritesItsRowsEverywhere) {
  options_.lists = {{"iterations", {"0"}}};
  const Report report = reportOf(runPairBench(options_, shifted, [](const std::string&) {}));
  EXPECT_THAT(markdown(report), HasSubstr("| two | iterations 0 | CPU | 0."));
  const auto parsed = nlohmann::json::parse(json(report));
  ASSERT_EQ(parsed["rows"].size(), 2u);
  EXPECT_EQ(parsed["rows"][0]["diceBefore"], parsed["rows"][0]["diceAfter"]);
  EXPECT_THAT(csv(report.sections.front().table), HasSubstr("\"one\",\"iterations 0\",\"CPU\""));
}

TEST(PairSettings, AreAllCombinations) {
  const auto settings = pairSettings({{"lambda", {"0.02", "0.005"}}, {"sigma", {"1", "2", "3"}}});
  ASSERT_EQ(settings.size(), 6u);
  EXPECT_EQ(settings[4].text, "lambda 0.005, sigma 2");
  EXPECT_EQ(settings[4].options.lambda, 0.005);
  EXPECT_EQ(settings[4].options.sigma, 2);
  EXPECT_EQ(pairSettings({}).front().text, "default");
  test::expectError([] { pairSettings({{"lamda", {"1"}}}); }, {"There is no --lamda"}, ErrorKind::usage);
  test::expectError(
      [] {
        pairSettings({{"lambda", {"-1"}}});
      },
      {"--lambda cannot be '-1'"}, ErrorKind::usage);
}

// Three of four voxels of label 1 match, all of 2; 3 leaves the image, 4 is only in the reference.
TEST(PairDice, CountsEveryLabelOfEitherImage) {
  const Grid grid{{8, 1, 1}, {}};
  Volume<Label> moving(grid), reference(grid);
  moving.values = {3, 1, 1, 1, 1, 0, 2, 2};
  reference.values = {0, 1, 1, 1, 4, 2, 2, 0};
  Series<float> displacement(grid, 3);
  for (int i = 0; i < 8; ++i) displacement.at(i, 0) = 1;
  // Displaced: 1 1 1 1 0 2 2 0.
  EXPECT_NEAR(diceUnder(moving, reference, displacement), (2 * 3 / 7.0 + 1) / 4, 1e-12);
}

TEST_F(PairsBench, RefusesTablesItCannotRead) {
  const auto refused = [&](const std::string& text, const char* words) {
    test::expectError([&] { openPairTable(write("bad.tsv", text)); }, {words});
  };
  refused("name\ttemplate\treference\na\tt.nii\tr.nii\n", "has no 'template-labels' for every pair");
  refused("name\ttemplate\ttemplate-labels\treference\treference-labels\na\tt.nii\ttl.nii\t\trl.nii\n",
          "has no 'reference' for every pair");
  EXPECT_EQ(openPairTable(options_.table)[0].templateLabels, folder_ / "tl.nii");
  EXPECT_EQ(openPairTable(options_.table)[0].affine, "");
}

TEST_F(PairsBench, ReadsTheMapThatARegistrationWrites) {
  Affine map;
  map.m = {{{1.1, 0.2, 0}, {-0.2, 0.9, 0.01}, {0, 1e-7, 1}}}, map.t = {-3, 4.5, 1e3};
  const Affine read = openAffine(write("a.txt", registration::affineText(map)));
  EXPECT_LE(std::abs(read.m[2][1] - 1e-7), 1e-18);
  EXPECT_LE(norm(read.point({3, -50, 70}) - map.point({3, -50, 70})), 1e-8);
  for (const char* bad : {"1 0 0 0\n0 1 0 0\n0 0 1 0\n", "1 0 0 0\n0 1 0 0\n0 0 1 0\n0 0 1 1\n",
                          "1 0 0\n0 1 0\n0 0 1\n0 0 0\n", "1 0 0 n/a\n0 1 0 0\n0 0 1 0\n0 0 0 1\n"})
    test::expectError([&] { openAffine(write("bad.txt", bad)); }, {"is no affine map"});
}

}  // namespace
}  // namespace sulcus::bench
