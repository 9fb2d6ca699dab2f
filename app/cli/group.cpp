#include "app/cli/study.h"
#include "core/base/error.h"

namespace sulcus::app::cli {

int runGroup(const StudyRequest& request, const Session&) {
  openStudyFor(request);
  throw Error("group", "x", "y");
}

}  // namespace sulcus::app::cli
