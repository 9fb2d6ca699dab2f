#pragma once

#include "core/analysis/analysis.h"
#include "ui/model/layers/layer_stack.h"
#include "ui/model/views/view_state.h"

#include <QLabel>
#include <QLineEdit>
#include <QTimer>
#include <QToolButton>
#include <QWidget>

namespace sulcus::ui::widgets {

/// The status bar: the pointer's position, the values there, the processors in use and the memory used. A
/// position can be typed, in mm or as a voxel.
class StatusLine : public QWidget {
  Q_OBJECT
 public:
  /// `layers` must outlive this.
  explicit StatusLine(model::LayerStack& layers, QWidget* parent = nullptr);

  void showPosition(const Vec3<double>& world);
  void showDevices(const QString& processor, const DeviceReport& report);
  /// Starts editing the position.
  void editPosition();
  void showNote(const QString& note);         ///< e.g. "showing 1 in 4 glyphs"
  void showPassingNote(const QString& note);  ///< on a completed action; it disappears after some seconds
  /// Says what was done, with a button to undo it; both disappear after some seconds.
  void offerUndo(const QString& done);

  QString positionText() const { return position_->text(); }
  QString valuesText() const { return values_->text(); }
  QString deviceText() const { return device_->text(); }

 signals:
  /// A position was typed, mm RAS+.
  void placeChosen(const sulcus::Vec3<double>& world);
  void editingEnded();
  void undoRequested();

 protected:
  void resizeEvent(QResizeEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QLineEdit* field(const char* name, const QString& accessible, const QString& widest);
  void take(QLineEdit* field);
  /// The grid whose voxels are shown, or null.
  const Grid* grid() const;
  void showMemory();

  model::LayerStack& layers_;
  QLineEdit *position_, *voxel_;
  QLabel *space_, *values_, *note_, *device_;
  QToolButton* undo_;
  QTimer timer_, passing_;
  QString gpu_;
  Vec3<double> shown_;
};

}  // namespace sulcus::ui::widgets
