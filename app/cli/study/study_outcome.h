#pragma once

#include "app/cli/cli_context.h"

#include <nlohmann/json.hpp>

namespace sulcus::app::cli {

/// How the runs of a study went.
struct StudyOutcome {
  nlohmann::ordered_json runs = nlohmann::ordered_json::array();  ///< for --json, in the order of the jobs
  int code = exit_code::done;                                     ///< of the worst failure
  bool interrupted = false;
};

}  // namespace sulcus::app::cli
