#include "core/bids/slurm_script.h"

#include "core/analysis/command_line.h"
#include "core/base/error.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstring>

namespace sulcus::bids {
namespace {

constexpr double kMebibyte = 1024.0 * 1024.0;
/// Memory of the program itself besides data and results: code, thread stacks, file buffers.
constexpr double kProgramBytes = 400 * kMebibyte;

std::string option(const std::string& name, const std::string& value) {
  if (value.empty()) return {};
  if (value.find_first_of("\"\n\\") != value.npos)
    throw Error("Slurm cannot be given --" + name + " '" + value + "'", "it has quotes or line ends in it",
                "choose another name", ErrorKind::usage);
  // In sbatch, a blank ends an unquoted word, '#' begins a comment and an apostrophe ends a quoted text.
  const bool plain = std::all_of(value.begin(), value.end(), [](unsigned char c) {
    return std::isalnum(c) || c >= 0x80 || std::strchr("._/:,=%+-@~^", c);
  });
  return "#SBATCH --" + name + "=" + (plain ? value : '"' + value + '"') + "\n";
}

/// A number after `prefix`; "" for 0, which leaves the choice to Slurm.
std::string numberIfGiven(int number, const std::string& prefix = {}) {
  return number > 0 ? prefix + std::to_string(number) : "";
}

std::string optionLines(const SlurmPlan& plan) {
  // A fifth more than the analysis estimates, so that no task fails because of what it does not count.
  const double bytes = 1.2 * plan.memoryBytes + kProgramBytes;
  return option("job-name", plan.name) + option("chdir", plan.folder) + option("partition", plan.partition) +
         option("time", plan.time) +
         option("mem", std::to_string(std::llround(std::ceil(bytes / kMebibyte))) + "M") +
         option("cpus-per-task", numberIfGiven(plan.cpus)) + option("gres", numberIfGiven(plan.gpus, "gpu:"));
}

/// The option for a script's output file; in the folder's name no character is taken as a placeholder.
std::string outputOption(const SlurmPlan& plan, const char* name) {
  std::string folder;
  for (const char c : plan.logs) folder += c == '%' ? "%%" : std::string(1, c);
  return option("output", folder + name);
}

std::string callText(const SlurmPlan& plan) {
  std::string text;
  for (const auto& word : plan.call) text += (text.empty() ? "" : " ") + shellQuoted(word);
  return text;
}

}  // namespace

std::string arrayScript(const SlurmPlan& plan) {
  std::string script = "#!/bin/bash\n" + optionLines(plan);
  script +=
      option("array", "0-" + std::to_string(plan.participants.size() - 1) + numberIfGiven(plan.most, "%"));
  script += outputOption(plan, "/slurm_%A_%a.txt") + "#SBATCH --open-mode=append\n#SBATCH --requeue\n";
  script += "participants=(";
  for (const auto& label : plan.participants)
    script += (script.back() == '(' ? "" : " ") + shellQuoted(label);
  return script + ")\nexec " + callText(plan) +
         " --participant-label \"${participants[$SLURM_ARRAY_TASK_ID]}\"\n";
}

std::string singleScript(const SlurmPlan& plan) {
  return "#!/bin/bash\n" + optionLines(plan) + outputOption(plan, "/slurm_%j.txt") + "exec " +
         callText(plan) + "\n";
}

std::vector<std::string> withThoseFirst(std::vector<std::string> words,
                                        const std::vector<std::string>& fixed) {
  std::size_t end = words.size();
  for (auto word = fixed.rbegin(); word != fixed.rend(); ++word) {
    std::size_t at = end;
    while (at > 1 && words[at - 1] != *word) --at;
    if (at <= 1) continue;
    words.erase(words.begin() + std::ptrdiff_t(at) - 1);
    end = at - 1;
  }
  words.insert(words.begin() + 1, fixed.begin(), fixed.end());
  return words;
}

std::vector<std::string> withoutFlags(const std::vector<std::string>& words,
                                      const std::vector<std::string>& flags,
                                      const std::vector<std::string>& lists,
                                      const std::vector<std::string>& alone) {
  std::vector<std::string> kept;
  const auto isOneOf = [](const std::vector<std::string>& names, const std::string& word) {
    return std::find(names.begin(), names.end(), word) != names.end();
  };
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string name = words[i].substr(0, words[i].find('='));
    const bool joined = name.size() < words[i].size();
    if (isOneOf(alone, name)) continue;
    if (isOneOf(flags, name)) {
      if (!joined) ++i;
    } else if (isOneOf(lists, name)) {
      while (i + 1 < words.size() && !words[i + 1].starts_with("-")) ++i;
    } else {
      kept.push_back(words[i]);
    }
  }
  return kept;
}

}  // namespace sulcus::bids
