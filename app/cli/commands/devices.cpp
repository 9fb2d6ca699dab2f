#include "app/analyses/devices.h"

#include "app/cli/commands.h"
#include "app/cli/report.h"
#include "core/io/streams/file_json.h"

#include <iostream>

#include <CLI/CLI.hpp>

namespace sulcus::app::cli {
namespace {

std::string gigabytes(double bytes) { return shortNumber(bytes / 1e9) + " GB"; }

int listDevices(const CliContext& session) {
  const DeviceReport report = analyses::deviceReport();
  if (session.json) {
    nlohmann::ordered_json json{{"devices", nlohmann::ordered_json::array()}, {"reason", report.reason}};
    for (const auto& device : report.devices)
      json["devices"].push_back({{"index", device.index},
                                 {"name", device.name},
                                 {"memoryBytes", device.memoryBytes},
                                 {"freeBytes", device.freeBytes},
                                 {"computeCapability", device.computeCapability},
                                 {"multiprocessors", device.multiprocessors}});
    std::cout << io::jsonText(json);
    return exit_code::done;
  }
  if (report.devices.empty()) {
    std::cout << "No CUDA device (" << report.reason << "): everything runs on the CPU.\n";
    return exit_code::done;
  }
  std::vector<std::vector<std::string>> rows;
  for (const auto& device : report.devices)
    rows.push_back({std::to_string(device.index), device.name, gigabytes(device.memoryBytes),
                    gigabytes(device.freeBytes), device.computeCapability,
                    std::to_string(device.multiprocessors)});
  std::cout << markdownTable({"device", "name", "memory", "free", "compute capability", "multiprocessors"},
                             rows);
  return exit_code::done;
}

}  // namespace

Command addDevices(CLI::App& program) {
  CLI::App* parser = program.add_subcommand("devices", "CUDA devices of this machine, or why there is none");
  addTalkFlags(*parser);
  return {parser, listDevices};
}

void addTalkFlags(CLI::App& parser) {
  const std::string json = "Results as one JSON object, progress as JSON lines",
                    quiet = "No progress, and no warnings about files";
  parser.get_help_ptr()->group("");
  parser.add_flag("--json", json)->disable_flag_override()->group("Common");
  parser.add_flag("--quiet", quiet)->disable_flag_override()->group("Common");
}

}  // namespace sulcus::app::cli
