#pragma once

#include "core/image/layer.h"
#include "ui/scene/scene_layer.h"

#include <QObject>
#include <QString>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace sulcus::ui::model {

using LayerId = int;  ///< never reused within one run of the program; 0 is none

/// How analyses treat a layer: `given` ones are taken as inputs automatically, `computed` ones only when
/// chosen, and `temporary` ones, e.g. the preview of an input, never.
enum class Origin { given, computed, temporary };

/// A layer on screen: the immutable content and how the user chose to display it.
struct LayerState {
  LayerId id = 0;
  LayerPtr layer;
  QString name;
  Display display;  ///< the range is always set for volumes, displacements and surfaces with scalars
  int volume =
      0;  ///< volume of a series, scalars of a surface or coloring of tracts, from 0; −1: a plain color
  int color = 0;          ///< index of the plain color of a surface or tracts; each has a different one
  LayerId opacityBy = 0;  ///< the image whose values set the opacity of this one, or color tracts; 0: none
  Origin origin = Origin::given;
  bool unsaved = false;  ///< it was computed and is in no file

  friend bool operator==(const LayerState&, const LayerState&) = default;
};

/// 2nd to 98th percentile of the current volume or of the scalars of a surface, symmetric about 0 if these
/// have both signs; 0 to the 98th percentile of a displacement's length. None for other layers.
std::optional<Range> automaticRangeOf(const Layer& layer, int volume = 0);

/// Whether the values of an image may determine the opacity of another layer.
bool mayBeOpacity(const Layer& layer);

/// Everything loaded or computed, bottom to top. Lives on the UI thread.
class LayerStack : public QObject {
  Q_OBJECT
 public:
  explicit LayerStack(QObject* parent = nullptr);

  /// While one exists, changes belong together: they are announced once, when it is destroyed.
  class BatchUpdate {
   public:
    explicit BatchUpdate(LayerStack& stack) : stack_(stack) { ++stack_.batchUpdates_; }
    ~BatchUpdate() {
      if (--stack_.batchUpdates_ == 0) stack_.emitPendingChange();
    }
    BatchUpdate(const BatchUpdate&) = delete;
    BatchUpdate& operator=(const BatchUpdate&) = delete;

   private:
    LayerStack& stack_;
  };

  /// The color map of scans that are added from now on: images from files that no analysis made and that
  /// request no other map.
  void setScanColors(const std::string& colors) { scanColors_ = colors; }
  /// Puts a layer on top and makes it current. Its name is made unique ("peaks 2"). A temporary layer does
  /// not become current.
  LayerId add(LayerPtr layer, Origin origin = Origin::given);
  /// Gives a temporary layer its final content, as if it had just been opened; it keeps its name, position
  /// and display settings.
  void settle(LayerId id, LayerPtr layer);
  void remove(LayerId id);
  /// Removes all, the top one first.
  void clear();
  /// Moves a layer to `position`, counted from the bottom.
  void move(LayerId id, int position);
  void rename(LayerId id, const QString& name);
  void setDisplay(LayerId id, const Display& display);
  void setVisible(LayerId id, bool visible);
  /// Resets the display of a layer to that of a newly opened one with its content, but keeps whether it is
  /// visible.
  void showAtFirst(LayerId id);
  /// Makes the values of an image, over its range, determine the opacity of a layer; 0: none.
  void setOpacityBy(LayerId id, LayerId image);
  /// Shows bundles of tracts, and the regions that select them, as they are being edited: not part of the
  /// state.
  void setShownTracts(LayerId id, std::shared_ptr<const scene::ShownTracts> shown);
  std::shared_ptr<const scene::ShownTracts> shownTracts(LayerId id) const;
  /// Shows another volume of a series, or other scalars of a surface over their own range.
  void setVolume(LayerId id, int volume);
  /// Gives a layer new content and keeps its id, name and display, e.g. for the previews of a run. `changed`:
  /// by the user, so that it is in no file even if the layer was opened from one.
  void replaceContent(LayerId id, LayerPtr layer, bool changed = false);
  /// This content is now in a file; no effect if the layer has got new content meanwhile.
  void setSaved(LayerId id, const LayerPtr& content);
  void setCurrent(LayerId id);
  /// Restores an earlier state of the stack, including ids, with as few changes as possible.
  void restore(const std::vector<LayerState>& layers, LayerId current);
  /// No layer has, or ever had, this id or a greater one.
  LayerId nextId() const { return nextId_; }

  const std::vector<LayerState>& layers() const { return layers_; }
  const LayerState* find(LayerId id) const;
  /// Counted from the bottom; −1: not here.
  int positionOf(LayerId id) const;
  LayerId current() const { return current_; }
  bool empty() const { return layers_.empty(); }

 signals:
  void added(LayerId id);
  void removed(LayerId id);
  void reordered();
  void displayChanged(LayerId id);  ///< display, name or shown volume
  void contentChanged(LayerId id);
  void shownTractsChanged(LayerId id);
  void currentChanged(LayerId id);  ///< once after changes that belong together
  /// Emitted after one of the others, once after changes that belong together: for whatever shows the stack
  /// as a whole.
  void changed();

 private:
  void emitPendingChange();
  LayerState* mutableState(LayerId id);

  std::vector<LayerState> layers_;
  std::map<LayerId, std::shared_ptr<const scene::ShownTracts>> shownTracts_;
  std::string scanColors_ = Display().colormap;
  LayerId current_ = 0;
  LayerId nextId_ = 1;
  int batchUpdates_ = 0;
  LayerId currentTold_ = 0;
};

}  // namespace sulcus::ui::model
