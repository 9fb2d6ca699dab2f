#pragma once

#include "app/cli/study/study.h"

namespace sulcus::app::cli {

/// Makes the template of a study's participants of their T1w images, or takes the one that is there, and
/// brings the results of their runs along: each map in the space of its scan or of its participant goes
/// through a rigid map to the participant's T1w image and the displacement to the template, and is
/// interpolated once. New names have space-template. Returns the exit code.
int runStudyTemplate(const StudyRequest& request, const CliContext& session);

}  // namespace sulcus::app::cli
