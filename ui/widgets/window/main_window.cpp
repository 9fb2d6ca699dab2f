#include "ui/widgets/window/main_window.h"

#include "ui/model/layers/readout.h"
#include "ui/model/text/localize.h"
#include "ui/scene/common/words.h"
#include "ui/widgets/commands/commands.h"
#include "ui/widgets/controls/elided_label.h"
#include "ui/widgets/controls/folding_tabs.h"
#include "ui/widgets/controls/option_form.h"
#include "ui/widgets/controls/widget_help.h"
#include "ui/widgets/dialogs/dialogs.h"
#include "ui/widgets/export/html_exporter.h"
#include "ui/widgets/export/movie_exporter.h"
#include "ui/widgets/help/guide.h"
#include "ui/widgets/help/help_pages.h"
#include "ui/widgets/help/start_page.h"
#include "ui/widgets/panels/analysis_panel.h"
#include "ui/widgets/panels/bundles_panel.h"
#include "ui/widgets/panels/clusters_panel.h"
#include "ui/widgets/panels/compare_panel.h"
#include "ui/widgets/panels/jobs_panel.h"
#include "ui/widgets/panels/layer_properties.h"
#include "ui/widgets/panels/layers_panel.h"
#include "ui/widgets/panels/plots_panel.h"
#include "ui/widgets/panels/study_panel.h"
#include "ui/widgets/views/chart_view.h"
#include "ui/widgets/views/render_scheduler.h"
#include "ui/widgets/views/shared_camera.h"
#include "ui/widgets/views/view_area.h"
#include "ui/widgets/window/job_line.h"
#include "ui/widgets/window/session_control.h"
#include "ui/widgets/window/status_line.h"
#include "ui/widgets/window/window_look.h"

#include <QCloseEvent>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QMimeData>
#include <QPixmapCache>
#include <QScreen>
#include <QScrollArea>
#include <QSplitter>
#include <QStackedWidget>
#include <QStatusBar>
#include <QTabBar>
#include <QTabWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

namespace sulcus::ui::widgets {

MainWindow::MainWindow(model::Workspace& workspace, QSettings& settings, QWidget* parent)
    : QMainWindow(parent), parts_(*this, workspace, settings) {
  setWindowTitle(QStringLiteral("Sulcus"));
  setWindowIcon(QIcon(QStringLiteral(":/sulcus/icons/sulcus.svg")));
  scene::translateBy([](const char* text) { return model::words(text).toStdString(); });
  setAcceptDrops(true);
  setDockOptions(AnimatedDocks | AllowTabbedDocks | AllowNestedDocks);
  setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
  buildCenter();
  buildLayersDock();
  buildAnalysisDock();
  buildLowerDock();
  parts_.status = new StatusLine(parts_.layers);
  statusBar()->addWidget(parts_.status, 1);
  statusBar()->addPermanentWidget(new JobLine(workspace.jobs()));
  addFileCommands(parts_);
  parts_.sessions = new SessionControl(parts_);
  addLayerCommands(parts_);
  addReinterpretationCommands(parts_);
  addViewCommands(parts_);
  parts_.sides.addCommands(parts_.commands);
  addRunCommands(parts_);
  addCompareCommands(parts_);
  addPictureCommands(parts_);
  addRegionCommands(parts_);
  addPlotCommands(parts_);
  addClusterCommands(parts_);
  addStudyCommands(parts_);
  addHelpCommands(parts_);
  addSearchCommand(parts_);
  parts_.menus.build(parts_);
  buildRegions(parts_);
  connectModels();
  parts_.sessions->show();
  constexpr QSize kFrame(16, 48);  // with the title bar, of usual desktops
  resize(QSize(1440, 900).boundedTo(screen()->availableGeometry().size() - kFrame));
  restoreGeometry(settings.value(QStringLiteral("geometry")).toByteArray());
  // A window that starts in full screen may come out larger than the screen.
  setWindowState(windowState() & ~Qt::WindowFullScreen);
  showAppearance(settings);  // once the widgets are laid out: it is faster
  parts_.sides.restore();
  updatePages();
  parts_.menus.refresh();
  workspace.processors().ask();
}

MainWindow::~MainWindow() {
  // Children first: their signals during destruction reach members of this. The tabs would select analyses.
  parts_.analysisTabs->disconnect(this);
  parts_.workspace.snapshots().setLook({});
  parts_.session.setHeld({});
  parts_.session.disconnect(this);
  delete parts_.sessions;
  delete takeCentralWidget();
  parts_.sides.deleteDocks();
  delete parts_.status;
}

void MainWindow::buildCenter() {
  start_ = new StartPage(parts_.workspace.analyses(), parts_.workspace.recent(),
                         parts_.workspace.session().recent());
  parts_.views = new ViewArea(parts_.layers, parts_.view, parts_.workspace.imageOverlay());
  setHelpPage(parts_.views, QStringLiteral("window#Views"));
  parts_.sides.setViews(*parts_.views);
  auto* scroll = named("startScroll", new QScrollArea);
  scroll->setWidget(start_);
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  center_ = new QStackedWidget;
  center_->addWidget(scroll);
  center_->addWidget(parts_.views);
  setCentralWidget(center_);
  connect(start_, &StartPage::openRequested, this, [this] { parts_.trigger(QStringLiteral("file.open")); });
  connect(start_, &StartPage::openFolderRequested, this,
          [this] { parts_.trigger(QStringLiteral("file.openFolder")); });
  connect(start_, &StartPage::openStudyRequested, this,
          [this] { parts_.trigger(QStringLiteral("file.openStudy")); });
  connect(start_, &StartPage::recentRequested, this, [this](const QString& path) { openFiles({path}); });
  connect(start_, &StartPage::demoRequested, &parts_.workspace, &model::Workspace::loadDemo);
  connect(parts_.views, &ViewArea::differenceRequested, &parts_.workspace.evaluation().derived,
          &model::DerivedLayers::makeDifference);
  connect(parts_.views, &ViewArea::hovered, this,
          [this](const Vec3<double>& world) { parts_.status->showPosition(world); });
  connect(parts_.views, &ViewArea::menuRequested, &parts_.menus, &WindowMenus::showViewMenu);
  connect(parts_.views, &ViewArea::left, this,
          [this] { parts_.status->showPosition(parts_.view.crosshair()); });
}

void MainWindow::buildLayersDock() {
  parts_.layersPanel = new LayersPanel(parts_.layers);
  auto* properties = new QScrollArea;
  auto* look = parts_.properties =
      new LayerProperties(parts_.layers, parts_.workspace.player(), parts_.workspace.evaluation().findings,
                          parts_.workspace.evaluation().labelLists, parts_.workspace.editing().leftOutVolumes,
                          parts_.workspace.analyses());
  connect(look, &LayerProperties::glyphStyleChanged, this, [this](const scene::GlyphStyle& style) {
    parts_.views->changeStyles([&](scene::Styles& styles) { styles.glyphs = style; });
  });
  connect(look, &LayerProperties::fieldStyleChanged, this, [this](const scene::FieldStyle& style) {
    parts_.views->changeStyles([&](scene::Styles& styles) { styles.fields = style; });
  });
  connect(look, &LayerProperties::conventionChosen, &parts_.workspace.evaluation().derived,
          &model::DerivedLayers::readFieldAs);
  connect(look, &LayerProperties::reinterpretationChosen, &parts_.files, &jobs::FileJobs::takeAs);
  connect(look, &LayerProperties::placeChosen, &parts_.view, &model::ViewState::lookAt);
  connect(look, &LayerProperties::tableRequested, this,
          [this] { parts_.trigger(QStringLiteral("layer.showTable")); });
  connect(look, &LayerProperties::leaveOutRequested, this,
          [this] { parts_.trigger(QStringLiteral("layer.leaveOut")); });
  properties->setWidget(look);
  properties->setWidgetResizable(true);
  properties->setFrameShape(QFrame::NoFrame);
  properties->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  auto* list = new QWidget;
  auto* column = padded<QVBoxLayout>(list, {0, 8, 0, 0}, 4);
  QLabel* title = sectionHeading(tr("Layers"));
  title->setContentsMargins(8, 0, 8, 0);
  column->addWidget(title);
  column->addWidget(parts_.layersPanel);
  auto* left = new QSplitter(Qt::Vertical);
  left->setHandleWidth(1);
  left->addWidget(list);
  left->addWidget(properties);
  left->setStretchFactor(0, 2);
  left->setStretchFactor(1, 3);
  left->setChildrenCollapsible(false);
  left->setSizes({320, 400});
  left->setMinimumWidth(parts_.sides.leastWidth());
  setHelpPage(left, QStringLiteral("window#Layers"));
  parts_.sides.add(Side::layers, tr("Layers"), "layersDock", left, Qt::LeftDockWidgetArea);
  connect(parts_.layersPanel, &LayersPanel::menuRequested, &parts_.menus, &WindowMenus::showLayerMenu);
}

void MainWindow::buildAnalysisDock() {
  parts_.analysisTabs = new QTabWidget;
  parts_.analysisTabs->setObjectName(QStringLiteral("analyses"));
  parts_.analysisTabs->setDocumentMode(true);
  parts_.analysisTabs->tabBar()->setDrawBase(false);
  for (const auto& owned : parts_.workspace.presenters().all()) {
    model::AnalysisPresenter& presenter = *owned;
    auto* panel = new AnalysisPanel(presenter, parts_.layers);
    parts_.analysisPanels.push_back(panel);
    setHelpPage(panel, QString::fromStdString(presenter.analysis().name));
    parts_.analysisTabs->addTab(panel, model::words(presenter.analysis().title));
    connect(panel, &AnalysisPanel::runRequested, this,
            [this](model::RunChoice choice) { startRun(parts_, choice); });
    const auto nameResult = [this, panel, &presenter] {
      const QStringList names = parts_.runs.adjustedAlone(presenter.analysis());
      panel->form()->setResultName(names.join(QStringLiteral(" + ")));
    };
    connect(&parts_.runs, &model::RunController::runsChanged, panel, nameResult);
    connect(&parts_.layers, &model::LayerStack::currentChanged, panel, nameResult);
    const auto open = [this, &presenter](const QString& slot, const QStringList& paths) {
      parts_.workspace.openForInput(presenter, slot.toStdString(), paths);
    };
    connect(panel, &AnalysisPanel::filesDropped, this, open);
    connect(panel, &AnalysisPanel::openRequested, this, [this, open](const QString& slot) {
      parts_.dialogs.chooseFiles(tr("Open"), [open, slot](const QStringList& paths) { open(slot, paths); });
    });
    connect(panel, &AnalysisPanel::copyCommandRequested, this,
            [this] { parts_.trigger(QStringLiteral("run.copyCommand")); });
  }
  parts_.analysisTabs->setMinimumWidth(parts_.sides.leastWidth());
  parts_.sides.add(Side::analysis, tr("Analysis"), "analysisDock", parts_.analysisTabs,
                   Qt::RightDockWidgetArea);
  // Pressing a tab is a choice: from then on none is raised automatically.
  connect(parts_.analysisTabs->tabBar(), &QTabBar::tabBarClicked, &parts_.workspace.presenters(),
          &model::Presenters::keepCurrent);
}

void MainWindow::buildLowerDock() {
  parts_.lower = new FoldingTabs;
  parts_.lower->setObjectName(QStringLiteral("bottom"));
  setHelpPage(parts_.lower, QStringLiteral("window#Activity, plots, comparison"));
  parts_.jobsPanel = new JobsPanel(parts_.workspace.jobs());
  parts_.comparePanel = new ComparePanel(parts_.runs, parts_.layers);
  parts_.plotsPanel = new PlotsPanel(parts_.workspace.evaluation().plots, parts_.view);
  parts_.bundlesPanel = new BundlesPanel(parts_.workspace);
  setHelpPage(parts_.bundlesPanel, QStringLiteral("tract-files#Bundles by hand"));
  connect(parts_.bundlesPanel, &BundlesPanel::layerRequested, this, [this](int bundle) {
    if (const LayerPtr layer = parts_.workspace.editing().dissection.layerOf(bundle))
      parts_.layers.add(layer, model::Origin::computed);
  });
  connect(parts_.bundlesPanel, &BundlesPanel::groupRequested, this, [this] {
    if (const LayerPtr layer = parts_.workspace.editing().dissection.layerOfGroup())
      parts_.layers.add(layer, model::Origin::computed);
  });
  connect(parts_.bundlesPanel, &BundlesPanel::linesRequested, this, [this] {
    if (const LayerPtr layer = parts_.workspace.editing().growing.lines())
      parts_.layers.add(layer, model::Origin::computed);
  });
  parts_.clustersPanel = new ClustersPanel(parts_.layers, parts_.workspace.evaluation().clusters);
  setHelpPage(parts_.clustersPanel, QStringLiteral("window#Clusters"));
  parts_.studyPanel = new StudyPanel(parts_.workspace.study());
  setHelpPage(parts_.studyPanel, QStringLiteral("study#Looking through a study"));
  reason_ = named("activityReason", new ElidedLabel, tr("Why the analysis cannot be run"));
  reason_->setContentsMargins(8, 0, 8, 0);
  reason_->setForegroundRole(QPalette::PlaceholderText);
  parts_.lower->addPage(parts_.jobsPanel, tr("Activity"), reason_);
  parts_.lower->addPage(parts_.plotsPanel, tr("Plots"), parts_.plotsPanel->tools());
  parts_.lower->addPage(parts_.comparePanel, tr("Compare"), parts_.comparePanel->tools());
  parts_.lower->addPage(parts_.clustersPanel, tr("Clusters"), parts_.clustersPanel->tools());
  parts_.lower->addPage(parts_.bundlesPanel, tr("Bundles"), nullptr);
  parts_.lower->addPage(parts_.studyPanel, tr("Study"), nullptr);
  parts_.sides.addLower(tr("Activity"), parts_.lower,
                        {{"activity", parts_.jobsPanel},
                         {"plots", parts_.plotsPanel},
                         {"compare", parts_.comparePanel},
                         {"clusters", parts_.clustersPanel},
                         {"bundles", parts_.bundlesPanel},
                         {"study", parts_.studyPanel}});
  connect(parts_.plotsPanel, &PlotsPanel::saveRequested, this,
          [this](const QString& format) { savePlot(parts_, format); });
  connect(parts_.plotsPanel->chart(), &ChartView::pairChosen, this,
          [this](const QString& first, const QString& second) { showLinesBetween(parts_, first, second); });
  connect(parts_.comparePanel, &ComparePanel::worstChosen, &parts_.view, &model::ViewState::lookAt);
  connect(parts_.clustersPanel, &ClustersPanel::placeChosen, &parts_.view, &model::ViewState::lookAt);
  connect(parts_.clustersPanel, &ClustersPanel::saveRequested, this,
          [this] { parts_.trigger(QStringLiteral("clusters.save")); });
  connect(parts_.clustersPanel, &ClustersPanel::keepRequested, this,
          [this] { parts_.trigger(QStringLiteral("clusters.keep")); });
  connect(parts_.comparePanel, &ComparePanel::saveCsvRequested, this,
          [this] { parts_.trigger(QStringLiteral("compare.saveCsv")); });
  connect(parts_.comparePanel, &ComparePanel::savePictureRequested, this,
          [this] { parts_.trigger(QStringLiteral("compare.savePng")); });
}

void MainWindow::setExamples(model::Examples& examples) {
  start_->setExamples(examples.all());
  connect(start_, &StartPage::exampleRequested, &examples, &model::Examples::open);
  connect(&examples, &model::Examples::loaded, this, [this](const model::Example& example) {
    if (!example.analysis.empty()) parts_.selectAnalysis(QString::fromStdString(example.analysis));
    parts_.trigger(QString::fromStdString(example.layout));
    frameViews();
  });
  connect(&examples, &model::Examples::shown, this, [this] {  // once the views have its layers
    guideOnce();
    connect(&RenderScheduler::of(parts_.view), &RenderScheduler::allDrawn, this, &MainWindow::frameViews,
            Qt::SingleShotConnection);
  });
  for (const model::Example& example : examples.all())
    parts_.commands.add(QStringLiteral("example.") + QString::fromStdString(example.name),
                        tr("Example: %1").arg(model::words(example.title)), "",
                        [&examples, name = QString::fromStdString(example.name)] { examples.open(name); });
}

void MainWindow::showSurfacesLarge() {
  const bool any = std::ranges::any_of(parts_.layers.layers(), [](const model::LayerState& state) {
    return state.display.visible && std::holds_alternative<MeshLayer>(state.layer->content);
  });
  if (!any || shownLarge_ || parts_.session.isRestoring()) return;
  shownLarge_ = true;
  if (parts_.views->layoutShown() == ViewLayout::grid) parts_.views->setLayoutShown(ViewLayout::beside);
}

void MainWindow::guideOnce() {
  const QString kGuided = QStringLiteral("guided");
  if (parts_.settings.value(kGuided).toBool()) return;
  parts_.settings.setValue(kGuided, true);
  showGuide(this,
            {{parts_.sides.dock(Side::layers), tr("Layers"),
              tr("Everything opened or computed. The eye shows and hides a layer; colors and thresholds are "
                 "below.")},
             {parts_.views, tr("Views"),
              tr("Click to move the crosshair, turn the wheel to move through slices, drag to rotate in 3D. "
                 "Double-click enlarges a view.")},
             {parts_.sides.dock(Side::analysis), tr("Analyses"),
              tr("Choose the scans, change what you like, and run. Everything has a sensible default.")},
             {parts_.sides.dock(Side::lower), tr("Activity and plots"),
              tr("What runs, plots that follow the crosshair, comparisons, clusters and bundles.")},
             {findChild<QToolButton*>(QStringLiteral("searchButton")), tr("Search everything"),
              tr("Ctrl+K finds every action, parameter and layer. F1 explains the focused control.")}});
}

void MainWindow::connectModels() {
  model::StudyModel& study = parts_.workspace.study();
  connect(&study, &model::StudyModel::opened, this, [this] {
    updatePages();
    parts_.showLower(parts_.studyPanel);
  });
  connect(&study, &model::StudyModel::closed, this, &MainWindow::updatePages);
  parts_.workspace.snapshots().setLook([this] { return lookOf(parts_); });
  connect(&parts_.workspace.snapshots(), &model::Snapshots::looked, this,
          [this](const model::WindowLook& look) { setLook(parts_, look); });
  connect(&parts_.session, &model::Session::opened, this,
          [this] { shownLarge_ = true; });  // a session has its own layout
  connect(&parts_.sides, &SidePanels::changed, &parts_.menus, &WindowMenus::refresh);
  connect(&parts_.menus, &WindowMenus::refreshed, this, [this] {
    const model::AnalysisPresenter* current = parts_.workspace.presenters().current();
    reason_->setText(current ? current->whyNot(model::RunChoice::cpu) : QString());
    parts_.studyPanel->setCommand(studyCommand(parts_), whyNoStudyCommand(parts_));
  });
  const auto readout = [this] { parts_.status->showPosition(parts_.view.crosshair()); };
  connect(&parts_.layers, &model::LayerStack::added, this, &MainWindow::updatePages);
  connect(&parts_.layers, &model::LayerStack::removed, this, &MainWindow::updatePages);
  connect(&RenderScheduler::of(parts_.view), &RenderScheduler::allDrawn, this,
          [this] {  // the views have released them
            if (!parts_.layers.layers().empty()) return;
            QPixmapCache::clear();  // pictures of buttons that no longer exist
            parts_.session.giveMemoryBack();
          });
  connect(&parts_.layers, &model::LayerStack::changed, this, readout);
  connect(&parts_.view, &model::ViewState::crosshairChanged, this, readout);
  connect(parts_.status, &StatusLine::placeChosen, &parts_.view, &model::ViewState::lookAt);
  connect(parts_.status, &StatusLine::undoRequested, this,
          [this] { parts_.trigger(QStringLiteral("edit.undo")); });
  connect(parts_.status, &StatusLine::editingEnded, this, [this] { parts_.views->setFocus(); });

  connect(&parts_.layers, &model::LayerStack::currentChanged, &parts_.menus, &WindowMenus::refresh);
  connect(&parts_.view, &model::ViewState::decorationChanged, &parts_.menus, &WindowMenus::refresh);
  connect(parts_.views, &ViewArea::layoutChanged, &parts_.menus, &WindowMenus::refresh);
  connect(parts_.views, &ViewArea::layoutChanged, &parts_.sides, &SidePanels::fitSoon);
  connect(&parts_.workspace.imageOverlay(), &model::ImageOverlay::changed, &parts_.menus,
          &WindowMenus::refresh);
  connect(&parts_.workspace.player(), &model::SeriesPlayer::changed, &parts_.menus, &WindowMenus::refresh);
  connect(&parts_.workspace.editing().leftOutVolumes, &model::LeftOutVolumes::changed, &parts_.menus,
          &WindowMenus::refresh);
  for (const auto& presenter : parts_.workspace.presenters().all())
    connect(presenter.get(), &model::AnalysisPresenter::readinessChanged, &parts_.menus,
            &WindowMenus::refresh);

  connect(parts_.analysisTabs, &QTabWidget::currentChanged, this, [this](int tab) {
    const auto& presenters = parts_.workspace.presenters().all();
    model::AnalysisPresenter* front = tab < 0 ? nullptr : presenters[std::size_t(tab)].get();
    if (front != parts_.workspace.presenters().current()) parts_.workspace.presenters().choose(front);
  });
  connect(&parts_.workspace.presenters(), &model::Presenters::currentChanged, this, [this] {
    for (AnalysisPanel* panel : parts_.analysisPanels)
      if (&panel->presenter() == parts_.workspace.presenters().current())
        parts_.analysisTabs->setCurrentWidget(panel);
    parts_.menus.refresh();
  });
  connect(&parts_.workspace, &model::Workspace::demoLoaded, this,
          [this](const QString& analysis) { parts_.selectAnalysis(analysis); });

  connect(&parts_.workspace.processors(), &model::Processors::known, parts_.status, &StatusLine::showDevices);
  connect(&parts_.workspace.processors(), &model::Processors::known, this,
          [this](const QString&, const DeviceReport& report) { parts_.devices = report; });
  connect(&parts_.workspace, &model::Workspace::failed, this,
          [this](const QString& job, const QString& sentence) { showError(this, job, sentence); });
  // Cameras are set when the views have their size and content.
  connect(&parts_.workspace.framing(), &model::Framing::firstLayerFramed, this, &MainWindow::frameViews,
          Qt::QueuedConnection);
  // Files come in any order: the final 3D view must not depend on it.
  connect(&parts_.workspace.arrivedLayers(), &model::ArrivedLayers::arrived, this, [this] {
    showSurfacesLarge();
    if (SharedCamera::of(parts_.view)->isFramed()) frameIn3d();
  });
  connect(&parts_.workspace.recent(), &model::RecentFiles::changed, &parts_.menus, &WindowMenus::fillRecent);
  connect(&parts_.files, &jobs::FileJobs::seriesFound, this,
          [this](const QString& folder, const std::vector<io::DicomSeries>& series,
                 const jobs::FileJobs::Then& then) {
            pickSeries(
                this, folder, series,
                [this, then](const io::DicomSeries& one) { parts_.files.openSeries(one, then); },
                [this](const io::DicomSeries& one, const auto& show) { parts_.files.lookAt(one, show); });
          });
  connect(&parts_.files, &jobs::FileJobs::hidden, this, [this](int images) {
    parts_.status->showPassingNote(tr("First image shown, others hidden: %1. Next: ]").arg(images));
  });
  connect(&parts_.files, &jobs::FileJobs::saved, this,
          [this](const QString& file) { parts_.status->showPassingNote(tr("saved %1").arg(file)); });
  connect(
      &parts_.workspace.evaluation().plots, &model::PlotsModel::subjectShown, this,
      [this](const QString& name) { parts_.status->showPassingNote(tr("shows the map of %1").arg(name)); });
  // The maps next to a result are a click away.
  connect(&parts_.runs, &model::RunController::layersShown, parts_.layersPanel, &LayersPanel::fold);
  connect(&parts_.workspace.arrivedLayers(), &model::ArrivedLayers::resultOpened, parts_.layersPanel,
          &LayersPanel::fold);
  connect(&parts_.workspace.evaluation().plots, &model::PlotsModel::liveStarted, this,
          [this] { parts_.lower->offer(parts_.plotsPanel); });
  connect(&parts_.runs, &model::RunController::finished, this, &MainWindow::showSurfacesLarge);
  connect(&parts_.runs, &model::RunController::idle, &parts_.session, &model::Session::giveMemoryBack);
  connect(&parts_.runs, &model::RunController::runsChanged, &parts_.views->comparePage(),
          &ComparePage::refresh);
  connect(&parts_.runs.comparer(), &model::RunComparer::gone, this, [this] {
    parts_.views->comparePage().clear();
    parts_.menus.refresh();
  });
  connect(&parts_.runs.comparer(), &model::RunComparer::finished, this,
          [this](const model::ComparedPtr& comparison) {
            parts_.views->showComparison(comparison);
            parts_.lower->offer(parts_.comparePanel);
            parts_.menus.refresh();
          });
}

void MainWindow::frameViews() {
  frameIn3d();
  parts_.views->slice(model::Plane::axial)->setFocus();
}

void MainWindow::frameIn3d() {
  // Single slices are viewed from above, a body obliquely.
  const bool flat = std::ranges::all_of(parts_.layers.layers(), [](const model::LayerState& state) {
    const Grid* grid = gridOf(*state.layer);
    return grid ? grid->size.z == 1 : model::extentOf(*state.layer) == 0;
  });
  flat ? parts_.views->lookFrom('S') : parts_.views->scene()->lookFromFront();
  SharedCamera::of(parts_.view)->setFramed();
}

void MainWindow::updatePages() {
  if (parts_.layers.empty()) {
    parts_.status->showPosition({});
    shownLarge_ = false;
  }
  parts_.lower->setOffered(parts_.studyPanel, parts_.workspace.study().isOpen());
  center_->setCurrentIndex(parts_.layers.empty() && !parts_.workspace.study().isOpen() ? 0 : 1);
  parts_.sides.show();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  if (localFiles(*event->mimeData()).isEmpty()) return;
  event->acceptProposedAction();
  start_->setDragged(true);
}

void MainWindow::dragLeaveEvent(QDragLeaveEvent* event) {
  QMainWindow::dragLeaveEvent(event);
  start_->setDragged(false);
}

void MainWindow::dropEvent(QDropEvent* event) {
  start_->setDragged(false);
  const QStringList paths = localFiles(*event->mimeData());
  if (paths.isEmpty()) return;
  event->acceptProposedAction();
  openFiles(paths);
}

void MainWindow::closeEvent(QCloseEvent* event) {
  QString loss = parts_.session.loss();
  if (parts_.files.pending() > 0 || parts_.movies->busy() || parts_.pages->busy())
    loss += QLatin1Char('\n') + tr("Files are being read or written.");
  if (!mayClose_ && !loss.isEmpty()) {
    event->ignore();
    return parts_.sessions->unlessLost(loss.trimmed(), tr("Quit"), [this] {
      mayClose_ = true;
      close();
    });
  }
  parts_.settings.setValue(QStringLiteral("geometry"), saveGeometry());
  parts_.sides.keep();
  QMainWindow::closeEvent(event);
}

AnalysisPanel* MainWindow::panel(const QString& analysis) const { return parts_.panelOf(analysis); }

void MainWindow::openFiles(const QStringList& paths) { parts_.sessions->openFiles(paths); }

void MainWindow::compareFiles(const QStringList& paths) { widgets::compareFiles(parts_, paths); }

void MainWindow::start(const QStringList& paths) { parts_.sessions->start(paths); }

QImage MainWindow::windowPicture(int scale) { return widgets::windowPicture(parts_, scale); }

}  // namespace sulcus::ui::widgets
