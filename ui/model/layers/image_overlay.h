#pragma once

#include "ui/model/layers/layer_stack.h"

#include <QObject>
#include <QString>
#include <QTimer>
#include <vector>

namespace sulcus::ui::model {

/// Compares two images in one view, e.g. a warped one with its reference: by blinking, by blending, as the
/// tiles of a checkerboard, or with an edge between them that can be wiped across the slices. While it is on,
/// all other images and fields are hidden in the views. Lives on the UI thread.
class ImageOverlay : public QObject {
  Q_OBJECT
 public:
  enum class Mode { off, checkerboard, blink, blend, wipe };

  /// `layers` must outlive this.
  explicit ImageOverlay(LayerStack& layers, QObject* parent = nullptr);

  /// Turning it on chooses the top two images if none or only one is chosen; it stays off if there are no
  /// two.
  void setMode(Mode mode);
  Mode mode() const { return mode_; }
  /// Turns a mode on, or off if it is on already.
  void toggle(Mode mode) { setMode(mode == mode_ ? Mode::off : mode); }

  /// The one below and the one above; choosing the other one swaps them.
  void setLower(LayerId id);
  void setUpper(LayerId id);
  /// Chooses both unless they are already shown.
  void suggest(LayerId lower, LayerId upper);
  LayerId lower() const { return lower_; }
  LayerId upper() const { return upper_; }
  /// Chooses two, as setMode() would, if none or only one is chosen.
  void choose();
  /// All images that can be chosen, top first.
  std::vector<LayerId> candidates() const;

  /// The share of the upper image in the mixture, 0…1; also the position of the wipe edge in a slice, from
  /// the left.
  void setShare(double share);
  double share() const { return share_; }
  /// Edge of a tile of the checkerboard, mm.
  void setTile(double millimeters);
  double tile() const { return tile_; }
  /// Alternations per second while blinking, 0.5…5: flashes, of two alternations each, stay below three per
  /// second.
  void setRate(double turnsPerSecond);
  double rate() const { return rate_; }
  /// Whether the upper image is currently shown, while blinking.
  bool upperTurn() const { return upperTurn_; }

  /// What is on screen, in words: "reference", "reference 40 %, warped 60 %", or "" when off.
  QString caption() const;
  /// The caption in 3D, where there is no wipe: the upper image is shown there.
  QString captionIn3d() const;

 signals:
  void changed();

 private:
  void layerGone(LayerId id);

  LayerStack& layers_;
  Mode mode_ = Mode::off;
  LayerId lower_ = 0, upper_ = 0;
  double share_ = 0.5, tile_ = 20, rate_ = 1.5;
  bool upperTurn_ = true;
  QTimer turns_;
};

}  // namespace sulcus::ui::model
