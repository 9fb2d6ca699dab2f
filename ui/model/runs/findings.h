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

/// What the analyses find wrong with the files that are opened, such as gradients whose axes are flipped:
/// looked for on a worker when a layer arrives and whenever it is reinterpreted. Lives on the UI thread.
class Findings : public QObject {
  Q_OBJECT
 public:
  /// All must outlive this; the queue must post to this thread. A large series takes seconds.
  Findings(LayerStack& layers, const std::vector<Analysis>& analyses, JobQueue& queue,
           QObject* parent = nullptr);

  /// What was found of a layer as it is now; null: nothing, or it is not known yet.
  const Finding* of(LayerId id) const;
  /// A choice of the user: the layer stays as it is and is no longer spoken of.
  void dismiss(LayerId id);

 signals:
  void changed(LayerId id);

 private:
  void look(LayerId id);

  LayerStack& layers_;
  const std::vector<Analysis>& analyses_;
  JobQueue& queue_;
  /// What was found, by content, so that undo brings it back.
  std::map<std::weak_ptr<const Layer>, std::optional<Finding>, std::owner_less<>> known_;
};

}  // namespace sulcus::ui::model
