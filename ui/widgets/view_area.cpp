#include "ui/widgets/view_area.h"

#include "ui/widgets/draw_turns.h"
#include "ui/widgets/image_pair_bar.h"
#include "ui/widgets/theme.h"

#include <QApplication>
#include <QButtonGroup>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

namespace sulcus::ui::widgets {
namespace {

constexpr int kLayouts = 6;

QString layoutText(int layout) {
  const QString texts[kLayouts] = {ViewArea::tr("2×2"),      ViewArea::tr("Axial"), ViewArea::tr("Coronal"),
                                   ViewArea::tr("Sagittal"), ViewArea::tr("3D"),    ViewArea::tr("Compare")};
  return texts[layout];
}

/// Of the layouts that are no plane; null for planes, which their names say best.
const char* layoutIcon(ViewLayout layout) {
  switch (layout) {
    case ViewLayout::grid:
      return "grid";
    case ViewLayout::scene:
      return "cube";
    case ViewLayout::compare:
      return "compare";
    default:
      return nullptr;
  }
}

void addIcon(QToolButton* button, const char* icon) {
  button->setIcon(themeIcon(QLatin1String(icon)));
  button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  button->setText(QLatin1Char(' ') +
                  button->text());  // a style sheet sets the two side by side without a gap
}

QToolButton* stripButton(const QString& text, const QString& tip) {
  auto* button = new QToolButton;
  button->setText(text);
  button->setToolTip(tip);
  button->setAccessibleName(tip);
  button->setAutoRaise(true);
  button->setFocusPolicy(Qt::TabFocus);
  return button;
}

}  // namespace

ViewArea::ViewArea(model::LayerStack& layers, model::ViewState& view, model::ImagePair& pair, QWidget* parent)
    : QWidget(parent), layers_(layers), view_(view), pair_(pair) {
  pages_ = new QStackedWidget;
  pages_->addWidget(makeGrid());
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(makeStrip());
  column->addWidget(new ImagePairBar(layers, pair));
  column->addWidget(pages_, 1);
  setFocusPolicy(Qt::StrongFocus);
  // A compared layer that is removed leaves nothing to compare.
  connect(&layers_, &model::LayerStack::removed, this, &ViewArea::refreshComparison);
  updateVisible();
}

QWidget* ViewArea::makeStrip() {
  auto* strip = new QWidget;
  strip->setObjectName(QStringLiteral("viewStrip"));
  strip->setAttribute(Qt::WA_StyledBackground);
  auto* line = new QHBoxLayout(strip);
  line->setContentsMargins(6, 3, 6, 3);
  line->setSpacing(2);
  layoutButtons_ = new QButtonGroup(this);
  const QString tips[] = {tr("All four views (0)"),     tr("Axial view alone (1)"),
                          tr("Coronal view alone (2)"), tr("Sagittal view alone (3)"),
                          tr("3D view alone (4)"),      tr("Two results and their difference")};
  for (int i = 0; i < kLayouts; ++i) {
    auto* button = stripButton(layoutText(i), tips[i]);
    button->setCheckable(true);
    if (const char* icon = layoutIcon(ViewLayout(i))) addIcon(button, icon);
    layoutButtons_->addButton(button, i);
    line->addWidget(button);
  }
  connect(layoutButtons_, &QButtonGroup::idClicked, this, [this](int id) { setLayoutShown(ViewLayout(id)); });

  compareTools_ = new QWidget;
  auto* compareLine = new QHBoxLayout(compareTools_);
  compareLine->setContentsMargins(12, 0, 0, 0);
  compareLine->setSpacing(2);
  dimension_ = new QButtonGroup(this);
  for (int in3d : {0, 1}) {
    auto* button = in3d ? stripButton(tr("in 3D"), tr("Compare in 3D"))
                        : stripButton(tr("as slices"), tr("Compare as slices; A, C and S choose the plane"));
    button->setCheckable(true);
    button->setChecked(!in3d);
    dimension_->addButton(button, in3d);
    compareLine->addWidget(button);
  }
  connect(dimension_, &QButtonGroup::idClicked, this, [this](int id) { setCompareIn3d(id == 1); });
  line->addWidget(compareTools_);
  auto* pair =
      stripButton(tr("Two images"), tr("Two images in one place: checkerboard (K), blink (B), blend (M)"));
  pair->setObjectName(QStringLiteral("twoImages"));
  pair->setCheckable(true);
  addIcon(pair, "overlay");
  connect(pair, &QToolButton::clicked, this, [this, pair](bool on) {
    pair_.setMode(on ? model::ImagePair::Mode::checkerboard : model::ImagePair::Mode::off);
    pair->setChecked(pair_.mode() != model::ImagePair::Mode::off);
  });
  connect(&pair_, &model::ImagePair::changed, pair,
          [this, pair] { pair->setChecked(pair_.mode() != model::ImagePair::Mode::off); });
  line->addWidget(pair);
  line->addStretch(1);

  sceneTools_ = new QWidget;
  auto* sceneLine = new QHBoxLayout(sceneTools_);
  sceneLine->setContentsMargins(0, 0, 0, 0);
  sceneLine->setSpacing(0);
  planes_ = stripButton(tr("Planes"), tr("Images beside surfaces in 3D (P)"));
  planes_->setObjectName(QStringLiteral("planesBesideSurfaces"));
  planes_->setCheckable(true);
  connect(planes_, &QToolButton::clicked, this, &ViewArea::setPlanesBesideSurfaces);
  sceneLine->addWidget(planes_);
  sceneLine->addWidget(new QLabel(tr("3D from")));
  const std::pair<char, QString> sides[] = {{'A', tr("from the front")}, {'P', tr("from the back")},
                                            {'L', tr("from the left")},  {'R', tr("from the right")},
                                            {'S', tr("from above")},     {'I', tr("from below")}};
  for (const auto& [side, tip] : sides) {
    auto* button = stripButton(QString(QLatin1Char(side)), tr("3D view %1").arg(tip));
    connect(button, &QToolButton::clicked, this, [this, side = side] { lookFrom(side); });
    sceneLine->addWidget(button);
  }
  pairButton_ = pair;
  fullStrip_ = line->sizeHint().width();
  strip->setMinimumWidth(1);  // fitStrip() leaves out what has no room
  line->addWidget(sceneTools_);
  return strip;
}

void ViewArea::fitStrip() {
  // In a narrow window what the menu has, too, gives way.
  const bool comparing = layout_ == ViewLayout::compare, narrow = width() < fullStrip_;
  const bool in3d = comparing ? compare3d_ : layout_ == ViewLayout::grid || layout_ == ViewLayout::scene;
  for (const ViewLayout plane : {ViewLayout::axial, ViewLayout::coronal, ViewLayout::sagittal}) {
    const QString text = layoutText(int(plane));
    layoutButtons_->button(int(plane))->setText(narrow ? text.left(1) : text);
  }
  pairButton_->setVisible(!narrow);
  compareTools_->setVisible(comparing && !narrow);
  sceneTools_->setVisible(in3d && width() >= fullStrip_ + sceneTools_->sizeHint().width());
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
    slice->setImagePair(&pair_);
    connect(slice, &SliceView::hovered, this, &ViewArea::hovered);
    const auto alone = ViewLayout(int(plane) + 1);
    connect(slice, &SliceView::doubleClicked, this,
            [this, alone] { setLayoutShown(layout_ == alone ? ViewLayout::grid : alone); });
  }
  slices_[0]->setAccessibleName(tr("Axial view"));
  slices_[1]->setAccessibleName(tr("Coronal view"));
  slices_[2]->setAccessibleName(tr("Sagittal view"));
  scene_ = new View3d(layers_, view_);
  scene_->setAccessibleName(tr("3D view"));
  scene_->setImagePair(&pair_);
  connect(scene_, &View3d::doubleClicked, this,
          [this] { setLayoutShown(layout_ == ViewLayout::scene ? ViewLayout::grid : ViewLayout::scene); });
  grid->addWidget(slices_[0], 0, 0);
  grid->addWidget(slices_[1], 0, 1);
  grid->addWidget(slices_[2], 1, 0);
  grid->addWidget(scene_, 1, 1);
  for (int i : {0, 1}) grid->setRowStretch(i, 1), grid->setColumnStretch(i, 1);
  return page;
}

void ViewArea::setLayoutShown(ViewLayout layout) {
  if (layout == ViewLayout::compare && !comparison_) layout = layout_;
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
  // A view that is hidden gives its focus away, and with it the keys: it stays among the views.
  const bool focused = isAncestorOf(QApplication::focusWidget());
  const bool comparing = layout_ == ViewLayout::compare;
  for (int i = 0; i < 3; ++i) slices_[i]->setVisible(layout_ == ViewLayout::grid || int(layout_) == i + 1);
  scene_->setVisible(layout_ == ViewLayout::grid || layout_ == ViewLayout::scene);
  auto* grid = static_cast<QGridLayout*>(pages_->widget(0)->layout());
  const bool all = layout_ == ViewLayout::grid;
  // A row or column without a view takes no room.
  grid->setRowStretch(0, all || layout_ == ViewLayout::axial || layout_ == ViewLayout::coronal);
  grid->setRowStretch(1, all || layout_ == ViewLayout::sagittal || layout_ == ViewLayout::scene);
  grid->setColumnStretch(0, all || layout_ == ViewLayout::axial || layout_ == ViewLayout::sagittal);
  grid->setColumnStretch(1, all || layout_ == ViewLayout::coronal || layout_ == ViewLayout::scene);
  if (comparePage_)
    for (int i = 0; i < 3; ++i) {
      compareSlices_[i]->setVisible(!compare3d_);
      compareScenes_[i]->setVisible(compare3d_);
    }
  pages_->setCurrentIndex(comparing ? 1 : 0);
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
}

void ViewArea::resetCameras() {
  // All 3D views on one ViewState share their camera: the one on screen sets it.
  (layout_ == ViewLayout::compare ? compareScenes_[0] : scene_)->resetCamera();
  for (QWidget* view : shownViews()) {
    auto* slice = qobject_cast<SliceView*>(view);
    slice ? slice->showAllGlyphs() : static_cast<View3d*>(view)->showAllGlyphs();
  }
}

void ViewArea::setGlyphStyle(const scene::GlyphStyle& style) {
  glyphs_ = style;
  for (SliceView* view : slices_) view->setGlyphStyle(style);
  scene_->setGlyphStyle(style);
  if (!comparePage_) return;
  for (SliceView* view : compareSlices_) view->setGlyphStyle(style);
  for (View3d* view : compareScenes_) view->setGlyphStyle(style);
}

void ViewArea::setFieldStyle(const scene::FieldStyle& style) {
  fields_ = style;
  for (SliceView* view : slices_) view->setFieldStyle(style);
  scene_->setFieldStyle(style);
  if (!comparePage_) return;
  for (SliceView* view : compareSlices_) view->setFieldStyle(style);
  for (View3d* view : compareScenes_) view->setFieldStyle(style);
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

std::vector<QWidget*> ViewArea::shownViews() const {
  std::vector<QWidget*> views;
  if (layout_ == ViewLayout::compare) {
    for (int i = 0; i < 3; ++i)
      views.push_back(compare3d_ ? static_cast<QWidget*>(compareScenes_[i]) : compareSlices_[i]);
    return views;
  }
  for (int i = 0; i < 3; ++i)
    if (layout_ == ViewLayout::grid || int(layout_) == i + 1) views.push_back(slices_[i]);
  if (layout_ == ViewLayout::grid || layout_ == ViewLayout::scene) views.push_back(scene_);
  return views;
}

QSize ViewArea::viewsSize() const { return pages_->currentWidget()->size(); }

QImage ViewArea::screenshot(int scale) {
  QWidget* page = pages_->currentWidget();
  QImage picture(page->size() * scale, QImage::Format_ARGB32_Premultiplied);
  picture.fill(page->palette().color(QPalette::Shadow));
  QPainter painter(&picture);
  for (QWidget* view : shownViews()) {
    auto* slice = qobject_cast<SliceView*>(view);
    const QImage part = slice ? slice->screenshot(scale) : static_cast<View3d*>(view)->screenshot(scale);
    painter.drawImage(QRect(view->pos() * scale, view->size() * scale), part);
  }
  return picture;
}

void ViewArea::finishDrawing() { DrawTurns::of(view_).finish(); }

QString ViewArea::glyphNote() const {
  for (QWidget* view : shownViews()) {
    const auto* slice = qobject_cast<SliceView*>(view);
    const QString note = slice ? slice->glyphNote() : static_cast<View3d*>(view)->glyphNote();
    if (!note.isEmpty()) return note;
  }
  return {};
}

}  // namespace sulcus::ui::widgets
