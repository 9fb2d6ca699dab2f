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
  /// A layer as the run knows it.
  struct Shown {
    std::string name;  ///< as the run calls it
    LayerId id = 0;
    Display given;  ///< as the run last set it

    friend bool operator==(const Shown&, const Shown&) = default;
  };

  /// `stack` must outlive this; `title` is written behind the names: "product (CPU)". In the list they are
  /// plain (plainName()).
  RunLayers(LayerStack& stack, QString title, Origin origin = Origin::computed);

  /// Names the layers anew, but those that the user has renamed.
  void setTitle(const QString& title);

  /// Hides what earlier runs left on screen; discard() shows it again.
  void makeRoom(const std::vector<LayerId>& earlier);
  /// Previews and the result: layers of a known name get new content and keep what the user made of them, new
  /// ones are added, the first of all on top; visible are those that ask for it, else the first. Those that
  /// are not there any more are removed, but those of a result while previews of the next one are shown.
  /// `preview`: a layer that the user has removed stays away.
  void show(std::vector<Layer> layers, bool preview);
  /// Layers of a known name get new content, and of their display what `layers` have otherwise than before;
  /// new ones are added, the first of them visible; `gone` names those to remove.
  void change(std::vector<Layer> layers, const std::vector<std::string>& gone);
  /// Gives layers that are there the content that they had.
  void bringBack(const std::map<LayerId, LayerPtr>& contents);
  /// Removes all of them and brings back what was there before.
  void discard();

  bool empty() const { return shown_.empty(); }
  /// Its layers that are on the stack now, in the order they were given.
  std::vector<LayerId> ids() const;
  const QString& title() const { return title_; }
  const std::vector<Shown>& shown() const { return shown_; }
  /// Takes layers that are on the stack as its own, under this title, and leaves them as they are.
  void restore(std::vector<Shown> shown, const QString& title);

 private:
  Shown* find(const std::string& name);
  /// `place`: position counted from the bottom; −1: on top.
  Shown add(Layer layer, bool visible, int place);
  void replace(Shown& shown, Layer layer, bool preview);
  void removeNamed(const std::string& name);
  /// "ppm_visual (CPU)", of which files are called.
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
/// Whether two contents are one and the same: then nothing has to be drawn again.
bool sameContent(const LayerContent& a, const LayerContent& b);

}  // namespace sulcus::ui::model
