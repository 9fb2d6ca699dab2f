#pragma once

#include "ui/model/layers/layer_stack.h"

#include <QObject>
#include <QTimer>

namespace sulcus::ui::model {

/// Shows the volumes of the current series one after another, in a loop. It stops when another layer becomes
/// current. Lives on the UI thread.
class SeriesPlayer : public QObject {
  Q_OBJECT
 public:
  /// `layers` must outlive this.
  explicit SeriesPlayer(LayerStack& layers, QObject* parent = nullptr);

  /// Whether the current layer has several volumes.
  bool canPlay() const;
  bool isPlaying() const { return timer_.isActive(); }
  /// Starts, if possible, or stops.
  void setPlaying(bool on);
  /// Moves by this many volumes, stopping at the ends.
  void step(int by);
  /// Volumes per second, 0.5…30.
  void setRate(double perSecond);
  double rate() const { return rate_; }

 signals:
  void changed();  ///< started, stopped, or at another rate

 private:
  int volumes() const;

  LayerStack& layers_;
  LayerId played_ = 0;
  QTimer timer_;
  double rate_ = 4;
};

}  // namespace sulcus::ui::model
