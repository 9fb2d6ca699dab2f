#include "ui/widgets/main_window.h"

#include "ui/jobs/qt_post.h"
#include "ui/model/readout.h"
#include "ui/widgets/analysis_panel.h"
#include "ui/widgets/compare_panel.h"
#include "ui/widgets/dialogs.h"
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
#include <algorithm>

namespace sulcus::ui {

MainWindow::MainWindow(const std::vector<Analysis>& analyses, std::function<DeviceReport()> devices,
                       QSettings& settings, QWidget* parent)
    : QMainWindow(parent),
      analyses_(analyses),
      devices_(std::move(devices)),
      settings_(settings),
      recent_(settings),
      computing_(qtPost(&jobs_)),
      files_(qtPost(&jobs_)),
      quick_(qtPost(&jobs_)),
      runs_(layers_, jobs_, computing_, quick_),
      fileJobs_(layers_, jobs_, recent_, files_),
      plots_(layers_, runs_, view_, quick_),
      inputPreview_(layers_, runs_, quick_) {
  setWindowTitle(QStringLiteral("Sulcus"));
  setAcceptDrops(true);
  setDockOptions(AnimatedDocks | AllowTabbedDocks | AllowNestedDocks);
  setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
  setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
  for (const auto& analysis : analyses_)
    presenters_.push_back(std::make_unique<AnalysisPresenter>(analysis, layers_));
  buildCenter();
  buildDocks();
  status_ = new StatusLine(layers_);
  statusBar()->addWidget(status_, 1);
  addFileCommands();
  addLayerCommands();
  addViewCommands();
  addRunCommands();
  addPlotCommands();
  addHelpCommands();
  buildMenus();
  connectModels();
  resize(1440, 900);
  restoreGeometry(settings_.value(QStringLiteral("geometry")).toByteArray());
  restoreState(settings_.value(QStringLiteral("docks")).toByteArray());
  view_.setRadiological(settings_.value(QStringLiteral("radiological"), true).toBool());
  view_.setMouseScheme(settings_.value(QStringLiteral("mouseZooms"), false).toBool()
                           ? MouseScheme::zoom
                           : MouseScheme::windowLevel);
  updatePages();
  refreshActions();
  askDevices();
}

MainWindow::~MainWindow() {
  // Children first: they look at models that are members of this.
  delete takeCentralWidget();
  for (QDockWidget* dock : {layersDock_, analysisDock_, bottomDock_, plotsDock_}) delete dock;
  delete status_;
}

void MainWindow::buildCenter() {
  start_ = new StartPage(analyses_, recent_);
  views_ = new ViewArea(layers_, view_);
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
  connect(start_, &StartPage::demoRequested, this, &MainWindow::loadDemo);
  connect(views_, &ViewArea::hovered, this,
          [this](const Vec3<double>& world) { status_->showPosition(world); });
}

void MainWindow::buildDocks() {
  const auto dock = [this](const QString& title, const char* name, QWidget* widget, Qt::DockWidgetArea area) {
    auto* made = new QDockWidget(title, this);
    made->setObjectName(QLatin1String(name));
    made->setWidget(widget);
    addDockWidget(area, made);
    return made;
  };
  layersPanel_ = new LayersPanel(layers_);
  auto* properties = new QScrollArea;
  auto* look = new LayerProperties(layers_);
  connect(look, &LayerProperties::glyphStyleChanged, this,
          [this](const GlyphStyle& style) { views_->setGlyphStyle(style); });
  connect(look, &LayerProperties::fieldStyleChanged, this,
          [this](const FieldStyle& style) { views_->setFieldStyle(style); });
  connect(look, &LayerProperties::conventionChosen, this, &MainWindow::readFieldAs);
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
  left->setMinimumWidth(26 * fontMetrics().horizontalAdvance(QLatin1Char('M')));  // no row is cut off
  layersDock_ = dock(tr("Layers"), "layersDock", left, Qt::LeftDockWidgetArea);
  connect(layersPanel_, &LayersPanel::menuRequested, this, &MainWindow::showLayerMenu);

  analysisTabs_ = new QTabWidget;
  analysisTabs_->setObjectName(QStringLiteral("analyses"));
  analysisTabs_->setDocumentMode(true);
  for (const auto& presenter : presenters_) {
    auto* panel = new AnalysisPanel(*presenter, layers_);
    panels_.push_back(panel);
    analysisTabs_->addTab(panel, QString::fromStdString(presenter->analysis().title));
    connect(panel, &AnalysisPanel::runRequested, this, &MainWindow::run);
    const auto choose = [this, presenter = presenter.get()](const QString& slot) {
      return [this, presenter, slot](LayerId id) { takeInput(*presenter, slot.toStdString(), id); };
    };
    connect(panel, &AnalysisPanel::openRequested, this,
            [this, choose](const QString& slot) { chooseFiles(tr("Open"), choose(slot)); });
    connect(
        panel, &AnalysisPanel::filesDropped, this,
        [this, choose](const QString& slot, const QStringList& paths) { openFiles(paths, choose(slot)); });
    connect(panel, &AnalysisPanel::copyCommandRequested, this,
            [this] { trigger(QStringLiteral("run.copyCommand")); });
  }
  analysisDock_ = dock(tr("Analysis"), "analysisDock", analysisTabs_, Qt::RightDockWidgetArea);

  comparePanel_ = new ComparePanel(runs_);
  bottomTabs_ = new QTabWidget;
  bottomTabs_->setObjectName(QStringLiteral("bottom"));
  bottomTabs_->setDocumentMode(true);
  bottomTabs_->addTab(new JobsPanel(jobs_), tr("Jobs"));
  bottomTabs_->addTab(comparePanel_, tr("Compare"));
  bottomDock_ = dock(tr("Jobs and comparison"), "bottomDock", bottomTabs_, Qt::BottomDockWidgetArea);
  connect(comparePanel_, &ComparePanel::worstChosen, &view_, &ViewState::setCrosshair);
  connect(comparePanel_, &ComparePanel::saveCsvRequested, this,
          [this] { trigger(QStringLiteral("compare.saveCsv")); });
  connect(comparePanel_, &ComparePanel::savePictureRequested, this,
          [this] { trigger(QStringLiteral("compare.savePng")); });
  plotsPanel_ = new PlotsPanel(plots_, view_);
  connect(plotsPanel_, &PlotsPanel::saveRequested, this, &MainWindow::savePlot);
  plotsDock_ = dock(tr("Plots"), "plotsDock", plotsPanel_, Qt::BottomDockWidgetArea);
  // One line less: the tabs of the plots are what the dock is held by.
  plotsDock_->setTitleBarWidget(plotsPanel_->strip());
  connect(plotsPanel_, &PlotsPanel::floatRequested, this,
          [this] { plotsDock_->setFloating(!plotsDock_->isFloating()); });
  tabifyDockWidget(bottomDock_, plotsDock_);
  bottomDock_->raise();
  resizeDocks({layersDock_, analysisDock_}, {290, 330}, Qt::Horizontal);
  resizeDocks({bottomDock_}, {240}, Qt::Vertical);
}

void MainWindow::connectModels() {
  connect(&layers_, &LayerStack::added, this, &MainWindow::layerAdded);
  connect(&layers_, &LayerStack::removed, this, &MainWindow::updatePages);
  const auto readout = [this] { status_->showPosition(view_.crosshair()); };
  connect(&view_, &ViewState::crosshairChanged, this, readout);
  connect(&layers_, &LayerStack::displayChanged, this, readout);
  connect(&layers_, &LayerStack::currentChanged, this, readout);
  const auto refresh = [this] { refreshActions(); };
  connect(&layers_, &LayerStack::currentChanged, this, refresh);
  connect(&view_, &ViewState::decorationChanged, this, refresh);
  connect(views_, &ViewArea::layoutChanged, this, refresh);
  connect(&views_->imagePair(), &ImagePair::changed, this, refresh);
  connect(analysisTabs_, &QTabWidget::currentChanged, this, refresh);
  const auto showInputs = [this] {
    AnalysisPresenter* presenter = currentPanel() ? &currentPanel()->presenter() : nullptr;
    plots_.setPresenter(presenter);
    inputPreview_.setPresenter(presenter);
  };
  connect(analysisTabs_, &QTabWidget::currentChanged, this, showInputs);
  showInputs();
  for (const auto& presenter : presenters_) {
    connect(presenter.get(), &AnalysisPresenter::readinessChanged, this, refresh);
    connect(presenter.get(), &AnalysisPresenter::afterwardsChanged, &runs_,
            [this, presenter = presenter.get()] { runs_.adjust(*presenter); });
  }
  connect(&recent_, &RecentFiles::changed, this, &MainWindow::fillRecentMenu);
  connect(&view_, &ViewState::decorationChanged, this, [this] {
    settings_.setValue(QStringLiteral("radiological"), view_.radiological());
    settings_.setValue(QStringLiteral("mouseZooms"), view_.mouseScheme() == MouseScheme::zoom);
  });

  connect(&fileJobs_, &FileJobs::failed, this,
          [this](const QString& job, const QString& sentence) { showError(this, job, sentence); });
  connect(&runs_, &RunController::failed, this,
          [this](const QString& job, const QString& sentence) { showError(this, job, sentence); });
  connect(
      &fileJobs_, &FileJobs::seriesFound, this,
      [this](const QString& folder, const std::vector<io::DicomSeries>& series, const FileJobs::Then& then) {
        pickSeries(this, folder, series,
                   [this, then](const io::DicomSeries& one) { fileJobs_.openSeries(one, then); });
      });
  connect(&fileJobs_, &FileJobs::foundBeside, this, &MainWindow::takeBeside);
  connect(&fileJobs_, &FileJobs::saved, this,
          [this](const QString& file) { status_->showNote(tr("saved %1").arg(file)); });
  // The maps beside a result are a click away.
  connect(&runs_, &RunController::layersShown, layersPanel_, &LayersPanel::fold);
  connect(&runs_, &RunController::finished, this, &MainWindow::askDevices);
  connect(&runs_, &RunController::finished, this, [this](const RunPtr& run) { suggestPair(*run); });
  connect(&plots_, &PlotsModel::liveStarted, this, [this] {
    if (plotsDock_->toggleViewAction()->isChecked()) plotsDock_->raise();
  });
  connect(&runs_, &RunController::compared, this, [this](const ComparedPtr& comparison) {
    views_->showComparison(comparison);
    bottomTabs_->setCurrentWidget(comparePanel_);
    refreshActions();
  });
}

void MainWindow::askDevices() {
  struct Answer {
    QString processor;
    DeviceReport report;
  };
  computing_.submit(
      [ask = devices_](const Progress&) {
        return Answer{QString::fromStdString(cpuName()), ask()};
      },
      [this](Answer answer) {
        status_->showDevices(answer.processor, answer.report);
        for (const auto& presenter : presenters_) presenter->setDevices({true, answer.report});
        emit devicesKnown();
      });
}

void MainWindow::layerAdded(LayerId id) {
  const LayerState* state = layers_.find(id);
  if (!framed_ && frameOn(*state->layer, view_)) {
    framed_ = true;
    // Cameras are set when the views have their size and content.
    const Grid* grid = gridOf(*state->layer);
    const bool flat = grid && grid->size.z == 1;
    QMetaObject::invokeMethod(
        this,
        [this, flat] {
          // A single slice is seen from above, a body obliquely.
          flat ? views_->lookFrom('S') : views_->scene()->lookFromFront();
          views_->slice(Plane::axial)->setFocus();
        },
        Qt::QueuedConnection);
  }
  updatePages();
  status_->showPosition(view_.crosshair());
}

void MainWindow::updatePages() {
  if (layers_.empty()) {
    framed_ = false;
    status_->showPosition({});
  }
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

AnalysisPanel* MainWindow::currentPanel() const {
  return static_cast<AnalysisPanel*>(analysisTabs_->currentWidget());
}

void MainWindow::run(RunChoice choice) {
  AnalysisPanel* panel = currentPanel();
  if (!panel || !panel->presenter().whyNot(choice).isEmpty()) return;
  bottomTabs_->setCurrentIndex(0);
  runs_.start(panel->presenter(), choice);
}

void MainWindow::readFieldAs(LayerId id, FieldConvention convention) {
  const LayerState* state = layers_.find(id);
  if (!state) return;
  quick_.submit(
      [from = state->layer, convention](const Progress&) {
        Layer turned = withConvention(*from, convention);
        const std::string choice = convention == FieldConvention::itk
                                       ? "Read as ITK and ANTs write it (LPS), as chosen here."
                                       : "Read as 3D Slicer writes it (RAS), as chosen here.";
        std::erase_if(turned.notes,
                      [](const std::string& note) { return note.ends_with("as chosen here."); });
        turned.notes.push_back(choice);
        return std::pair(from, std::make_shared<const Layer>(std::move(turned)));
      },
      [this, id](const std::pair<LayerPtr, LayerPtr>& made) {
        const LayerState* now = layers_.find(id);
        if (now && now->layer == made.first) layers_.replaceContent(id, made.second);
      });
}

void MainWindow::suggestPair(const Run& run) {
  const auto isVolume = [this](LayerId id) {
    const LayerState* state = layers_.find(id);
    return state && std::holds_alternative<VolumeLayer>(state->layer->content);
  };
  const auto shown = std::find_if(run.layers.begin(), run.layers.end(), [&](LayerId id) {
    return isVolume(id) && layers_.find(id)->display.visible;
  });
  if (shown == run.layers.end()) return;
  const Grid& grid = *gridOf(*layers_.find(*shown)->layer);
  // Of several images that were given the first is worked on, the last tells where the result belongs.
  LayerId below = 0;
  for (const InputSlot& slot : run.analysis->inputs) {
    const auto given = run.inputIds.find(slot.name);
    if (slot.required && given != run.inputIds.end() && isVolume(given->second) &&
        sameGrid(*gridOf(*layers_.find(given->second)->layer), grid))
      below = given->second;
  }
  if (below != 0) views_->imagePair().suggest(below, *shown);
}

QImage MainWindow::windowPicture() {
  views_->finishDrawing();
  return grab().toImage();
}

void MainWindow::closeEvent(QCloseEvent* event) {
  settings_.setValue(QStringLiteral("geometry"), saveGeometry());
  settings_.setValue(QStringLiteral("docks"), saveState());
  QMainWindow::closeEvent(event);
}

}  // namespace sulcus::ui
