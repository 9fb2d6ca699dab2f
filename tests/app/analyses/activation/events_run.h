#pragma once

#include "app/analyses/activation/activation_analysis.h"
#include "core/io/files.h"
#include "tests/app/analyses/analysis_runs.h"

#include <filesystem>
#include <memory>

namespace sulcus::app::analyses {

/// Runs 200 draws on all voxels of a scan with its events, from their files.
///
/// @param grid    of the scan
/// @param others  options other than the defaults
inline RunResult runOnEvents(const std::filesystem::path& scan, const std::filesystem::path& events,
                             const Grid& grid, const OptionValues& others) {
  Layer mask;
  mask.name = "mask";
  mask.content = VolumeLayer{std::make_shared<const Series<float>>(grid, 1, 1.F), {}, 0, {}};
  const Analysis analysis = activationAnalysis();
  OptionValues values = defaultsOf(analysis.options);
  values["draws"] = std::int64_t(200), values["thinning"] = std::int64_t(2);
  for (const auto& [name, value] : others) values[name] = value;
  const auto layer = [](Layer made) { return std::make_shared<const Layer>(std::move(made)); };
  return analysis.cpu({{"bold", layer(io::openLayer(scan))},
                       {"events", layer(io::openTable(events))},
                       {"mask", layer(std::move(mask))}},
                      values, {}, {});
}

}  // namespace sulcus::app::analyses
