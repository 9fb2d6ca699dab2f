#pragma once

#include "core/analysis/analysis.h"
#include "ui/model/layer_stack.h"
#include "ui/model/view_state.h"

#include <QLabel>
#include <QTimer>
#include <QWidget>

namespace sulcus::ui::widgets {

/// The status bar: where the pointer is, what lies there, which processors work and how much memory is in
/// use.
class StatusLine : public QWidget {
  Q_OBJECT
 public:
  /// `layers` must outlive this.
  explicit StatusLine(model::LayerStack& layers, QWidget* parent = nullptr);

  void showPosition(const Vec3<double>& world);
  void showDevices(const QString& processor, const DeviceReport& report);
  void showNote(const QString& note);  ///< e.g. "showing 1 in 4 glyphs"

  QString positionText() const { return position_->text(); }
  QString valuesText() const { return values_->text(); }
  QString deviceText() const { return device_->text(); }

 private:
  void showMemory();

  model::LayerStack& layers_;
  QLabel *position_, *voxel_, *values_, *note_, *device_;
  QTimer timer_;
  QString gpu_;
};

/// Memory this program holds, bytes.
double residentBytes();

}  // namespace sulcus::ui::widgets
