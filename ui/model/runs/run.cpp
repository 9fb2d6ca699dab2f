#include "ui/model/runs/run.h"

#include "ui/model/choices/remote_hosts.h"

#include <QCoreApplication>

namespace sulcus::ui::model {

std::string backendFlag(const Run& run) {
  return run.backend == Backend::gpu && !run.place.isEmpty() ? run.place.toStdString()
                                                             : backendName(run.backend);
}

QString backendTitle(Backend backend, const QString& place) {
  if (backend == Backend::gpu && !place.isEmpty()) return remoteHostTitle(place);
  return backend == Backend::cpu ? QCoreApplication::translate("Run", "CPU")
                                 : QCoreApplication::translate("Run", "GPU");
}

}  // namespace sulcus::ui::model
