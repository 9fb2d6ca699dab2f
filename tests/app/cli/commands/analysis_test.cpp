#include "app/analyses/devices.h"
#include "app/analyses/surface/surface_study.h"
#include "app/cli/commands.h"
#include "core/base/error.h"
#include "core/io/files.h"
#include "tests/support/temporary_folder.h"

#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <future>

#include <CLI/CLI.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

// The command of an analysis, with an analysis of the test, on a computer with a GPU.
namespace sulcus::app {

namespace {
std::vector<int> chosenDevices;
std::function<void()> beforeListing;
}  // namespace

namespace analyses {
DeviceReport listDevices() {
  if (beforeListing) beforeListing();
  return {{{0, "GPU", 1e9, 1e9, "9.0", 1}}, ""};
}
DeviceReport deviceReport() { return listDevices(); }
bool startDevices() { return true; }
void useDevices(const std::vector<int>& numbers) { chosenDevices = numbers; }
}  // namespace analyses

namespace cli {
namespace {

namespace fs = std::filesystem;

struct Options {
  double factor = 2;
  template <class Visit>
  void describe(Visit&& visit) {
    visit(factor, numberOption("factor", "Factor", "", {0, 10, 1}, "What values are multiplied by."));
  }
};

/// Multiplies a volume; `offset` is added.
Analysis::Run multiply(float offset) {
  return [offset](const AnalysisInputs& inputs, const OptionValues& values, const Progress& progress,
                  const Analysis::Preview&) {
    progress.update(0.5);
    Series<float> product = *std::get<VolumeLayer>(inputs.find("image")->second->content).series;
    for (float& value : product.values) value = value * float(optionsFrom<Options>(values).factor) + offset;
    Layer layer;
    layer.name = "product";
    layer.content = VolumeLayer{std::make_shared<const Series<float>>(std::move(product)), {}, 0, {}};
    RunResult result;
    result.layers.push_back(std::move(layer));
    result.items = 8, result.itemName = "voxels";
    return result;
  };
}

/// A table of two numbers, and a file next to it.
RunResult table(const AnalysisInputs& inputs, const OptionValues& values, const Progress&,
                const Analysis::Preview&) {
  Layer layer;
  layer.name = "sum_of_" + std::to_string(inputs.count("image"));
  layer.content = TableLayer{{"factor"}, {{formatOption(values.at("factor"))}}};
  RunResult result;
  result.layers.push_back(std::move(layer));
  result.files.push_back({"checks.json", "{\"passed\": true}"});
  result.itemName = "voxels";
  return result;
}

class AnalysisCommand : public testing::Test {
 protected:
  AnalysisCommand() {
    Layer image;
    image.name = "image";
    image.content =
        VolumeLayer{std::make_shared<const Series<float>>(Grid{{2, 2, 2}, {}}, 1, 3.0f), {}, 0, {}};
    io::saveLayer(image, folder_ / "image.nii");

    multiplication_.name = "multiply";
    multiplication_.summary = "Multiplies";
    multiplication_.inputs = {{"image", "Image", "What to multiply", true, {}}};
    multiplication_.options = describeOptions<Options>();
    multiplication_.outputs = {"product"};
    multiplication_.cpu = multiply(0);
    multiplication_.gpu = multiply(0.25f);
    multiplication_.compareWithTruth = [](const RunResult&, const AnalysisInputs&, const Progress&) {
      return std::vector<AgreementRow>{};
    };
    multiplication_.compare = [](const RunResult&, const RunResult& b, const Progress&) {
      AgreementRow row;
      row.quantity = "product", row.maximum = 0.25;
      Comparison comparison;
      comparison.rows = {row};
      comparison.difference = b.layers.front();
      return comparison;
    };
  }

  /// Standard output of the command with these additional flags.
  std::string run(std::vector<std::string> flags) {
    CLI::App program;
    const Command command = addAnalysis(program, multiplication_);
    std::vector<std::string> words{"multiply", "--image", (folder_ / "image.nii").string(), "--out",
                                   out().string()};
    words.insert(words.end(), flags.begin(), flags.end());
    std::reverse(words.begin(), words.end());  // as CLI11 expects them
    program.parse(words);
    testing::internal::CaptureStdout();
    CliContext session;
    session.quiet = true;
    session.json = std::find(flags.begin(), flags.end(), "--json") != flags.end();
    int code = -1;
    try {
      code = command.run(session);
    } catch (...) {
      testing::internal::GetCapturedStdout();
      throw;
    }
    EXPECT_EQ(code, 0);
    return testing::internal::GetCapturedStdout();
  }
  fs::path out() const { return folder_ / "out"; }
  float valueOf(const fs::path& file) const {
    return std::get<VolumeLayer>(io::openVolume(out() / file).content).series->values.front();
  }

  test::TemporaryFolder folder_;
  Analysis multiplication_;
};

TEST_F(AnalysisCommand, WritesResultsAndProvenance) {
  run({"--factor", "5"});
  EXPECT_EQ(valueOf("product.nii.gz"), 15);
  EXPECT_TRUE(fs::exists(out() / "provenance.json"));
  EXPECT_FALSE(fs::exists(out() / "cpu"));
}

TEST_F(AnalysisCommand, RecordsASeedThatItDoesNotNeed) {
  run({"--seed", "7"});
  EXPECT_EQ(valueOf("product.nii.gz"), 6);
  std::ifstream stream(out() / "provenance.json");
  EXPECT_EQ(nlohmann::json::parse(stream)["Seed"], 7);
}

TEST_F(AnalysisCommand, RunsBothBackendsIntoFoldersOfTheirOwnAndCompares) {
  const std::string told = run({"--backend", "both", "--device", "0"});
  EXPECT_EQ(chosenDevices, std::vector<int>{0});
  EXPECT_EQ(valueOf("cpu/product.nii.gz"), 6);
  EXPECT_EQ(valueOf("gpu/product.nii.gz"), 6.25f);
  EXPECT_EQ(valueOf("difference.nii.gz"), 6.25f);
  EXPECT_TRUE(fs::exists(out() / "cpu" / "provenance.json"));
  EXPECT_TRUE(fs::exists(out() / "gpu" / "provenance.json"));
  EXPECT_THAT(told, testing::HasSubstr("GPU against CPU:"));
  EXPECT_THAT(told, testing::HasSubstr("| product"));
  std::ifstream stream(out() / "comparison.json");
  const auto json = nlohmann::json::parse(stream);
  EXPECT_EQ(json["differences"][0]["largest"], 0.25);
  EXPECT_EQ(json["runs"].size(), 2u);
}

TEST_F(AnalysisCommand, SharesARunOutBetweenDevices) {
  run({"--backend", "gpu", "--device", "1,0"});
  EXPECT_EQ(chosenDevices, (std::vector<int>{1, 0}));
}

TEST_F(AnalysisCommand, BeginsBeforeTheGpuIsFoundWhereItIsNeededLate) {
  multiplication_.gpuBeginsOnCpu = true;
  std::promise<void> begun;
  beforeListing = [&] {
    EXPECT_EQ(begun.get_future().wait_for(std::chrono::seconds(20)), std::future_status::ready);
  };
  multiplication_.gpu = [&](const AnalysisInputs& inputs, const OptionValues& values,
                            const Progress& progress, const Analysis::Preview& preview) {
    begun.set_value();
    return multiply(0.25f)(inputs, values, progress, preview);
  };
  run({"--backend", "gpu"});
  beforeListing = {};
  EXPECT_EQ(valueOf("product.nii.gz"), 6.25f);
}

TEST_F(AnalysisCommand, PrintsOneJsonObject) {
  const auto json = nlohmann::json::parse(run({"--backend", "both", "--json"}));
  EXPECT_EQ(json["analysis"], "multiply");
  EXPECT_EQ(json["comparison"]["agrees"], false);
  EXPECT_EQ(json["runs"][0]["voxels"], 8);
  EXPECT_FALSE(json["files"].empty());
}

TEST_F(AnalysisCommand, RefusesToReplaceTheResultsOfEitherBackend) {
  run({"--backend", "both"});
  EXPECT_THROW(run({"--backend", "both"}), Error);
  EXPECT_NO_THROW(run({"--backend", "both", "--overwrite"}));
  EXPECT_NO_THROW(run({})) << "results of one backend have other names";
  EXPECT_THROW(run({}), Error);
}

TEST_F(AnalysisCommand, RefusesToReplaceAFileNextToItsResults) {
  fs::create_directories(out());
  std::ofstream(out() / "product.json") << "mine";
  EXPECT_THROW(run({}), Error);
  EXPECT_EQ(std::distance(fs::directory_iterator(out()), {}), 1);
}

TEST_F(AnalysisCommand, TakesManyFilesAndWritesTablesAndFiles) {
  multiplication_.inputs[0].many = true;
  multiplication_.outputs = {"sum_of_*", "checks"};
  multiplication_.cpu = table;
  const std::string image = (folder_ / "image.nii").string();
  const auto json = nlohmann::json::parse(run({"--factor", "5", "--image", image, image, "--json"}));
  EXPECT_EQ(json["runs"][0]["checks"]["passed"], true);
  EXPECT_TRUE(fs::exists(out() / "checks.json"));
  std::ifstream stream(out() / "sum_of_3.tsv");
  const std::string text((std::istreambuf_iterator<char>(stream)), {});
  EXPECT_EQ(text, "factor\n5\n");
  EXPECT_THROW(run({}), Error) << "a table of another name would be there already";
}

TEST_F(AnalysisCommand, TakesOneFileWhereOneIsWanted) {
  EXPECT_THROW(run({(folder_ / "image.nii").string()}), CLI::ParseError);
}

TEST_F(AnalysisCommand, ReadsTablesWhereTheyAreTaken) {
  std::ofstream(folder_ / "rows.tsv") << "a\tb\n1\t2\n";
  multiplication_.inputs.push_back({"rows", "Rows", "", false, [](const Layer& layer) {
                                      return std::holds_alternative<TableLayer>(layer.content);
                                    }});
  multiplication_.cpu = [](const AnalysisInputs& inputs, const OptionValues&, const Progress&,
                           const Analysis::Preview&) {
    RunResult result;
    result.layers.push_back(*inputs.find("rows")->second);
    result.layers.back().name = "product";
    return result;
  };
  run({"--rows", (folder_ / "rows.tsv").string()});
  EXPECT_TRUE(fs::exists(out() / "product.tsv"));
}

TEST_F(AnalysisCommand, StartsFromAPreset) {
  multiplication_.presets = {{"triple", "", {{"factor", 3.0}}}};
  run({"--preset", "triple"});
  EXPECT_EQ(valueOf("product.nii.gz"), 9);
  EXPECT_THROW(run({"--preset", "half", "--overwrite"}), Error);
}

TEST_F(AnalysisCommand, SaysBeforeTheWorkThatParametersCannotBeSaved) {
  bool worked = false;
  multiplication_.cpu = [&](const AnalysisInputs&, const OptionValues&, const Progress&,
                            const Analysis::Preview&) -> RunResult {
    worked = true;
    throw Cancelled();
  };
  EXPECT_THROW(run({"--save-params", (folder_ / "no" / "p.json").string()}), Error);
  EXPECT_FALSE(worked);
  EXPECT_THROW(run({"--save-params", (folder_ / "p.json").string()}), Cancelled);
  EXPECT_TRUE(worked);
  EXPECT_FALSE(fs::exists(folder_ / "p.json"));
}

TEST_F(AnalysisCommand, RunsBothBackendsOnAStudyAndReportsTheirAgreement) {
  const fs::path study = folder_ / "study", scan = study / "sub-01" / "anat" / "sub-01_label-WM_probseg.nii";
  fs::create_directories(scan.parent_path());
  fs::copy(folder_ / "image.nii", scan);
  multiplication_.name = "surface";  // whose input is searched as an image
  multiplication_.study = analyses::surfaceStudy();
  const auto call = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"bids", study.string(), out().string()});
    CLI::App program;
    const std::vector<Analysis> table{multiplication_};
    const Command command = addBids(program, table, words);
    std::reverse(words.begin(), words.end());
    program.parse(words);
    testing::internal::CaptureStdout();
    CliContext session;
    session.quiet = true;
    const int code = command.run(session);
    return std::pair(code, testing::internal::GetCapturedStdout());
  };
  const std::vector<std::string> run{"participant", "--analysis", "surface",
                                     "--backend",   "both",       "--skip-bids-validation"};
  EXPECT_EQ(call(run).first, 0);
  std::ifstream stream(out() / "sub-01" / "anat" / "sub-01_label-WM_desc-surface_provenance.json");
  const auto record = nlohmann::json::parse(stream);
  EXPECT_EQ(record["Agreement"][0]["Largest"], 0.25);
  std::ifstream page(out() / "sub-01.html");
  EXPECT_THAT(std::string((std::istreambuf_iterator<char>(page)), {}), testing::HasSubstr("GPU against CPU"));
  EXPECT_THAT(call(run).second, testing::HasSubstr("done before"));
  auto onGpu = run;
  onGpu[4] = "gpu";
  EXPECT_THAT(call(onGpu).second, testing::HasSubstr("sub-01_label-WM: done, voxels 8")) << "another backend";

  multiplication_.gpu = [](const AnalysisInputs&, const OptionValues&, const Progress&,
                           const Analysis::Preview&) -> RunResult { throw Cancelled(); };
  onGpu.emplace_back("--overwrite");
  EXPECT_EQ(call(onGpu).first, exit_code::interrupted);
  EXPECT_TRUE(fs::exists(out() / "sub-01" / "anat" / "sub-01_label-WM_desc-surface_provenance.json"))
      << "what was done stays";
  multiplication_.gpu = [](const AnalysisInputs&, const OptionValues&, const Progress&,
                           const Analysis::Preview&) -> RunResult { throw std::bad_alloc(); };
  const auto [code, told] = call(onGpu);
  EXPECT_EQ(code, 4);
  EXPECT_THAT(told, testing::HasSubstr("ran out of memory"));
}

TEST_F(AnalysisCommand, LeavesNothingWhenTheRunFails) {
  multiplication_.cpu = [](const AnalysisInputs&, const OptionValues&, const Progress&,
                           const Analysis::Preview&) -> RunResult { throw Cancelled(); };
  EXPECT_THROW(run({}), Cancelled);
  EXPECT_FALSE(fs::exists(out()));
}

}  // namespace
}  // namespace cli
}  // namespace sulcus::app
