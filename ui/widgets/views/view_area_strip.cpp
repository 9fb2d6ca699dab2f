// The strip above the views: layouts, and tools for what is shown.
#include "ui/widgets/controls/label.h"
#include "ui/widgets/controls/number_edit.h"
#include "ui/widgets/views/image_overlay_bar.h"
#include "ui/widgets/views/view_area.h"
#include "ui/widgets/window/theme.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QLabel>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>

namespace sulcus::ui::widgets {
namespace {

struct LayoutButton {
  ViewLayout layout;
  const char* icon;
  QString text;
  QString tip;
  bool known = true;  ///< by its name: others are recognized by their icon if there is little room
};

/// The layouts in the order of their buttons.
std::vector<LayoutButton> layoutButtons() {
  return {
      {ViewLayout::grid, "grid", ViewArea::tr("2×2"), ViewArea::tr("All four views (0)")},
      {ViewLayout::beside, "beside", ViewArea::tr("3D + slices"),
       ViewArea::tr("3D view next to the slices (7)"), false},
      {ViewLayout::lightbox, "lightbox", ViewArea::tr("Lightbox"),
       ViewArea::tr("Lightbox: many slices of one plane (8)"), false},
      {ViewLayout::axial, "axial", ViewArea::tr("Axial"), ViewArea::tr("Axial view alone (1)")},
      {ViewLayout::coronal, "coronal", ViewArea::tr("Coronal"), ViewArea::tr("Coronal view alone (2)")},
      {ViewLayout::sagittal, "sagittal", ViewArea::tr("Sagittal"), ViewArea::tr("Sagittal view alone (3)")},
      {ViewLayout::scene, "cube", ViewArea::tr("3D"), ViewArea::tr("3D view alone (4)")},
      {ViewLayout::compare, "compare", ViewArea::tr("Compare"),
       ViewArea::tr("Two results and their difference (5): run twice, or choose two in the panel Compare")}};
}

void addIcon(QToolButton* button, const char* icon) {
  button->setIcon(themeIcon(QLatin1String(icon)));
  if (button->text().isEmpty()) return;
  button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  button->setText(QLatin1Char(' ') +
                  button->text());  // a style sheet places the two side by side without a gap
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

QWidget* ViewArea::makeStrip() {
  auto* strip = new QWidget;
  strip->setObjectName(QStringLiteral("viewStrip"));
  strip->setAttribute(Qt::WA_StyledBackground);
  auto* rows = new QVBoxLayout(strip);
  rows->setContentsMargins(6, 3, 6, 3);
  rows->setSpacing(2);
  auto* line = stripRow_ = new QHBoxLayout;
  line->setSpacing(2);
  rows->addLayout(line);
  layoutButtons_ = new QButtonGroup(this);
  for (const LayoutButton& layout : layoutButtons()) {
    auto* button = stripButton(layout.text, layout.tip);
    button->setCheckable(true);
    addIcon(button, layout.icon);
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
  lightboxPlace_ = line->count() - 1;
  auto* pair = stripButton(tr("Two images"),
                           tr("Two images in one place: checkerboard (K), blink (B), blend (M), wipe (W)"));
  pair->setObjectName(QStringLiteral("twoImages"));
  pair->setCheckable(true);
  addIcon(pair, "overlay");
  connect(pair, &QToolButton::clicked, this, [this, pair](bool on) {
    pair_.setMode(on ? model::ImageOverlay::Mode::checkerboard : model::ImageOverlay::Mode::off);
    pair->setChecked(pair_.mode() != model::ImageOverlay::Mode::off);
  });
  connect(&pair_, &model::ImageOverlay::changed, pair,
          [this, pair] { pair->setChecked(pair_.mode() != model::ImageOverlay::Mode::off); });
  line->addWidget(pair);
  line->addStretch(1);

  sceneTools_ = new QWidget;
  auto* sceneLine = new QHBoxLayout(sceneTools_);
  sceneLine->setContentsMargins(0, 0, 0, 0);
  sceneLine->setSpacing(0);
  planes_ = stripButton(tr("Planes"), tr("Images with surfaces in 3D (P)"));
  planes_->setObjectName(QStringLiteral("planesBesideSurfaces"));
  planes_->setCheckable(true);
  connect(planes_, &QToolButton::clicked, this, &ViewArea::setPlanesBesideSurfaces);
  sceneLine->addWidget(planes_);
  sceneLine->addWidget(new Label(tr("3D from")));
  const std::pair<char, QString> sides[] = {{'A', tr("from the front")}, {'P', tr("from the back")},
                                            {'L', tr("from the left")},  {'R', tr("from the right")},
                                            {'S', tr("from above")},     {'I', tr("from below")}};
  for (const auto& [side, tip] : sides) {
    auto* button = stripButton(QString(QLatin1Char(side)), tr("3D view %1").arg(tip));
    connect(button, &QToolButton::clicked, this, [this, side = side] { lookFrom(side); });
    sceneLine->addWidget(button);
  }
  pairButton_ = pair;
  strip->setMinimumWidth(1);  // fitStrip() omits what does not fit
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
  line->addWidget(new Label(QStringLiteral("×")));
  line->addWidget(lightboxRows_);
  lightboxTools_->hide();
  return lightboxTools_;
}

void ViewArea::setLightboxToolsBelow(bool below) {
  auto* rows = static_cast<QBoxLayout*>(pairButton_->parentWidget()->layout());
  rows->removeWidget(lightboxTools_);
  stripRow_->removeWidget(lightboxTools_);
  if (below)
    rows->addWidget(lightboxTools_, 0, Qt::AlignLeft);
  else
    stripRow_->insertWidget(lightboxPlace_, lightboxTools_);
}

void ViewArea::fitStrip() {
  // In a narrow window, tools that are also in the menu are omitted.
  const bool comparing = layout_ == ViewLayout::compare, lightbox = layout_ == ViewLayout::lightbox;
  lightboxTools_->setVisible(lightbox);
  sceneTools_->hide();
  enum Room { full, less, icons, least };
  const auto widthIn = [&](Room room) {
    const bool tools = room != least;
    for (const LayoutButton& layout : layoutButtons()) {
      auto* button = static_cast<QToolButton*>(layoutButtons_->button(int(layout.layout)));
      const bool named = room == full || (room == less && layout.known);
      button->setToolButtonStyle(named ? Qt::ToolButtonTextBesideIcon : Qt::ToolButtonIconOnly);
    }
    pairButton_->setToolButtonStyle(room == full ? Qt::ToolButtonTextBesideIcon : Qt::ToolButtonIconOnly);
    layoutButtons_->button(int(ViewLayout::beside))->setVisible(tools);
    pairButton_->setVisible(tools);
    compareTools_->setVisible(comparing && tools);
    QLayout* rows = pairButton_->parentWidget()->layout();
    for (QLayout* layout : {static_cast<QLayout*>(stripRow_), rows}) layout->invalidate();  // now, not later
    return rows->sizeHint().width();
  };
  setLightboxToolsBelow(false);
  const auto fitIn = [&] {
    for (const Room room : {full, less, icons, least})
      if (width() >= widthIn(room)) return true;
    return false;
  };
  if (!fitIn() && lightbox) {
    setLightboxToolsBelow(true);  // tools that do not fit next to the layouts are in a row of their own
    fitIn();
  }
  const int wide = pairButton_->parentWidget()->layout()->sizeHint().width();
  const bool in3d = comparing ? compare3d_
                              : layout_ == ViewLayout::grid || layout_ == ViewLayout::scene ||
                                    layout_ == ViewLayout::beside;
  sceneTools_->setVisible(in3d && width() >= wide + sceneTools_->sizeHint().width());
}

}  // namespace sulcus::ui::widgets
