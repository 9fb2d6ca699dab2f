#include "tests/bench/activation/activation_bench.h"

namespace sulcus::bench {

Report reportOf(const ActivationMeasurements& measured) {
  using Row = ActivationRow;
  const Section rows{
      "rows",
      "Times of a whole run in ms. kernel: by device events, all iterations in one launch; resident: by the "
      "clock, data in device memory; transfers: from and to host memory. µs: the kernel's (a processor's "
      "whole) time of an iteration. Distance: the largest of any posterior mean from the row before it on a "
      "processor, same random numbers, in Monte Carlo errors. R̂: 99 % of voxels and regressors stay below. "
      "Growth: exponent of time in voxels since the next smaller size.",
      tableOf<Row>(measured.rows,
                   {{"processor", "on", &Row::processor},
                    {"voxels", "voxels", &Row::voxels},
                    {"scans", "scans", &Row::scans},
                    {"regressors", "k", &Row::regressors},
                    {"chains", "chains", &Row::chains},
                    {"groups", "groups", &Row::groups},
                    {"noise", "noise",
                     [](const Row& row) { return std::string(row.correlated ? "with memory" : "white"); }},
                    {"draws", "draws", &Row::draws},
                    {"kernelSeconds", "kernel", &Row::kernel, kMilliseconds},
                    {"residentSeconds", "resident", &Row::resident, kMilliseconds},
                    {"transferSeconds", "transfers", &Row::transfers, kMilliseconds},
                    {"iterationSeconds",
                     "µs",
                     [](const Row& row) { return row.seconds() / row.draws; },
                     {"%.3g", 1e6}},
                    {"distance", "distance", &Row::distance, {"%.2g", 1, -1}},
                    {"rhat", "R̂", &Row::rhat, kFourDigits},
                    growthColumn(measured.rows),
                    {"hostBytes", "host GB", &Row::hostBytes, kHostGigabytes},
                    {"deviceBytes", "device GB", &Row::deviceBytes, kDeviceGigabytes}})};
  return {measured, "Activation", {rows}};
}

}  // namespace sulcus::bench
