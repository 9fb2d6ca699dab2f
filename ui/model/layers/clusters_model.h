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

/// The clusters and peaks of the current layer as it is shown: its thresholds and volume decide. They are
/// found on a worker, anew whenever that changes and only while someone looks. Lives on the UI thread.
class ClustersModel : public QObject {
  Q_OBJECT
 public:
  /// Both must outlive this; the queue must post to this thread. A large map takes seconds.
  ClustersModel(LayerStack& layers, JobQueue& tables, QObject* parent = nullptr);

  /// Whether the table is on screen: while it is not, none is made.
  void setActive(bool active);
  const ClusterOptions& options() const { return options_; }
  void setOptions(const ClusterOptions& options);
  /// All layers that tell places apart by labels, no masks, the top one first.
  std::vector<LayerId> labelLayers() const;
  /// Which of them names the peaks: the chosen one, else the first with names, else the first that
  /// was opened; 0: none.
  LayerId labels() const;
  /// 0: none is to.
  void chooseLabels(LayerId id);

  /// A table layer with its notes; null while there is none.
  const LayerPtr& table() const { return table_; }
  /// Of what the table is, or in a sentence why there is none.
  QString summary() const { return summary_; }

 signals:
  /// Table or summary differ.
  void changed();
  /// The layers that hold labels, or the one that names the peaks, may differ.
  void labelsChanged();

 private:
  void judge(LayerId id);
  void layersDiffer();
  void refresh();
  void say(const QString& sentence);

  LayerStack& layers_;
  LatestJob finding_;
  ClusterOptions options_;
  std::set<LayerId> atlases_;  ///< found once for each content: a pass over all voxels takes milliseconds
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
