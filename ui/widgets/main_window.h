#pragma once

#include "core/analysis/analysis.h"
#include "core/base/job_queue.h"
#include "ui/jobs/file_jobs.h"
#include "ui/model/analysis_presenter.h"
#include "ui/model/commands.h"
#include "ui/model/input_preview.h"
#include "ui/model/job_list_model.h"
#include "ui/model/layer_stack.h"
#include "ui/model/plots_model.h"
#include "ui/model/recent_files.h"
#include "ui/model/run_controller.h"
#include "ui/model/view_state.h"

#include <QMainWindow>
#include <QSettings>
#include <functional>
#include <memory>
#include <vector>

class QAction;
class QDockWidget;
class QMenu;
class QStackedWidget;
class QTabWidget;

namespace sulcus::ui {

class AnalysisPanel;
class ComparePanel;
class JobsPanel;
class LayersPanel;
class PlotsPanel;
class StartPage;
class StatusLine;
class ViewArea;

/// The window: views in the center, layers left, analyses right, jobs and comparison below.
/// Everything a user can do is a command; nothing here computes, reads or writes on the UI thread.
class MainWindow : public QMainWindow {
  Q_OBJECT
 public:
  /// `analyses` and `settings` must outlive the window. `devices` is called on the computing thread.
  MainWindow(const std::vector<Analysis>& analyses, std::function<DeviceReport()> devices,
             QSettings& settings, QWidget* parent = nullptr);
  ~MainWindow() override;

  /// Runs a command by name, e.g. "view.radiological"; false when there is none or it is disabled now.
  bool trigger(const QString& command) { return commands_.trigger(command); }
  void openFiles(const QStringList& paths, const FileJobs::Then& then = {});
  /// Loads the phantom of an analysis and chooses it on its tab.
  void loadDemo(const QString& analysis);
  /// Makes a tab current.
  void selectAnalysis(const QString& analysis);

  Commands& commands() { return commands_; }
  LayerStack& layers() { return layers_; }
  ViewState& view() { return view_; }
  JobListModel& jobs() { return jobs_; }
  RunController& runs() { return runs_; }
  FileJobs& files() { return fileJobs_; }
  ViewArea& views() { return *views_; }
  ComparePanel& comparePanel() { return *comparePanel_; }
  PlotsModel& plots() { return plots_; }
  PlotsPanel& plotsPanel() { return *plotsPanel_; }
  StatusLine& status() { return *status_; }
  AnalysisPanel* panel(const QString& analysis) const;
  AnalysisPanel* currentPanel() const;
  /// The whole window as it is on screen.
  QImage windowPicture();

 signals:
  void devicesKnown();
  void demoLoaded(const QString& analysis);

 protected:
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;
  void closeEvent(QCloseEvent* event) override;

 private:
  void buildCenter();
  void buildDocks();
  void connectModels();
  void askDevices();
  void addFileCommands();
  void addLayerCommands();
  void addViewCommands();
  void addRunCommands();
  void addPlotCommands();
  void addHelpCommands();
  void buildMenus();
  void refreshActions();
  void fillRecentMenu();
  void layerAdded(LayerId id);
  void run(RunChoice choice);
  void removeSelected();
  void chooseFiles(const QString& title, const FileJobs::Then& then);
  void saveCurrentLayer();
  void savePlot(const QString& format);
  /// Turns the vectors of a field that was read by the other convention.
  void readFieldAs(LayerId id, FieldConvention convention);
  /// A result over the input it was brought to is what two images in one place are, at first.
  void suggestPair(const Run& run);
  /// Puts a layer that was opened for a slot into it, and says so where it cannot be taken.
  void takeInput(AnalysisPresenter& presenter, const std::string& slot, LayerId id);
  /// The folder of a file under `key` in the settings, where there is one.
  void rememberFolder(const QString& key, const QString& file);
  void takeBeside(LayerId table, const QString& role, LayerId scan);
  void savePicture(const QString& name, const std::function<QImage()>& picture);
  void showLayerMenu(const QPoint& at);
  void updatePages();

  const std::vector<Analysis>& analyses_;
  std::function<DeviceReport()> devices_;
  QSettings& settings_;

  LayerStack layers_;
  ViewState view_;
  Commands commands_;
  RecentFiles recent_;
  JobListModel jobs_;
  std::vector<std::unique_ptr<AnalysisPresenter>> presenters_;
  // The queues end before the models they report to: they are members after them.
  JobQueue computing_, files_, quick_;  ///< quick: charts and adjustments, while a run goes on too
  RunController runs_;
  FileJobs fileJobs_;
  PlotsModel plots_;
  InputPreview inputPreview_;
  bool framed_ = false;  ///< the first image has set where the views look

  QStackedWidget* center_ = nullptr;
  StartPage* start_ = nullptr;
  ViewArea* views_ = nullptr;
  LayersPanel* layersPanel_ = nullptr;
  ComparePanel* comparePanel_ = nullptr;
  PlotsPanel* plotsPanel_ = nullptr;
  StatusLine* status_ = nullptr;
  QTabWidget *analysisTabs_ = nullptr, *bottomTabs_ = nullptr;
  QDockWidget *layersDock_ = nullptr, *analysisDock_ = nullptr, *bottomDock_ = nullptr, *plotsDock_ = nullptr;
  std::vector<AnalysisPanel*> panels_;
  std::map<QString, QAction*> actions_;
  QMenu *recentMenu_ = nullptr, *layerMenu_ = nullptr;
};

}  // namespace sulcus::ui
