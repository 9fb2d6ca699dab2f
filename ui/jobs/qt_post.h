#pragma once

#include "core/base/parallel/job_queue.h"

#include <QObject>

namespace sulcus::ui::jobs {

/// Moves calls to the thread of `context` through its event loop. Calls still pending when `context` is
/// destroyed are dropped; it must outlive the queue that it is passed to.
JobQueue::Post qtPost(QObject* context);

}  // namespace sulcus::ui::jobs
