#include "app/analyses/run_time.h"

#include "core/base/error.h"

namespace sulcus::app::analyses {

double secondsOfRun(const Analysis& analysis, const AnalysisInputs& inputs, const OptionValues& values) {
  if (!analysis.seconds) return 0;
  try {
    return analysis.seconds(inputs, values);
  } catch (const Error&) {
    return 0;  // a run would say why
  }
}

}  // namespace sulcus::app::analyses
