#pragma once

#include "tests/bench/table.h"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace sulcus::bench {

/// The machine on which a benchmark ran.
struct Machine {
  std::string cpu, gpu;  ///< names; gpu: or why there is none
  int threads = 1;
  bool hasGpu = false;
  int gpus = 0;  ///< two are also measured together if a run can be shared
};
Machine thisMachine();
/// "2 GPUs", or "GPU, 2 shares" if one GPU computes both.
std::string nameOfShares(const std::vector<int>& gpus);
/// Whether the machine has all of these GPUs.
bool hasGpus(const Machine& machine, const std::vector<int>& gpus);

struct Section {
  std::string name;   ///< "rows", "runs": the name in JSON
  std::string about;  ///< the meaning of the columns
  Table table;
};

struct Report {
  Machine machine;
  std::string title;
  std::vector<Section> sections;
  std::map<std::string, double> facts = {};  ///< further members in JSON
};

std::string markdown(const Report& report);
/// Adds the Markdown to a file before its first section: newer entries come first.
///
/// @throws Error  if the file cannot be read or written
void addTo(const std::filesystem::path& file, const Report& report);
std::string json(const Report& report);
/// The first table goes to `file`, the table NAME to a file next to it whose name ends in -NAME.
void writeCsv(const Report& report, const std::filesystem::path& file);

}  // namespace sulcus::bench
