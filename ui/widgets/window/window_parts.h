#pragma once

#include "core/base/components.h"
#include "ui/model/views/commands.h"
#include "ui/model/workspace.h"
#include "ui/widgets/dialogs/file_dialogs.h"
#include "ui/widgets/window/side_panels.h"
#include "ui/widgets/window/window_menus.h"

#include <QMainWindow>
#include <vector>

class QTabWidget;

namespace sulcus::ui::widgets {

class AnalysisPanel;
class BundlesPanel;
class ClustersPanel;
class ComparePanel;
class FoldingTabs;
class HtmlExporter;
class JobsPanel;
class LayerProperties;
class LayersPanel;
class MovieExporter;
class PlotsPanel;
class SessionControl;
class StatusLine;
class StudyPanel;
class ViewArea;

/// The objects that the features of the window work on. Each feature adds its commands; the widgets exist
/// before.
struct WindowParts {
  QMainWindow& widget;
  model::Workspace& workspace;
  QSettings& settings;
  model::Commands commands;
  FileDialogs dialogs{widget, workspace.preferences(), settings};
  SidePanels sides{widget, settings, [this] { return hasBegun(); }};
  WindowMenus menus{&widget};
  // Parts of the workspace.
  model::LayerStack& layers = workspace.layers();
  model::ViewState& view = workspace.view();
  model::RunController& runs = workspace.runs();
  jobs::FileJobs& files = workspace.files();
  model::Session& session = workspace.session();

  ViewArea* views = nullptr;
  LayersPanel* layersPanel = nullptr;
  LayerProperties* properties = nullptr;
  ComparePanel* comparePanel = nullptr;
  PlotsPanel* plotsPanel = nullptr;
  BundlesPanel* bundlesPanel = nullptr;
  ClustersPanel* clustersPanel = nullptr;
  StudyPanel* studyPanel = nullptr;
  QTabWidget* analysisTabs = nullptr;
  std::vector<AnalysisPanel*> analysisPanels;
  JobsPanel* jobsPanel = nullptr;
  StatusLine* status = nullptr;
  FoldingTabs* lower = nullptr;  ///< jobs, plots, comparison, clusters, bundles and the study
  MovieExporter* movies = nullptr;
  HtmlExporter* pages = nullptr;
  SessionControl* sessions = nullptr;
  DeviceReport devices{{}, "not asked yet", {}};  ///< for *About*
  std::vector<Component> components{coreComponents()};

  WindowParts(QMainWindow& window, model::Workspace& shown, QSettings& kept)
      : widget(window), workspace(shown), settings(kept) {}

  /// Whether something is open.
  bool hasBegun() const { return !layers.empty() || workspace.study().isOpen(); }
  /// The current layer, or null.
  const model::LayerState* current() const { return layers.find(layers.current()); }
  /// Its content if it is of this kind, else null.
  template <class Content>
  const Content* currentAs() const {
    const model::LayerState* state = current();
    return state ? std::get_if<Content>(&state->layer->content) : nullptr;
  }
  /// Accepts what is typed in the focused field, since a shortcut does not do so.
  static void takeTyped();
  bool trigger(const QString& command);
  AnalysisPanel* panelOf(const QString& analysis) const;
  /// Brings the tab of an analysis to the front.
  void selectAnalysis(const QString& analysis);
  /// Brings a page of the lower panel to the front.
  void showLower(QWidget* page);
  /// Shows a table layer; selecting a row goes to its place.
  void showTableOf(model::LayerId id);
};

}  // namespace sulcus::ui::widgets
