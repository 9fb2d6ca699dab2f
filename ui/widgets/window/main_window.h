#pragma once

#include "ui/model/choices/examples.h"
#include "ui/widgets/window/window_parts.h"

#include <QMainWindow>
#include <utility>
#include <vector>

class QStackedWidget;

namespace sulcus::ui::widgets {

class ElidedLabel;
class StartPage;

/// The window: views in the center, layers on the left, analyses on the right, jobs and comparison below. It
/// arranges widgets, menus and dialogs; their content and actions belong to the workspace. Everything a user
/// can do is a command.
class MainWindow : public QMainWindow {
  Q_OBJECT
 public:
  /// Both must outlive the window.
  MainWindow(model::Workspace& workspace, QSettings& settings, QWidget* parent = nullptr);
  ~MainWindow() override;

  /// Runs a command by name, e.g. "view.radiological"; false if there is none or it is disabled now.
  bool trigger(const QString& command) { return parts_.trigger(command); }
  /// Shows them on the start page and among the commands; they must outlive the window.
  void setExamples(model::Examples& examples);
  /// The components listed in *About*, Sulcus first.
  void setComponents(std::vector<Component> components) { parts_.components = std::move(components); }
  /// Brings the tab of an analysis to the front.
  void selectAnalysis(const QString& analysis) { parts_.selectAnalysis(analysis); }

  model::Workspace& workspace() { return parts_.workspace; }
  model::Commands& commands() { return parts_.commands; }
  ViewArea& views() { return *parts_.views; }
  ComparePanel& comparePanel() { return *parts_.comparePanel; }
  PlotsPanel& plotsPanel() { return *parts_.plotsPanel; }
  JobsPanel& jobsPanel() { return *parts_.jobsPanel; }
  /// Jobs, plots, comparison and clusters.
  FoldingTabs& bottom() { return *parts_.lower; }
  StatusLine& status() { return *parts_.status; }
  HtmlExporter& pages() { return *parts_.pages; }
  AnalysisPanel* panel(const QString& analysis) const;
  /// Opens scans, tables, folders and a session.
  void openFiles(const QStringList& paths);
  /// Opens two files and compares them, or opens one and compares it with the current layer.
  void compareFiles(const QStringList& paths);
  /// Offers to restore what a crashed window left behind, and opens files: in addition to it, or without it.
  void start(const QStringList& paths);
  /// The whole window as it is on screen, with `scale` times its pixels.
  QImage windowPicture(int scale = 1);

 protected:
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dragLeaveEvent(QDragLeaveEvent* event) override;
  void dropEvent(QDropEvent* event) override;
  void closeEvent(QCloseEvent* event) override;
  void resizeEvent(QResizeEvent* event) override {
    QMainWindow::resizeEvent(event);
    parts_.sides.fitCorners();
    parts_.sides.fitSoon();
  }

 private:
  void buildCenter();
  void buildLayersDock();
  void buildAnalysisDock();
  void buildLowerDock();
  void connectModels();
  void frameViews();
  void frameIn3d();
  /// Shows the first surface large, next to its slices.
  void showSurfacesLarge();
  /// A guide with five stops, shown once per settings file.
  void guideOnce();
  void updatePages();

  WindowParts parts_;
  QStackedWidget* center_ = nullptr;
  StartPage* start_ = nullptr;
  ElidedLabel* reason_ = nullptr;  ///< why the current analysis cannot be run
  bool shownLarge_ = false;        ///< whether a surface has been shown large since something was opened
  bool mayClose_ = false;          ///< the user has been asked
};

}  // namespace sulcus::ui::widgets
