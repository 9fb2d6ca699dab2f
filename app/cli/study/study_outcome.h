#pragma once

#include "app/cli/cli_context.h"

#include <nlohmann/json.hpp>

namespace sulcus::app::cli {

/// The outcome of a study's runs.
struct StudyOutcome {
  nlohmann::ordered_json runs = nlohmann::ordered_json::array();  ///< for --json, in the order of the jobs
  int code = exit_code::done;                                     ///< of the worst failure
  bool interrupted = false;
};

}  // namespace sulcus::app::cli
