#include "ui/widgets/window/side_panels.h"

#include "ui/widgets/controls/folding_tabs.h"
#include "ui/widgets/controls/widget_help.h"
#include "ui/widgets/views/view_area.h"
#include "ui/widgets/window/window_place.h"

#include <QDockWidget>
#include <QLayout>
#include <QMainWindow>
#include <QResizeEvent>
#include <QScopedValueRollback>
#include <QSettings>
#include <QTabBar>
#include <algorithm>
#include <utility>

namespace sulcus::ui::widgets {
namespace {

constexpr int kLowerHeight = 240;    ///< of the lower panel
constexpr double kLowerShare = 0.3;  ///< of the window, at most
constexpr int kDocksVersion = 2;     ///< of the arrangement in the settings; other versions are ignored
const QString kDocks = QStringLiteral("docks"), kLayersWanted = QStringLiteral("layersPanel"),
              kAnalysisWanted = QStringLiteral("analysisPanel");

}  // namespace

SidePanels::SidePanels(QMainWindow& window, QSettings& settings, std::function<bool()> hasBegun)
    : QObject(&window), window_(window), settings_(settings), hasBegun_(std::move(hasBegun)) {
  panels_[int(Side::layers)].name = "layers";
  panels_[int(Side::analysis)].name = "analysis";
  panels_[int(Side::lower)].name = "lower";
}

void SidePanels::deleteDocks() {
  for (const Panel& panel : panels_) delete panel.dock;
}

int SidePanels::leastWidth() const {
  return kPanelEms * window_.fontMetrics().horizontalAdvance(QLatin1Char('M'));
}

void SidePanels::add(Side side, const QString& title, const char* name, QWidget* widget,
                     Qt::DockWidgetArea area) {
  auto* dock = named(name, new QDockWidget(title, &window_));
  dock->setWidget(widget);
  dock->setFeatures(QDockWidget::DockWidgetMovable | QDockWidget::DockWidgetFloatable);
  window_.addDockWidget(area, dock);
  // In the window, the content says what it is, which saves a row; a separate window has a title.
  auto* noTitle = new QWidget(dock);
  const auto showTitle = [dock, noTitle] {
    dock->setTitleBarWidget(dock->isFloating() ? nullptr : noTitle);
    dock->raise();
  };
  showTitle();
  // Queued, because the dock may still be dragged by the title that is replaced.
  connect(dock, &QDockWidget::topLevelChanged, this, showTitle, Qt::QueuedConnection);
  of(side).dock = dock;
  dock->installEventFilter(this);
}

bool SidePanels::eventFilter(QObject* watched, QEvent* event) {
  const auto panel = std::ranges::find(panels_, watched, &Panel::dock);
  if (event->type() == QEvent::Resize && panel != panels_.end() && !widening_) {
    const int before = static_cast<QResizeEvent*>(event)->oldSize().width();
    if (panel->dock->width() == before) return QObject::eventFilter(watched, event);
    if (window_.width() == windowWidth_) {
      panel->widthBefore = 0;  // by hand
    } else if (window_.width() < windowWidth_ && panel->dock->width() < before &&
               before > panel->widthBefore) {
      panel->widthBefore = before;
      panel->windowBefore = windowWidth_;
    }
  }
  return QObject::eventFilter(watched, event);
}

void SidePanels::widenAgain() {
  const bool grows = window_.width() > std::exchange(windowWidth_, window_.width());
  if (!grows) return;
  const QScopedValueRollback widening(widening_, true);
  for (const Side side : {Side::layers, Side::analysis}) {
    const Panel& panel = of(side);
    if (!panel.shown() || panel.dock->isFloating() || panel.widthBefore == 0) continue;
    const double share = std::min(1.0, double(window_.width()) / panel.windowBefore);
    const int width = int(share * panel.widthBefore);
    if (width > panel.dock->width()) window_.resizeDocks({panel.dock}, {width}, Qt::Horizontal);
  }
}

void SidePanels::addLower(const QString& title, FoldingTabs* lower, std::vector<Page> pages) {
  lower_ = lower;
  pages_ = std::move(pages);
  add(Side::lower, title, "bottomDock", lower, Qt::BottomDockWidgetArea);
  connect(lower_, &FoldingTabs::floatRequested, this, [this] { floatPanel(Side::lower); });
  connect(lower_, &FoldingTabs::foldedChanged, this, [this](bool folded) {
    if (folded) {
      lowerHeight_ = of(Side::lower).dock->height();
    } else {
      window_.layout()->activate();  // until then the dock may be no higher than its tabs
      const int usual =
          std::min(kLowerHeight, int(kLowerShare * window_.height()));  // views get the most room
      window_.resizeDocks({of(Side::lower).dock}, {lowerHeight_ > 0 ? lowerHeight_ : usual}, Qt::Vertical);
    }
    emit changed();
    fitSoon();
  });
}

void SidePanels::addCommands(model::Commands& commands) {
  const std::tuple<const char*, QString, const char*, Side> sides[] = {
      {"view.layersPanel", tr("&Layers"), "F7", Side::layers},
      {"view.analysisPanel", tr("&Analysis"), "F9", Side::analysis}};
  const auto begun = [this] { return hasBegun_(); };
  for (const auto& [name, title, key, side] : sides)
    commands.addSwitch(
        name, tr("%1 panel").arg(title), key, [this, side = side] { setWanted(side, !of(side).shown()); },
        [this, side = side] { return of(side).shown(); }, begun);
  commands.addSwitch(
      "view.bottomPanel", tr("A&ctivity, plots and comparison"), "F8",
      [this] {
        const bool open = of(Side::lower).wanted && !lower_->folded();
        setWanted(Side::lower, true);
        lower_->setFolded(open);
      },
      [this] { return of(Side::lower).wanted && !lower_->folded(); }, begun);
  commands.addSwitch(
      "view.viewsOnly", tr("&Views alone"), "F10",
      [this] {
        const bool hide = !viewsOnly();
        for (const Side side : {Side::layers, Side::analysis, Side::lower}) setWanted(side, !hide);
      },
      [this] { return viewsOnly(); }, begun);
  const std::tuple<const char*, QString, Side> floats[] = {
      {"view.floatLayers", tr("Detach layers"), Side::layers},
      {"view.floatAnalysis", tr("Detach analysis"), Side::analysis},
      {"view.floatBottom", tr("Detach activity and plots"), Side::lower}};
  for (const auto& [name, text, side] : floats)
    commands.addSwitch(
        name, text, "", [this, side = side] { floatPanel(side); },
        [this, side = side] { return of(side).dock->isFloating(); }, begun);
}

void SidePanels::floatPanel(Side side) {
  if (side == Side::lower) lower_->setFolded(false);
  setWanted(side, true);
  of(side).dock->setFloating(!of(side).dock->isFloating());
}

void SidePanels::setWanted(Side side, bool wanted) {
  Panel& panel = of(side);
  panel.insisted = panel.insisted || (wanted && panel.yields);
  panel.wanted = wanted;
  panel.yields = false;
  show();
  emit changed();
}

bool SidePanels::viewsOnly() const { return std::ranges::none_of(panels_, &Panel::wanted); }

void SidePanels::show() {
  // Before anything is open they would be empty.
  const bool begun = hasBegun_();
  for (const Panel& panel : panels_) panel.dock->setVisible(begun && panel.shown());
  if (!begun || arranged_) return;
  arranged_ = true;
  if (window_.restoreState(settings_.value(kDocks).toByteArray(), kDocksVersion))
    fitCorners();
  else
    window_.resizeDocks({of(Side::layers).dock, of(Side::analysis).dock}, {290, widthOfTabs()},
                        Qt::Horizontal);
  for (const Panel& panel : panels_) panel.dock->setVisible(panel.shown());
}

int SidePanels::widthOfTabs() const {
  const auto* tabs = of(Side::analysis).dock->findChild<QTabBar*>();
  const int needed = tabs ? tabs->sizeHint().width() : 0;
  return std::clamp(needed, 350, std::max(350, int(0.32 * window_.width())));
}

void SidePanels::fitCorners() {
  // In a narrow window, the panels next to the views leave too little room between them for tables and for
  // the names of plots next to the row of tabs.
  const bool below = window_.width() < 5.0 * leastWidth();
  window_.setCorner(Qt::BottomLeftCorner, below ? Qt::BottomDockWidgetArea : Qt::LeftDockWidgetArea);
  window_.setCorner(Qt::BottomRightCorner, below ? Qt::BottomDockWidgetArea : Qt::RightDockWidgetArea);
}

void SidePanels::fitSoon() {
  // The panels are laid out only after the event that moves them.
  QMetaObject::invokeMethod(this, &SidePanels::fit, Qt::QueuedConnection);
}

void SidePanels::fit() {
  widenAgain();
  Panel& panel = of(Side::analysis);
  const bool beside = panel.wanted && !panel.dock->isFloating();
  int taken = panel.dock->width();
  if (of(Side::layers).shown() && !of(Side::layers).dock->isFloating())
    taken += of(Side::layers).dock->width();
  const bool small =
      views_->layoutShown() == ViewLayout::compare && beside &&
      ComparePage::viewSide({window_.width() - taken, views_->height()}) < ComparePage::kLeastSide;
  if (!small) panel.insisted = false;
  if (panel.yields == (small && !panel.insisted)) return;
  panel.yields = small && !panel.insisted;
  show();
  emit changed();
}

model::PanelsLook SidePanels::look() const {
  model::PanelsLook look;
  look.layers = of(Side::layers).wanted;
  look.analysis = of(Side::analysis).wanted;
  look.lower = of(Side::lower).wanted;
  look.layersWidth = of(Side::layers).dock->width();
  look.analysisWidth = of(Side::analysis).dock->width();
  for (const auto& [name, page] : pages_)
    if (page == lower_->current()) look.lowerPage = name;
  look.lowerFolded = lower_->folded();
  look.lowerHeight = look.lowerFolded ? lowerHeight_ : of(Side::lower).dock->height();
  for (const Panel& panel : panels_)
    if (panel.dock->isFloating()) look.floating.push_back({panel.name, placeOf(*panel.dock)});
  return look;
}

void SidePanels::setLook(const model::PanelsLook& look) {
  of(Side::layers).wanted = look.layers;
  of(Side::analysis).wanted = look.analysis;
  of(Side::lower).wanted = look.lower;
  for (const Panel& panel : panels_) {
    const auto one = std::ranges::find(look.floating, panel.name, &model::FloatingPanel::panel);
    panel.dock->setFloating(one != look.floating.end());
    if (one != look.floating.end())
      panel.dock->setGeometry(
          reachable({one->place[0], one->place[1], one->place[2], one->place[3]}, window_));
  }
  show();
  for (const auto& [name, page] : pages_)
    if (name == look.lowerPage) lower_->restore(page, look.lowerFolded);
  lowerHeight_ = look.lowerHeight;
  window_.layout()->activate();
  window_.resizeDocks({of(Side::layers).dock, of(Side::analysis).dock},
                      {look.layersWidth, look.analysisWidth}, Qt::Horizontal);
  if (!look.lowerFolded) window_.resizeDocks({of(Side::lower).dock}, {look.lowerHeight}, Qt::Vertical);
  emit changed();
}

void SidePanels::restore() {
  of(Side::layers).wanted = settings_.value(kLayersWanted, true).toBool();
  of(Side::analysis).wanted = settings_.value(kAnalysisWanted, true).toBool();
}

void SidePanels::keep() {
  if (hasBegun_()) settings_.setValue(kDocks, window_.saveState(kDocksVersion));
  settings_.setValue(kLayersWanted, of(Side::layers).wanted || viewsOnly());
  settings_.setValue(kAnalysisWanted, of(Side::analysis).wanted || viewsOnly());
}

}  // namespace sulcus::ui::widgets
