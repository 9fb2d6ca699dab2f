#pragma once

#include "ui/model/runs/analysis_presenter.h"

#include <memory>
#include <set>
#include <vector>

namespace sulcus::ui::model {

/// The volumes of a series that the analyses which work on it leave out: their option drop-volumes, whose
/// numbers count on over all layers of their first input slot. Lives on the UI thread.
class LeftOutVolumes : public QObject {
  Q_OBJECT
 public:
  /// All must outlive this.
  LeftOutVolumes(const LayerStack& layers, const std::vector<std::unique_ptr<AnalysisPresenter>>& presenters);

  /// Whether an analysis works on this layer that can leave volumes of it out.
  bool canLeaveOut(LayerId id) const;
  /// Those that an analysis leaves out, counted from 0 in the layer.
  std::set<int> of(LayerId id) const;
  /// Leaves the shown volume out of every analysis that works on the layer, or takes it in again.
  void toggle(LayerId id);

 signals:
  void changed();
  /// A list of volumes cannot be read; the sentence is fit for a dialog.
  void failed(const QString& title, const QString& sentence);

 private:
  /// Where the volumes of a layer stand among those of the slot.
  struct Place {
    AnalysisPresenter* presenter;
    int first, all;
  };
  std::vector<Place> placesOf(LayerId id) const;

  const LayerStack& layers_;
  const std::vector<std::unique_ptr<AnalysisPresenter>>& presenters_;
};

}  // namespace sulcus::ui::model
