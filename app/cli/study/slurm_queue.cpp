#include "app/cli/study/slurm_queue.h"

#include "app/cli/child.h"
#include "core/base/error.h"
#include "core/base/sanitized.h"

#include <algorithm>
#include <array>
#include <sstream>
#include <string_view>

namespace sulcus::app::cli {
namespace {

using Kind = SlurmState::Kind;

/// Without trailing newlines.
std::string trimmed(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  return text;
}

Kind kindOf(const std::string& word) {
  constexpr std::array<std::string_view, 10> over{"BOOT_FAIL",     "CANCELLED", "COMPLETED", "DEADLINE",
                                                  "FAILED",        "NODE_FAIL", "PREEMPTED", "REVOKED",
                                                  "OUT_OF_MEMORY", "TIMEOUT"};
  constexpr std::array<std::string_view, 4> runs{"COMPLETING", "RUNNING", "SIGNALING", "STAGE_OUT"};
  if (std::find(over.begin(), over.end(), word) != over.end()) return Kind::over;
  return std::find(runs.begin(), runs.end(), word) != runs.end() ? Kind::runs : Kind::waits;
}

}  // namespace

std::string submitToSlurm(const std::filesystem::path& script, const std::vector<std::string>& options,
                          const std::string& what) {
  std::vector<std::string> words{"sbatch", "--parsable"};
  words.insert(words.end(), options.begin(), options.end());
  words.push_back(script.string());
  const ChildAnswer answer = callProgram(words);
  if (answer.code != 0)
    throw Error("Slurm did not accept " + what, sanitizedForDisplay(trimmed(answer.complaint), 300),
                "check with sinfo whether it is running, and give the same command again",
                ErrorKind::unavailable);
  const std::string id = trimmed(answer.out);
  return id.substr(0, id.find(';'));
}

SlurmState slurmState(const std::string& id) {
  const ChildAnswer queue =
      callProgram({"squeue", "--noheader", "--states=all", "--jobs", id, "--format=%T|%r"});
  if (queue.code != 0)
    return {queue.complaint.find("Invalid job id") != std::string::npos ? Kind::over : Kind::unknown, "", ""};
  SlurmState least{Kind::over, "", ""};
  std::istringstream lines(queue.out);
  for (std::string line; std::getline(lines, line);) {
    const auto bar = line.find('|');
    if (bar == line.npos) continue;
    const std::string word = line.substr(0, bar);
    if (least.word.empty() || kindOf(word) < least.kind)
      least = {kindOf(word), word, trimmed(line.substr(bar + 1))};
  }
  return least;
}

std::vector<std::string> slurmPartitions() {
  const ChildAnswer answer = callProgram({"sinfo", "--noheader", "--format=%P %G"});
  std::vector<std::string> partitions;
  std::istringstream lines(answer.code == 0 ? answer.out : "");
  for (std::string line; std::getline(lines, line);) {
    if (const auto none = line.find(" (null)"); none != line.npos) line.resize(none);
    if (line = trimmed(line); !line.empty()) partitions.push_back(sanitizedForDisplay(line, 100));
  }
  return partitions;
}

void cancelInSlurm(const std::string& id) { callProgram({"scancel", id}); }

}  // namespace sulcus::app::cli
