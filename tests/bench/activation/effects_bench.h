#pragma once

#include "core/base/options.h"
#include "tests/bench/report.h"
#include "tests/support/effects_scan.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

// What the maps of activation claim and what is true, in white and in autocorrelated noise.
namespace sulcus::bench {

/// One paradigm, noise and setting, means over the scans.
struct EffectsRow {
  std::string paradigm, noise;
  double sd = 0;                                ///< of the noise, percent of the mean signal
  std::string setting;                          ///< options other than the defaults
  double nullProbable = 0;                      ///< share of voxels without effect with P(effect > 0) > 0.95
  double nullShown = 0;                         ///< scans without effect in which --fdr 0.05 shows any voxel
  double falseShare = 0, power = 0;             ///< of --fdr 0.05
  double probableFalse = 0, probablePower = 0;  ///< of P > 0.95
  double expected = 0;                          ///< false share that the maps claim for P > 0.95
};

struct EffectsMeasurements : Machine {
  std::vector<EffectsRow> rows;
};

struct EffectsBenchOptions {
  std::uint64_t seed = 1000;  ///< of the first scan
  int scans = 10;             ///< of each kind, with and without effect
  test::EffectsScanOptions scan = {};
  int draws = 1000;
  std::string only;  ///< see isWanted()
};

EffectsMeasurements runEffectsBench(const EffectsBenchOptions& options,
                                    const std::function<void(const std::string&)>& tell);

Report reportOf(const EffectsMeasurements& measured);

}  // namespace sulcus::bench
