#pragma once

#include "core/analysis/analysis.h"
#include "core/base/parallel/job_queue.h"
#include "ui/jobs/file_jobs.h"
#include "ui/model/choices/analysis_presenter.h"
#include "ui/model/choices/findings.h"
#include "ui/model/choices/input_preview.h"
#include "ui/model/choices/left_out_volumes.h"
#include "ui/model/choices/processors.h"
#include "ui/model/choices/study_model.h"
#include "ui/model/choices/warp_preview.h"
#include "ui/model/comparison/result_files.h"
#include "ui/model/layers/clusters_model.h"
#include "ui/model/layers/derived_layers.h"
#include "ui/model/layers/dissection.h"
#include "ui/model/layers/image_overlay.h"
#include "ui/model/layers/label_lists.h"
#include "ui/model/layers/layer_stack.h"
#include "ui/model/layers/plots_model.h"
#include "ui/model/layers/region_plot.h"
#include "ui/model/layers/region_tools.h"
#include "ui/model/runs/growing_lines.h"
#include "ui/model/runs/job_list_model.h"
#include "ui/model/runs/live_run.h"
#include "ui/model/runs/run_controller.h"
#include "ui/model/session/preferences.h"
#include "ui/model/session/recent_files.h"
#include "ui/model/session/session.h"
#include "ui/model/session/session_state.h"
#include "ui/model/views/bookmarks.h"
#include "ui/model/views/series_player.h"
#include "ui/model/views/view_state.h"

#include <QObject>
#include <QSettings>
#include <functional>
#include <memory>
#include <set>
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
  LeftOutVolumes& leftOutVolumes() { return *leftOutVolumes_; }
  RecentFiles& recent() { return recent_; }
  JobListModel& jobs() { return jobs_; }
  RunController& runs() { return runs_; }
  jobs::FileJobs& files() { return fileJobs_; }
  Processors& processors() { return processors_; }
  DerivedLayers& derived() { return derived_; }
  PlotsModel& plots() { return plots_; }
  ClustersModel& clusters() { return clusters_; }
  Findings& findings() { return findings_; }
  LabelLists& labelLists() { return labelLists_; }
  WarpPreview& warpPreview() { return warpPreview_; }
  RegionTools& regions() { return regions_; }
  Dissection& dissection() { return dissection_; }
  GrowingLines& growing() { return *growing_; }
  Bookmarks& bookmarks() { return bookmarks_; }
  StudyModel& study() { return study_; }
  Session& session() { return *session_; }
  RecentFiles& recentSessions() { return recentSessions_; }

  const Preferences& preferences() const { return preferences_; }
  /// Saves them in the settings and applies them at once; a running analysis keeps its threads.
  void setPreferences(const Preferences& preferences);

  /// One for each analysis, in their order.
  const std::vector<std::unique_ptr<AnalysisPresenter>>& presenters() const { return presenters_; }
  /// The presenter of an analysis by its name, or null.
  AnalysisPresenter* presenter(const QString& analysis) const;
  /// The one whose tab is in front: it is run, and its inputs are shown. Null only without analyses.
  AnalysisPresenter* current() const { return current_; }
  /// Called when the user chooses an analysis: until everything is closed, opening layers brings no other to
  /// the front. Before that, the one that can be run and uses most of what is open comes to the front;
  /// previews of its inputs wait until it is chosen.
  void setCurrent(AnalysisPresenter* presenter);
  /// Like setCurrent() with the one in front.
  void keepCurrent();
  /// Until files are opened: an example chose the analysis, not the user.
  void keepForExample();

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
  /// Describes what would be lost with these layers: unsaved results, runs that use them; "": nothing.
  QString lossOf(const std::vector<LayerId>& layers) const;
  /// What is open and chosen now, without the previews of unfinished runs.
  SessionState state() const;
  /// Restores layers, runs and choices from a state of this workspace; views and previews stay.
  void restore(const SessionState& state);
  /// Shows a state from a file in place of everything open.
  void open(const SessionState& state);
  /// How state() obtains the window's part.
  void setLook(std::function<WindowLook()> look) { look_ = std::move(look); }

  /// Centers the view on the current layer; false if it has no position.
  bool frameCurrent();
  /// Centers the view on the current layer, or on the lowest one with a position if it has none.
  void frameAny();

 signals:
  void currentChanged();
  void preferencesChanged();
  void demoLoaded(const QString& analysis);
  /// A session with this view was opened.
  void looked(const WindowLook& look);
  /// The view has been centered on the first layer with a position.
  void firstLayerFramed();
  /// All layers of what was opened together are there.
  void layersArrived();
  /// Files of one run are open.
  void resultOpened(const std::vector<LayerId>& layers);
  /// A user request failed; the message is suitable for a dialog.
  void failed(const QString& title, const QString& sentence);

 private:
  void connectModels();
  void applyPreferences();
  void layerAdded(LayerId id);
  void raise(AnalysisPresenter* presenter);
  /// How many of the volumes that were opened are inputs of it; any other layer counts as one.
  int volumesUsed(const AnalysisPresenter& presenter) const;
  void raiseFitting();
  /// Determines which layers belong to one run; of a newly opened run, only the first layer is visible.
  void groupResults();
  /// Shows the adjustable values of the run that made a layer in the form.
  void showValuesOfRun(LayerId layer);
  void showSaved(const jobs::SavedRun& saved);
  void takeInput(AnalysisPresenter& presenter, const std::string& slot, LayerId id);
  void takeBeside(LayerId table, const QString& role, LayerId scan);
  void suggestPair(const Run& run);
  /// The grid of a layer that is an image; null for other layers and for those that are gone.
  const Grid* imageGrid(LayerId id) const;

  const std::vector<Analysis>& analyses_;
  QSettings& settings_;
  Preferences preferences_;
  bool applyingPreferences_ = false;

  LayerStack layers_;
  ViewState view_;
  ImageOverlay imageOverlay_;
  SeriesPlayer player_;
  RecentFiles recent_, recentSessions_;
  JobListModel jobs_;
  std::vector<std::unique_ptr<AnalysisPresenter>> presenters_;
  AnalysisPresenter* current_ = nullptr;
  std::unique_ptr<LeftOutVolumes> leftOutVolumes_;
  // The queues deliver to the models above, so they are declared after them and destroyed before them; the
  // members below submit to the queues.
  JobQueue computing_, remote_, files_, quick_, tables_, lines_;
  RunController runs_;
  std::vector<std::unique_ptr<LiveRun>> liveRuns_;  ///< one per presenter
  jobs::FileJobs fileJobs_;
  Processors processors_;
  DerivedLayers derived_;
  PlotsModel plots_;
  ClustersModel clusters_;
  Findings findings_;
  LabelLists labelLists_;
  RegionTools regions_;
  RegionPlotOffer regionPlot_;
  Dissection dissection_;
  std::unique_ptr<GrowingLines> growing_;
  Bookmarks bookmarks_;
  StudyModel study_;
  InputPreview inputPreview_;
  WarpPreview warpPreview_;
  std::function<WindowLook()> look_;
  bool framed_ = false;                  ///< the first layer has set the view position
  Vec3<double> framedAt_;                ///< the crosshair since then, unless it was moved
  std::vector<OpenedResult> results_;    ///< runs whose files are open
  std::set<LayerId> freshLayers_;        ///< opened since then, not restored
  bool arrived_ = false;                 ///< a layer was opened, others may follow
  bool kept_ = false, raising_ = false;  ///< the analysis in front was chosen; one that fits will be searched
  bool ofExample_ = false;               ///< an example chose it
  std::unique_ptr<Session> session_;
};

}  // namespace sulcus::ui::model
