#include "ui/widgets/views/view_area.h"

#include "ui/widgets/controls/scroll_strip.h"
#include "ui/widgets/controls/widget_help.h"
#include "ui/widgets/tools/image_overlay_bar.h"
#include "ui/widgets/views/canvas.h"
#include "ui/widgets/views/color_bar_strip.h"
#include "ui/widgets/views/render_scheduler.h"
#include "ui/widgets/views/view_strip.h"

#include <QApplication>
#include <QGridLayout>
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
  pages_->addWidget(makeGrid());
  lightbox_ = new LightboxView(layers_, view_);
  lightbox_->setAccessibleName(tr("Lightbox"));
  lightbox_->setImageOverlay(&pair_);
  connect(lightbox_, &LightboxView::hovered, this, &ViewArea::hovered);
  connect(lightbox_, &LightboxView::left, this, &ViewArea::left);
  connect(lightbox_, &LightboxView::doubleClicked, this,
          [this] { toggleAlone(ViewLayout(int(lightboxLook().plane) + 1)); });
  pages_->addWidget(lightbox_);
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

void ViewArea::makeCompare() {
  compare_ = new ComparePage(layers_, view_, styles_);
  connect(compare_, &ComparePage::hovered, this, &ViewArea::hovered);
  connect(compare_, &ComparePage::left, this, &ViewArea::left);
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
  connect(strip_, &ViewStrip::planesBesideSurfacesChosen, this, &ViewArea::setPlanesBesideSurfaces);
  connect(strip_, &ViewStrip::sideChosen, this, &ViewArea::lookFrom);
  return strip_;
}

void ViewArea::setLightboxLook(const model::LightboxLook& look) {
  lightbox_->setLook(look);
  updateVisible();
  emit layoutChanged();
}

QWidget* ViewArea::makeGrid() {
  auto* page = new QWidget;
  page->setBackgroundRole(QPalette::Shadow);
  page->setAutoFillBackground(true);
  tight<QGridLayout>(page, 1);
  for (const model::Plane plane : {model::Plane::axial, model::Plane::coronal, model::Plane::sagittal}) {
    auto* slice = new SliceView(layers_, view_, plane);
    slices_[int(plane)] = slice;
    slice->setImageOverlay(&pair_);
    connect(slice, &SliceView::hovered, this, &ViewArea::hovered);
    connect(slice, &SliceView::left, this, &ViewArea::left);
    connect(slice, &SliceView::menuRequested, this, &ViewArea::menuRequested);
    connect(slice, &SliceView::doubleClicked, this,
            [this, alone = ViewLayout(int(plane) + 1)] { toggleAlone(alone); });
  }
  active_ = slices_[0];
  connect(qApp, &QApplication::focusChanged, this, [this](QWidget*, QWidget* now) {
    for (SliceView* slice : slices_)
      if (now && (slice == now || slice->isAncestorOf(now)) && active_ != slice) {
        active_ = slice;
        emit layoutChanged();
      }
  });
  slices_[0]->setAccessibleName(tr("Axial view"));
  slices_[1]->setAccessibleName(tr("Coronal view"));
  slices_[2]->setAccessibleName(tr("Sagittal view"));
  scene_ = new View3d(layers_, view_);
  scene_->setAccessibleName(tr("3D view"));
  scene_->setImageOverlay(&pair_);
  connect(scene_, &View3d::menuRequested, this, &ViewArea::menuRequested);
  connect(scene_, &View3d::doubleClicked, this, [this] { toggleAlone(ViewLayout::scene); });
  return page;
}

void ViewArea::toggleAlone(ViewLayout alone) {
  if (layout_ == alone) return setLayoutShown(before_);
  before_ = layout_;
  setLayoutShown(alone);
}

SceneView* ViewArea::mainView(int view) const {
  return view == 3 ? static_cast<SceneView*>(scene_) : slices_[view];
}

bool ViewArea::isInLayout(int view) const {
  const bool four = layout_ == ViewLayout::grid || layout_ == ViewLayout::beside;
  return !isDetached(view) && (four || int(layout_) == view + 1);
}

void ViewArea::placeViews() {
  auto* grid = static_cast<QGridLayout*>(pages_->widget(0)->layout());
  const bool beside = layout_ == ViewLayout::beside;
  bool rows[3] = {}, columns[2] = {};  // those that contain a view: others take no room
  for (int view = 0; view < 4; ++view) {
    if (isDetached(view)) continue;
    grid->removeWidget(mainView(view));
    QRect cell(view % 2, view / 2, 1, 1);
    if (!isInLayout(view ^ 1)) cell = QRect(0, view / 2, 2, 1);  // the other view in its row is not there
    if (beside) cell = view == 3 ? QRect(0, 0, 1, 3) : QRect(1, view, 1, 1);
    grid->addWidget(mainView(view), cell.y(), cell.x(), cell.height(), cell.width());
    if (!isInLayout(view)) continue;
    rows[cell.y()] = columns[cell.x()] = true;
  }
  for (int row = 0; row < 3; ++row) grid->setRowStretch(row, rows[row]);
  grid->setColumnStretch(0, columns[0] * (beside ? 5 : 1));
  grid->setColumnStretch(1, columns[1] * (beside ? 2 : 1));
}

void ViewArea::setLayoutShown(ViewLayout layout) {
  if (layout == ViewLayout::compare && !canCompare()) layout = layout_;
  const int alone = int(layout) - 1;
  if (alone >= 0 && alone < 4 && isDetached(alone)) {  // it has a window
    windows_.raise(alone);
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
  for (int view = 0; view < 4; ++view) {
    mainView(view)->setVisible(isDetached(view) || isInLayout(view));
    mainView(view)->setBars(isDetached(view));  // the others have them next to them
  }
  bars_->setWanted(!comparing && layout_ != ViewLayout::lightbox);
  placeViews();
  compare_->updateVisible();
  QWidget* const page = layout_ == ViewLayout::lightbox ? lightbox_ : pages_->widget(0);
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

void ViewArea::resetCameras() {
  // All 3D views on one ViewState share their camera: the visible one sets it.
  (layout_ == ViewLayout::compare ? compare_->scenes().front() : scene_)->resetCamera();
  for (SceneView* view : allViews()) view->showAllGlyphs();
  for (SliceView* slice : slices_) slice->setLinked(true);
  lightbox_->reset();
}

std::vector<SceneView*> ViewArea::allViews() const {
  std::vector<SceneView*> views{slices_[0], slices_[1], slices_[2], scene_, lightbox_};
  const std::vector<SceneView*> compared = compare_->allViews();
  views.insert(views.end(), compared.begin(), compared.end());
  return views;
}

std::vector<View3d*> ViewArea::allScenes() const {
  std::vector<View3d*> scenes = compare_->scenes();
  scenes.push_back(scene_);
  return scenes;
}

void ViewArea::setGlyphStyle(const scene::GlyphStyle& style) {
  styles_.glyphs = style;
  for (SceneView* view : allViews()) view->setGlyphStyle(style);
}

void ViewArea::setFieldStyle(const scene::FieldStyle& style) {
  styles_.fields = style;
  for (SceneView* view : allViews()) view->setFieldStyle(style);
  bars_->setFieldStyle(style);
}

void ViewArea::setSceneStyle(const scene::SceneStyle& style) {
  styles_.scene = style;
  for (View3d* view : allScenes()) view->setSceneStyle(style);
  emit layoutChanged();
}

void ViewArea::setPlanesBesideSurfaces(bool on) {
  styles_.planesBesideSurfaces = on;
  for (View3d* view : allScenes()) view->setPlanesBesideSurfaces(on);
  showInStrip();
  emit layoutChanged();
}

void ViewArea::lookFrom(char side) {
  (layout_ == ViewLayout::compare ? compare_->scenes().front() : scene_)->lookFrom(side);
}

std::vector<SceneView*> ViewArea::shownViews() const {
  if (layout_ == ViewLayout::compare) return compare_->shownViews();
  if (layout_ == ViewLayout::lightbox) return {lightbox_};
  std::vector<SceneView*> views;
  for (int view = 0; view < 4; ++view)
    if (isInLayout(view)) views.push_back(mainView(view));
  return views;
}

void ViewArea::setDetached(int view, bool on, const QRect& place) {
  if (on == isDetached(view) || !canDetach(view)) return;
  if (on) {
    QWidget* window = windows_.open(view, mainView(view), place, [this, view] { setDetached(view, false); });
    if (int(layout_) == view + 1) layout_ = ViewLayout::grid;
    emit detached(window);
    if (isVisible()) window->show();
  } else {
    mainView(view)->setParent(pages_->widget(0));
    windows_.close(view);
  }
  updateVisible();
  emit layoutChanged();
}

void ViewArea::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  windows_.setVisible(true);
}

void ViewArea::hideEvent(QHideEvent* event) {
  QWidget::hideEvent(event);
  if (!event->spontaneous()) windows_.setVisible(false);  // otherwise the window was minimized
}

void ViewArea::toggleLink() {
  active_->setLinked(!active_->isLinked());
  emit layoutChanged();
}

std::vector<model::UnlinkedView> ViewArea::unlinkedViews() const {
  std::vector<model::UnlinkedView> views;
  for (const SliceView* slice : slices_)
    if (!slice->isLinked()) {
      const model::ViewState& place = slice->place();
      views.push_back({slice->plane(), place.crosshair(), place.center(), place.extent(), place.turn()});
    }
  return views;
}

void ViewArea::setUnlinkedViews(const std::vector<model::UnlinkedView>& views) {
  for (SliceView* slice : slices_) slice->setLinked(true);
  for (const model::UnlinkedView& one : views) {
    SliceView* slice = slices_[int(one.plane)];
    slice->setLinked(false);
    slice->place().setTurn(one.turn);
    slice->place().setCrosshair(one.crosshair);
    slice->place().setCenter(one.center);
    slice->place().setExtent(one.extent);
  }
  emit layoutChanged();
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
