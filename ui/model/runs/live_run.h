#pragma once

#include "ui/model/runs/analysis_presenter.h"
#include "ui/model/runs/job_list_model.h"
#include "ui/model/runs/run_controller.h"
#include "ui/model/views/view_state.h"

#include <QObject>
#include <QTimer>

namespace sulcus::ui::model {

/// While its analysis is live, runs it anew whenever its choices have stayed the same for a moment, first on
/// the slice in view; a change stops the run that goes on. There is one such run, and the next takes its
/// place; it stays when the analysis is live no more. Lives on the UI thread.
class LiveRun : public QObject {
  Q_OBJECT
 public:
  /// All must outlive this.
  LiveRun(AnalysisPresenter& presenter, RunController& runs, JobListModel& jobs, const ViewState& view,
          QObject* parent = nullptr);

 private:
  struct Choice {
    AnalysisInputs inputs;
    OptionValues options;  ///< without those that are applied afterwards
    friend bool operator==(const Choice&, const Choice&) = default;
  };
  void switched();
  void changed();
  void start();
  /// The choice is that of the live run, or of the newest one while there is none.
  bool isShown() const;
  /// Where the analysis ran last; else the GPU if there is one.
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
