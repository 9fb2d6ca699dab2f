#include "app/analyses/tracts/tracts_analysis.h"

#include "app/analyses/table.h"
#include "core/image/diffusion/harmonics_image.h"
#include "core/io/tracts/tract_files.h"
#include "core/phantom/tracts_phantom.h"
#include "core/tracts/tract_maps.h"
#include "tests/app/analyses/analysis_runs.h"
#include "tests/support/expect_error.h"
#include "tests/support/temporary_folder.h"

#include <algorithm>
#include <numeric>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sulcus::app::analyses {
namespace {

using testing::Contains;
using testing::HasSubstr;

const Analysis& row() {
  return *std::find_if(table().begin(), table().end(),
                       [](const Analysis& one) { return one.name == "tracts"; });
}

struct TractRun {
  AnalysisInputs inputs = row().demo(defaultsOf(row().demoOptions));
  OptionValues values = defaultsOf(row().options);

  TractRun() {
    values["method"] = std::string("fod");
    values["min-length"] = 40.0;
  }
  RunResult result() const { return row().cpu(inputs, values, {}, {}); }
};

TEST(TractsAnalysis, ConnectsTheEndsOfTheBundlesOfItsPhantom) {
  const TractRun run;
  const RunResult result = run.result();
  for (const AgreementRow& truth : row().compareWithTruth(result, run.inputs, {}))
    EXPECT_TRUE(truth.agrees()) << truth.quantity << " " << truth.shareWithin;
  EXPECT_EQ(result.layers.front().name, "tracts");
  EXPECT_GT(std::get<TractsLayer>(result.layers.front().content).tracts->lines(), 100u);
  const auto& table = std::get<TableLayer>(layerNamed(result.layers, "connectome").content);
  ASSERT_FALSE(table.rows.empty());
  EXPECT_EQ(table.columns.front(), "label_a");
  EXPECT_THAT(result.files, Contains(testing::Field(&ResultFile::name, "connectome_count.csv")));
  const auto& density = std::get<VolumeLayer>(layerNamed(result.layers, "density").content).series->values;
  EXPECT_GT(*std::max_element(density.begin(), density.end()), 10);
}

TEST(TractsAnalysis, WritesManyLinesAsTheyCome) {
  const TractRun run;
  const RunResult held = run.result();
  const test::TemporaryFolder folder;
  const Analysis writing =
      row().writingTo({[&](const std::string& name) { return folder.path() / name; }, 100'000});
  const RunResult result = writing.cpu(run.inputs, run.values, {}, {});
  const auto& lines = *std::get<TractsLayer>(held.layers.front().content).tracts;
  const auto written = io::openTractFile(folder.path() / "tracts.trx").tracts;
  EXPECT_EQ(written.first, lines.first);
  EXPECT_EQ(written.points, lines.points);
  ASSERT_EQ(result.layers.size() + 1, held.layers.size());
  for (std::size_t n = 0; n < result.layers.size(); ++n) {
    EXPECT_EQ(result.layers[n].name, held.layers[n + 1].name);
    if (const auto* map = std::get_if<VolumeLayer>(&result.layers[n].content)) {
      EXPECT_EQ(map->series->values, std::get<VolumeLayer>(held.layers[n + 1].content).series->values);
    }
  }
  EXPECT_EQ(result.files.front().text, held.files.front().text) << "of the connectome";
  EXPECT_TRUE(row().compareWithTruth(result, run.inputs, {}).empty())
      << "there are no lines to hold against it";
}

TEST(TractsAnalysis, MakesOnlyTheMapsThatAreWanted) {
  const TractRun run;
  const RunResult whole = run.result();
  const test::TemporaryFolder folder;
  const Analysis some =
      row().writingTo({[&](const std::string& name) {
                         return name.starts_with("length") ? folder.path() / name : std::filesystem::path();
                       },
                       std::size_t(1) << 30});
  const RunResult result = some.cpu(run.inputs, run.values, {}, {});
  const auto has = [&](const char* name) {
    return std::ranges::any_of(result.layers, [&](const Layer& layer) { return layer.name == name; });
  };
  EXPECT_FALSE(has("density"));
  EXPECT_FALSE(has("ends"));
  const auto map = [](const RunResult& of) {
    return std::get<VolumeLayer>(layerNamed(of.layers, "length").content).series->values;
  };
  EXPECT_EQ(map(result), map(whole));
}

TEST(TractsAnalysis, ComparesLinesBitByBit) {
  TractRun run;
  const RunResult one = run.result(), same = run.result();
  EXPECT_TRUE(row().compare(one, same, {}).agrees());
  run.values["seed"] = std::int64_t(2);
  const RunResult other = run.result();
  const Comparison comparison = row().compare(one, other, {});
  EXPECT_FALSE(comparison.agrees());
  ASSERT_TRUE(comparison.difference);
  const auto sum = [](const Layer& map) {
    const auto& values = std::get<VolumeLayer>(map.content).series->values;
    return std::accumulate(values.begin(), values.end(), 0.0);
  };
  EXPECT_EQ(sum(*comparison.difference),
            sum(layerNamed(one.layers, "density")) - sum(layerNamed(other.layers, "density")));
}

/// A series of six volumes is a scan, too: it is not followed unless it is chosen.
TEST(TractsAnalysis, TakesOnlyWhatLooksLikeFunctionsAutomatically) {
  const auto slot = std::ranges::find(row().inputs, "fod", &InputSlot::name);
  ASSERT_NE(slot, row().inputs.end());
  const auto phantom = phantom::makeTractsPhantom({});
  const auto plain = [](Series<float> series) {
    Layer layer;
    layer.content = VolumeLayer{std::make_shared<const Series<float>>(std::move(series)), {}, 0, {}};
    return layer;
  };
  const Series<float> functions = harmonicsOf(*phantom.functions);
  EXPECT_TRUE(slot->unasked(functionLayer("arch", phantom.functions)));
  EXPECT_TRUE(slot->unasked(plain(functions)));
  Series<float> scan(functions.grid, 6), signedScan = scan;
  std::minstd_rand random(1);
  std::normal_distribution<float> normal;
  for (float& value : scan.values) value = 100 + normal(random);
  for (float& value : signedScan.values) value = normal(random);
  EXPECT_FALSE(slot->unasked(plain(scan)));
  EXPECT_FALSE(slot->unasked(plain(signedScan)));
  EXPECT_TRUE(slot->accepts(plain(scan))) << "but it may be chosen";
}

TEST(TractsAnalysis, ShowsAnImageAlongTheBundle) {
  TractRun run;
  run.values["end-regions"] = std::string("0,-35,4,10;0,35,4,10");  // of the straight bundle
  const Grid grid = gridOf(*run.inputs.find("fod")->second)[0];
  Series<float> front(grid, 1);
  for (std::int64_t v = 0; v < grid.voxels(); ++v)
    front.values[std::size_t(v)] = float(grid.worldFromVoxel.point({0, double(grid.voxel(v).y), 0}).y);
  run.inputs.emplace("image", std::make_shared<const Layer>(mapLayer("y", "mm", "gray", std::move(front))));
  const RunResult result = run.result();
  const auto& table = std::get<TableLayer>(layerNamed(result.layers, "profile").content);
  ASSERT_EQ(table.rows.size(), 100u);
  EXPECT_THAT(table.columns, Contains("y_mean"));
  const double first = std::stod(table.rows[5][4]), last = std::stod(table.rows[94][4]);
  EXPECT_GT(std::abs(last - first), 50) << "from the back to the front";
  EXPECT_NEAR(std::stod(table.rows[5][2]), first, 0.3) << "the image is the place";
}

TEST(TractsAnalysis, MakesTheSameOfLinesFromAFile) {
  TractRun run;
  const Grid grid = gridOf(*run.inputs.find("fod")->second)[0];
  run.inputs.emplace("image",
                     std::make_shared<const Layer>(mapLayer("one", "", "gray", Series<float>(grid, 1, 1.f))));
  const RunResult made = run.result();
  TractRun again;
  again.inputs.erase("fod");
  again.inputs.emplace("image", run.inputs.find("image")->second);
  again.inputs.emplace("tracts", std::make_shared<const Layer>(made.layers.front()));
  const RunResult given = again.result();
  for (const char* name : {"density", "ends", "length", "one_along"})
    EXPECT_EQ(std::get<VolumeLayer>(layerNamed(given.layers, name).content).series->values,
              std::get<VolumeLayer>(layerNamed(made.layers, name).content).series->values)
        << name;
  EXPECT_EQ(std::get<TableLayer>(layerNamed(given.layers, "connectome").content).rows,
            std::get<TableLayer>(layerNamed(made.layers, "connectome").content).rows);
  const auto& lines = *std::get<TractsLayer>(given.layers.front().content).tracts;
  ASSERT_EQ(lines.perLine.size(), 1u);
  EXPECT_EQ(lines.perLine[0].name, "one");
  EXPECT_NEAR(lines.perLine[0].values[0], 1, 1e-6);
  ASSERT_FALSE(lines.groups.empty()) << "one for each pair of labels";
  EXPECT_THAT(lines.groups, Contains(testing::Field(&Tracts::Group::name, "1-2")));
  // Each cell of the connectome counts the lines of the group that it leads to.
  const auto plot = std::ranges::find(given.plots, "Connectome", &Plot::name);
  ASSERT_NE(plot, given.plots.end());
  const Chart::Matrix cells = *plot->make({}).matrix;
  EXPECT_EQ(plot->make({}).xLabel, plot->make({}).yLabel) << "so that its cells are of pairs";
  std::size_t filled = 0;
  for (std::size_t a = 0; a < cells.rows.size(); ++a)
    for (std::size_t b = a; b < cells.rows.size(); ++b) {
      if (cells.rows[a][b] == 0) continue;
      ++filled;
      const auto group =
          std::ranges::find(lines.groups, cells.columns[a] + "-" + cells.columns[b], &Tracts::Group::name);
      ASSERT_NE(group, lines.groups.end());
      EXPECT_EQ(double(group->lines.size()), cells.rows[a][b]);
    }
  EXPECT_EQ(filled, lines.groups.size());
  EXPECT_THAT(given.files, Contains(testing::Field(&ResultFile::name, "connectome_one.csv")));
  again.values["weights"] = true;
  test::expectError([&] { row().advice(again.inputs, again.values); }, {"cannot get weights"},
                    ErrorKind::usage);
}

TEST(TractsAnalysis, TakesLabelsOfTheAtlasForRegions) {
  TractRun run;
  run.values["end-regions"] = std::string("label:3; label:4");  // of the straight bundle
  const auto labels = tracts::connectomeOf(*std::get<TractsLayer>(run.result().layers.front().content).tracts,
                                           *phantom::makeTractsPhantom({}).ends, 0);
  EXPECT_GT(labels.count[labels.index(2, 3)], 10);
  EXPECT_EQ(labels.unassigned, 0);
  run.values["seed-regions"] = std::string("label:9");
  test::expectError([&] { run.result(); }, {"no voxel of label '9'"}, ErrorKind::usage);
  run.values["seed-regions"] = std::string("label:thalamus");
  test::expectError([&] { row().advice(run.inputs, run.values); }, {"no label called 'thalamus'"},
                    ErrorKind::usage);
  run.inputs.erase("labels");
  test::expectError([&] { row().advice(run.inputs, run.values); }, {"--labels"}, ErrorKind::usage);
}

TEST(TractsAnalysis, TakesTheFunctionsOfFibersOrTheirPeaks) {
  const auto phantom = phantom::makeTractsPhantom({});
  Layer both;
  both.name = "peaks";
  both.content = PeaksLayer{phantom.peaks, phantom.functions};
  const auto layer = std::make_shared<const Layer>(std::move(both));
  for (const char* slot : {"fod", "peaks"}) {
    OptionValues values = defaultsOf(row().options);
    values["lines"] = std::int64_t(30);
    const RunResult result = row().cpu({{slot, layer}}, values, {}, {});
    EXPECT_GT(result.items, 29);
    EXPECT_THAT(row().advice({{slot, layer}}, values),
                HasSubstr(std::string(slot) == "fod" ? "probable" : "peaks"));
  }
}

}  // namespace
}  // namespace sulcus::app::analyses
