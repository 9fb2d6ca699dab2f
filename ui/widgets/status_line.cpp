#include "ui/widgets/status_line.h"

#include "ui/model/analysis_presenter.h"
#include "ui/model/readout.h"

#include <QHBoxLayout>
#include <fstream>

#include <unistd.h>

namespace sulcus::ui::widgets {

double residentBytes() {
  std::ifstream file("/proc/self/statm");
  double all = 0, resident = 0;
  file >> all >> resident;
  return resident * double(sysconf(_SC_PAGESIZE));
}

StatusLine::StatusLine(model::LayerStack& layers, QWidget* parent) : QWidget(parent), layers_(layers) {
  auto* line = new QHBoxLayout(this);
  line->setContentsMargins(8, 2, 8, 2);
  line->setSpacing(18);
  const auto label = [&](const char* name, const QString& accessible) {
    auto* made = new QLabel;
    made->setObjectName(QLatin1String(name));
    made->setAccessibleName(accessible);
    line->addWidget(made);
    return made;
  };
  position_ = label("position", tr("Position in the scanner, mm"));
  voxel_ = label("voxel", tr("Voxel"));
  values_ = label("values", tr("Values of the visible layers"));
  note_ = label("note", tr("Note"));
  device_ = label("device", tr("Processors and memory"));
  // Numbers change with every move of the pointer: what stands beside them must not.
  position_->setMinimumWidth(fontMetrics().horizontalAdvance(QStringLiteral("R 000.0  A 000.0  S 000.0 mm")));
  voxel_->setMinimumWidth(fontMetrics().horizontalAdvance(QStringLiteral("voxel 000, 000, 000")));
  values_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  line->setStretchFactor(values_, 1);
  for (QLabel* quiet : {note_, device_}) quiet->setForegroundRole(QPalette::PlaceholderText);
  timer_.setInterval(2000);
  connect(&timer_, &QTimer::timeout, this, &StatusLine::showMemory);
  timer_.start();
  showMemory();
}

void StatusLine::showPosition(const Vec3<double>& world) {
  if (layers_.empty()) {
    for (QLabel* label : {position_, voxel_, values_}) label->clear();
    return;
  }
  position_->setText(model::positionText(world));
  voxel_->setText(model::voxelText(layers_, world));
  values_->setText(model::valuesText(layers_, world));
}

void StatusLine::showDevices(const QString& processor, const DeviceReport& report) {
  if (report.devices.empty()) {
    gpu_ = tr("no GPU: %1").arg(QString::fromStdString(report.reason));
    device_->setToolTip(processor);
  } else {
    const DeviceInfo& device = report.devices.front();
    gpu_ = tr("%1: %2 of %3 in use")
               .arg(QString::fromStdString(device.name),
                    model::formatBytes(device.memoryBytes - device.freeBytes),
                    model::formatBytes(device.memoryBytes));
    device_->setToolTip(processor + QLatin1Char('\n') + gpu_);
  }
  showMemory();
}

void StatusLine::showNote(const QString& note) { note_->setText(note); }

void StatusLine::showMemory() {
  QString text = tr("%1 in use").arg(model::formatBytes(residentBytes()));
  if (!gpu_.isEmpty()) text += QStringLiteral("  ·  ") + gpu_;
  device_->setText(text);
}

}  // namespace sulcus::ui::widgets
