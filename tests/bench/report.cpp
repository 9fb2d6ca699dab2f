#include "tests/bench/report.h"

#include "core/base/parallel/parallel_for.h"
#include "core/io/files.h"
#include "core/io/streams/byte_source.h"
#include "gpu/runtime/device.h"

#include <algorithm>
#include <fstream>
#include <set>

#include <nlohmann/json.hpp>

namespace sulcus::bench {

Machine thisMachine() {
  const DeviceReport gpu = gpu::deviceReport();
  const bool hasGpu = !gpu.devices.empty();
  return {cpuName(), hasGpu ? gpu.devices.front().name : gpu.reason, threadCount(), hasGpu,
          int(gpu.devices.size())};
}

std::string nameOfShares(const std::vector<int>& gpus) {
  const auto distinct = std::set<int>(gpus.begin(), gpus.end()).size();
  if (distinct > 1) return std::to_string(distinct) + " GPUs";
  return "GPU, " + std::to_string(gpus.size()) + " shares";
}

bool hasGpus(const Machine& machine, const std::vector<int>& gpus) {
  return *std::max_element(gpus.begin(), gpus.end()) < machine.gpus;
}

std::string markdown(const Report& report) {
  std::string text =
      "## " + report.title + "\n\nCPU: " + report.machine.cpu + ". GPU: " + report.machine.gpu + ".\n";
  for (const auto& section : report.sections) text += "\n" + section.about + "\n\n" + markdown(section.table);
  return text;
}

void addTo(const std::filesystem::path& file, const Report& report) {
  std::string text = std::filesystem::exists(file) ? io::openText(file) : std::string();
  const auto first = text.starts_with("## ") ? 0 : text.find("\n## ");
  const bool isNone = first == text.npos;
  text.insert(isNone ? text.size() : first + (first > 0), markdown(report) + (isNone ? "" : "\n"));
  io::writeFile(file, text, true);
}

std::string json(const Report& report) {
  nlohmann::json root(report.facts);
  root["cpu"] = report.machine.cpu, root["threads"] = report.machine.threads;
  root["gpu"] = report.machine.gpu, root["hasGpu"] = report.machine.hasGpu;
  for (const auto& section : report.sections) root[section.name] = jsonOf(section.table);
  return root.dump(2) + "\n";
}

void writeCsv(const Report& report, const std::filesystem::path& file) {
  for (const auto& section : report.sections) {
    std::filesystem::path path = file;
    if (&section != &report.sections.front())
      path.replace_filename(file.stem().string() + "-" + section.name + file.extension().string());
    std::ofstream(path) << csv(section.table);
  }
}

}  // namespace sulcus::bench
