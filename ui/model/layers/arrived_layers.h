#pragma once

#include "core/analysis/analysis.h"
#include "ui/jobs/file_jobs.h"
#include "ui/model/comparison/result_files.h"
#include "ui/model/layers/layer_stack.h"
#include "ui/model/session/session.h"

#include <QObject>
#include <set>
#include <vector>

namespace sulcus::ui::model {

/// Notices when everything that was opened together is there, and which of the layers belong to one run: of a
/// newly opened run, only the first layer is visible. Lives on the UI thread.
class ArrivedLayers : public QObject {
  Q_OBJECT
 public:
  /// All must outlive this.
  ArrivedLayers(const std::vector<Analysis>& analyses, LayerStack& layers, const jobs::FileJobs& files,
                const Session& session);

 signals:
  /// Files of one run are open.
  void resultOpened(const std::vector<LayerId>& layers);
  /// All layers of what was opened together are there.
  void arrived();

 private:
  void groupResults();

  const std::vector<Analysis>& analyses_;
  LayerStack& layers_;
  std::vector<OpenedResult> results_;  ///< runs whose files are open
  std::set<LayerId> fresh_;            ///< opened since then, not restored
  bool expected_ = false;              ///< a layer was opened, others may follow
};

}  // namespace sulcus::ui::model
