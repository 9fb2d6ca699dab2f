#pragma once

#include "app/cli/study/study.h"

namespace sulcus::app::cli {

/// Makes a template from the T1w images of a study's participants, or uses the existing one, and transforms
/// the results of their runs to it: each map in the space of its scan or participant is mapped rigidly to the
/// participant's T1w image and by the displacement to the template, and is interpolated once. New names
/// contain space-template. Returns the exit code.
int runStudyTemplate(const StudyRequest& request, const CliContext& session);

}  // namespace sulcus::app::cli
