#include "app/analyses/activation/activation_analysis.h"
#include "core/activation/design/hemodynamics.h"
#include "core/io/files.h"
#include "tests/app/analyses/activation/events_run.h"
#include "tests/support/temporary_folder.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <random>

#include <gtest/gtest.h>

// Sparse sampling from the sidecar to the map: a volume of 2 s every 8 s, events at any time.
namespace sulcus::app::analyses {
namespace {

namespace fs = std::filesystem;

constexpr int kScans = 80;
constexpr double kRepetition = 8, kDelay = 6, kEffect = 30;  // s, s, in the unit of the scan

void write(const fs::path& file, const std::string& text) {
  fs::create_directories(file.parent_path());
  std::ofstream(file) << text;
}

/// A scan whose first 100 of 216 voxels respond, with the events that they respond to.
class SparseScan : public testing::Test {
 protected:
  SparseScan() {
    std::mt19937 random(5);
    std::uniform_real_distribution<double> any(0, kScans * kRepetition - 20);
    std::normal_distribution<float> noise(0, 2);
    std::vector<double> onsets(70);
    for (double& onset : onsets) onset = any(random);
    std::sort(onsets.begin(), onsets.end());
    std::string table = "onset\tduration\ttrial_type\n";
    std::vector<activation::Event> events;
    for (const double onset : onsets) {
      table += std::to_string(onset) + "\t1\tgo\n";
      activation::Event event;
      event.onset = onset, event.duration = 1;
      events.push_back(event);
    }
    write(events_, table);
    std::vector<double> middles;
    for (int scan = 0; scan < kScans; ++scan)
      middles.push_back(scan * kRepetition + (kRepetition - kDelay) / 2);
    const auto signal = activation::expectedSignal(events, middles);
    bold_.grid.size = {6, 6, 6}, bold_.count = kScans;
    bold_.values.resize(std::size_t(216 * kScans));
    for (int scan = 0; scan < kScans; ++scan)
      for (std::int64_t voxel = 0; voxel < 216; ++voxel)
        bold_.at(voxel, scan) =
            1000 + noise(random) + (voxel < 100 ? float(kEffect * signal[std::size_t(scan)]) : 0);
    write(folder_ / "dataset_description.json", "{}");
    write(folder_ / "task-a_bold.json", R"({"RepetitionTime": 8, "DelayTime": 6, "TaskName": "a"})");
  }

  /// The standard deviation of a voxel's series, in which effects are given.
  double deviationOf(std::int64_t voxel) const {
    double sum = 0, squares = 0;
    for (int scan = 0; scan < kScans; ++scan) sum += bold_.at(voxel, scan);
    for (int scan = 0; scan < kScans; ++scan) squares += std::pow(bold_.at(voxel, scan) - sum / kScans, 2);
    return std::sqrt(squares / (kScans - 1));
  }

  /// The share of the simulated effect that a run finds in the scan at this path, in the responding voxels.
  double shareIn(const fs::path& file) const {
    fs::create_directories(file.parent_path());
    Layer scan;
    scan.name = "bold";
    scan.content = VolumeLayer{std::make_shared<const Series<float>>(bold_), {}, kRepetition, {}};
    io::saveLayer(scan, file);
    fs::remove(fs::path(file).replace_extension(".json"));
    const auto result = runOnEvents(file, events_, bold_.grid, {});
    const auto& mean = *std::get<VolumeLayer>(layerNamed(result.layers, "mean_go").content).series;
    double sum = 0;
    for (std::int64_t voxel = 0; voxel < 100; ++voxel)
      sum += mean.at(voxel, 0) * deviationOf(voxel) / kEffect;
    return sum / 100;
  }

  test::TemporaryFolder folder_;
  fs::path events_ = folder_ / "sub-1" / "func" / "sub-1_task-a_events.tsv";
  Series<float> bold_;
};

TEST_F(SparseScan, HasTheEffectThatWasPlanted) {
  EXPECT_NEAR(shareIn(folder_ / "sub-1" / "func" / "sub-1_task-a_bold.nii"), 1, 0.05);
}

TEST_F(SparseScan, HasItInWhatWasMadeOfTheScanToo) {
  const fs::path made = folder_ / "derivatives" / "fmriprep";
  write(made / "dataset_description.json", "{}");
  EXPECT_NEAR(shareIn(made / "sub-1" / "func" / "sub-1_task-a_desc-preproc_bold.nii"), 1, 0.05);
}

TEST_F(SparseScan, HasLessOfItWhereNothingTellsTheDelay) {
  EXPECT_LT(shareIn(folder_ / "elsewhere" / "bold.nii"), 0.7) << "else the others test nothing";
}

}  // namespace
}  // namespace sulcus::app::analyses
