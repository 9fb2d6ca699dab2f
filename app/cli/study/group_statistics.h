#pragma once

#include "app/cli/study/study.h"

namespace sulcus::app::cli {

/// Compares the participants of a study by the maps that their runs left in a common space, with the options
/// of the analysis Group and the study's participants.tsv. Results go to OUT_DIR/statistics, one folder for
/// each kind of map. Returns the exit code; throws Error if there are no such maps.
int runGroupStatistics(const StudyRequest& request, const CliContext& session);

}  // namespace sulcus::app::cli
