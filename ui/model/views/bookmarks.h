#pragma once

#include "ui/model/layers/layer_stack.h"
#include "ui/model/views/view_state.h"

#include <QObject>
#include <QString>
#include <vector>

namespace sulcus::ui::model {

/// Named places: a layer, a table of landmarks with one place in each row, so that sessions, undo and files
/// include them, and views show them. Lives on the UI thread.
class Bookmarks : public QObject {
  Q_OBJECT
 public:
  struct Entry {
    QString name;
    Vec3<double> at;  ///< mm RAS+
  };

  /// Both must outlive this.
  Bookmarks(LayerStack& layers, ViewState& view, QObject* parent = nullptr);

  /// Whether a layer is such a table, including opened ones.
  static bool holds(const Layer& layer);
  /// The current layer if it is one, else the topmost one; 0: there is none.
  LayerId layer() const;
  std::vector<Entry> all() const;

  /// Adds the crosshair position to that layer, or to a new one if there is none.
  void keep();
  /// Moves the crosshair to the next (1) or previous (−1) place.
  void go(int by);
  void rename(LayerId layer, int row, const QString& name);
  /// The layer is removed with its last place.
  void remove(LayerId layer, int row);

 private:
  /// Replaces the rows of a layer of places.
  void replace(LayerId id, TableLayer table);

  LayerStack& layers_;
  ViewState& view_;
};

}  // namespace sulcus::ui::model
