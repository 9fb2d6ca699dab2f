#pragma once

#include "core/base/memory/memo.h"
#include "core/base/parallel/job_queue.h"
#include "ui/model/layers/layer_stack.h"

#include <QObject>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace sulcus::ui::model {

/// The labels that occur in an image or at the points of a surface, ascending.
struct ListedLabels {
  struct Entry {
    Label label = 0;
    QString name;         ///< with its number
    double amount = 0;    ///< in `unit`
    QString size;         ///< "120 voxels"
    Vec3<double> middle;  ///< a point within it, mm, RAS+
  };
  QString unit;
  std::shared_ptr<const LabelTable> names;
  std::vector<Entry> labels;
};

/// An image of labels in which one has a different name and color; null for other layers.
LayerPtr withLabelEntry(const Layer& layer, Label label, const LabelEntry& entry);

/// An image of labels in which all of `from` are replaced by `to`, or removed if that is 0; null for other
/// layers.
LayerPtr withRelabeled(const Layer& layer, const std::set<Label>& from, Label to);

/// Lists the labels of the requested layers, on a worker. Lives on the UI thread.
class LabelLists : public QObject {
  Q_OBJECT
 public:
  /// Both must outlive this; `quick` must post to this thread.
  LabelLists(LayerStack& layers, JobQueue& quick, QObject* parent = nullptr);

  /// Whether a layer has labels.
  static bool has(const LayerState& state);
  /// The labels of a layer. Null: there are none, or they are not listed yet; then listed() follows. If the
  /// content has changed, it is the previous list until then.
  std::shared_ptr<const ListedLabels> of(const LayerState& state);
  /// Merges labels of a layer into one, or deletes them (`to` 0), on a worker.
  void relabel(LayerId id, const std::set<Label>& from, Label to);

 signals:
  void listed(LayerId id);

 private:
  struct Key {
    Identity content, names;
    std::string scalars;  ///< of a surface
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct CachedList {
    Key asked;
    std::shared_ptr<const ListedLabels> labels;
  };
  static Key keyOf(const LayerState& state);

  LayerStack& layers_;
  JobQueue& quick_;
  std::map<LayerId, CachedList> known_;
};

}  // namespace sulcus::ui::model
