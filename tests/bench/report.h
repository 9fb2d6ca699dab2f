#pragma once

#include "tests/bench/table.h"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace sulcus::bench {

/// Where a benchmark ran.
struct Machine {
  std::string cpu, gpu;  ///< names; gpu: or why there is none
  int threads = 1;
  bool hasGpu = false;
  int gpus = 0;  ///< of which two are measured, too, where a run can be shared out
};
Machine thisMachine();
/// "2 GPUs", and "GPU, 2 shares" where one GPU takes both.
std::string nameOfShares(const std::vector<int>& gpus);
/// Whether the machine has all of them.
bool hasGpus(const Machine& machine, const std::vector<int>& gpus);

struct Section {
  std::string name;   ///< "rows", "runs": the member in JSON
  std::string about;  ///< what the columns mean
  Table table;
};

struct Report {
  Machine machine;
  std::string title;
  std::vector<Section> sections;
  std::map<std::string, double> facts = {};  ///< further members in JSON
};

std::string markdown(const Report& report);
/// Adds the Markdown to a file, before its first section, for newer ones come first.
///
/// @throws Error  where the file cannot be read or written
void addTo(const std::filesystem::path& file, const Report& report);
std::string json(const Report& report);
/// The first table goes to `file`, the table NAME to one beside it that ends in -NAME.
void writeCsv(const Report& report, const std::filesystem::path& file);

}  // namespace sulcus::bench
