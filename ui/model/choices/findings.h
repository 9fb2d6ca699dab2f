#pragma once

#include "core/analysis/analysis.h"
#include "core/base/parallel/job_queue.h"
#include "ui/model/layers/layer_stack.h"

#include <QObject>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace sulcus::ui::model {

/// Problems that the analyses find in opened files, such as gradients whose axes are flipped: checked on a
/// worker when a layer is added and whenever it is reinterpreted. Lives on the UI thread.
class Findings : public QObject {
  Q_OBJECT
 public:
  /// All must outlive this; the queue must post to this thread. A large series takes seconds.
  Findings(LayerStack& layers, const std::vector<Analysis>& analyses, JobQueue& queue,
           QObject* parent = nullptr);

  /// The finding for a layer as it is now; null: none, or not known yet.
  const Finding* of(LayerId id) const;
  /// The user chose to leave the layer as it is; it is not reported again.
  void dismiss(LayerId id);

 signals:
  void changed(LayerId id);

 private:
  void look(LayerId id);

  LayerStack& layers_;
  const std::vector<Analysis>& analyses_;
  JobQueue& queue_;
  /// Findings by content, so that undo restores them.
  std::map<std::weak_ptr<const Layer>, std::optional<Finding>, std::owner_less<>> known_;
};

}  // namespace sulcus::ui::model
