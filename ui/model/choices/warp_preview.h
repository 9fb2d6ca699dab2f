#pragma once

#include "ui/model/layers/layer_stack.h"
#include "ui/model/runs/latest_job.h"

#include <QObject>
#include <QString>

namespace sulcus::ui::model {

/// A warp as interpreted in one of the formats, shown as a temporary layer before it is adopted. Lives on the
/// UI thread.
class WarpPreview : public QObject {
  Q_OBJECT
 public:
  /// Both must outlive this; the queue must post to this thread.
  WarpPreview(LayerStack& layers, JobQueue& quick, QObject* parent = nullptr);
  ~WarpPreview() override;

  /// Shows a layer after `reinterpretation`; summary() follows.
  void show(LayerId warp, const Reinterpretation& reinterpretation);
  void hide();
  /// How far it moves points, in a sentence, or why it cannot be interpreted so.
  const QString& summary() const { return summary_; }

 signals:
  void changed();

 private:
  LayerStack& layers_;
  LatestJob making_;
  LayerId shown_ = 0;
  QString summary_;
};

}  // namespace sulcus::ui::model
