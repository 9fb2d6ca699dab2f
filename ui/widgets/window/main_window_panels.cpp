// The panels around the views: what they hold, how they fold away, and how the window is dressed.
#include "ui/model/text/localize.h"
#include "ui/widgets/controls/elided_label.h"
#include "ui/widgets/controls/folding_tabs.h"
#include "ui/widgets/controls/option_form.h"
#include "ui/widgets/controls/widget_help.h"
#include "ui/widgets/panels/analysis_panel.h"
#include "ui/widgets/panels/clusters_panel.h"
#include "ui/widgets/panels/compare_panel.h"
#include "ui/widgets/panels/jobs_panel.h"
#include "ui/widgets/panels/layer_properties.h"
#include "ui/widgets/panels/layers_panel.h"
#include "ui/widgets/panels/plots_panel.h"
#include "ui/widgets/panels/study_panel.h"
#include "ui/widgets/views/view_area.h"
#include "ui/widgets/window/command_palette.h"
#include "ui/widgets/window/help_pages.h"
#include "ui/widgets/window/main_window.h"
#include "ui/widgets/window/theme.h"
#include "ui/widgets/window/window_place.h"

#include <QDockWidget>
#include <QHBoxLayout>
#include <QMenuBar>
#include <QScrollArea>
#include <QSplitter>
#include <QTabBar>
#include <QTabWidget>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

namespace sulcus::ui::widgets {
namespace {

constexpr int kPanelEms = 26;         ///< width of the panels beside the views, in which no row is cut off
constexpr int kBottomHeight = 240;    ///< of the lower panel
constexpr double kBottomShare = 0.3;  ///< of the window, at most
constexpr int kDocksVersion = 2;      ///< of the arrangement in the settings; others are not taken
const QString kDocks = QStringLiteral("docks"), kLayersWanted = QStringLiteral("layersPanel"),
              kAnalysisWanted = QStringLiteral("analysisPanel");

}  // namespace

QDockWidget* MainWindow::addDock(const QString& title, const char* name, QWidget* widget,
                                 Qt::DockWidgetArea area) {
  auto* dock = new QDockWidget(title, this);
  dock->setObjectName(QLatin1String(name));
  dock->setWidget(widget);
  dock->setFeatures(QDockWidget::DockWidgetMovable | QDockWidget::DockWidgetFloatable);
  addDockWidget(area, dock);
  // In the window what it holds says what it is, which is one row less; a window of its own has a title.
  auto* noTitle = new QWidget(dock);
  const auto showTitle = [dock, noTitle] {
    dock->setTitleBarWidget(dock->isFloating() ? nullptr : noTitle);
    dock->raise();
  };
  showTitle();
  // Queued, because a hand may still drag the dock by the title that is replaced.
  connect(dock, &QDockWidget::topLevelChanged, this, showTitle, Qt::QueuedConnection);
  return dock;
}

void MainWindow::buildLayersDock() {
  layersPanel_ = new LayersPanel(layers_);
  auto* properties = new QScrollArea;
  auto* look = properties_ = new LayerProperties(layers_, workspace_.player(), workspace_.findings(),
                                                 workspace_.labelLists(), workspace_.analyses());
  connect(look, &LayerProperties::glyphStyleChanged, this,
          [this](const scene::GlyphStyle& style) { views_->setGlyphStyle(style); });
  connect(look, &LayerProperties::fieldStyleChanged, this,
          [this](const scene::FieldStyle& style) { views_->setFieldStyle(style); });
  connect(look, &LayerProperties::conventionChosen, &workspace_, &model::Workspace::readFieldAs);
  connect(look, &LayerProperties::reinterpretationChosen, &files_, &jobs::FileJobs::takeAs);
  connect(look, &LayerProperties::placeChosen, &view_, &model::ViewState::lookAt);
  connect(look, &LayerProperties::tableRequested, this,
          [this] { trigger(QStringLiteral("layer.showTable")); });
  properties->setWidget(look);
  properties->setWidgetResizable(true);
  properties->setFrameShape(QFrame::NoFrame);
  properties->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  auto* list = new QWidget;
  auto* column = new QVBoxLayout(list);
  column->setContentsMargins(0, 8, 0, 0);
  column->setSpacing(4);
  QLabel* title = sectionHeading(tr("Layers"));
  title->setContentsMargins(8, 0, 8, 0);
  column->addWidget(title);
  column->addWidget(layersPanel_);
  auto* left = new QSplitter(Qt::Vertical);
  left->setHandleWidth(1);
  left->addWidget(list);
  left->addWidget(properties);
  left->setStretchFactor(0, 2);
  left->setStretchFactor(1, 3);
  left->setChildrenCollapsible(false);
  left->setSizes({320, 400});
  left->setMinimumWidth(kPanelEms * fontMetrics().horizontalAdvance(QLatin1Char('M')));
  setHelpPage(left, QStringLiteral("window#Layers"));
  layersSide_.dock = addDock(tr("Layers"), "layersDock", left, Qt::LeftDockWidgetArea);
  connect(layersPanel_, &LayersPanel::menuRequested, this, &MainWindow::showLayerMenu);
}

void MainWindow::buildAnalysisDock() {
  analysisTabs_ = new QTabWidget;
  analysisTabs_->setObjectName(QStringLiteral("analyses"));
  analysisTabs_->setDocumentMode(true);
  analysisTabs_->tabBar()->setDrawBase(false);
  for (const auto& owned : workspace_.presenters()) {
    model::AnalysisPresenter& presenter = *owned;
    auto* panel = new AnalysisPanel(presenter, layers_);
    panels_.push_back(panel);
    setHelpPage(panel, QString::fromStdString(presenter.analysis().name));
    analysisTabs_->addTab(panel, model::words(presenter.analysis().title));
    connect(panel, &AnalysisPanel::runRequested, this, &MainWindow::run);
    const auto nameResult = [this, panel, &presenter] {
      const QStringList names = runs_.adjustedAlone(presenter.analysis());
      panel->form()->setResultName(names.join(QStringLiteral(" + ")));
    };
    connect(&runs_, &model::RunController::runsChanged, panel, nameResult);
    connect(&layers_, &model::LayerStack::currentChanged, panel, nameResult);
    const auto open = [this, &presenter](const QString& slot, const QStringList& paths) {
      workspace_.openForInput(presenter, slot.toStdString(), paths);
    };
    connect(panel, &AnalysisPanel::filesDropped, this, open);
    connect(panel, &AnalysisPanel::openRequested, this, [this, open](const QString& slot) {
      chooseFiles(tr("Open"), [open, slot](const QStringList& paths) { open(slot, paths); });
    });
    connect(panel, &AnalysisPanel::copyCommandRequested, this,
            [this] { trigger(QStringLiteral("run.copyCommand")); });
  }
  analysisTabs_->setMinimumWidth(kPanelEms * fontMetrics().horizontalAdvance(QLatin1Char('M')));
  analysisSide_.dock = addDock(tr("Analysis"), "analysisDock", analysisTabs_, Qt::RightDockWidgetArea);
  // A tab that is pressed is a choice: from then on none is raised unasked.
  connect(analysisTabs_->tabBar(), &QTabBar::tabBarClicked, &workspace_, &model::Workspace::keepCurrent);
}

void MainWindow::buildBottomDock() {
  bottom_ = new FoldingTabs;
  bottom_->setObjectName(QStringLiteral("bottom"));
  setHelpPage(bottom_, QStringLiteral("window#Activity, plots, comparison"));
  jobsPanel_ = new JobsPanel(jobs_);
  comparePanel_ = new ComparePanel(runs_, layers_);
  plotsPanel_ = new PlotsPanel(workspace_.plots(), view_);
  clustersPanel_ = new ClustersPanel(layers_, workspace_.clusters());
  setHelpPage(clustersPanel_, QStringLiteral("window#Clusters"));
  studyPanel_ = new StudyPanel(workspace_.study());
  setHelpPage(studyPanel_, QStringLiteral("study#Looking through a study"));
  reason_ = new ElidedLabel;
  reason_->setObjectName(QStringLiteral("activityReason"));
  reason_->setAccessibleName(tr("Why the analysis cannot be run"));
  reason_->setContentsMargins(8, 0, 8, 0);
  reason_->setForegroundRole(QPalette::PlaceholderText);
  bottom_->addPage(jobsPanel_, tr("Activity"), reason_);
  bottom_->addPage(plotsPanel_, tr("Plots"), plotsPanel_->tools());
  bottom_->addPage(comparePanel_, tr("Compare"), comparePanel_->tools());
  bottom_->addPage(clustersPanel_, tr("Clusters"), clustersPanel_->tools());
  bottom_->addPage(studyPanel_, tr("Study"), nullptr);
  bottomSide_.dock = addDock(tr("Activity"), "bottomDock", bottom_, Qt::BottomDockWidgetArea);
  connect(plotsPanel_, &PlotsPanel::saveRequested, this, &MainWindow::savePlot);
  connect(comparePanel_, &ComparePanel::worstChosen, &view_, &model::ViewState::lookAt);
  connect(clustersPanel_, &ClustersPanel::placeChosen, &view_, &model::ViewState::lookAt);
  connect(clustersPanel_, &ClustersPanel::saveRequested, this,
          [this] { trigger(QStringLiteral("clusters.save")); });
  connect(clustersPanel_, &ClustersPanel::keepRequested, this,
          [this] { trigger(QStringLiteral("clusters.keep")); });
  connect(comparePanel_, &ComparePanel::saveCsvRequested, this,
          [this] { trigger(QStringLiteral("compare.saveCsv")); });
  connect(comparePanel_, &ComparePanel::savePictureRequested, this,
          [this] { trigger(QStringLiteral("compare.savePng")); });
  connect(bottom_, &FoldingTabs::floatRequested, this, [this] { floatPanel(bottomSide_); });
  connect(bottom_, &FoldingTabs::foldedChanged, this, [this](bool folded) {
    if (folded) {
      bottomHeight_ = bottomSide_.dock->height();
    } else {
      layout()->activate();  // until then the dock may be no higher than its tabs
      const int usual = std::min(kBottomHeight, int(kBottomShare * height()));  // views have the most room
      resizeDocks({bottomSide_.dock}, {bottomHeight_ > 0 ? bottomHeight_ : usual}, Qt::Vertical);
    }
    refreshActions();
    fitPanelsSoon();
  });
}

void MainWindow::buildCorner() {
  auto* corner = new QWidget;
  auto* line = new QHBoxLayout(corner);
  line->setContentsMargins(0, 2, 4, 2);
  line->setSpacing(2);
  const auto addButton = [this, line](const char* icon, const char* command) {
    QAction* action = actions_.at(QLatin1String(command));
    QToolButton* button = iconButton(QLatin1String(icon), QString());
    button->setDefaultAction(action);
    action->setIcon(themeIcon(QLatin1String(icon)));
    action->setIconVisibleInMenu(false);
    button->setAccessibleName(action->text().remove(QLatin1Char('&')));
    line->addWidget(button);
  };
  for (const auto& [icon, command] : {std::pair("folder", "file.open"),
                                      {"session", "file.saveSession"},
                                      {"undo", "edit.undo"},
                                      {"redo", "edit.redo"},
                                      {"picture", "file.picture"}})
    addButton(icon, command);
  line->addSpacing(8);
  auto* search = new QToolButton;
  search->setObjectName(QStringLiteral("searchButton"));
  search->setText(tr("Search everything   Ctrl+K"));
  search->setIcon(themeIcon(QStringLiteral("search")));
  search->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  search->setAccessibleName(tr("Search every action, parameter and layer"));
  search->setToolTip(search->accessibleName());
  search->setFocusPolicy(Qt::TabFocus);
  connect(search, &QToolButton::clicked, this, [this] { trigger(QStringLiteral("edit.search")); });
  line->addWidget(search);
  line->addSpacing(8);
  for (const auto& [icon, command] : {std::pair("panel-left", "view.layersPanel"),
                                      {"panel-bottom", "view.bottomPanel"},
                                      {"panel-right", "view.analysisPanel"}})
    addButton(icon, command);
  menuBar()->setCornerWidget(corner);
}

void MainWindow::addPanelCommands() {
  const std::tuple<const char*, const char*, QString, const char*, Panel*> sides[] = {
      {"view.layersPanel", "view.floatLayers", tr("&Layers"), "F7", &layersSide_},
      {"view.analysisPanel", "view.floatAnalysis", tr("&Analysis"), "F9", &analysisSide_}};
  const auto begun = [this] { return hasBegun(); };
  for (const auto& [name, floating, title, key, panel] : sides)
    commands_.add({QLatin1String(name), tr("%1 panel").arg(title), QLatin1String(key),
                   [this, panel = panel] { setWanted(*panel, !panel->shown()); },
                   [panel = panel] { return panel->shown(); }, begun});
  commands_.add({QStringLiteral("view.bottomPanel"), tr("A&ctivity, plots and comparison"),
                 QStringLiteral("F8"),
                 [this] {
                   const bool open = bottomSide_.wanted && !bottom_->folded();
                   setWanted(bottomSide_, true);
                   bottom_->setFolded(open);
                 },
                 [this] { return bottomSide_.wanted && !bottom_->folded(); }, begun});
  commands_.add({QStringLiteral("view.viewsOnly"), tr("&Views alone"), QStringLiteral("F10"),
                 [this] {
                   const bool hide = !viewsOnly();
                   for (Panel* panel : {&layersSide_, &analysisSide_, &bottomSide_}) setWanted(*panel, !hide);
                 },
                 [this] { return viewsOnly(); }, begun});
  commands_.add({QStringLiteral("view.fullScreen"), tr("&Full screen"), QStringLiteral("F11"),
                 [this] { setWindowState(windowState() ^ Qt::WindowFullScreen); },
                 [this] { return isFullScreen(); }});
  const std::tuple<const char*, QString, Panel*> floats[] = {
      {"view.floatLayers", tr("Detach layers"), &layersSide_},
      {"view.floatAnalysis", tr("Detach analysis"), &analysisSide_},
      {"view.floatBottom", tr("Detach activity and plots"), &bottomSide_}};
  for (const auto& [name, text, panel] : floats)
    commands_.add({QLatin1String(name),
                   text,
                   {},
                   [this, panel = panel] { floatPanel(*panel); },
                   [panel = panel] { return panel->dock->isFloating(); },
                   begun});
  const std::tuple<const char*, QString, Appearance> looks[] = {
      {"view.dark", tr("&Dark"), Appearance::dark},
      {"view.light", tr("&Light"), Appearance::light},
      {"view.asSystem", tr("As the &system"), Appearance::system}};
  for (const auto& [name, text, look] : looks)
    commands_.add({QLatin1String(name),
                   text,
                   {},
                   [this, look = look] { setAppearance(int(look)); },
                   [this, look = look] { return appearance_ == int(look); }});
}

void MainWindow::setAppearance(int appearance) {
  appearance_ = std::clamp(appearance, int(Appearance::dark), int(Appearance::system));
  settings_.setValue(QStringLiteral("appearance"), appearance_);
  applyAppearance(Appearance(appearance_));
}

void MainWindow::floatPanel(Panel& panel) {
  if (&panel == &bottomSide_) bottom_->setFolded(false);
  setWanted(panel, true);
  panel.dock->setFloating(!panel.dock->isFloating());
}

void MainWindow::setWanted(Panel& panel, bool wanted) {
  panel.insisted = panel.insisted || (wanted && panel.yields);
  panel.wanted = wanted, panel.yields = false;
  showPanels();
  refreshActions();
}

bool MainWindow::viewsOnly() const {
  return !layersSide_.wanted && !analysisSide_.wanted && !bottomSide_.wanted;
}

bool MainWindow::hasBegun() const { return !layers_.empty() || workspace_.study().isOpen(); }

void MainWindow::showPanels() {
  // Before anything is open they would be empty.
  const bool begun = hasBegun();
  for (const Panel* panel : {&layersSide_, &analysisSide_, &bottomSide_})
    panel->dock->setVisible(begun && panel->shown());
  if (!begun || arranged_) return;
  arranged_ = true;
  if (restoreState(settings_.value(kDocks).toByteArray(), kDocksVersion))
    fitCorners();
  else
    resizeDocks({layersSide_.dock, analysisSide_.dock}, {290, 330}, Qt::Horizontal);
  for (const Panel* panel : {&layersSide_, &analysisSide_, &bottomSide_})
    panel->dock->setVisible(panel->shown());
}

void MainWindow::fitCorners() {
  // In a narrow window the panels beside the views leave too little room between them for tables and for the
  // names of plots beside the row of tabs.
  const bool below = width() < 5.0 * kPanelEms * fontMetrics().horizontalAdvance(QLatin1Char('M'));
  setCorner(Qt::BottomLeftCorner, below ? Qt::BottomDockWidgetArea : Qt::LeftDockWidgetArea);
  setCorner(Qt::BottomRightCorner, below ? Qt::BottomDockWidgetArea : Qt::RightDockWidgetArea);
}

void MainWindow::fitPanelsSoon() {
  // The panels have their places only after the event that moves them.
  QMetaObject::invokeMethod(this, &MainWindow::fitPanels, Qt::QueuedConnection);
}

void MainWindow::fitPanels() {
  Panel& panel = analysisSide_;
  const bool beside = panel.wanted && !panel.dock->isFloating();
  int taken = panel.dock->width();
  if (layersSide_.shown() && !layersSide_.dock->isFloating()) taken += layersSide_.dock->width();
  const bool small = views_->layoutShown() == ViewLayout::compare && beside &&
                     ViewArea::comparedSide({width() - taken, views_->height()}) < ViewArea::kLeastCompared;
  if (!small) panel.insisted = false;
  if (panel.yields == (small && !panel.insisted)) return;
  panel.yields = small && !panel.insisted;
  showPanels();
  refreshActions();
}

std::vector<std::pair<std::string, QWidget*>> MainWindow::lowerPages() const {
  return {{"activity", jobsPanel_},
          {"plots", plotsPanel_},
          {"compare", comparePanel_},
          {"clusters", clustersPanel_},
          {"study", studyPanel_}};
}

std::vector<std::pair<std::string, const MainWindow::Panel*>> MainWindow::sidePanels() const {
  return {{"layers", &layersSide_}, {"analysis", &analysisSide_}, {"lower", &bottomSide_}};
}

model::PanelsLook MainWindow::panelsLook() const {
  model::PanelsLook look;
  look.layers = layersSide_.wanted, look.analysis = analysisSide_.wanted, look.lower = bottomSide_.wanted;
  look.layersWidth = layersSide_.dock->width(), look.analysisWidth = analysisSide_.dock->width();
  for (const auto& [name, page] : lowerPages())
    if (page == bottom_->current()) look.lowerPage = name;
  look.lowerFolded = bottom_->folded();
  look.lowerHeight = look.lowerFolded ? bottomHeight_ : bottomSide_.dock->height();
  for (const auto& [name, panel] : sidePanels())
    if (panel->dock->isFloating()) look.floating.push_back({name, placeOf(*panel->dock)});
  return look;
}

void MainWindow::setPanelsLook(const model::PanelsLook& look) {
  layersSide_.wanted = look.layers, analysisSide_.wanted = look.analysis, bottomSide_.wanted = look.lower;
  for (const auto& [name, panel] : sidePanels()) {
    const auto one = std::ranges::find(look.floating, name, &model::FloatingPanel::panel);
    panel->dock->setFloating(one != look.floating.end());
    if (one != look.floating.end())
      panel->dock->setGeometry(
          reachable({one->place[0], one->place[1], one->place[2], one->place[3]}, *this));
  }
  showPanels();
  for (const auto& [name, page] : lowerPages())
    if (name == look.lowerPage) bottom_->restore(page, look.lowerFolded);
  bottomHeight_ = look.lowerHeight;
  layout()->activate();
  resizeDocks({layersSide_.dock, analysisSide_.dock}, {look.layersWidth, look.analysisWidth}, Qt::Horizontal);
  if (!look.lowerFolded) resizeDocks({bottomSide_.dock}, {look.lowerHeight}, Qt::Vertical);
  refreshActions();
}

void MainWindow::restorePanels() {
  layersSide_.wanted = settings_.value(kLayersWanted, true).toBool();
  analysisSide_.wanted = settings_.value(kAnalysisWanted, true).toBool();
}

void MainWindow::keepPanels() {
  if (!layers_.empty()) settings_.setValue(kDocks, saveState(kDocksVersion));
  settings_.setValue(kLayersWanted, layersSide_.wanted || viewsOnly());
  settings_.setValue(kAnalysisWanted, analysisSide_.wanted || viewsOnly());
}

}  // namespace sulcus::ui::widgets
