#pragma once

#include "ui/model/choices/analysis_presenter.h"

#include <memory>
#include <set>
#include <vector>

namespace sulcus::ui::model {

/// The volumes of a series that the analyses using it leave out: their option drop-volumes, which numbers the
/// volumes of all layers in their first input slot consecutively. Lives on the UI thread.
class LeftOutVolumes : public QObject {
  Q_OBJECT
 public:
  /// All must outlive this.
  LeftOutVolumes(const LayerStack& layers, const std::vector<std::unique_ptr<AnalysisPresenter>>& presenters);

  /// Whether the layer is an input of an analysis that can leave out some of its volumes.
  bool canLeaveOut(LayerId id) const;
  /// Those that an analysis leaves out, counted from 0 in the layer.
  std::set<int> of(LayerId id) const;
  /// Excludes the current volume from every analysis that uses the layer, or includes it again.
  void toggle(LayerId id);

 signals:
  void changed();
  /// A list of volumes cannot be read; the message is suitable for a dialog.
  void failed(const QString& title, const QString& sentence);

 private:
  /// Where the volumes of a layer are among those of the slot.
  struct SlotVolumes {
    AnalysisPresenter* presenter;
    int first, all;
  };
  std::vector<SlotVolumes> slotsWith(LayerId id) const;

  const LayerStack& layers_;
  const std::vector<std::unique_ptr<AnalysisPresenter>>& presenters_;
};

}  // namespace sulcus::ui::model
