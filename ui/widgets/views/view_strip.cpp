#include "ui/widgets/views/view_strip.h"

#include "ui/widgets/controls/label.h"
#include "ui/widgets/controls/number_edit.h"
#include "ui/widgets/controls/widget_help.h"
#include "ui/widgets/window/theme.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
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
      {ViewLayout::grid, "grid", ViewStrip::tr("2×2"), ViewStrip::tr("All four views (0)")},
      {ViewLayout::beside, "beside", ViewStrip::tr("3D + slices"),
       ViewStrip::tr("3D view next to the slices (7)"), false},
      {ViewLayout::lightbox, "lightbox", ViewStrip::tr("Lightbox"),
       ViewStrip::tr("Lightbox: many slices of one plane (8)"), false},
      {ViewLayout::axial, "axial", ViewStrip::tr("Axial"), ViewStrip::tr("Axial view alone (1)")},
      {ViewLayout::coronal, "coronal", ViewStrip::tr("Coronal"), ViewStrip::tr("Coronal view alone (2)")},
      {ViewLayout::sagittal, "sagittal", ViewStrip::tr("Sagittal"), ViewStrip::tr("Sagittal view alone (3)")},
      {ViewLayout::scene, "cube", ViewStrip::tr("3D"), ViewStrip::tr("3D view alone (4)")},
      {ViewLayout::compare, "compare", ViewStrip::tr("Compare"),
       ViewStrip::tr("Two results and their difference (5): run twice, or choose two in the panel Compare")}};
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

/// Buttons of which one is chosen, named and explained; their ids count from 0.
QButtonGroup* addChoices(QLayout* line, QObject* owner,
                         const std::vector<std::pair<QString, QString>>& names) {
  auto* group = new QButtonGroup(owner);
  for (int id = 0; const auto& [text, tip] : names) {
    auto* button = stripButton(text, tip);
    button->setCheckable(true);
    group->addButton(button, id++);
    line->addWidget(button);
  }
  return group;
}

/// Tools in a line, apart from those on their left.
QHBoxLayout* toolLine(QWidget* tools) {
  auto* line = new QHBoxLayout(tools);
  line->setContentsMargins(12, 0, 0, 0);
  line->setSpacing(2);
  return line;
}

}  // namespace

ViewStrip::ViewStrip(model::ImageOverlay& pair, QWidget* parent) : QWidget(parent), pair_(pair) {
  setObjectName(QStringLiteral("viewStrip"));
  setAttribute(Qt::WA_StyledBackground);
  auto* rows = new QVBoxLayout(this);
  rows->setContentsMargins(6, 3, 6, 3);
  rows->setSpacing(2);
  row_ = new QHBoxLayout;
  row_->setSpacing(2);
  rows->addLayout(row_);
  layoutButtons_ = new QButtonGroup(this);
  for (const LayoutButton& layout : layoutButtons()) {
    auto* button = stripButton(layout.text, layout.tip);
    button->setCheckable(true);
    addIcon(button, layout.icon);
    layoutButtons_->addButton(button, int(layout.layout));
    row_->addWidget(button);
  }
  connect(layoutButtons_, &QButtonGroup::idClicked, this,
          [this](int id) { emit layoutChosen(ViewLayout(id)); });
  row_->addWidget(makeCompareTools());
  row_->addWidget(makeLightboxTools());
  lightboxPlace_ = row_->count() - 1;
  addPairButton();
  row_->addStretch(1);
  row_->addWidget(makeSceneTools());
  setMinimumWidth(1);  // fit() omits what does not fit
}

QWidget* ViewStrip::makeCompareTools() {
  compareTools_ = new QWidget;
  dimension_ = addChoices(toolLine(compareTools_), this,
                          {{tr("as slices"), tr("Compare as slices; A, C and S choose the plane")},
                           {tr("in 3D"), tr("Compare in 3D")}});
  connect(dimension_, &QButtonGroup::idClicked, this, [this](int id) { emit compareIn3dChosen(id == 1); });
  return compareTools_;
}

void ViewStrip::addPairButton() {
  pairButton_ = stripButton(tr("Two images"),
                            tr("Two images in one place: checkerboard (K), blink (B), blend (M), wipe (W)"));
  pairButton_->setObjectName(QStringLiteral("twoImages"));
  pairButton_->setCheckable(true);
  addIcon(pairButton_, "overlay");
  const auto showMode = [this] { pairButton_->setChecked(pair_.mode() != model::ImageOverlay::Mode::off); };
  connect(pairButton_, &QToolButton::clicked, this, [this, showMode](bool on) {
    pair_.setMode(on ? model::ImageOverlay::Mode::checkerboard : model::ImageOverlay::Mode::off);
    showMode();
  });
  connect(&pair_, &model::ImageOverlay::changed, pairButton_, showMode);
  row_->addWidget(pairButton_);
}

QWidget* ViewStrip::makeSceneTools() {
  sceneTools_ = new QWidget;
  auto* line = tight<QHBoxLayout>(sceneTools_, 0);
  planes_ = named("planesBesideSurfaces", stripButton(tr("Planes"), tr("Images with surfaces in 3D (P)")));
  planes_->setCheckable(true);
  connect(planes_, &QToolButton::clicked, this, &ViewStrip::planesBesideSurfacesChosen);
  line->addWidget(planes_);
  line->addWidget(new Label(tr("3D from")));
  const std::pair<char, QString> sides[] = {{'A', tr("from the front")}, {'P', tr("from the back")},
                                            {'L', tr("from the left")},  {'R', tr("from the right")},
                                            {'S', tr("from above")},     {'I', tr("from below")}};
  for (const auto& [side, tip] : sides) {
    auto* button = stripButton(QString(QLatin1Char(side)), tr("3D view %1").arg(tip));
    connect(button, &QToolButton::clicked, this, [this, side = side] { emit sideChosen(side); });
    line->addWidget(button);
  }
  return sceneTools_;
}

QWidget* ViewStrip::makeLightboxTools() {
  lightboxTools_ = new QWidget;
  QHBoxLayout* line = toolLine(lightboxTools_);
  lightboxPlane_ = addChoices(line, this,
                              {{tr("A"), tr("Axial slices (A)")},
                               {tr("C"), tr("Coronal slices (C)")},
                               {tr("S"), tr("Sagittal slices (S)")}});
  connect(lightboxPlane_, &QButtonGroup::idClicked, this,
          [this](int plane) { emit planeChosen(model::Plane(plane)); });
  lightboxColumns_ =
      makeCount("lightboxColumns", tr("Slices beside each other"), &model::LightboxLook::columns);
  lightboxRows_ = makeCount("lightboxRows", tr("Slices below each other"), &model::LightboxLook::rows);
  line->addSpacing(6);
  line->addWidget(lightboxColumns_);
  line->addWidget(new Label(QStringLiteral("×")));
  line->addWidget(lightboxRows_);
  lightboxTools_->hide();
  return lightboxTools_;
}

QSpinBox* ViewStrip::makeCount(const char* name, const QString& label, int model::LightboxLook::*member) {
  QSpinBox* box = spinBox(name, label, label, {1, model::LightboxLook::kMost}, {});
  connect(box, &QSpinBox::valueChanged, this, [this, member](int value) {
    model::LightboxLook look = state_.lightbox;
    look.*member = value;
    emit lightboxLookChosen(look);
  });
  return box;
}

void ViewStrip::setState(const State& state) {
  state_ = state;
  layoutButtons_->button(int(state.layout))->setChecked(true);
  layoutButtons_->button(int(ViewLayout::compare))->setEnabled(state.canCompare);
  dimension_->button(state.compareIn3d ? 1 : 0)->setChecked(true);
  lightboxPlane_->button(int(state.lightbox.plane))->setChecked(true);
  const QSignalBlocker quiet[] = {QSignalBlocker(lightboxColumns_), QSignalBlocker(lightboxRows_)};
  lightboxColumns_->setValue(state.lightbox.columns);
  lightboxRows_->setValue(state.lightbox.rows);
  planes_->setChecked(state.planesBesideSurfaces);
}

void ViewStrip::setLightboxToolsBelow(bool below) {
  auto* rows = static_cast<QBoxLayout*>(layout());
  rows->removeWidget(lightboxTools_);
  row_->removeWidget(lightboxTools_);
  if (below)
    rows->addWidget(lightboxTools_, 0, Qt::AlignLeft);
  else
    row_->insertWidget(lightboxPlace_, lightboxTools_);
}

int ViewStrip::show(Room room) {
  const bool tools = room != Room::least;
  const auto setNamed = [](QAbstractButton* button, bool named) {
    static_cast<QToolButton*>(button)->setToolButtonStyle(named ? Qt::ToolButtonTextBesideIcon
                                                                : Qt::ToolButtonIconOnly);
  };
  for (const LayoutButton& layout : layoutButtons())
    setNamed(layoutButtons_->button(int(layout.layout)),
             room == Room::full || (room == Room::less && layout.known));
  setNamed(pairButton_, room == Room::full);
  layoutButtons_->button(int(ViewLayout::beside))->setVisible(tools);
  pairButton_->setVisible(tools);
  compareTools_->setVisible(state_.layout == ViewLayout::compare && tools);
  QLayout* const rows = layout();
  for (QLayout* part : {static_cast<QLayout*>(row_), rows}) part->invalidate();  // now, not later
  return rows->sizeHint().width();
}

bool ViewStrip::fitIn(int width) {
  for (const Room room : {Room::full, Room::less, Room::icons, Room::least})
    if (width >= show(room)) return true;
  return false;
}

void ViewStrip::fit(int width) {
  const bool lightbox = state_.layout == ViewLayout::lightbox;
  lightboxTools_->setVisible(lightbox);
  sceneTools_->hide();
  setLightboxToolsBelow(false);
  if (!fitIn(width) && lightbox) {
    setLightboxToolsBelow(true);  // tools that do not fit next to the layouts are in a row of their own
    fitIn(width);
  }
  const int wide = layout()->sizeHint().width();
  bool in3d = state_.layout == ViewLayout::grid || state_.layout == ViewLayout::scene ||
              state_.layout == ViewLayout::beside;
  if (state_.layout == ViewLayout::compare) in3d = state_.compareIn3d;
  sceneTools_->setVisible(in3d && width >= wide + sceneTools_->sizeHint().width());
}

}  // namespace sulcus::ui::widgets
