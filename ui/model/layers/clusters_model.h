#pragma once

#include "core/analysis/cluster_table.h"
#include "ui/model/layers/layer_stack.h"
#include "ui/model/runs/latest_job.h"

#include <QObject>
#include <QString>
#include <optional>
#include <set>
#include <vector>

namespace sulcus::ui::model {

/// The clusters and peaks of the current layer as it is shown: its thresholds and volume determine them. They
/// are found on a worker, again whenever that changes, and only while the table is visible. Lives on the UI
/// thread.
class ClustersModel : public QObject {
  Q_OBJECT
 public:
  /// Both must outlive this; the queue must post to this thread. A large map takes seconds.
  ClustersModel(LayerStack& layers, JobQueue& tables, QObject* parent = nullptr);

  /// Whether the table is on screen: while it is not, none is computed.
  void setActive(bool active);
  const ClusterOptions& options() const { return options_; }
  void setOptions(const ClusterOptions& options);
  /// All layers that distinguish regions by labels, without masks, topmost first.
  std::vector<LayerId> labelLayers() const;
  /// The one that names the peaks: the chosen one, else the first with names, else the first that was opened;
  /// 0: none.
  LayerId labels() const;
  /// 0: none.
  void chooseLabels(LayerId id);

  /// A table layer with its notes; null if there is none.
  const LayerPtr& table() const { return table_; }
  /// What the table shows, or a sentence on why there is none.
  QString summary() const { return summary_; }

 signals:
  /// Table or summary may have changed.
  void changed();
  /// The layers with labels, or the one that names the peaks, may have changed.
  void labelsChanged();

 private:
  void judge(LayerId id);
  void layersDiffer();
  void refresh();
  void say(const QString& sentence);

  LayerStack& layers_;
  LatestJob finding_;
  ClusterOptions options_;
  std::set<LayerId> atlases_;  ///< determined once per content: a pass over all voxels takes milliseconds
  std::optional<LayerId> chosenLabels_;
  LayerPtr table_;
  QString summary_;
  bool active_ = false;
  /// The latest request.
  LayerPtr askedMap_, askedLabels_;
  QString askedName_;
  Display askedDisplay_;
  int askedVolume_ = 0;
};

}  // namespace sulcus::ui::model
