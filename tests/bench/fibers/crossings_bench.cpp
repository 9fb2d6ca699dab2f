#include "tests/bench/fibers/crossings_bench.h"

#include "tests/bench/cases.h"
#include "tests/bench/format.h"
#include "tests/support/crossing_fibers.h"
#include "tests/support/crossing_score.h"

namespace sulcus::bench {
namespace {

struct Setting {
  const char* text;
  int order;
  bool keepsNoise;  ///< only peaks below a share of the largest are removed
};
constexpr Setting kSettings[] = {{"order 8, relative cut alone", 8, true},
                                 {"order 8", 8, false},
                                 {"default", 0, false},
                                 {"order 12", 12, false}};

struct Scan {
  double b, snr, smallest, largest;
};
constexpr Scan kScans[] = {{3000, 30, 45, 60}, {3000, 30, 60, 90}, {3000, 30, 40, 40},
                           {3000, 30, 35, 35}, {3000, 20, 45, 60}, {3000, 15, 80, 90},
                           {3000, 15, 45, 60}, {1000, 30, 45, 60}, {1000, 30, 60, 90}};

}  // namespace

CrossingMeasurements runCrossingBench(const CrossingBenchOptions& options,
                                      const std::function<void(const std::string&)>& tell) {
  CrossingMeasurements measured{thisMachine(), {}};
  for (const double share : {0.5, 0.7})
    for (const Scan& scan : kScans) {
      test::CrossingOptions crossing;
      crossing.b = scan.b, crossing.snr = scan.snr;
      crossing.smallest = scan.smallest, crossing.largest = scan.largest, crossing.largestShare = share;
      crossing.single = options.voxels / 5, crossing.crossing = options.voxels, crossing.seed = options.seed;
      const test::CrossingScan simulated = test::crossingFibers(crossing);
      for (const Setting& setting : kSettings) {
        const std::string name = format("b %.0f, SNR %.0f, %.0f-%.0f°, share %.1f, %s", scan.b, scan.snr,
                                        scan.smallest, scan.largest, share, setting.text);
        if (!isWanted(name, options.only)) continue;
        fibers::FiberOptions fiberOptions;
        fiberOptions.model = fibers::FiberModel::csd;
        fiberOptions.order = setting.order;
        if (setting.keepsNoise) fiberOptions.falsePeaks = 1;
        const auto maps = fibers::findFibers(simulated.input, fiberOptions, {});
        const auto two =
                       test::scoreOf(maps.peaks, simulated.truth, crossing.single, maps.peaks.grid.voxels()),
                   one = test::scoreOf(maps.peaks, simulated.truth, 0, crossing.single);
        measured.rows.push_back({scan.b, scan.snr, scan.smallest, scan.largest, share, setting.text,
                                 maps.order, two.right, two.falsePeaks, two.error, one.right});
        tell(name + format(": order %d, %.1f %% right, %.4f false, %.2f°", maps.order, 100 * two.right,
                           two.falsePeaks, two.error));
      }
    }
  return measured;
}

Report reportOf(const CrossingMeasurements& measured) {
  using Row = CrossingRow;
  return {
      measured,
      "Fibers: crossings",
      {{"rows",
        "Two fibers anywhere, Rician noise, 64 directions and 6 volumes with b = 0, the response estimated "
        "from the scan. share: of the larger fiber at most (0.5 at least). right: share of the voxels with "
        "two peaks; false: peaks a voxel farther than 20° from both fibers; error: median angle of the worse "
        "fiber; one fiber: share of the voxels with one that show one.",
        tableOf<Row>(measured.rows, {{"b", "b, s/mm²", &Row::b},
                                     {"snr", "SNR", &Row::snr},
                                     {"smallest", "from °", &Row::smallest},
                                     {"largest", "to °", &Row::largest},
                                     {"share", "share", &Row::share, {"%.1f"}},
                                     {"setting", "setting", &Row::setting},
                                     {"order", "order", &Row::order},
                                     {"right", "right", &Row::right, {"%.1f %%", 100}},
                                     {"falsePeaks", "false", &Row::falsePeaks, kFourDigits},
                                     {"error", "error, °", &Row::error, kTwoDigits},
                                     {"singleRight", "one fiber", &Row::singleRight, {"%.1f %%", 100}}})}}};
}

}  // namespace sulcus::bench
