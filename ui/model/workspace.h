#pragma once

#include "core/analysis/analysis.h"
#include "core/base/parallel/job_queue.h"
#include "ui/jobs/file_jobs.h"
#include "ui/model/choices/input_preview.h"
#include "ui/model/choices/presenters.h"
#include "ui/model/choices/processors.h"
#include "ui/model/choices/study_model.h"
#include "ui/model/layers/arrived_layers.h"
#include "ui/model/layers/editing.h"
#include "ui/model/layers/evaluation.h"
#include "ui/model/layers/image_overlay.h"
#include "ui/model/layers/layer_stack.h"
#include "ui/model/runs/job_list_model.h"
#include "ui/model/runs/live_run.h"
#include "ui/model/runs/run_controller.h"
#include "ui/model/session/preferences.h"
#include "ui/model/session/recent_files.h"
#include "ui/model/session/session.h"
#include "ui/model/session/snapshots.h"
#include "ui/model/views/bookmarks.h"
#include "ui/model/views/framing.h"
#include "ui/model/views/series_player.h"
#include "ui/model/views/view_state.h"

#include <QObject>
#include <QSettings>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace sulcus::ui::model {

/// Everything behind the window: the layers, the choices, the job queues, the runs and their results. The
/// window shows it and must not outlive it; it works the same without a window. Lives on the UI thread and
/// needs its event loop, through which the queues deliver.
class Workspace : public QObject {
  Q_OBJECT
 public:
  /// `analyses` and `settings` must outlive this. `devices` is called on the computing thread.
  Workspace(const std::vector<Analysis>& analyses, std::function<DeviceReport()> devices, QSettings& settings,
            const ChooseGpu& chooseGpu = {});
  ~Workspace() override;

  const std::vector<Analysis>& analyses() const { return analyses_; }
  LayerStack& layers() { return layers_; }
  ViewState& view() { return view_; }
  ImageOverlay& imageOverlay() { return imageOverlay_; }
  SeriesPlayer& player() { return player_; }
  RecentFiles& recent() { return recent_; }
  JobListModel& jobs() { return jobs_; }
  RunController& runs() { return runs_; }
  jobs::FileJobs& files() { return fileJobs_; }
  Presenters& presenters() { return presenters_; }
  InputPreview& inputPreview() { return inputPreview_; }
  Processors& processors() { return processors_; }
  Evaluation& evaluation() { return evaluation_; }
  Editing& editing() { return editing_; }
  Bookmarks& bookmarks() { return bookmarks_; }
  Framing& framing() { return framing_; }
  StudyModel& study() { return study_; }
  Snapshots& snapshots() { return snapshots_; }
  Session& session() { return *session_; }
  ArrivedLayers& arrivedLayers() { return *arrivedLayers_; }

  /// Changes apply at once; a running analysis keeps its threads.
  PreferenceStore& preferences() { return preferences_; }

  /// Computes the demo data of an analysis, uses them as its inputs and makes it current.
  void loadDemo(const QString& analysis);
  /// Whether the current analysis can be run with the current choices.
  bool canRun(RunChoice choice) const;
  /// False if it cannot.
  bool run(RunChoice choice);
  /// Opens files and puts their layers into an input slot. A layer that the slot does not accept stays on the
  /// stack, and failed() says why.
  void openForInput(AnalysisPresenter& presenter, const std::string& slot, const QStringList& paths);
  /// Restores the inputs and choices of a run that was saved in a folder, and repeats it.
  void openRun(const QString& folder);
  /// The run that made the current layer, else the last run of the current analysis, or null: the one to
  /// save.
  RunPtr currentRun() const;

 signals:
  void demoLoaded(const QString& analysis);
  /// A user request failed; the message is suitable for a dialog.
  void failed(const QString& title, const QString& sentence);

 private:
  void connectModels();
  void applyPreferences();
  /// Shows the adjustable values of the run that made a layer in the form.
  void showValuesOfRun(LayerId layer);
  void showSaved(const jobs::SavedRun& saved);
  void takeInput(AnalysisPresenter& presenter, const std::string& slot, LayerId id);

  const std::vector<Analysis>& analyses_;
  PreferenceStore preferences_;
  bool applyingPreferences_ = false;

  LayerStack layers_;
  ViewState view_;
  ImageOverlay imageOverlay_;
  SeriesPlayer player_;
  RecentFiles recent_;
  JobListModel jobs_;
  Presenters presenters_;
  // The queues deliver to the models above, so they are declared after them and destroyed before them; the
  // members below submit to the queues.
  JobQueue computing_, remote_, files_, quick_, tables_, lines_;
  RunController runs_;
  std::vector<std::unique_ptr<LiveRun>> liveRuns_;  ///< one per presenter
  jobs::FileJobs fileJobs_;
  Processors processors_;
  Evaluation evaluation_;
  Editing editing_;
  Bookmarks bookmarks_;
  StudyModel study_;
  InputPreview inputPreview_;
  Framing framing_;
  Snapshots snapshots_;
  std::unique_ptr<Session> session_;
  std::unique_ptr<ArrivedLayers> arrivedLayers_;
};

}  // namespace sulcus::ui::model
