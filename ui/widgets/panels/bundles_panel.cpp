#include "ui/widgets/panels/bundles_panel.h"

#include "core/base/figure.h"
#include "ui/model/comparison/comparison_model.h"
#include "ui/model/layers/layer_list_model.h"
#include "ui/model/layers/readout.h"
#include "ui/scene/common/colormap.h"
#include "ui/widgets/controls/number_edit.h"
#include "ui/widgets/controls/scroll_strip.h"
#include "ui/widgets/controls/widget_help.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QScopedValueRollback>
#include <QToolButton>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace sulcus::ui::widgets {
namespace {

constexpr double kUsualReach = 8;  // mm, of a new region

QToolButton* framedButton(const QString& text, const QString& tip, const char* name) {
  QToolButton* button = textButton(text, tip, name);
  button->setProperty("framed", true);
  return button;
}

}  // namespace

BundlesPanel::BundlesPanel(model::Workspace& workspace, QWidget* parent)
    : QWidget(parent),
      layers_(workspace.layers()),
      dissection_(workspace.editing().dissection),
      growing_(workspace.editing().growing),
      painting_(workspace.editing().regions),
      labels_(workspace.evaluation().labelLists),
      view_(workspace.view()) {
  tree_ = named("bundles", new QTreeWidget, tr("Bundles and their regions"));
  tree_->setHeaderLabels({tr("Bundle"), tr("Lines"), tr("Mean length"), tr("Volume")});
  tree_->setUniformRowHeights(true);
  tree_->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed);
  note_ = named("bundlesNote", quietLabel({}));
  buildTools();
  auto* column = padded<QVBoxLayout>(this, {8, 6, 8, 0}, 4);
  column->addWidget(note_);
  column->addWidget(new ScrollStrip(tools_));
  column->addWidget(growthStrip());
  column->addWidget(groupStrip());
  column->addWidget(tree_, 100);
  column->addStretch(1);  // where there is no tree
  connect(tree_, &QTreeWidget::currentItemChanged, this, [this](QTreeWidgetItem* item) {
    if (showing_ || !item) return;
    if (QTreeWidgetItem* const bundle = item->parent())
      dissection_.choose(tree_->indexOfTopLevelItem(bundle), bundle->indexOfChild(item));
    else
      dissection_.choose(tree_->indexOfTopLevelItem(item), -1);
  });
  connect(tree_, &QTreeWidget::itemChanged, this, [this](QTreeWidgetItem* item, int) {
    if (showing_ || item->parent()) return;
    const int bundle = tree_->indexOfTopLevelItem(item);
    dissection_.setVisible(bundle, item->checkState(0) == Qt::Checked);
    const auto& bundles = dissection_.bundles();
    if (bundle < int(bundles.size()) && item->text(0).toStdString() != bundles[std::size_t(bundle)].name)
      dissection_.rename(bundle, item->text(0));
  });
  connect(&dissection_, &model::Dissection::changed, this, &BundlesPanel::show);
  connect(&dissection_, &model::Dissection::changed, this, &BundlesPanel::showGroup);
  connect(&growing_, &model::GrowingLines::changed, this, &BundlesPanel::showGrowth);
  connect(&layers_, &model::LayerStack::changed, this, &BundlesPanel::showGrowth);
  show();
  showGroup();
}

void BundlesPanel::buildTools() {
  const auto button = [this](const QString& text, const QString& tip, const char* name,
                             std::vector<QWidget*>& needs) {
    needs.push_back(framedButton(text, tip, name));
    return static_cast<QToolButton*>(needs.back());
  };
  auto* bundle =
      button(tr("New bundle"), tr("Begin another bundle of these tracts"), "bundleNew", needTracts_);
  role_ = comboBox(
      "bundleRole", tr("What the region does"),
      tr("Lines must pass the region, must not pass it, or must begin or end in it; or new lines grow from "
         "it, by the settings of the analysis"),
      {tr("include"), tr("exclude"), tr("end here"),
       tr("grow from here")});  // in the order of TractRegion::Role
  needRole_.push_back(role_);
  auto* sphere = button(tr("Add sphere"), tr("Put a sphere at the crosshair; drag it in a slice or in 3D"),
                        "bundleSphere", needRole_);
  auto* box = button(tr("Add box"), tr("Put a box at the crosshair; drag it in a slice or in 3D"),
                     "bundleBox", needRole_);
  painted_ = button(tr("From painted"), tr("Lines grow from the labels that are painted, while they are"),
                    "bundlePainted", needRole_);
  reach_ =
      numberEdit("bundleReach", tr("Radius, or half of the edge"),
                 tr("Radius of the sphere, or half of the box's edge; Shift and the wheel change it, too"),
                 {0.2, 200}, tr(" mm"));
  reach_->setValue(kUsualReach);
  needRole_.push_back(reach_);
  remove_ = button(tr("Remove"), tr("Remove the region, or the bundle"), "bundleRemove", needBundle_);
  auto* layer =
      button(tr("Make a layer"), tr("Make a layer of the lines of the bundle, to save or to color them"),
             "bundleLayer", needBundle_);
  command_ = button(tr("Copy command"), tr("Copy the command line that makes a file of this bundle"),
                    "bundleCommand", needBundle_);
  label_ =
      button(tr("Add label"),
             tr("Takes a label, painted or of any image of labels, as a region; lines follow while it is "
                "painted"),
             "bundleLabel", needTracts_);
  labelMenu_ = named("bundleLabels", new QMenu(label_));
  label_->setPopupMode(QToolButton::InstantPopup);
  label_->setMenu(labelMenu_);
  connect(labelMenu_, &QMenu::aboutToShow, this, &BundlesPanel::fillLabels);
  connect(&labels_, &model::LabelLists::listed, this, [this] {
    if (labelMenu_->isVisible()) fillLabels();
  });
  tools_ = new QWidget;
  auto* line = padded<QHBoxLayout>(tools_, {0, 2, 0, 2}, 4);
  for (QWidget* tool : std::initializer_list<QWidget*>{bundle, role_, sphere, box, label_, painted_, reach_,
                                                       remove_, layer, command_})
    line->addWidget(tool);
  line->addStretch(1);
  connect(bundle, &QToolButton::clicked, &dissection_, &model::Dissection::addBundle);
  connect(sphere, &QToolButton::clicked, this, [this] { addRegion(TractRegion::Shape::sphere); });
  connect(box, &QToolButton::clicked, this, [this] { addRegion(TractRegion::Shape::box); });
  connect(painted_, &QToolButton::clicked, this, [this] { growing_.growFromPainted(painting_.target()); });
  connect(remove_, &QToolButton::clicked, this, &BundlesPanel::removeChosen);
  connect(layer, &QToolButton::clicked, this, [this] { emit layerRequested(dissection_.bundle()); });
  connect(command_, &QToolButton::clicked, this,
          [this] { QApplication::clipboard()->setText(dissection_.commandLine()); });
  connect(role_, &QComboBox::activated, this, [this](int role) {
    const TractRegion* now = region();
    if (now && !isForSeeds()) {
      TractRegion changed = *now;
      changed.role = TractRegion::Role(role);
      dissection_.changeRegion(dissection_.region(), changed, true);
    }
    showGrowth();
  });
  connect(reach_, &NumberEdit::valueChanged, this, [this](double reach) {
    if (showing_) return;
    if (isForSeeds()) {
      if (growing_.region() < 0) return;
      TractRegion changed = growing_.regions()[std::size_t(growing_.region())];
      changed.reach = (reach / changed.reach.x) * changed.reach;
      return growing_.changeRegion(growing_.region(), changed, true);
    }
    const TractRegion* now = region();
    if (!now || now->body) return;
    TractRegion changed = *now;
    changed.reach = (reach / changed.reach.x) * changed.reach;
    dissection_.changeRegion(dissection_.region(), changed, true);
  });
}

const TractRegion* BundlesPanel::region() const {
  if (dissection_.bundle() < 0 || dissection_.region() < 0) return nullptr;
  return &dissection_.bundles()[std::size_t(dissection_.bundle())].regions[std::size_t(dissection_.region())];
}

bool BundlesPanel::isForSeeds() const {
  return TractRegion::Role(role_->currentIndex()) == TractRegion::Role::seed;
}

/// What has grown, and what can be done with it.
QWidget* BundlesPanel::growthStrip() {
  growth_ = new QWidget;
  grown_ = named("growingNote", new QLabel);
  auto* keep =
      framedButton(tr("Keep the lines"), tr("Make a layer of the lines that have grown"), "growingKeep");
  auto* stop = framedButton(tr("Stop growing"), tr("Take away the region and its lines"), "growingStop");
  auto* line = padded<QHBoxLayout>(growth_, {0, 0, 0, 2}, 4);
  line->addWidget(grown_, 1);
  line->addWidget(keep);
  line->addWidget(stop);
  connect(keep, &QToolButton::clicked, this, &BundlesPanel::linesRequested);
  connect(stop, &QToolButton::clicked, &growing_, &model::GrowingLines::stop);
  return growth_;
}

/// Which lines are shown alone, and what can be done with them.
QWidget* BundlesPanel::groupStrip() {
  group_ = new QWidget;
  grouped_ = named("groupNote", new QLabel);
  auto* line = padded<QHBoxLayout>(group_, {0, 0, 0, 2}, 4);
  line->addWidget(grouped_, 1);
  const auto button = [line](const QString& text, const QString& tip, const char* name) {
    QToolButton* made = framedButton(text, tip, name);
    line->addWidget(made);
    return made;
  };
  connect(button(tr("All lines"), tr("Show the other lines, too"), "groupAll"), &QToolButton::clicked,
          &dissection_, &model::Dissection::showAll);
  connect(button(tr("Make a layer"), tr("Make a layer of the lines of the group"), "groupLayer"),
          &QToolButton::clicked, this, &BundlesPanel::groupRequested);
  return group_;
}

void BundlesPanel::showGroup() {
  const auto& group = dissection_.shownGroup();
  group_->setVisible(group.has_value());
  if (group)
    grouped_->setText(
        tr("%1 lines of the group %2")
            .arg(model::formatNumber(double(group->lines)), QString::fromStdString(group->name)));
}

/// All labels of all images of labels, the topmost image first.
void BundlesPanel::fillLabels() {
  labelMenu_->clear();
  const auto& all = layers_.layers();
  for (auto state = all.rbegin(); state != all.rend(); ++state) {
    if (!std::holds_alternative<LabelsLayer>(state->layer->content) ||
        state->origin == model::Origin::temporary)
      continue;
    QMenu* menu = labelMenu_->addMenu(state->name);
    const auto listed = labels_.of(*state);
    if (!listed || listed->labels.empty())
      menu->addAction(listed ? tr("Nothing is painted") : tr("Looking for labels…"))->setEnabled(false);
    else
      for (const auto& one : listed->labels)
        menu->addAction(colorIcon(scene::labelColor(one.label, listed->names.get())), one.name, this,
                        [this, id = state->id, label = one.label] {
                          dissection_.addLabel(id, label, TractRegion::Role(role_->currentIndex()));
                        });
  }
  if (labelMenu_->isEmpty())
    labelMenu_->addAction(tr("Paint a region (Ctrl+B), or open labels"))->setEnabled(false);
}

/// What can be done here.
QString BundlesPanel::advice() const {
  const auto* state = layers_.find(dissection_.target());
  if (!state && growing_.canGrow())
    return tr(
        "Choose “grow from here”, put a sphere or a box at the crosshair, and drag it: lines grow from it");
  if (!state) return tr("Open tracts (.trx, .tck, .trk) to cut bundles out of them");
  const QString name = model::nameForEye(layers_, state->name);
  if (!dissection_.isIndexed()) return tr("Looking where the lines of %1 lie…").arg(name);
  if (!dissection_.bundles().empty()) return tr("Bundles of %1").arg(name);
  return tr("Put a sphere or a box at the crosshair, and drag it: the lines of %1 that meet it are a bundle")
      .arg(name);
}

void BundlesPanel::showGrowth() {
  const bool can = growing_.canGrow(), any = dissection_.target() != 0;
  note_->setText(advice());
  growth_->setVisible(growing_.isOn());
  const auto& facts = growing_.facts();
  const auto number = [](double value) { return model::formatNumber(value); };
  if (!facts.fault.isEmpty())
    grown_->setText(facts.fault);
  else if (facts.seeds == 0)
    grown_->setText(tr("Lines grow…"));
  else
    grown_->setText(
        tr("%1 lines of %2 of %3 seeds")
            .arg(number(double(facts.lines)), number(double(facts.followed)), number(double(facts.seeds))));
  for (QWidget* tool : needRole_) tool->setEnabled(isForSeeds() ? can : any || (tool == role_ && can));
  if (isForSeeds() && growing_.region() >= 0) {
    const QScopedValueRollback<bool> filling(showing_, true);
    reach_->setValue(growing_.regions()[std::size_t(growing_.region())].reach.x);
  }
  const bool isGrowing = isForSeeds() && growing_.isOn();
  for (QWidget* tool : needBundle_) tool->setEnabled(dissection_.bundle() >= 0 && !isGrowing);
  remove_->setEnabled(isGrowing ? growing_.region() >= 0 : dissection_.bundle() >= 0);
  painted_->setVisible(can && isForSeeds());
  label_->setVisible(!isForSeeds());
  painted_->setEnabled(can && painting_.target() != 0);
}

void BundlesPanel::growHere() {
  role_->setCurrentIndex(int(TractRegion::Role::seed));
  addRegion(TractRegion::Shape::sphere);
}

void BundlesPanel::addRegion(TractRegion::Shape shape) {
  if (isForSeeds()) return growing_.addRegion(shape, view_.crosshair(), reach_->value());
  dissection_.addRegion(shape, TractRegion::Role(role_->currentIndex()), view_.crosshair(), reach_->value());
}

void BundlesPanel::removeChosen() {
  if (isForSeeds() && growing_.isOn())
    growing_.removeRegion(growing_.region());
  else if (dissection_.region() >= 0)
    dissection_.removeRegion(dissection_.region());
  else
    dissection_.removeBundle(dissection_.bundle());
}

QString BundlesPanel::nameOf(const TractRegion& region) const {
  if (!region.body) return region.shape == TractRegion::Shape::sphere ? tr("sphere") : tr("box");
  const auto* state = layers_.find(dissection_.labelsOf(region));
  const auto* image = state ? std::get_if<LabelsLayer>(&state->layer->content) : nullptr;
  return model::labelText(region.body->label, image ? image->names.get() : nullptr);
}

void BundlesPanel::showRow(QTreeWidgetItem& item, int number) {
  const Bundle& bundle = dissection_.bundles()[std::size_t(number)];
  item.setText(0, QString::fromStdString(bundle.name));
  item.setIcon(0, colorIcon(scene::surfaceColor(bundle.color)));
  item.setFlags(item.flags() | Qt::ItemIsEditable | Qt::ItemIsUserCheckable);
  item.setCheckState(0, bundle.visible ? Qt::Checked : Qt::Unchecked);
  item.setText(1, model::formatNumber(double(bundle.lines.size())));
  const auto facts = dissection_.facts(number);
  item.setText(
      2, facts ? tr("%1 mm").arg(QString::fromStdString(figure(facts->summary.meanLength))) : QString());
  item.setText(3, facts ? tr("%1 ml").arg(QString::fromStdString(figure(facts->volume / 1000))) : QString());
  while (item.childCount() > int(bundle.regions.size())) delete item.takeChild(item.childCount() - 1);
  while (item.childCount() < int(bundle.regions.size())) new QTreeWidgetItem(&item);
  for (int i = 0; i < item.childCount(); ++i) {
    const TractRegion& region = bundle.regions[std::size_t(i)];
    item.child(i)->setText(0, role_->itemText(int(region.role)) + QLatin1Char(' ') + nameOf(region));
    if (region.body) {
      const auto* state = layers_.find(dissection_.labelsOf(region));
      item.child(i)->setText(1, state ? state->name : QString());
      continue;
    }
    const auto number1 = [](double value) { return QString::number(value, 'f', 1); };
    item.child(i)->setText(1, tr("%1, %2, %3; %4 mm")
                                  .arg(number1(region.center.x), number1(region.center.y),
                                       number1(region.center.z), number1(region.reach.x)));
  }
  item.setExpanded(true);
}

void BundlesPanel::show() {
  const QScopedValueRollback<bool> filling(showing_, true);
  const auto& bundles = dissection_.bundles();
  const bool any = dissection_.target() != 0;
  while (tree_->topLevelItemCount() > int(bundles.size()))
    delete tree_->takeTopLevelItem(int(bundles.size()));
  while (tree_->topLevelItemCount() < int(bundles.size())) new QTreeWidgetItem(tree_);
  for (int i = 0; i < int(bundles.size()); ++i) showRow(*tree_->topLevelItem(i), i);
  if (const int bundle = dissection_.bundle(); bundle >= 0) {
    QTreeWidgetItem* item = tree_->topLevelItem(bundle);
    if (dissection_.region() >= 0) item = item->child(dissection_.region());
    tree_->setCurrentItem(item);
  }
  if (const TractRegion* chosen = region(); chosen && !(isForSeeds() && growing_.isOn())) {
    role_->setCurrentIndex(int(chosen->role));
    if (!chosen->body) reach_->setValue(chosen->reach.x);
  }
  tree_->setVisible(any);
  for (QWidget* tool : needTracts_) tool->setEnabled(any);
  for (int i = 0; i < 4; ++i) tree_->resizeColumnToContents(i);
  showGrowth();
}

}  // namespace sulcus::ui::widgets
