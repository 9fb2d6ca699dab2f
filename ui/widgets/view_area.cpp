#include "ui/widgets/view_area.h"

#include "ui/widgets/draw_turns.h"
#include "ui/widgets/image_pair_bar.h"
#include "ui/widgets/number_edit.h"
#include "ui/widgets/theme.h"

#include <QApplication>
#include <QButtonGroup>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

namespace sulcus::ui::widgets {
namespace {

struct LayoutButton {
  ViewLayout layout;
  QString text;  ///< empty: the icon alone
  QString tip;
};

/// The layouts in the order of their buttons.
std::vector<LayoutButton> layoutButtons() {
  return {{ViewLayout::grid, ViewArea::tr("2×2"), ViewArea::tr("All four views (0)")},
          {ViewLayout::beside, {}, ViewArea::tr("3D view beside the slices (7)")},
          {ViewLayout::lightbox, {}, ViewArea::tr("Lightbox: many slices of one plane (8)")},
          {ViewLayout::axial, ViewArea::tr("Axial"), ViewArea::tr("Axial view alone (1)")},
          {ViewLayout::coronal, ViewArea::tr("Coronal"), ViewArea::tr("Coronal view alone (2)")},
          {ViewLayout::sagittal, ViewArea::tr("Sagittal"), ViewArea::tr("Sagittal view alone (3)")},
          {ViewLayout::scene, ViewArea::tr("3D"), ViewArea::tr("3D view alone (4)")},
          {ViewLayout::compare, ViewArea::tr("Compare"), ViewArea::tr("Two results and their difference")}};
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
    case ViewLayout::beside:
      return "beside";
    case ViewLayout::lightbox:
      return "lightbox";
    default:
      return nullptr;
  }
}

void addIcon(QToolButton* button, const char* icon) {
  button->setIcon(themeIcon(QLatin1String(icon)));
  if (button->text().isEmpty()) return;
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
  lightbox_ = new LightboxView(layers_, view_);
  lightbox_->setAccessibleName(tr("Lightbox"));
  lightbox_->setImagePair(&pair_);
  connect(lightbox_, &LightboxView::hovered, this, &ViewArea::hovered);
  connect(lightbox_, &LightboxView::doubleClicked, this,
          [this] { toggleAlone(ViewLayout(int(lightboxLook().plane) + 1)); });
  pages_->addWidget(lightbox_);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(makeStrip());
  auto* bar = new ImagePairBar(layers, pair);
  connect(bar, &ImagePairBar::differenceRequested, this, &ViewArea::differenceRequested);
  column->addWidget(bar);
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
  for (const LayoutButton& layout : layoutButtons()) {
    auto* button = stripButton(layout.text, layout.tip);
    button->setCheckable(true);
    if (const char* icon = layoutIcon(layout.layout)) addIcon(button, icon);
    layoutButtons_->addButton(button, int(layout.layout));
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
  line->addWidget(makeLightboxTools());
  auto* pair = stripButton(tr("Two images"),
                           tr("Two images in one place: checkerboard (K), blink (B), blend (M), wipe (W)"));
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

QWidget* ViewArea::makeLightboxTools() {
  lightboxTools_ = new QWidget;
  auto* line = new QHBoxLayout(lightboxTools_);
  line->setContentsMargins(12, 0, 0, 0);
  line->setSpacing(2);
  lightboxPlane_ = new QButtonGroup(this);
  const std::pair<QString, QString> planes[] = {{tr("A"), tr("Axial slices (A)")},
                                                {tr("C"), tr("Coronal slices (C)")},
                                                {tr("S"), tr("Sagittal slices (S)")}};
  for (int plane = 0; const auto& [text, tip] : planes) {
    auto* button = stripButton(text, tip);
    button->setCheckable(true);
    lightboxPlane_->addButton(button, plane++);
    line->addWidget(button);
  }
  connect(lightboxPlane_, &QButtonGroup::idClicked, this,
          [this](int plane) { showPlane(model::Plane(plane)); });
  const auto number = [this](const char* name, const QString& label, int model::LightboxLook::*member) {
    auto* box = new QSpinBox;
    box->setObjectName(QLatin1String(name));
    box->setRange(1, model::LightboxLook::kMost);
    box->setAccessibleName(label);
    box->setToolTip(label);
    guardWheel(box);
    connect(box, &QSpinBox::valueChanged, this, [this, member](int value) {
      model::LightboxLook look = lightboxLook();
      look.*member = value;
      setLightboxLook(look);
    });
    return box;
  };
  lightboxColumns_ = number("lightboxColumns", tr("Slices beside each other"), &model::LightboxLook::columns);
  lightboxRows_ = number("lightboxRows", tr("Slices below each other"), &model::LightboxLook::rows);
  line->addSpacing(6);
  line->addWidget(lightboxColumns_);
  line->addWidget(new QLabel(QStringLiteral("×")));
  line->addWidget(lightboxRows_);
  lightboxTools_->hide();
  return lightboxTools_;
}

void ViewArea::setLightboxLook(const model::LightboxLook& look) {
  lightbox_->setLook(look);
  updateVisible();
  emit layoutChanged();
}

void ViewArea::fitStrip() {
  // In a narrow window what the menu has, too, gives way.
  const bool comparing = layout_ == ViewLayout::compare, lightbox = layout_ == ViewLayout::lightbox;
  const bool narrow = width() - (lightbox ? lightboxTools_->sizeHint().width() : 0) < fullStrip_;
  const bool in3d = comparing ? compare3d_
                              : layout_ == ViewLayout::grid || layout_ == ViewLayout::scene ||
                                    layout_ == ViewLayout::beside;
  for (const LayoutButton& layout : layoutButtons())
    if (!layoutIcon(layout.layout))
      layoutButtons_->button(int(layout.layout))->setText(narrow ? layout.text.left(1) : layout.text);
  layoutButtons_->button(int(ViewLayout::beside))->setVisible(!narrow);
  pairButton_->setVisible(!narrow);
  compareTools_->setVisible(comparing && !narrow);
  lightboxTools_->setVisible(lightbox);
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
    connect(slice, &SliceView::doubleClicked, this,
            [this, alone = ViewLayout(int(plane) + 1)] { toggleAlone(alone); });
  }
  slices_[0]->setAccessibleName(tr("Axial view"));
  slices_[1]->setAccessibleName(tr("Coronal view"));
  slices_[2]->setAccessibleName(tr("Sagittal view"));
  scene_ = new View3d(layers_, view_);
  scene_->setAccessibleName(tr("3D view"));
  scene_->setImagePair(&pair_);
  connect(scene_, &View3d::doubleClicked, this, [this] { toggleAlone(ViewLayout::scene); });
  return page;
}

void ViewArea::toggleAlone(ViewLayout alone) {
  if (layout_ == alone) return setLayoutShown(before_);
  before_ = layout_;
  setLayoutShown(alone);
}

void ViewArea::placeViews() {
  auto* grid = static_cast<QGridLayout*>(pages_->widget(0)->layout());
  for (SceneView* view : {static_cast<SceneView*>(scene_), static_cast<SceneView*>(slices_[0]),
                          static_cast<SceneView*>(slices_[1]), static_cast<SceneView*>(slices_[2])})
    grid->removeWidget(view);
  const bool beside = layout_ == ViewLayout::beside, all = layout_ == ViewLayout::grid;
  if (beside) {
    grid->addWidget(scene_, 0, 0, 3, 1);
    for (int i = 0; i < 3; ++i) grid->addWidget(slices_[i], i, 1);
  } else {
    grid->addWidget(slices_[0], 0, 0);
    grid->addWidget(slices_[1], 0, 1);
    grid->addWidget(slices_[2], 1, 0);
    grid->addWidget(scene_, 1, 1);
  }
  // A row or column without a view takes no room.
  grid->setRowStretch(0, beside || all || layout_ == ViewLayout::axial || layout_ == ViewLayout::coronal);
  grid->setRowStretch(1, beside || all || layout_ == ViewLayout::sagittal || layout_ == ViewLayout::scene);
  grid->setRowStretch(2, beside);
  grid->setColumnStretch(0, beside                                                                   ? 5
                            : all || layout_ == ViewLayout::axial || layout_ == ViewLayout::sagittal ? 1
                                                                                                     : 0);
  grid->setColumnStretch(1, beside                                                                  ? 2
                            : all || layout_ == ViewLayout::coronal || layout_ == ViewLayout::scene ? 1
                                                                                                    : 0);
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
  const bool four = layout_ == ViewLayout::grid || layout_ == ViewLayout::beside;
  for (int i = 0; i < 3; ++i) slices_[i]->setVisible(four || int(layout_) == i + 1);
  scene_->setVisible(four || layout_ == ViewLayout::scene);
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
}

void ViewArea::resetCameras() {
  // All 3D views on one ViewState share their camera: the one on screen sets it.
  (layout_ == ViewLayout::compare ? compareScenes_[0] : scene_)->resetCamera();
  for (SceneView* view : shownViews()) view->showAllGlyphs();
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
  const bool four = layout_ == ViewLayout::grid || layout_ == ViewLayout::beside;
  for (int i = 0; i < 3; ++i)
    if (four || int(layout_) == i + 1) views.push_back(slices_[i]);
  if (four || layout_ == ViewLayout::scene) views.push_back(scene_);
  return views;
}

QSize ViewArea::viewsSize() const { return pages_->currentWidget()->size(); }

QImage ViewArea::screenshot(int scale) {
  QWidget* page = pages_->currentWidget();
  QImage picture(page->size() * scale, QImage::Format_RGB32);  // what is empty in a view is black, not clear
  picture.fill(page->palette().color(QPalette::Shadow));
  QPainter painter(&picture);
  for (SceneView* view : shownViews()) {
    const QPoint corner = view == page ? QPoint() : view->pos();
    painter.drawImage(QRect(corner * scale, view->size() * scale), view->screenshot(scale));
  }
  return picture;
}

void ViewArea::finishDrawing() { DrawTurns::of(view_).finish(); }

QString ViewArea::glyphNote() const {
  for (const SceneView* view : shownViews())
    if (const QString note = view->glyphNote(); !note.isEmpty()) return note;
  return {};
}

}  // namespace sulcus::ui::widgets
