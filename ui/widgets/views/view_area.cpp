#include "ui/widgets/views/view_area.h"

#include "ui/widgets/controls/scroll_strip.h"
#include "ui/widgets/views/canvas.h"
#include "ui/widgets/views/color_bar_strip.h"
#include "ui/widgets/views/image_overlay_bar.h"
#include "ui/widgets/views/render_scheduler.h"

#include <QApplication>
#include <QButtonGroup>
#include <QGridLayout>
#include <QPainter>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QStackedWidget>
#include <QToolButton>
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
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
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
  // Without one of the compared layers there is nothing to compare.
  connect(&layers_, &model::LayerStack::removed, this, &ViewArea::refreshComparison);
  updateVisible();
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
  auto* grid = new QGridLayout(page);
  grid->setContentsMargins(0, 0, 0, 0);
  grid->setSpacing(1);
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
    const bool wide = !beside && !isInLayout(view ^ 1);  // the other view in its row is not there
    const int row = !beside ? view / 2 : view == 3 ? 0 : view;
    const int column = beside ? view != 3 : wide ? 0 : view % 2;
    grid->addWidget(mainView(view), row, column, beside && view == 3 ? 3 : 1, wide ? 2 : 1);
    if (!isInLayout(view)) continue;
    rows[row] = columns[column] = true;
  }
  for (int row = 0; row < 3; ++row) grid->setRowStretch(row, rows[row]);
  grid->setColumnStretch(0, columns[0] * (beside ? 5 : 1));
  grid->setColumnStretch(1, columns[1] * (beside ? 2 : 1));
}

void ViewArea::setLayoutShown(ViewLayout layout) {
  if (layout == ViewLayout::compare && !comparison_) layout = layout_;
  const int alone = int(layout) - 1;
  if (alone >= 0 && alone < 4 && isDetached(alone)) {  // it has a window
    windows_[alone]->raise();
    windows_[alone]->activateWindow();
    layout = layout_;
  }
  layout_ = layout;
  updateVisible();
  emit layoutChanged();
}

void ViewArea::setCompareIn3d(bool on) {
  compare3d_ = on;
  updateVisible();
  emit layoutChanged();
}

void ViewArea::updateVisible() {
  const bool alone = layout_ == ViewLayout::coronal || layout_ == ViewLayout::sagittal;
  view_.setPlane(alone                             ? model::Plane(int(layout_) - int(ViewLayout::axial))
                 : layout_ == ViewLayout::compare  ? comparePlane_
                 : layout_ == ViewLayout::lightbox ? lightboxLook().plane
                                                   : model::Plane::axial);
  // A hidden view gives its focus away, and with it the keyboard: it stays among the views.
  const bool focused = isAncestorOf(QApplication::focusWidget());
  const bool comparing = layout_ == ViewLayout::compare;
  for (int view = 0; view < 4; ++view) {
    mainView(view)->setVisible(isDetached(view) || isInLayout(view));
    mainView(view)->setBars(isDetached(view));  // the others have them next to them
  }
  bars_->setWanted(!comparing && layout_ != ViewLayout::lightbox);
  placeViews();
  if (comparePage_)
    for (int i = 0; i < 3; ++i) {
      compareSlices_[i]->setVisible(!compare3d_);
      compareScenes_[i]->setVisible(compare3d_);
    }
  pages_->setCurrentWidget(comparing                         ? comparePage_
                           : layout_ == ViewLayout::lightbox ? lightbox_
                                                             : pages_->widget(0));
  lightboxPlane_->button(int(lightboxLook().plane))->setChecked(true);
  const QSignalBlocker quiet[] = {QSignalBlocker(lightboxColumns_), QSignalBlocker(lightboxRows_)};
  lightboxColumns_->setValue(lightboxLook().columns);
  lightboxRows_->setValue(lightboxLook().rows);
  layoutButtons_->button(int(layout_))->setChecked(true);
  layoutButtons_->button(int(ViewLayout::compare))->setEnabled(comparison_ != nullptr);
  dimension_->button(compare3d_ ? 1 : 0)->setChecked(true);
  if (focused) shownViews().front()->setFocus();
  fitStrip();
}

void ViewArea::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  fitStrip();
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
  setComparePlane(plane);
  setCompareIn3d(false);
}

void ViewArea::setComparePlane(model::Plane plane) {
  comparePlane_ = plane;
  if (comparePage_)
    for (SliceView* view : compareSlices_) view->setPlane(plane);
  updateVisible();
}

void ViewArea::resetCameras() {
  // All 3D views on one ViewState share their camera: the visible one sets it.
  (layout_ == ViewLayout::compare ? compareScenes_[0] : scene_)->resetCamera();
  for (SceneView* view : allViews()) view->showAllGlyphs();
  for (SliceView* slice : slices_) slice->setLinked(true);
  lightbox_->reset();
}

std::vector<SceneView*> ViewArea::allViews() const {
  std::vector<SceneView*> views{slices_[0], slices_[1], slices_[2], scene_, lightbox_};
  if (comparePage_)
    for (int i = 0; i < 3; ++i) views.push_back(compareSlices_[i]), views.push_back(compareScenes_[i]);
  return views;
}

void ViewArea::setGlyphStyle(const scene::GlyphStyle& style) {
  glyphs_ = style;
  for (SceneView* view : allViews()) view->setGlyphStyle(style);
}

void ViewArea::setFieldStyle(const scene::FieldStyle& style) {
  fields_ = style;
  for (SceneView* view : allViews()) view->setFieldStyle(style);
  bars_->setFieldStyle(style);
}

void ViewArea::setSceneStyle(const scene::SceneStyle& style) {
  sceneStyle_ = style;
  scene_->setSceneStyle(style);
  if (comparePage_)
    for (View3d* view : compareScenes_) view->setSceneStyle(style);
  emit layoutChanged();
}

void ViewArea::setPlanesBesideSurfaces(bool on) {
  planesBesideSurfaces_ = on;
  planes_->setChecked(on);
  scene_->setPlanesBesideSurfaces(on);
  if (comparePage_)
    for (View3d* view : compareScenes_) view->setPlanesBesideSurfaces(on);
  emit layoutChanged();
}

void ViewArea::lookFrom(char side) {
  if (layout_ == ViewLayout::compare)
    compareScenes_[0]->lookFrom(side);
  else
    scene_->lookFrom(side);
}

std::vector<SceneView*> ViewArea::shownViews() const {
  std::vector<SceneView*> views;
  if (layout_ == ViewLayout::compare) {
    for (int i = 0; i < 3; ++i)
      views.push_back(compare3d_ ? static_cast<SceneView*>(compareScenes_[i]) : compareSlices_[i]);
    return views;
  }
  if (layout_ == ViewLayout::lightbox) return {lightbox_};
  for (int view = 0; view < 4; ++view)
    if (isInLayout(view)) views.push_back(mainView(view));
  return views;
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

QString ViewArea::glyphNote() const {
  for (const SceneView* view : shownViews())
    if (const QString note = view->glyphNote(); !note.isEmpty()) return note;
  return {};
}

}  // namespace sulcus::ui::widgets
