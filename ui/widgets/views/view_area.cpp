#include "ui/widgets/views/view_area.h"

#include "ui/widgets/controls/scroll_strip.h"
#include "ui/widgets/controls/widget_help.h"
#include "ui/widgets/tools/image_overlay_bar.h"
#include "ui/widgets/views/canvas.h"
#include "ui/widgets/views/color_bar_strip.h"
#include "ui/widgets/views/render_scheduler.h"
#include "ui/widgets/views/view_strip.h"

#include <QApplication>
#include <QHideEvent>
#include <QPainter>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <cmath>

namespace sulcus::ui::widgets {

ViewArea::ViewArea(model::LayerStack& layers, model::ViewState& view, model::ImageOverlay& pair,
                   QWidget* parent)
    : QWidget(parent), layers_(layers), view_(view), pair_(pair) {
  pages_ = new QStackedWidget;
  makeGrid();
  makeLightbox();
  makeCompare();
  auto* column = tight<QVBoxLayout>(this, 0);
  column->addWidget(makeStrip());
  auto* bar = new ImageOverlayBar(layers, pair);
  connect(bar, &ImageOverlayBar::differenceRequested, this, &ViewArea::differenceRequested);
  column->addWidget(new ScrollStrip(bar));
  bars_ = new ColorBarStrip(layers_);
  auto* row = new QHBoxLayout;
  row->setSpacing(0);
  row->addWidget(pages_, 1);
  row->addWidget(bars_);
  column->addLayout(row, 1);
  setFocusPolicy(Qt::StrongFocus);
  updateVisible();
}

void ViewArea::makeGrid() {
  grid_ = new ViewGrid(layers_, view_, pair_);
  connect(grid_, &ViewGrid::hovered, this, &ViewArea::hovered);
  connect(grid_, &ViewGrid::left, this, &ViewArea::left);
  connect(grid_, &ViewGrid::menuRequested, this, &ViewArea::menuRequested);
  connect(grid_, &ViewGrid::linksChanged, this, &ViewArea::layoutChanged);
  connect(grid_, &ViewGrid::doubleClicked, this, [this](int view) { toggleAlone(ViewLayout(view + 1)); });
  connect(grid_, &ViewGrid::detached, this, [this](QWidget* window) {
    emit detached(window);
    if (isVisible()) window->show();
  });
  connect(grid_, &ViewGrid::detachedChanged, this, [this] {
    if (hasWindow(layout_)) layout_ = ViewLayout::grid;
    updateVisible();
    emit layoutChanged();
  });
  pages_->addWidget(grid_);
}

void ViewArea::makeLightbox() {
  lightbox_ = new LightboxView(layers_, view_);
  lightbox_->setAccessibleName(tr("Lightbox"));
  lightbox_->setImageOverlay(&pair_);
  connect(lightbox_, &LightboxView::hovered, this, &ViewArea::hovered);
  connect(lightbox_, &LightboxView::left, this, &ViewArea::left);
  connect(lightbox_, &LightboxView::menuRequested, this, &ViewArea::menuRequested);
  connect(lightbox_, &LightboxView::doubleClicked, this,
          [this] { toggleAlone(ViewLayout(int(lightboxLook().plane) + 1)); });
  pages_->addWidget(lightbox_);
}

void ViewArea::makeCompare() {
  compare_ = new ComparePage(layers_, view_, styles_);
  connect(compare_, &ComparePage::hovered, this, &ViewArea::hovered);
  connect(compare_, &ComparePage::left, this, &ViewArea::left);
  connect(compare_, &ComparePage::menuRequested, this, &ViewArea::menuRequested);
  connect(compare_, &ComparePage::changed, this, [this] { setLayoutShown(layout_); });
  connect(compare_, &ComparePage::cleared, this,
          [this] { setLayoutShown(layout_ == ViewLayout::compare ? ViewLayout::grid : layout_); });
  pages_->addWidget(compare_);
}

ViewStrip* ViewArea::makeStrip() {
  strip_ = new ViewStrip(pair_);
  connect(strip_, &ViewStrip::layoutChosen, this, &ViewArea::setLayoutShown);
  connect(strip_, &ViewStrip::compareIn3dChosen, compare_, &ComparePage::setIn3d);
  connect(strip_, &ViewStrip::planeChosen, this, &ViewArea::showPlane);
  connect(strip_, &ViewStrip::lightboxLookChosen, this, &ViewArea::setLightboxLook);
  connect(strip_, &ViewStrip::planesBesideSurfacesChosen, this, [this](bool on) {
    changeStyles([on](scene::Styles& styles) { styles.planesBesideSurfaces = on; });
  });
  connect(strip_, &ViewStrip::sideChosen, this, &ViewArea::lookFrom);
  return strip_;
}

void ViewArea::setLightboxLook(const model::LightboxLook& look) {
  lightbox_->setLook(look);
  updateVisible();
  emit layoutChanged();
}

void ViewArea::toggleAlone(ViewLayout alone) {
  if (layout_ == alone) return setLayoutShown(before_);
  before_ = layout_;
  setLayoutShown(alone);
}

bool ViewArea::hasWindow(ViewLayout layout) const {
  const int alone = int(layout) - 1;
  return alone >= 0 && alone < 4 && grid_->isDetached(alone);
}

void ViewArea::setLayoutShown(ViewLayout layout) {
  if (layout == ViewLayout::compare && !canCompare()) layout = layout_;
  if (hasWindow(layout)) {
    grid_->raiseWindowOf(int(layout) - 1);
    layout = layout_;
  }
  layout_ = layout;
  updateVisible();
  emit layoutChanged();
}

void ViewArea::showComparison(const model::ComparedPtr& comparison) {
  if (layout_ == ViewLayout::axial || layout_ == ViewLayout::coronal || layout_ == ViewLayout::sagittal)
    compare_->setPlane(planeShown());
  compare_->fill(comparison);
  setLayoutShown(ViewLayout::compare);
}

model::Plane ViewArea::planeShown() const {
  switch (layout_) {
    case ViewLayout::coronal:
      return model::Plane::coronal;
    case ViewLayout::sagittal:
      return model::Plane::sagittal;
    case ViewLayout::compare:
      return compare_->plane();
    case ViewLayout::lightbox:
      return lightboxLook().plane;
    default:
      return model::Plane::axial;
  }
}

void ViewArea::updateVisible() {
  view_.setPlane(planeShown());
  // A hidden view gives its focus away, and with it the keyboard: it stays among the views.
  const bool focused = isAncestorOf(QApplication::focusWidget());
  const bool comparing = layout_ == ViewLayout::compare;
  grid_->arrange(layout_);
  bars_->setWanted(!comparing && layout_ != ViewLayout::lightbox);
  compare_->updateVisible();
  QWidget* const page = layout_ == ViewLayout::lightbox ? static_cast<QWidget*>(lightbox_) : grid_;
  pages_->setCurrentWidget(comparing ? compare_ : page);
  showInStrip();
  if (focused) shownViews().front()->setFocus();
  strip_->fit(width());
}

void ViewArea::showInStrip() {
  strip_->setState({layout_, canCompare(), compare_->isIn3d(), styles_.planesBesideSurfaces, lightboxLook()});
}

void ViewArea::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  strip_->fit(width());
}

void ViewArea::showPlane(model::Plane plane) {
  if (layout_ == ViewLayout::lightbox) {
    model::LightboxLook look = lightboxLook();
    look.plane = plane;
    return setLightboxLook(look);
  }
  if (layout_ != ViewLayout::compare) {
    setLayoutShown(ViewLayout(int(plane) + 1));
    return;
  }
  compare_->setPlane(plane);
  compare_->setIn3d(false);
}

View3d* ViewArea::leadingScene() const {
  return layout_ == ViewLayout::compare ? compare_->scenes().front() : grid_->scene();
}

void ViewArea::resetCameras() {
  leadingScene()->resetCamera();
  for (SceneView* view : allViews()) view->showAllGlyphs();
  grid_->setUnlinkedViews({});
  lightbox_->reset();
}

void ViewArea::lookFrom(char side) { leadingScene()->lookFrom(side); }

std::vector<SceneView*> ViewArea::allViews() const {
  std::vector<SceneView*> views = grid_->allViews();
  views.push_back(lightbox_);
  const std::vector<SceneView*> compared = compare_->allViews();
  views.insert(views.end(), compared.begin(), compared.end());
  return views;
}

void ViewArea::changeStyles(const std::function<void(scene::Styles&)>& change) {
  const scene::Styles before = styles_;
  change(styles_);
  if (styles_ == before) return;
  for (SceneView* view : allViews()) view->setStyles(styles_);
  bars_->setFieldStyle(styles_.fields);
  showInStrip();
  emit layoutChanged();
}

std::vector<SceneView*> ViewArea::shownViews() const {
  if (layout_ == ViewLayout::compare) return compare_->shownViews();
  if (layout_ == ViewLayout::lightbox) return {lightbox_};
  return grid_->shownViews();
}

void ViewArea::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  grid_->setWindowsVisible(true);
}

void ViewArea::hideEvent(QHideEvent* event) {
  QWidget::hideEvent(event);
  if (!event->spontaneous()) grid_->setWindowsVisible(false);  // otherwise the window was minimized
}

QWidget* ViewArea::pages() const { return pages_; }

QSize ViewArea::viewsSize() const {
  return (QSizeF(pages_->currentWidget()->size()) * devicePixelRatioF()).toSize();
}

QImage ViewArea::screenshot(int scale) {
  const BarsInPicture bars(*this);
  return drawnViews(scale);
}

QImage ViewArea::screenshotWithBars(int scale) {
  const QImage views = drawnViews(scale);
  if (!hasBarsBeside()) return views;
  const double ratio = devicePixelRatioF() * scale;
  QImage picture(views.width() + int(std::ceil(ratio * bars_->width())), views.height(), views.format());
  picture.fill(Qt::black);
  QPainter painter(&picture);
  painter.drawImage(0, 0, views);
  painter.translate(views.width(), 0);
  painter.scale(ratio, ratio);
  bars_->render(&painter);
  return picture;
}

QImage ViewArea::drawnViews(int scale) const {
  QWidget* page = pages_->currentWidget();
  QImage picture(viewsSize() * scale,
                 QImage::Format_RGB32);  // what is empty in a view is black, not transparent
  picture.fill(page->palette().color(QPalette::Shadow));
  QPainter painter(&picture);
  for (SceneView* view : shownViews()) {
    const QPointF corner = view == page ? QPoint() : view->pos();
    painter.drawImage((corner * devicePixelRatioF() * scale).toPoint(), view->screenshot(scale));
  }
  return picture;
}

BarsInPicture::BarsInPicture(ViewArea& views, SceneView* view) {
  if (!views.hasBarsBeside()) return;
  view_ = view ? view : views.shownViews().front();
  view_->setBars(true);
}

BarsInPicture::~BarsInPicture() {
  if (view_) view_->setBars(false);
}

bool ViewArea::hasBarsBeside() const { return bars_->isVisibleTo(this); }

void ViewArea::finishDrawing() {
  RenderScheduler& scheduler = RenderScheduler::of(view_);
  scheduler.finish();
  for (const SceneView* view : shownViews())
    for (Canvas* canvas : view->findChildren<Canvas*>()) canvas->restNow();
  scheduler.finish();
}

}  // namespace sulcus::ui::widgets
