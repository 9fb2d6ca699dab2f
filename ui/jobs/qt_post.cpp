#include "ui/jobs/qt_post.h"

#include <QMetaObject>

namespace sulcus::ui::jobs {

JobQueue::Post qtPost(QObject* context) {
  return [context](std::function<void()> call) {
    QMetaObject::invokeMethod(context, std::move(call), Qt::QueuedConnection);
  };
}

}  // namespace sulcus::ui::jobs
