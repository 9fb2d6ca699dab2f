#include "ui/widgets/main_window.h"

#include "ui/widgets/analysis_panel.h"
#include "ui/widgets/compare_panel.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/job_line.h"
#include "ui/widgets/jobs_panel.h"
#include "ui/widgets/layer_properties.h"
#include "ui/widgets/layers_panel.h"
#include "ui/widgets/plots_panel.h"
#include "ui/widgets/start_page.h"
#include "ui/widgets/status_line.h"
#include "ui/widgets/view_area.h"
#include "ui/widgets/widget_help.h"

#include <QApplication>
#include <QCloseEvent>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QMimeData>
#include <QScrollArea>
#include <QSplitter>
#include <QStackedWidget>
#include <QStatusBar>
#include <QTabWidget>
#include <QVBoxLayout>

namespace sulcus::ui::widgets {

namespace {
constexpr int kPanelEms = 26;  ///< width of the panels beside the views, in which no row is cut off
}

MainWindow::MainWindow(model::Workspace& workspace, QSettings& settings, QWidget* parent)
    : QMainWindow(parent),
      workspace_(workspace),
      settings_(settings),
      layers_(workspace.layers()),
      view_(workspace.view()),
      jobs_(workspace.jobs()),
      runs_(workspace.runs()),
      files_(workspace.files()),
      session_(workspace.session()) {
  setWindowTitle(QStringLiteral("Sulcus"));
  setAcceptDrops(true);
  setDockOptions(AnimatedDocks | AllowTabbedDocks | AllowNestedDocks);
  setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
  setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
  buildCenter();
  buildLayersDock();
  buildAnalysisDock();
  buildBottomDocks();
  resizeDocks({layersDock_, analysisDock_}, {290, 330}, Qt::Horizontal);
  resizeDocks({bottomDock_}, {240}, Qt::Vertical);
  status_ = new StatusLine(layers_);
  statusBar()->addWidget(status_, 1);
  statusBar()->addPermanentWidget(new JobLine(jobs_));
  addFileCommands();
  addSessionCommands();
  addLayerCommands();
  addViewCommands();
  addRunCommands();
  addPlotCommands();
  addHelpCommands();
  buildMenus();
  connectModels();
  connectSession();
  resize(1440, 900);
  restoreGeometry(settings_.value(QStringLiteral("geometry")).toByteArray());
  restoreState(settings_.value(QStringLiteral("docks")).toByteArray());
  updatePages();
  refreshActions();
  workspace_.askDevices();
}

MainWindow::~MainWindow() {
  // Children first: what they signal while they end reaches members of this. The tabs would choose analyses.
  analysisTabs_->disconnect(this);
  workspace_.setLook({});
  session_.disconnect(this);
  delete takeCentralWidget();
  for (QDockWidget* dock : {layersDock_, analysisDock_, bottomDock_, plotsDock_}) delete dock;
  delete status_;
}

void MainWindow::buildCenter() {
  start_ = new StartPage(workspace_.analyses(), workspace_.recent(), workspace_.recentSessions());
  views_ = new ViewArea(layers_, view_, workspace_.imagePair());
  auto* scroll = new QScrollArea;
  scroll->setWidget(start_);
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  center_ = new QStackedWidget;
  center_->addWidget(scroll);
  center_->addWidget(views_);
  setCentralWidget(center_);
  connect(start_, &StartPage::openRequested, this, [this] { trigger(QStringLiteral("file.open")); });
  connect(start_, &StartPage::openFolderRequested, this,
          [this] { trigger(QStringLiteral("file.openFolder")); });
  connect(start_, &StartPage::recentRequested, this, [this](const QString& path) { openFiles({path}); });
  connect(start_, &StartPage::demoRequested, &workspace_, &model::Workspace::loadDemo);
  connect(views_, &ViewArea::hovered, this,
          [this](const Vec3<double>& world) { status_->showPosition(world); });
}

QDockWidget* MainWindow::addDock(const QString& title, const char* name, QWidget* widget,
                                 Qt::DockWidgetArea area) {
  auto* dock = new QDockWidget(title, this);
  dock->setObjectName(QLatin1String(name));
  dock->setWidget(widget);
  addDockWidget(area, dock);
  return dock;
}

void MainWindow::buildLayersDock() {
  layersPanel_ = new LayersPanel(layers_);
  auto* properties = new QScrollArea;
  auto* look = properties_ = new LayerProperties(layers_);
  connect(look, &LayerProperties::glyphStyleChanged, this,
          [this](const scene::GlyphStyle& style) { views_->setGlyphStyle(style); });
  connect(look, &LayerProperties::fieldStyleChanged, this,
          [this](const scene::FieldStyle& style) { views_->setFieldStyle(style); });
  connect(look, &LayerProperties::conventionChosen, &workspace_, &model::Workspace::readFieldAs);
  connect(look, &LayerProperties::placeChosen, &workspace_.view(), &model::ViewState::setCrosshair);
  connect(look, &LayerProperties::tableRequested, this,
          [this] { trigger(QStringLiteral("layer.showTable")); });
  properties->setWidget(look);
  properties->setWidgetResizable(true);
  properties->setFrameShape(QFrame::NoFrame);
  properties->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  auto* left = new QSplitter(Qt::Vertical);
  left->addWidget(layersPanel_);
  left->addWidget(properties);
  left->setStretchFactor(0, 2);
  left->setStretchFactor(1, 3);
  left->setChildrenCollapsible(false);
  left->setSizes({320, 400});
  left->setMinimumWidth(kPanelEms * fontMetrics().horizontalAdvance(QLatin1Char('M')));
  layersDock_ = addDock(tr("Layers"), "layersDock", left, Qt::LeftDockWidgetArea);
  connect(layersPanel_, &LayersPanel::menuRequested, this, &MainWindow::showLayerMenu);
}

void MainWindow::buildAnalysisDock() {
  analysisTabs_ = new QTabWidget;
  analysisTabs_->setObjectName(QStringLiteral("analyses"));
  analysisTabs_->setDocumentMode(true);
  for (const auto& owned : workspace_.presenters()) {
    model::AnalysisPresenter& presenter = *owned;
    auto* panel = new AnalysisPanel(presenter, layers_);
    panels_.push_back(panel);
    analysisTabs_->addTab(panel, QString::fromStdString(presenter.analysis().title));
    connect(panel, &AnalysisPanel::runRequested, this, &MainWindow::run);
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
  analysisDock_ = addDock(tr("Analysis"), "analysisDock", analysisTabs_, Qt::RightDockWidgetArea);
}

void MainWindow::buildBottomDocks() {
  comparePanel_ = new ComparePanel(runs_);
  bottomTabs_ = new QTabWidget;
  bottomTabs_->setObjectName(QStringLiteral("bottom"));
  bottomTabs_->setDocumentMode(true);
  bottomTabs_->addTab(new JobsPanel(jobs_), tr("Jobs"));
  bottomTabs_->addTab(comparePanel_, tr("Compare"));
  bottomDock_ = addDock(tr("Jobs and comparison"), "bottomDock", bottomTabs_, Qt::BottomDockWidgetArea);
  connect(comparePanel_, &ComparePanel::worstChosen, &view_, &model::ViewState::setCrosshair);
  connect(comparePanel_, &ComparePanel::saveCsvRequested, this,
          [this] { trigger(QStringLiteral("compare.saveCsv")); });
  connect(comparePanel_, &ComparePanel::savePictureRequested, this,
          [this] { trigger(QStringLiteral("compare.savePng")); });
  plotsPanel_ = new PlotsPanel(workspace_.plots(), view_);
  connect(plotsPanel_, &PlotsPanel::saveRequested, this, &MainWindow::savePlot);
  plotsDock_ = addDock(tr("Plots"), "plotsDock", plotsPanel_, Qt::BottomDockWidgetArea);
  showPlotsStrip();
  connect(plotsPanel_, &PlotsPanel::floatRequested, this,
          [this] { plotsDock_->setFloating(!plotsDock_->isFloating()); });
  tabifyDockWidget(bottomDock_, plotsDock_);
  bottomDock_->raise();
  // Queued, because a hand may still drag the dock by the title that is replaced.
  connect(plotsDock_, &QDockWidget::topLevelChanged, this, &MainWindow::showPlotsStrip, Qt::QueuedConnection);
  for (QDockWidget* dock : {layersDock_, analysisDock_, bottomDock_, plotsDock_})
    connect(dock, &QDockWidget::topLevelChanged, dock, &QWidget::raise);  // above the window, above its tab
}

void MainWindow::showPlotsStrip() {
  // In the window the tabs of the plots are what the dock is held by, which is one line less; a window of its
  // own has a title.
  if (plotsDock_->isFloating()) {
    plotsDock_->setTitleBarWidget(nullptr);
    plotsPanel_->showStrip();
  } else {
    plotsDock_->setTitleBarWidget(plotsPanel_->strip());
    plotsPanel_->strip()->show();
  }
}

void MainWindow::connectModels() {
  const auto readout = [this] { status_->showPosition(view_.crosshair()); };
  connect(&layers_, &model::LayerStack::added, this, &MainWindow::updatePages);
  connect(&layers_, &model::LayerStack::added, this, readout);
  connect(&layers_, &model::LayerStack::removed, this, &MainWindow::updatePages);
  connect(&view_, &model::ViewState::crosshairChanged, this, readout);
  connect(&layers_, &model::LayerStack::displayChanged, this, readout);
  connect(&layers_, &model::LayerStack::currentChanged, this, readout);

  connect(&layers_, &model::LayerStack::currentChanged, this, &MainWindow::refreshActions);
  connect(&view_, &model::ViewState::decorationChanged, this, &MainWindow::refreshActions);
  connect(views_, &ViewArea::layoutChanged, this, &MainWindow::refreshActions);
  connect(&workspace_.imagePair(), &model::ImagePair::changed, this, &MainWindow::refreshActions);
  for (const auto& presenter : workspace_.presenters())
    connect(presenter.get(), &model::AnalysisPresenter::readinessChanged, this, &MainWindow::refreshActions);

  connect(analysisTabs_, &QTabWidget::currentChanged, this, [this](int tab) {
    const auto& presenters = workspace_.presenters();
    workspace_.setCurrent(tab < 0 ? nullptr : presenters[std::size_t(tab)].get());
  });
  connect(&workspace_, &model::Workspace::currentChanged, this, [this] {
    for (AnalysisPanel* panel : panels_)
      if (&panel->presenter() == workspace_.current()) analysisTabs_->setCurrentWidget(panel);
    refreshActions();
  });
  connect(&workspace_, &model::Workspace::demoLoaded, this, &MainWindow::selectAnalysis);

  connect(&workspace_, &model::Workspace::devicesKnown, status_, &StatusLine::showDevices);
  connect(&workspace_, &model::Workspace::devicesKnown, this,
          [this](const QString&, const DeviceReport& report) { deviceReport_ = report; });
  connect(&workspace_, &model::Workspace::failed, this,
          [this](const QString& job, const QString& sentence) { showError(this, job, sentence); });
  // Cameras are set when the views have their size and content.
  connect(&workspace_, &model::Workspace::firstLayerFramed, this, &MainWindow::frameViews,
          Qt::QueuedConnection);
  connect(&workspace_.recent(), &model::RecentFiles::changed, this, &MainWindow::fillRecentMenu);
  connect(&files_, &jobs::FileJobs::seriesFound, this,
          [this](const QString& folder, const std::vector<io::DicomSeries>& series,
                 const jobs::FileJobs::Then& then) {
            pickSeries(this, folder, series,
                       [this, then](const io::DicomSeries& one) { files_.openSeries(one, then); });
          });
  connect(&files_, &jobs::FileJobs::saved, this,
          [this](const QString& file) { status_->showNote(tr("saved %1").arg(file)); });
  // The maps beside a result are a click away.
  connect(&runs_, &model::RunController::layersShown, layersPanel_, &LayersPanel::fold);
  connect(&workspace_.plots(), &model::PlotsModel::liveStarted, this, [this] {
    if (plotsDock_->toggleViewAction()->isChecked()) plotsDock_->raise();
  });
  connect(&runs_, &model::RunController::runsChanged, views_, &ViewArea::refreshComparison);
  connect(&runs_, &model::RunController::comparisonGone, this, [this] {
    views_->closeComparison();
    refreshActions();
  });
  connect(&runs_, &model::RunController::compared, this, [this](const model::ComparedPtr& comparison) {
    views_->showComparison(comparison);
    bottomTabs_->setCurrentWidget(comparePanel_);
    refreshActions();
  });
}

void MainWindow::frameViews(bool flat) {
  // A single slice is seen from above, a body obliquely.
  flat ? views_->lookFrom('S') : views_->scene()->lookFromFront();
  views_->slice(model::Plane::axial)->setFocus();
}

void MainWindow::updatePages() {
  if (layers_.empty()) status_->showPosition({});
  center_->setCurrentIndex(layers_.empty() ? 0 : 1);
}

void MainWindow::selectAnalysis(const QString& analysis) {
  if (AnalysisPanel* wanted = panel(analysis)) {
    analysisDock_->show();
    analysisTabs_->setCurrentWidget(wanted);
  }
}

AnalysisPanel* MainWindow::panel(const QString& analysis) const {
  for (AnalysisPanel* panel : panels_)
    if (QString::fromStdString(panel->presenter().analysis().name) == analysis) return panel;
  return nullptr;
}

void MainWindow::run(model::RunChoice choice) {
  if (workspace_.run(choice)) bottomTabs_->setCurrentIndex(0);
}

QImage MainWindow::windowPicture() {
  views_->finishDrawing();
  return grab().toImage();
}

void MainWindow::closeEvent(QCloseEvent* event) {
  QString loss = session_.loss();
  if (files_.pending() > 0) loss += QLatin1Char('\n') + tr("Files are being read or written.");
  if (!mayClose_ && !loss.isEmpty()) {
    event->ignore();
    return unlessLost(loss.trimmed(), tr("Quit"), [this] {
      mayClose_ = true;
      close();
    });
  }
  settings_.setValue(QStringLiteral("geometry"), saveGeometry());
  settings_.setValue(QStringLiteral("docks"), saveState());
  QMainWindow::closeEvent(event);
}

}  // namespace sulcus::ui::widgets
