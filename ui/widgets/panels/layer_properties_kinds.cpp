// LayerProperties: the rows for particular kinds of layers, and the card.
#include "core/image/display/layer_kinds.h"
#include "core/image/display/tract_coloring.h"
#include "ui/model/comparison/comparison_model.h"
#include "ui/model/layers/layer_list_model.h"
#include "ui/model/text/localize.h"
#include "ui/scene/scene_layer.h"
#include "ui/scene/volume3d/mesh_index.h"
#include "ui/widgets/controls/elided_combo_box.h"
#include "ui/widgets/controls/label.h"
#include "ui/widgets/controls/number_edit.h"
#include "ui/widgets/controls/widget_help.h"
#include "ui/widgets/panels/label_list.h"
#include "ui/widgets/panels/layer_properties.h"
#include "ui/widgets/window/theme.h"

#include <QCheckBox>
#include <QComboBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QStandardItemModel>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <memory>
#include <ranges>

namespace sulcus::ui::widgets {

void LayerProperties::addFinding(QVBoxLayout& properties) {
  finding_ = new QWidget;
  finding_->setObjectName(QStringLiteral("finding"));
  findingText_ = quietLabel({});
  findingText_->setForegroundRole(QPalette::WindowText);  // but this one should be noticed
  findingText_->setObjectName(QStringLiteral("findingText"));
  findingMend_ = new QPushButton;
  findingMend_->setObjectName(QStringLiteral("findingMend"));
  auto* leave = new QPushButton(tr("Leave unchanged"));
  leave->setObjectName(QStringLiteral("findingLeave"));
  auto* column = new QVBoxLayout(finding_);
  column->setContentsMargins(0, 0, 0, 6);
  column->addWidget(findingText_);
  column->addWidget(findingMend_, 0, Qt::AlignLeft);
  column->addWidget(leave, 0, Qt::AlignLeft);
  properties.addWidget(finding_);
  connect(findingMend_, &QPushButton::clicked, this, [this] {
    if (const Finding* finding = findings_.of(layers_.current()))
      emit reinterpretationChosen(layers_.current(), finding->reinterpretation);
  });
  connect(leave, &QPushButton::clicked, this, [this] { findings_.dismiss(layers_.current()); });
}

void LayerProperties::showFinding(const Finding* finding) {
  finding_->setVisible(finding != nullptr);
  if (!finding) return;
  findingText_->setText(model::localizeForWindow(finding->sentence));
  findingMend_->setText(model::words(finding->remedy));
}

void LayerProperties::addPlayer() {
  auto* play = new QToolButton;
  play->setObjectName(QStringLiteral("play"));
  play->setText(tr("Play"));
  play->setIcon(themeIcon(QStringLiteral("play")));
  play->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  play->setToolTip(tr("Plays the volumes (V)"));
  play->setAccessibleName(play->toolTip());
  play->setCheckable(true);
  play->setFocusPolicy(Qt::StrongFocus);
  auto* rate = new NumberEdit;
  rate->setObjectName(QStringLiteral("playRate"));
  rate->setRange(0.5, 30);
  rate->setStepType(QAbstractSpinBox::DefaultStepType);
  rate->setSuffix(tr(" per s"));
  rate->setToolTip(tr("Volumes a second"));
  rate->setAccessibleName(rate->toolTip());
  guardWheel(rate);
  auto* row = new QWidget;
  auto* line = new QHBoxLayout(row);
  line->setContentsMargins(0, 0, 0, 0);
  line->addWidget(play);
  line->addWidget(rate);
  line->addStretch(1);
  const auto showPlayer = [this, play, rate] {
    const QSignalBlocker quiet(rate);
    play->setChecked(player_.isPlaying());
    rate->setValue(player_.rate());
  };
  connect(play, &QToolButton::clicked, &player_, &model::SeriesPlayer::setPlaying);
  connect(rate, &QDoubleSpinBox::valueChanged, &player_, &model::SeriesPlayer::setRate);
  connect(&player_, &model::SeriesPlayer::changed, this, showPlayer);
  showPlayer();
  addRow({}, row, &LayerTraits::series);
}

void LayerProperties::addLeftOut() {
  auto* leaveOut = new QCheckBox(tr("Exclude this volume"));
  leaveOut->setObjectName(QStringLiteral("leaveOut"));
  leaveOut->setToolTip(tr("Analyses of this series will not use it."));
  auto* all = new Label;
  all->setObjectName(QStringLiteral("leftOut"));
  all->setToolTip(tr("Excluded volumes"));
  all->setForegroundRole(QPalette::PlaceholderText);
  all->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
  auto* row = new QWidget;
  auto* line = new QHBoxLayout(row);
  line->setContentsMargins(0, 0, 0, 0);
  line->addWidget(leaveOut);
  line->addWidget(all, 1);
  connect(leaveOut, &QCheckBox::clicked, this, [this] {
    emit leaveOutRequested();
    show();  // as it is now: a list that cannot be parsed stays
  });
  addRow({}, row, &LayerTraits::leavable, [this, leaveOut, all](const model::LayerState& state) {
    QStringList numbers;
    const auto volumes = leftOut_.of(state.id);
    for (const int volume : volumes) numbers << QString::number(volume);
    leaveOut->setChecked(volumes.contains(state.volume));
    all->setText(numbers.join(QStringLiteral(", ")));
  });
}

void LayerProperties::addOpacityBy() {
  const auto addBox = [this](const char* name, const QString& label, const QString& full, const QString& tip,
                             bool LayerTraits::*wanted) {
    auto* image = new NameBox;
    image->setObjectName(QLatin1String(name));
    image->setAccessibleName(full);
    image->setToolTip(tip);
    image->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    image->setMinimumContentsLength(6);
    guardWheel(image);
    connect(image, &QComboBox::activated, this,
            [this, image] { layers_.setOpacityBy(layers_.current(), image->currentData().toInt()); });
    addRow(label, image, wanted, [this, image](const model::LayerState& state) {
      image->clear();
      image->addItem(tr("no image"), 0);
      for (const model::LayerState& other : std::views::reverse(layers_.layers()))  // as in the list
        if (other.id != state.id && model::mayBeOpacity(*other.layer)) image->addItem(other.name, other.id);
      image->setCurrentIndex(std::max(0, image->findData(state.opacityBy)));
    });
  };
  addBox("opacityBy", tr("Opacity from"), tr("Image that sets the opacity of the layer"),
         tr("Transparent where that image is at or below the low end of its range, opaque at the high end; "
            "it need not "
            "be visible"),
         &LayerTraits::planes);
  addBox("colorsBy", tr("Colors from"), tr("Image that colors the lines"),
         tr("The values of that image along the lines, over its range; it need not be visible"),
         &LayerTraits::tracts);
}

void LayerProperties::addGlyphs() {
  auto* shape = new QComboBox;
  shape->setObjectName(QStringLiteral("glyphs"));
  shape->setAccessibleName(tr("Glyphs"));
  shape->addItems(
      {tr("sticks"), tr("lobes"), tr("both"), tr("ellipsoids")});  // in the order of GlyphStyle::Shape
  shape->setToolTip(
      tr("Sticks show the peaks, lobes the function whose maxima the peaks are, ellipsoids a diffusion "
         "tensor, with the square roots of its eigenvalues as semi-axes"));
  guardWheel(shape);
  auto* scale = new NumberEdit;
  scale->setObjectName(QStringLiteral("glyphScale"));
  scale->setAccessibleName(tr("Size of the glyphs"));
  scale->setRange(0.1, 10);
  scale->setValue(1);
  scale->setToolTip(tr("1: the largest glyph fills its voxel"));
  const auto wanted =
      std::make_shared<int>(shape->currentIndex());  // of those with which the current layer can be drawn
  auto* width = new NumberEdit;
  width->setObjectName(QStringLiteral("tractWidth"));
  width->setAccessibleName(tr("Width of the lines"));
  width->setToolTip(
      tr("In pixels of an ordinary screen; from 3 on, a small number of lines is drawn as tubes"));
  width->setRange(0.5, 10);
  width->setValue(scene::GlyphStyle().tractWidth);
  const auto tell = [this, shape, scale, width, wanted] {
    *wanted = shape->currentIndex();
    scene::GlyphStyle style;
    style.shape = scene::GlyphStyle::Shape(shape->currentIndex());
    style.scale = scale->value();
    style.tractWidth = width->value();
    emit glyphStyleChanged(style);
  };
  connect(shape, &QComboBox::currentIndexChanged, this, tell);
  connect(scale, &QDoubleSpinBox::valueChanged, this, tell);
  connect(width, &QDoubleSpinBox::valueChanged, this, tell);
  addRow(tr("Glyphs"), shape, &LayerTraits::glyphShapes, [shape, wanted](const model::LayerState& state) {
    using Shape = scene::GlyphStyle::Shape;
    const auto* peaks = std::get_if<PeaksLayer>(&state.layer->content);
    const bool hasFunction = peaks && peaks->tensor, hasTensor = hasFunction && peaks->tensor->count == 6;
    auto* items = qobject_cast<QStandardItemModel*>(shape->model());
    for (const Shape one : {Shape::lobes, Shape::both}) items->item(int(one))->setEnabled(hasFunction);
    items->item(int(Shape::ellipsoids))->setEnabled(hasTensor);
    const bool canBe = items->item(*wanted)->isEnabled();
    const QSignalBlocker quiet(shape);  // the style stays for layers that can be drawn with it
    shape->setCurrentIndex(int(hasFunction ? Shape::lobes : Shape::sticks));
    if (canBe) shape->setCurrentIndex(*wanted);
  });
  addRow(tr("Glyph size"), scale, &LayerTraits::peaks);
  addRow(tr("Line width"), width, &LayerTraits::tracts);
}

void LayerProperties::addField() {
  const auto choice = [](const char* name, const QString& label, const QStringList& entries) {
    auto* combo = new QComboBox;
    combo->setObjectName(QLatin1String(name));
    combo->setAccessibleName(label);
    combo->addItems(entries);
    guardWheel(combo);
    return combo;
  };
  // The texts of both boxes are in the order of their enumerations in FieldStyle.
  fieldShape_ = choice("fieldShape", tr("Drawn as"), {tr("warped grid"), tr("arrows"), tr("magnitude")});
  fieldShape_->setToolTip(
      tr("Where each point x of the fixed image lies in the moving image, x + u(x): the grid moved there, or "
         "arrows "
         "that lead there. The moving image's tissue moves the other way."));
  fieldColor_ =
      choice("fieldColor", tr("Color of lines"), {tr("by length"), tr("by direction"), tr("plain")});
  fieldColor_->setToolTip(tr("By direction: left-right red, front-back green, up-down blue"));
  auto* every = new QSpinBox;
  every->setObjectName(QStringLiteral("fieldEvery"));
  every->setAccessibleName(tr("Voxels between lines or arrows"));
  every->setRange(0, 100);
  every->setSpecialValueText(tr("auto"));
  every->setSuffix(tr(" voxels"));
  guardWheel(every);
  auto* withoutAffine = new QCheckBox(tr("Leave out the affine part"));
  withoutAffine->setObjectName(QStringLiteral("fieldWithoutAffine"));
  withoutAffine->setToolTip(
      tr("Subtracts the affine map that fits best, so that only the deformation beyond it shows"));
  const auto tell = [this, every, withoutAffine] {
    scene::FieldStyle style;
    style.shape = scene::FieldStyle::Shape(fieldShape_->currentIndex());
    style.color = scene::FieldStyle::Color(fieldColor_->currentIndex());
    style.every = every->value();
    style.withoutAffine = withoutAffine->isChecked();
    show();  // the style determines which rows there are
    emit fieldStyleChanged(style);
  };
  connect(fieldShape_, &QComboBox::currentIndexChanged, this, tell);
  connect(fieldColor_, &QComboBox::currentIndexChanged, this, tell);
  connect(every, &QSpinBox::valueChanged, this, tell);
  connect(withoutAffine, &QCheckBox::toggled, this, tell);
  auto* convention =
      choice("fieldConvention", tr("Convention of the file"),
             {tr("ITK, ANTs (LPS)"), tr("3D Slicer (RAS)")});  // in the order of FieldConvention
  convention->setToolTip(tr("Convention of the vectors in the file: flips their x and y"));
  connect(convention, &QComboBox::activated, this,
          [this](int index) { emit conventionChosen(layers_.current(), FieldConvention(index)); });
  addRow(tr("Drawn as"), fieldShape_, &LayerTraits::field);
  addRow(tr("Every"), every, &LayerTraits::fieldLines);
  addRow(tr("Line color"), fieldColor_, &LayerTraits::fieldLines);
  addRow({}, withoutAffine, &LayerTraits::field);
  addRow(tr("Read as"), convention, &LayerTraits::fieldFile, [convention](const model::LayerState& state) {
    convention->setCurrentIndex(int(std::get<DisplacementLayer>(state.layer->content).convention));
  });
}

void LayerProperties::setStyles(const scene::GlyphStyle& glyphs, const scene::FieldStyle& fields) {
  findChild<QComboBox*>(QStringLiteral("glyphs"))->setCurrentIndex(int(glyphs.shape));
  findChild<NumberEdit*>(QStringLiteral("glyphScale"))->setValue(glyphs.scale);
  findChild<NumberEdit*>(QStringLiteral("tractWidth"))->setValue(glyphs.tractWidth);
  fieldShape_->setCurrentIndex(int(fields.shape));
  fieldColor_->setCurrentIndex(int(fields.color));
  findChild<QSpinBox*>(QStringLiteral("fieldEvery"))->setValue(fields.every);
  findChild<QCheckBox*>(QStringLiteral("fieldWithoutAffine"))->setChecked(fields.withoutAffine);
}

void LayerProperties::addScalars() {
  auto* scalars = new QComboBox;
  scalars->setObjectName(QStringLiteral("scalars"));
  scalars->setAccessibleName(tr("What colors the surface"));
  guardWheel(scalars);
  connect(scalars, &QComboBox::activated, this, [this](int index) { setVolume(index - 1); });
  addRow(tr("Colored by"), scalars, &LayerTraits::scalars, [scalars](const model::LayerState& state) {
    QStringList names{tr("plain")};
    for (const auto& [name, values] : std::get<MeshLayer>(state.layer->content).mesh->pointScalars)
      names << model::words(name);
    scalars->clear();
    scalars->addItems(names);
    scalars->setCurrentIndex(scene::shownScalars(*state.layer, state.volume) ? state.volume + 1 : 0);
  });
}

void LayerProperties::addTracts() {
  auto* coloring = new QComboBox;
  coloring->setObjectName(QStringLiteral("tractColoring"));
  coloring->setAccessibleName(tr("What colors the lines"));
  coloring->setToolTip(tr(
      "By direction: left-right red, front-back green, up-down blue. An image colors the lines where it is "
      "chosen below"));
  guardWheel(coloring);
  connect(coloring, &QComboBox::activated, this, [this](int index) { setVolume(index); });
  addRow(tr("Colored by"), coloring, &LayerTraits::tracts, [coloring](const model::LayerState& state) {
    coloring->clear();
    for (const auto& name : coloringNames(*std::get<TractsLayer>(state.layer->content).tracts))
      coloring->addItem(model::words(name));
    coloring->setCurrentIndex(state.volume);
  });
}

void LayerProperties::addCut() {
  auto* cut = new QComboBox;
  cut->setObjectName(QStringLiteral("cut"));
  cut->setAccessibleName(tr("Clip at the crosshair"));
  cut->setToolTip(tr("Cuts the layer open in 3D, in front of the crosshair"));
  guardWheel(cut);
  connect(cut, &QComboBox::activated, this,
          [this, cut] { change([&](Display& display) { display.cut = Cut(cut->currentData().toInt()); }); });
  addRow(tr("Clip"), cut, &LayerTraits::solid, [cut](const model::LayerState& state) {
    cut->clear();
    cut->addItem(tr("no"), int(Cut::nothing));
    if (std::holds_alternative<VolumeLayer>(state.layer->content))
      cut->addItem(tr("nearest octant"), int(Cut::octant));
    cut->addItem(tr("along the axial slice"), int(Cut::axial));
    cut->addItem(tr("along the coronal slice"), int(Cut::coronal));
    cut->addItem(tr("along the sagittal slice"), int(Cut::sagittal));
    cut->addItem(tr("half that faces you"), int(Cut::facing));
    cut->setCurrentIndex(std::max(0, cut->findData(int(state.display.cut))));
  });
}

void LayerProperties::addLabels(model::LabelLists& lists) {
  addSwitch("outline", tr("Outline only"), &Display::outline, &LayerTraits::labels);
  labels_ = new LabelList(lists);
  connect(&lists, &model::LabelLists::listed, this, [this](model::LayerId id) {
    if (id == layers_.current()) show();
  });
  connect(labels_, &LabelList::placeChosen, this, &LayerProperties::placeChosen);
  connect(labels_, &LabelList::entryChanged, this, [this](sulcus::Label label, const LabelEntry& entry) {
    const model::LayerState* state = layers_.find(layers_.current());
    const LayerPtr changed = state ? model::withLabelEntry(*state->layer, label, entry) : nullptr;
    if (changed) layers_.replaceContent(state->id, changed, true);
  });
  connect(labels_, &LabelList::relabelRequested, this,
          [this, &lists](const std::set<sulcus::Label>& from, sulcus::Label to) {
            lists.relabel(layers_.current(), from, to);
          });
  addRow({}, labels_, &LayerTraits::anyLabels,
         [this](const model::LayerState& state) { labels_->show(state); });
}

namespace {

/// "182 × 218 × 182 · 1 mm": a grid in few enough words for a narrow panel.
QString briefGrid(const Grid& grid) {
  const Vec3<double> spacing = grid.spacing();
  const auto mm = [](double value) { return QString::number(value, 'g', 3); };
  const QString size = QStringLiteral("%1 × %2 × %3").arg(grid.size.x).arg(grid.size.y).arg(grid.size.z);
  const bool isotropic = mm(spacing.x) == mm(spacing.y) && mm(spacing.y) == mm(spacing.z);
  return isotropic
             ? QStringLiteral("%1 · %2 mm").arg(size, mm(spacing.x))
             : QStringLiteral("%1 · %2 × %3 × %4 mm").arg(size, mm(spacing.x), mm(spacing.y), mm(spacing.z));
}

}  // namespace

void LayerProperties::addCard(QVBoxLayout& column) {
  cardWarnings_ = quietLabel({});
  cardWarnings_->setObjectName(QStringLiteral("cardWarnings"));
  cardWarnings_->setForegroundRole(QPalette::WindowText);  // a style sheet halves the color of muted text
  card_ = quietLabel({});
  card_->setObjectName(QStringLiteral("card"));
  auto* body = new QWidget;
  auto* grid = new QGridLayout(body);
  grid->setContentsMargins(0, 0, 0, 0);
  grid->setVerticalSpacing(3);
  grid->setColumnStretch(1, 1);
  for (int row = 0; row < kCardRows; ++row) {
    cardNames_[row] = new Label;
    cardNames_[row]->setForegroundRole(QPalette::PlaceholderText);
    cardValues_[row] = new Label;
    cardValues_[row]->setObjectName(QStringLiteral("cardRow%1").arg(row));
    cardValues_[row]->setWordWrap(true);
    cardValues_[row]->setTextInteractionFlags(Qt::TextSelectableByMouse);
    grid->addWidget(cardNames_[row], row, 0, Qt::AlignTop);
    grid->addWidget(cardValues_[row], row, 1);
  }
  grid->addWidget(card_, kCardRows, 0, 1, 2);
  cardLine_ = foldButton(body);
  cardLine_->setObjectName(QStringLiteral("cardLine"));
  cardLine_->setToolTip(
      tr("Orientation card: how the image is oriented, where it comes from and what was assumed"));
  cardLine_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
  // A long word must not widen the panel.
  for (QLabel* lines : {card_, cardWarnings_, cardValues_[0], cardValues_[1], cardValues_[2], cardValues_[3]})
    lines->setSizePolicy(QSizePolicy::Ignored, lines->sizePolicy().verticalPolicy());
  column.addWidget(cardWarnings_);  // what cannot be trusted comes first
  column.addWidget(cardLine_);
  column.addWidget(body);
}

void LayerProperties::showCard(const model::LayerState& state) {
  const QString kind = model::kindText(*state.layer);
  std::vector<std::pair<QString, QString>> rows{{tr("Kind"), kind}};
  QString line = kind;
  if (const Grid* grid = gridOf(*state.layer)) {
    const QString size = model::words(describeGrid(*grid)),
                  axes = QString::fromStdString(orientationCode(*grid));
    rows.emplace_back(tr("Grid"), size);
    rows.emplace_back(tr("Axes"),
                      tr("%1, %2").arg(axes, grid->worldFromVoxel.determinant() < 0 ? tr("left-handed")
                                                                                    : tr("right-handed")));
    line = QStringLiteral("%1 · %2").arg(axes, briefGrid(*grid));
  }
  if (const auto* surface = std::get_if<MeshLayer>(&state.layer->content)) {
    if (surface->mesh != cardMesh_) {
      cardMesh_ = surface->mesh;
      cardMeshClosed_ = scene::isClosedOutwards(*surface->mesh);
    }
    const QString size = tr("%1 points").arg(model::formatNumber(double(surface->mesh->points.size())));
    rows.emplace_back(tr("Size"), size);
    rows.emplace_back(tr("Shape"),
                      (cardMeshClosed_ ? tr("closed, facing outwards") : tr("open or facing inwards")) +
                          (state.layer->source.empty() ? tr(", in scanner space, mm, RAS") : QString()));
    line = QStringLiteral("%1 · %2").arg(kind, size);
  }
  const auto& provenance = state.layer->provenance;
  if (!state.layer->source.empty())
    rows.emplace_back(tr("File"), breakable(QString::fromStdString(state.layer->source)));
  else if (provenance)
    rows.emplace_back(
        tr("Made by"),
        tr("%1 on %2").arg(model::words(provenance->analysis), model::words(provenance->device)));
  for (int row = 0; row < kCardRows; ++row) {
    const bool any = row < int(rows.size());
    cardNames_[row]->setVisible(any);
    cardValues_[row]->setVisible(any);
    if (!any) continue;
    cardNames_[row]->setText(rows[std::size_t(row)].first);
    cardValues_[row]->setText(rows[std::size_t(row)].second);
  }
  cardLine_->setText(line);
  QStringList notes, warnings;
  for (const auto& note : state.layer->notes)
    (note.isWarning() ? warnings : notes) << model::noteText(analyses_, *state.layer, note);
  if (!state.layer->source.empty() && provenance)
    notes << tr("computed by %1 on %2")
                 .arg(model::words(provenance->analysis), model::words(provenance->device));
  cardWarnings_->setText(warnings.join(QLatin1Char('\n')));
  cardWarnings_->setVisible(!warnings.empty());
  card_->setText(notes.join(QLatin1Char('\n')));
  card_->setVisible(!notes.empty());
}

}  // namespace sulcus::ui::widgets
