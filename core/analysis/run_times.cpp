#include "core/analysis/run_times.h"

#include "core/base/sentence.h"

#include <cmath>
#include <string>
#include <vector>

namespace sulcus {

std::string timesText(const RunResult& result) {
  constexpr double kWorthTelling = 0.005;  // seconds
  std::vector<std::string> stages;
  for (const StageTime& stage : result.stages) {
    if (stage.seconds < kWorthTelling) continue;
    stages.push_back(text(stage.name, " ", stage.seconds, " s"));
    char& first = stages.back().front();
    if (first >= 'A' && first <= 'Z') first = char(first - 'A' + 'a');
  }
  std::string times = stages.empty() ? text(result.waited, " s in all")
                                     : text(result.waited, " s in all: ", joined(stages, ", "));
  if (result.gpu.waited > 0 && result.waited > 0)
    times = text(times, "; waited for the GPU ", result.gpu.waited, " s (",
                 std::round(100 * result.gpu.waited / result.waited), " %), of which ", result.gpu.copies,
                 " s for copies");
  return times;
}

}  // namespace sulcus
