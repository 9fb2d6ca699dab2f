#pragma once

#include "ui/model/layers/layer_stack.h"

#include <QString>
#include <map>
#include <string>
#include <vector>

namespace sulcus::ui::model {

/// The layers of one run on the stack, from its first preview to its last adjustment. Lives on the UI thread.
class RunLayers {
 public:
  /// A layer as known to the run.
  struct Shown {
    std::string name;  ///< its name in the run
    LayerId id = 0;
    Display given;  ///< as last set by the run

    friend bool operator==(const Shown&, const Shown&) = default;
  };

  /// `stack` must outlive this; `title` is appended to the names: "product (CPU)". The list shows plain names
  /// (plainName()).
  RunLayers(LayerStack& stack, QString title, Origin origin = Origin::computed);

  /// Renames the layers, except those that the user has renamed.
  void setTitle(const QString& title);

  /// Hides what earlier runs left on screen; discard() shows it again.
  void makeRoom(const std::vector<LayerId>& earlier);
  /// Shows previews or the result: layers with a known name get new content and keep the user's settings, new
  /// ones are added, the first of all on top; those that request it are visible, else the first. Layers that
  /// no longer exist are removed, except those of a result while previews of the next one are shown.
  /// `preview`: a layer that the user has removed stays removed.
  void show(std::vector<Layer> layers, bool preview);
  /// Layers with a known name get new content, and those display settings that differ from the previous ones
  /// in `layers`; new ones are added, the first of them visible; `gone` names those to remove.
  void change(std::vector<Layer> layers, const std::vector<std::string>& gone);
  /// Restores the previous content of existing layers.
  void bringBack(const std::map<LayerId, LayerPtr>& contents);
  /// Removes all of them and restores what was there before.
  void discard();

  bool empty() const { return shown_.empty(); }
  /// Its layers that are on the stack now, in their original order.
  std::vector<LayerId> ids() const;
  const QString& title() const { return title_; }
  const std::vector<Shown>& shown() const { return shown_; }
  /// Adopts layers that are on the stack, under this title, and leaves them as they are.
  void restore(std::vector<Shown> shown, const QString& title);

 private:
  /// Remembers which layer is current, for discard(), before the first one is shown.
  void rememberCurrent();
  Shown* find(const std::string& name);
  /// `place`: position counted from the bottom; −1: on top.
  Shown add(Layer layer, bool visible, int place);
  void replace(Shown& shown, Layer layer, bool preview);
  void removeNamed(const std::string& name);
  /// Its layers whose names are not among these.
  std::vector<Shown> othersThan(const std::vector<Layer>& layers) const;
  /// The position of the lowest of its layers, counted from the bottom; −1 if there is none.
  int lowest() const;
  /// Makes the first visible layer the current one, so that its colors and thresholds are within reach.
  void chooseVisible();
  /// "ppm_visual (CPU)", from which file names are derived.
  QString titled(const std::string& name) const;
  /// "probability of visual (CPU)"
  QString shownName(const std::string& name) const;

  LayerStack& stack_;
  QString title_;
  Origin origin_;
  std::vector<Shown> shown_;
  bool complete_ = false;  ///< a result has been shown, not only previews
  std::vector<LayerId> hidden_;
  LayerId currentBefore_ = 0;
};

/// Sets the display range of layers that have none and need one. For workers.
void setRanges(std::vector<Layer>& layers);
/// Whether two contents are the same object: then nothing has to be redrawn.
bool sameContent(const LayerContent& a, const LayerContent& b);

}  // namespace sulcus::ui::model
