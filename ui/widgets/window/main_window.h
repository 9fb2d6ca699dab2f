#pragma once

#include "core/base/components.h"
#include "ui/model/runs/examples.h"
#include "ui/model/views/commands.h"
#include "ui/model/views/search.h"
#include "ui/model/workspace.h"

#include <QMainWindow>
#include <QSettings>
#include <functional>
#include <map>
#include <utility>
#include <vector>

class QAction;
class QDockWidget;
class QMenu;
class QStackedWidget;
class QTabWidget;

namespace sulcus::ui::widgets {

class AnalysisPanel;
class ClustersPanel;
class CommandPalette;
class ComparePanel;
class ElidedLabel;
class FoldingTabs;
class JobsPanel;
class LayerProperties;
class LayersPanel;
class MovieExporter;
class HtmlExporter;
class PlotsPanel;
class StartPage;
class StatusLine;
class StudyPanel;
class ViewArea;

/// The window: views in the center, layers left, analyses right, jobs and comparison below. It arranges
/// widgets, menus and dialogs; what they show and do is the workspace's. Everything a user can do is a
/// command.
class MainWindow : public QMainWindow {
  Q_OBJECT
 public:
  /// Both must outlive the window.
  MainWindow(model::Workspace& workspace, QSettings& settings, QWidget* parent = nullptr);
  ~MainWindow() override;

  /// Runs a command by name, e.g. "view.radiological"; false when there is none or it is disabled now.
  bool trigger(const QString& command);
  /// Shows them on the start page and among the commands; they must outlive the window.
  void setExamples(model::Examples& examples);
  /// What *About* names, Sulcus first.
  void setComponents(std::vector<Component> components) { components_ = std::move(components); }
  /// Brings the tab of an analysis to the front.
  void selectAnalysis(const QString& analysis);

  model::Workspace& workspace() { return workspace_; }
  model::Commands& commands() { return commands_; }
  ViewArea& views() { return *views_; }
  ComparePanel& comparePanel() { return *comparePanel_; }
  PlotsPanel& plotsPanel() { return *plotsPanel_; }
  JobsPanel& jobsPanel() { return *jobsPanel_; }
  /// Jobs, plots, comparison and clusters.
  FoldingTabs& bottom() { return *bottom_; }
  StatusLine& status() { return *status_; }
  HtmlExporter& pages() { return *pages_; }
  AnalysisPanel* panel(const QString& analysis) const;
  /// Opens scans, tables, folders and a session.
  void openFiles(const QStringList& paths);
  /// Opens two files and compares them, or one, and compares it with the current layer.
  void compareFiles(const QStringList& paths);
  /// Offers what a window left behind that did not end well, and opens files: beside it, or without it.
  void start(const QStringList& paths);
  /// The whole window as it is on screen, with `scale` times the pixels that it has there.
  QImage windowPicture(int scale = 1);

 protected:
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dragLeaveEvent(QDragLeaveEvent* event) override;
  void dropEvent(QDropEvent* event) override;
  void closeEvent(QCloseEvent* event) override;
  void resizeEvent(QResizeEvent* event) override {
    QMainWindow::resizeEvent(event);
    fitCorners();
    fitPanelsSoon();
  }
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  /// A panel beside the views. It is there while something is open, unless the user has folded it away.
  struct Panel {
    QDockWidget* dock = nullptr;
    bool wanted = true;
    bool yields = false;    ///< gives its room to views that would be too small
    bool insisted = false;  ///< the user wants it all the same
    bool shown() const { return wanted && !yields; }
  };
  using TakeFiles = std::function<void(const QStringList& paths)>;

  void buildCenter();
  void buildLayersDock();
  void buildAnalysisDock();
  void buildBottomDock();
  void buildCorner();
  QDockWidget* addDock(const QString& title, const char* name, QWidget* widget, Qt::DockWidgetArea area);
  void connectModels();
  void connectSession();
  void addFileCommands();
  void addSessionCommands();
  void addLayerCommands();
  void addReinterpretationCommands();
  void addViewCommands();
  void addPanelCommands();
  void addSearchCommand();
  void addRunCommands();
  void addPlotCommands();
  void addClusterCommands();
  void addCompareCommands();
  /// The two layers that are chosen in the list, else the current one and the uppermost like it; 0 where
  /// there are none.
  std::pair<model::LayerId, model::LayerId> layersToCompare() const;
  void compareLayers(model::LayerId a, model::LayerId b);
  void addStudyCommands();
  /// The command line that computes the open study, of which nothing was computed yet; else "".
  QString studyCommand() const;
  QString whyNoStudyCommand() const;
  void addPictureCommands();
  void buildRegions();
  void addRegionCommands();
  void showNewTable(const LayerPtr& table);
  /// Shows a table layer, whose rows lead to their places.
  void showTableOf(model::LayerId id);
  void addHelpCommands();
  void buildMenus();
  void setAppearance(int appearance);
  void setWanted(Panel& panel, bool wanted);
  void floatPanel(Panel& panel);
  bool viewsOnly() const;
  /// Whether something is open that panels are about.
  bool hasBegun() const;
  void showPanels();
  /// The lower panel lies below the others in a narrow window, else between them.
  void fitCorners();
  /// In a small window the analyses give their room to the views of a comparison, until there is enough for
  /// both or the user calls them back.
  void fitPanels();
  void fitPanelsSoon();
  /// The pages of the lower panel that a session may have in front, by name.
  std::vector<std::pair<std::string, QWidget*>> lowerPages() const;
  std::vector<std::pair<std::string, const Panel*>> sidePanels() const;
  model::PanelsLook panelsLook() const;
  void setPanelsLook(const model::PanelsLook& look);
  void restorePanels();
  void keepPanels();
  std::vector<model::SearchEntry> searchEntries();
  void refreshActions();
  void fillRecentMenu();
  void fillBookmarks();
  /// The GPU for runs: the local one or a remote one.
  void fillPlacesMenu();
  void frameViews();
  /// The first surface is large, beside its slices.
  void showSurfacesLarge();
  /// Five stops through the window, once in the life of the settings.
  void guideOnce();
  void frameIn3d();
  /// Takes what is typed in the field that has the keys: a shortcut does not take them from it.
  static void takeTyped();
  void run(model::RunChoice choice);
  /// Title, mark and words of undo as they are now.
  void showSession();
  /// Saves to the session's file, else asks for one; `then` follows when it is written.
  void saveSession(const std::function<void()>& then);
  void saveSessionAs(const std::function<void()>& then);
  void chooseSession();
  /// Opens it when nothing is lost, or the user agrees.
  /// Opens a session, and scans beside it.
  void openSession(const QString& file, const QStringList& scans = {});
  /// Opens the scans that were given with a session, now that nothing is to be asked about it any more.
  void joinScans();
  struct GivenFiles {
    QStringList scans;
    QString session;
  };
  /// Sorts files that are opened together. Studies among them are opened.
  GivenFiles take(const QStringList& paths);
  void askForMissing(const QString& file, const QStringList& files, bool recovering);
  model::WindowLook look() const;
  void setLook(const model::WindowLook& look);
  void chooseFiles(const QString& title, const TakeFiles& take);
  void chooseFile(const QString& title, const QStringList& filters,
                  const std::function<void(const QString&)>& take,
                  const QString& key = QStringLiteral("folder"));
  void chooseFolder(const QString& title, const QString& key, const std::function<void(const QString&)>& take,
                    const std::function<void()>& cancelled = {});
  void saveCurrentLayer();
  void saveCurrentRun();
  void openParameters();
  void savePlot(const QString& format);
  /// `note`: what it shows, as JSON.
  void savePicture(const QString& name, const QImage& picture, const std::string& note);
  void choosePicture();
  void chooseMovie();
  /// Asks for a file to write, first in the folder of the last one.
  void askSave(const QString& title, const QString& name, const QString& filter,
               const std::function<void(const QString& file)>& save);
  /// The folder under `key` in the settings, else the one that was opened from last, else that of documents.
  QString folder(const QString& key) const;
  /// Keeps the folder of `file`, where it has one, under `key` in the settings.
  void rememberFolder(const QString& key, const QString& file);
  /// Does it at once where `loss` is empty; else the user may save the session first or let it go.
  void unlessLost(const QString& loss, const QString& title, const std::function<void()>& act);
  /// Does so what takes the place of all that is open.
  void replaceAll(const QString& title, const std::function<void()>& act);
  void showLayerMenu(const QPoint& at);
  /// What can be done at a place of a view, mm RAS+.
  void showViewMenu(const QPoint& at, const Vec3<double>& world);
  void updatePages();

  model::Workspace& workspace_;
  DeviceReport deviceReport_{{}, "not asked yet", {}};  ///< for *About*
  std::vector<Component> components_{coreComponents()};
  QSettings& settings_;
  // Parts of the workspace.
  model::LayerStack& layers_;
  model::ViewState& view_;
  model::JobListModel& jobs_;
  model::RunController& runs_;
  jobs::FileJobs& files_;
  model::Session& session_;
  model::Commands commands_;

  QStackedWidget* center_ = nullptr;
  StartPage* start_ = nullptr;
  ViewArea* views_ = nullptr;
  LayersPanel* layersPanel_ = nullptr;
  LayerProperties* properties_ = nullptr;
  ComparePanel* comparePanel_ = nullptr;
  PlotsPanel* plotsPanel_ = nullptr;
  ClustersPanel* clustersPanel_ = nullptr;
  StudyPanel* studyPanel_ = nullptr;
  StatusLine* status_ = nullptr;
  JobsPanel* jobsPanel_ = nullptr;
  FoldingTabs* bottom_ = nullptr;
  ElidedLabel* reason_ = nullptr;  ///< why the analysis in front cannot be run
  CommandPalette* palette_ = nullptr;
  MovieExporter* movies_ = nullptr;
  HtmlExporter* pages_ = nullptr;
  QTabWidget* analysisTabs_ = nullptr;
  Panel layersSide_, analysisSide_, bottomSide_;
  int bottomHeight_ = 0;   ///< of the panel when it is open, as the user had it; 0: never yet
  int appearance_ = 0;     ///< as Appearance
  bool arranged_ = false;  ///< the panels have been shown as they were left
  std::vector<AnalysisPanel*> panels_;
  std::map<QString, QAction*> actions_;
  QMenu *recentMenu_ = nullptr, *recentSessionsMenu_ = nullptr, *layerMenu_ = nullptr, *placesMenu_ = nullptr;
  QMenu* placesKeptMenu_ = nullptr;
  QStringList joining_;      ///< scans that are opened once the session is that they were given with
  bool shownLarge_ = false;  ///< a surface was, since something was opened
  bool mayClose_ = false;    ///< the user has been asked
};

}  // namespace sulcus::ui::widgets
