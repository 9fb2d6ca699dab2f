#include "ui/widgets/window/main_window.h"

#include "ui/model/layers/readout.h"
#include "ui/model/text/localize.h"
#include "ui/scene/common/words.h"
#include "ui/widgets/controls/folding_tabs.h"
#include "ui/widgets/controls/widget_help.h"
#include "ui/widgets/export/html_exporter.h"
#include "ui/widgets/export/movie_exporter.h"
#include "ui/widgets/panels/analysis_panel.h"
#include "ui/widgets/panels/compare_panel.h"
#include "ui/widgets/panels/jobs_panel.h"
#include "ui/widgets/panels/layers_panel.h"
#include "ui/widgets/panels/plots_panel.h"
#include "ui/widgets/panels/study_panel.h"
#include "ui/widgets/views/render_scheduler.h"
#include "ui/widgets/views/shared_camera.h"
#include "ui/widgets/views/view_area.h"
#include "ui/widgets/window/dialogs.h"
#include "ui/widgets/window/guide.h"
#include "ui/widgets/window/help_pages.h"
#include "ui/widgets/window/job_line.h"
#include "ui/widgets/window/start_page.h"
#include "ui/widgets/window/status_line.h"
#include "ui/widgets/window/theme.h"

#include <QAbstractSpinBox>
#include <QApplication>
#include <QCloseEvent>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QLineEdit>
#include <QMimeData>
#include <QPixmapCache>
#include <QScreen>
#include <QScrollArea>
#include <QStackedWidget>
#include <QStatusBar>
#include <QTabWidget>
#include <QToolButton>
#include <algorithm>

namespace sulcus::ui::widgets {

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
  setWindowIcon(QIcon(QStringLiteral(":/sulcus/icons/sulcus.svg")));
  scene::translateBy([](const char* text) { return model::words(text).toStdString(); });
  setAcceptDrops(true);
  setDockOptions(AnimatedDocks | AllowTabbedDocks | AllowNestedDocks);
  setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
  buildCenter();
  buildLayersDock();
  buildAnalysisDock();
  buildBottomDock();
  status_ = new StatusLine(layers_);
  statusBar()->addWidget(status_, 1);
  statusBar()->addPermanentWidget(new JobLine(jobs_));
  addFileCommands();
  addSessionCommands();
  addLayerCommands();
  addReinterpretationCommands();
  addViewCommands();
  addPanelCommands();
  addRunCommands();
  addCompareCommands();
  addPictureCommands();
  addRegionCommands();
  addPlotCommands();
  addClusterCommands();
  addStudyCommands();
  addHelpCommands();
  addSearchCommand();
  buildMenus();
  buildCorner();
  buildRegions();
  connectModels();
  connectSession();
  resize(QSize(1440, 900).boundedTo(screen()->availableGeometry().size()));
  restoreGeometry(settings_.value(QStringLiteral("geometry")).toByteArray());
  // One that begins in full screen may come out larger than the screen.
  setWindowState(windowState() & ~Qt::WindowFullScreen);
  setAppearance(settings_.value(QStringLiteral("appearance"))
                    .toInt());  // once the widgets have their places: it is faster
  restorePanels();
  updatePages();
  refreshActions();
  workspace_.askDevices();
}

MainWindow::~MainWindow() {
  // Children first: what they signal while they end reaches members of this. The tabs would choose analyses.
  analysisTabs_->disconnect(this);
  workspace_.setLook({});
  session_.setHeld({});
  session_.disconnect(this);
  delete takeCentralWidget();
  for (const Panel* panel : {&layersSide_, &analysisSide_, &bottomSide_}) delete panel->dock;
  delete status_;
}

void MainWindow::buildCenter() {
  start_ = new StartPage(workspace_.analyses(), workspace_.recent(), workspace_.recentSessions());
  views_ = new ViewArea(layers_, view_, workspace_.imageOverlay());
  setHelpPage(views_, QStringLiteral("window#Views"));
  auto* scroll = new QScrollArea;
  scroll->setObjectName(QStringLiteral("startScroll"));
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
  connect(start_, &StartPage::openStudyRequested, this,
          [this] { trigger(QStringLiteral("file.openStudy")); });
  connect(start_, &StartPage::recentRequested, this, [this](const QString& path) { openFiles({path}); });
  connect(start_, &StartPage::demoRequested, &workspace_, &model::Workspace::loadDemo);
  connect(views_, &ViewArea::differenceRequested, &workspace_, &model::Workspace::makeDifference);
  connect(views_, &ViewArea::hovered, this,
          [this](const Vec3<double>& world) { status_->showPosition(world); });
  connect(views_, &ViewArea::menuRequested, this, &MainWindow::showViewMenu);
  connect(views_, &ViewArea::left, this, [this] { status_->showPosition(view_.crosshair()); });
}

void MainWindow::setExamples(model::Examples& examples) {
  start_->setExamples(examples.all());
  connect(start_, &StartPage::exampleRequested, &examples, &model::Examples::open);
  connect(&examples, &model::Examples::loaded, this, [this](const model::Example& example) {
    if (!example.analysis.empty()) selectAnalysis(QString::fromStdString(example.analysis));
    trigger(QString::fromStdString(example.layout));
    frameViews();
  });
  connect(&examples, &model::Examples::shown, this, [this] {  // once the views have its layers
    guideOnce();
    connect(&RenderScheduler::of(view_), &RenderScheduler::allDrawn, this, &MainWindow::frameViews,
            Qt::SingleShotConnection);
  });
  for (const model::Example& example : examples.all())
    commands_.add({QStringLiteral("example.") + QString::fromStdString(example.name),
                   tr("Example: %1").arg(model::words(example.title)),
                   {},
                   [&examples, name = QString::fromStdString(example.name)] { examples.open(name); }});
}

void MainWindow::showSurfacesLarge() {
  const bool any = std::ranges::any_of(layers_.layers(), [](const model::LayerState& state) {
    return state.display.visible && std::holds_alternative<MeshLayer>(state.layer->content);
  });
  if (!any || shownLarge_ || session_.isRestoring()) return;
  shownLarge_ = true;
  if (views_->layoutShown() == ViewLayout::grid) views_->setLayoutShown(ViewLayout::beside);
}

void MainWindow::guideOnce() {
  const QString kGuided = QStringLiteral("guided");
  if (settings_.value(kGuided).toBool()) return;
  settings_.setValue(kGuided, true);
  showGuide(this,
            {{layersSide_.dock, tr("Layers"),
              tr("All that is open or computed. The eye shows and hides; colors and thresholds are below.")},
             {views_, tr("Views"),
              tr("Click to move the crosshair, turn the wheel to move through slices, drag to turn 3D. "
                 "Double click makes a view large.")},
             {analysisSide_.dock, tr("Analyses"),
              tr("Choose the scans, change what you like, and run. Everything has a sensible default.")},
             {bottomSide_.dock, tr("Activity and plots"),
              tr("What runs, plots that follow the crosshair, comparisons and clusters.")},
             {findChild<QToolButton*>(QStringLiteral("searchButton")), tr("Search everything"),
              tr("Ctrl+K finds every action, parameter and layer. F1 explains what you look at.")}});
}

void MainWindow::connectModels() {
  const auto readout = [this] { status_->showPosition(view_.crosshair()); };
  connect(&layers_, &model::LayerStack::added, this, &MainWindow::updatePages);
  connect(&layers_, &model::LayerStack::removed, this, &MainWindow::updatePages);
  connect(&RenderScheduler::of(view_), &RenderScheduler::allDrawn, this, [this] {  // the views have let go
    if (!layers_.layers().empty()) return;
    QPixmapCache::clear();  // pictures of buttons that are gone
    session_.giveMemoryBack();
  });
  connect(&layers_, &model::LayerStack::changed, this, readout);
  connect(&view_, &model::ViewState::crosshairChanged, this, readout);
  connect(status_, &StatusLine::placeChosen, &view_, &model::ViewState::lookAt);
  connect(status_, &StatusLine::undoRequested, this, [this] { trigger(QStringLiteral("edit.undo")); });
  connect(status_, &StatusLine::editingEnded, this, [this] { views_->setFocus(); });

  connect(&layers_, &model::LayerStack::currentChanged, this, &MainWindow::refreshActions);
  connect(&view_, &model::ViewState::decorationChanged, this, &MainWindow::refreshActions);
  connect(views_, &ViewArea::layoutChanged, this, &MainWindow::refreshActions);
  connect(views_, &ViewArea::layoutChanged, this, &MainWindow::fitPanelsSoon);
  connect(&workspace_.imageOverlay(), &model::ImageOverlay::changed, this, &MainWindow::refreshActions);
  connect(&workspace_.player(), &model::SeriesPlayer::changed, this, &MainWindow::refreshActions);
  for (const auto& presenter : workspace_.presenters())
    connect(presenter.get(), &model::AnalysisPresenter::readinessChanged, this, &MainWindow::refreshActions);

  connect(analysisTabs_, &QTabWidget::currentChanged, this, [this](int tab) {
    const auto& presenters = workspace_.presenters();
    model::AnalysisPresenter* front = tab < 0 ? nullptr : presenters[std::size_t(tab)].get();
    if (front != workspace_.current()) workspace_.setCurrent(front);
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
  // Files come in any order: what 3D shows in the end must not depend on it.
  connect(&workspace_, &model::Workspace::layersArrived, this, [this] {
    showSurfacesLarge();
    if (SharedCamera::of(view_)->isFramed()) frameIn3d();
  });
  connect(&workspace_.recent(), &model::RecentFiles::changed, this, &MainWindow::fillRecentMenu);
  connect(&files_, &jobs::FileJobs::seriesFound, this,
          [this](const QString& folder, const std::vector<io::DicomSeries>& series,
                 const jobs::FileJobs::Then& then) {
            pickSeries(
                this, folder, series,
                [this, then](const io::DicomSeries& one) { files_.openSeries(one, then); },
                [this](const io::DicomSeries& one, const auto& show) { files_.lookAt(one, show); });
          });
  connect(&files_, &jobs::FileJobs::saved, this,
          [this](const QString& file) { status_->showPassingNote(tr("saved %1").arg(file)); });
  // The maps beside a result are a click away.
  connect(&runs_, &model::RunController::layersShown, layersPanel_, &LayersPanel::fold);
  connect(&workspace_, &model::Workspace::resultOpened, layersPanel_, &LayersPanel::fold);
  connect(&workspace_.plots(), &model::PlotsModel::liveStarted, this,
          [this] { bottom_->offer(plotsPanel_); });
  connect(&runs_, &model::RunController::finished, this, &MainWindow::showSurfacesLarge);
  connect(&runs_, &model::RunController::runsChanged, views_, &ViewArea::refreshComparison);
  connect(&runs_, &model::RunController::comparisonGone, this, [this] {
    views_->closeComparison();
    refreshActions();
  });
  connect(&runs_, &model::RunController::compared, this, [this](const model::ComparedPtr& comparison) {
    views_->showComparison(comparison);
    bottom_->offer(comparePanel_);
    refreshActions();
  });
}

void MainWindow::frameViews() {
  frameIn3d();
  views_->slice(model::Plane::axial)->setFocus();
}

void MainWindow::frameIn3d() {
  // Single slices are seen from above, a body obliquely.
  const bool flat = std::ranges::all_of(layers_.layers(), [](const model::LayerState& state) {
    const Grid* grid = gridOf(*state.layer);
    return grid ? grid->size.z == 1 : model::extentOf(*state.layer) == 0;
  });
  flat ? views_->lookFrom('S') : views_->scene()->lookFromFront();
  SharedCamera::of(view_)->setFramed();
}

void MainWindow::updatePages() {
  if (layers_.empty()) {
    status_->showPosition({});
    shownLarge_ = false;
  }
  bottom_->setOffered(studyPanel_, workspace_.study().isOpen());
  center_->setCurrentIndex(layers_.empty() && !workspace_.study().isOpen() ? 0 : 1);
  showPanels();
}

void MainWindow::selectAnalysis(const QString& analysis) {
  if (AnalysisPanel* wanted = panel(analysis)) {
    workspace_.keepCurrent();
    setWanted(analysisSide_, true);
    analysisTabs_->setCurrentWidget(wanted);
  }
}

AnalysisPanel* MainWindow::panel(const QString& analysis) const {
  for (AnalysisPanel* panel : panels_)
    if (QString::fromStdString(panel->presenter().analysis().name) == analysis) return panel;
  return nullptr;
}

void MainWindow::takeTyped() {
  QWidget* const field = QApplication::focusWidget();
  if (auto* number = qobject_cast<QAbstractSpinBox*>(field))
    number->interpretText();
  else if (auto* line = qobject_cast<QLineEdit*>(field); line && line->isModified())
    emit line->editingFinished();
}

bool MainWindow::trigger(const QString& command) {
  takeTyped();
  return commands_.trigger(command);
}

void MainWindow::run(model::RunChoice choice) {
  takeTyped();
  if (workspace_.run(choice)) bottom_->offer(jobsPanel_);
}

void MainWindow::closeEvent(QCloseEvent* event) {
  QString loss = session_.loss();
  if (files_.pending() > 0 || movies_->busy() || pages_->busy())
    loss += QLatin1Char('\n') + tr("Files are being read or written.");
  if (!mayClose_ && !loss.isEmpty()) {
    event->ignore();
    return unlessLost(loss.trimmed(), tr("Quit"), [this] {
      mayClose_ = true;
      close();
    });
  }
  settings_.setValue(QStringLiteral("geometry"), saveGeometry());
  keepPanels();
  QMainWindow::closeEvent(event);
}

}  // namespace sulcus::ui::widgets
