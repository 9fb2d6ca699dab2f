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

/// The status bar: where the pointer is, what lies there, which processors work and how much memory is in
/// use. A place can be typed, in mm or as a voxel.
class StatusLine : public QWidget {
  Q_OBJECT
 public:
  /// `layers` must outlive this.
  explicit StatusLine(model::LayerStack& layers, QWidget* parent = nullptr);

  void showPosition(const Vec3<double>& world);
  void showDevices(const QString& processor, const DeviceReport& report);
  /// Lets the position be typed.
  void editPosition();
  void showNote(const QString& note);         ///< e.g. "showing 1 in 4 glyphs"
  void showPassingNote(const QString& note);  ///< of what has been done; it goes after seconds
  /// Says what has been done, with a button that takes it back; both go after seconds.
  void offerUndo(const QString& done);

  QString positionText() const { return position_->text(); }
  QString valuesText() const { return values_->text(); }
  QString deviceText() const { return device_->text(); }

 signals:
  /// A place was typed, mm RAS+.
  void placeChosen(const sulcus::Vec3<double>& world);
  void editingEnded();
  void undoRequested();

 protected:
  void resizeEvent(QResizeEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QLineEdit* field(const char* name, const QString& accessible, const QString& widest);
  void take(QLineEdit* field);
  /// The layer whose voxels are shown, or null.
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
