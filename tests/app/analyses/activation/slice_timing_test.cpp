#include "app/analyses/activation/activation_analysis.h"
#include "core/activation/design/hemodynamics.h"
#include "core/io/files.h"
#include "tests/app/analyses/activation/events_run.h"
#include "tests/support/temporary_folder.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>

#include <gmock/gmock.h>

// Slices acquired one after another, from the sidecar to the map.
namespace sulcus::app::analyses {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

constexpr int kSlicedScans = 150;
constexpr double kSlicedRepetition = 3, kSlicedEffect = 3;  // s, percent of the mean

/// A scan of six slices whose events last a second. All voxels respond, each slice at its own time.
class SliceTimingScan : public testing::Test {
 protected:
  SliceTimingScan() {
    std::mt19937 random(3);
    std::uniform_real_distribution<double> pause(4, 12);
    std::normal_distribution<float> noise(0, 2);
    std::string table = "onset\tduration\ttrial_type\n";
    std::vector<activation::Event> events;
    for (double onset = 5; onset < kSlicedScans * kSlicedRepetition - 15; onset += pause(random)) {
      table += std::to_string(onset) + "\t1\tgo\n";
      events.emplace_back();
      events.back().onset = onset, events.back().duration = 1;
    }
    std::ofstream(folder_ / "events.tsv") << table;
    bold_.grid.size = {6, 6, 6}, bold_.count = kSlicedScans;
    bold_.values.resize(std::size_t(216 * kSlicedScans));
    for (int slice = 0; slice < 6; ++slice) {
      std::vector<double> times;
      for (int scan = 0; scan < kSlicedScans; ++scan)
        times.push_back(scan * kSlicedRepetition + kTimes[std::size_t(slice)]);
      const auto signal = activation::expectedSignal(events, times);
      for (int scan = 0; scan < kSlicedScans; ++scan)
        for (int voxel = 36 * slice; voxel < 36 * (slice + 1); ++voxel)
          bold_.at(voxel, scan) =
              float(1000 * (1 + 0.01 * kSlicedEffect * signal[std::size_t(scan)])) + noise(random);
    }
    Layer scan;
    scan.name = "bold";
    scan.content = VolumeLayer{std::make_shared<const Series<float>>(bold_), {}, kSlicedRepetition, {}};
    io::saveLayer(scan, folder_ / "bold.nii");
    std::ofstream(folder_ / "bold.json")
        << R"({"RepetitionTime": 3, "SliceTiming": [0, 1.5, 0.5, 2, 1, 2.5]})";
  }

  RunResult run(const std::string& choice) const {
    return runOnEvents(folder_ / "bold.nii", folder_ / "events.tsv", bold_.grid,
                       {{"response", std::string("percent")}, {"slice-timing", choice}});
  }

  /// The mean least-squares effect in a slice, relative to the simulated one.
  static double shareIn(const RunResult& result, int slice) {
    const auto& effect = *std::get<VolumeLayer>(layerNamed(result.layers, "effect_go").content).series;
    double sum = 0;
    for (int voxel = 36 * slice; voxel < 36 * (slice + 1); ++voxel) sum += effect.at(voxel, 0);
    return sum / (36 * kSlicedEffect);
  }

  const std::vector<double> kTimes{0, 1.5, 0.5, 2, 1, 2.5};  // s
  test::TemporaryFolder folder_;
  Series<float> bold_;
};

TEST_F(SliceTimingScan, HasTheEffectInEachSliceByTheDesign) {
  const RunResult result = run("design");
  EXPECT_THAT(result.notes,
              Contains(HasSubstr("modeled at the acquisition time of each slice (SliceTiming, 6 times)")));
  for (int slice = 0; slice < 6; ++slice) EXPECT_NEAR(shareIn(result, slice), 1, 0.05) << slice;
}

TEST_F(SliceTimingScan, HasLessInSlicesFarFromTheTimeThatAllAreTakenFor) {
  const RunResult result = run("auto");  // nothing is prepared
  EXPECT_THAT(result.notes, Not(Contains(HasSubstr("acquisition time of each slice (SliceTiming"))));
  EXPECT_LT(shareIn(result, 0), 0.9) << "else the other test tests nothing";
  EXPECT_NEAR(shareIn(result, 1), 1, 0.05) << "that of the middle";
}

TEST_F(SliceTimingScan, SaysWhyTimesAreNotUsed) {
  std::ofstream(folder_ / "bold.json") << R"({"RepetitionTime": 3, "SliceTiming": [0, 1.5]})";
  EXPECT_THAT(run("design").notes, Contains(HasSubstr("SliceTiming has 2 times for 6 slices")));
  EXPECT_THAT(run("interpolate").notes, Contains(HasSubstr("interpolated with Prepare only")));
  fs::remove(folder_ / "bold.json");
  EXPECT_THAT(run("design").notes, Contains(HasSubstr("gives no different times of slices")));
}

}  // namespace
}  // namespace sulcus::app::analyses
