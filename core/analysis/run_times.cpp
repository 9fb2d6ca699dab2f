#include "core/analysis/run_times.h"

#include "core/base/sentence.h"

#include <cmath>

namespace sulcus {

std::string timesText(const RunResult& result) {
  std::string times;
  for (const StageTime& stage : result.stages) times += text(stage.name, " ", stage.seconds, " s, ");
  times += text(result.waited, " s in all");
  if (result.gpu.waited > 0 && result.waited > 0)
    times += text("; waited for the GPU ", result.gpu.waited, " s (",
                  std::round(100 * result.gpu.waited / result.waited), " %), of which ", result.gpu.copies,
                  " s for copies");
  return times;
}

}  // namespace sulcus
