#pragma once

#include "core/base/parallel/job_queue.h"

#include <QObject>

namespace sulcus::ui::jobs {

/// Moves calls to the thread of `context`, through its event loop. What is still waiting when `context` dies
/// is dropped; it must outlive the queue it is given to.
JobQueue::Post qtPost(QObject* context);

}  // namespace sulcus::ui::jobs
