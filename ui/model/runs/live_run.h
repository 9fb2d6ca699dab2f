#pragma once

#include "ui/model/choices/analysis_presenter.h"
#include "ui/model/runs/job_list_model.h"
#include "ui/model/runs/run_controller.h"
#include "ui/model/views/view_state.h"

#include <QObject>
#include <QTimer>

namespace sulcus::ui::model {

/// While its analysis is live, reruns it whenever its choices have not changed for a moment, first on the
/// current slice; a change stops the current run. There is one such run, replaced by the next; it stays when
/// the analysis is no longer live. Lives on the UI thread.
class LiveRun : public QObject {
  Q_OBJECT
 public:
  /// All must outlive this.
  LiveRun(AnalysisPresenter& presenter, RunController& runs, JobListModel& jobs, const ViewState& view,
          QObject* parent = nullptr);

 private:
  struct Choice {
    AnalysisInputs inputs;
    OptionValues options;  ///< without those that are applied to a finished result
    friend bool operator==(const Choice&, const Choice&) = default;
  };
  void switched();
  void changed();
  void start();
  /// The choice is that of the live run, or of the newest one if there is none.
  bool isShown() const;
  /// Where the analysis last ran; else the GPU if there is one.
  Backend backend() const;

  AnalysisPresenter& presenter_;
  RunController& runs_;
  JobListModel& jobs_;
  const ViewState& view_;
  QTimer soon_;
  Choice wanted_;
  JobId job_ = 0;  ///< the last one
  int run_ = 0;    ///< id of the run that the next one replaces
};

}  // namespace sulcus::ui::model
