// Layer properties of some kinds of layers only: glyphs, fields, surfaces; and the card.
#include "ui/model/comparison_model.h"
#include "ui/model/layer_list_model.h"
#include "ui/scene/mesh_index.h"
#include "ui/scene/scene_layer.h"
#include "ui/widgets/layer_properties.h"
#include "ui/widgets/number_edit.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSpinBox>

namespace sulcus::ui {

void LayerProperties::buildGlyphs() {
  glyphs_ = new QComboBox;
  glyphs_->setObjectName(QStringLiteral("glyphs"));
  glyphs_->setAccessibleName(tr("Glyphs"));
  glyphs_->addItems({tr("sticks"), tr("lobes"), tr("both")});  // in the order of GlyphStyle::Shape
  glyphs_->setToolTip(tr("Sticks show the peaks, lobes the function whose maxima they are"));
  guardWheel(glyphs_);
  glyphScale_ = new NumberEdit;
  glyphScale_->setObjectName(QStringLiteral("glyphScale"));
  glyphScale_->setAccessibleName(tr("Size of the glyphs"));
  glyphScale_->setRange(0.1, 10);
  glyphScale_->setValue(1);
  glyphScale_->setToolTip(tr("1: the largest glyph fills its voxel"));
  const auto tell = [this] {
    GlyphStyle style;
    style.shape = GlyphStyle::Shape(glyphs_->currentIndex());
    style.scale = glyphScale_->value();
    emit glyphStyleChanged(style);
  };
  connect(glyphs_, &QComboBox::currentIndexChanged, this, tell);
  connect(glyphScale_, &QDoubleSpinBox::valueChanged, this, tell);
  form_->addRow(tr("Glyphs"), glyphs_);
  form_->addRow(tr("Glyph size"), glyphScale_);
}

void LayerProperties::buildField() {
  const auto choice = [](const char* name, const QString& label, const QStringList& entries) {
    auto* combo = new QComboBox;
    combo->setObjectName(QLatin1String(name));
    combo->setAccessibleName(label);
    combo->addItems(entries);
    guardWheel(combo);
    return combo;
  };
  // Both in the order of their enumerations in FieldStyle.
  fieldShape_ = choice("fieldShape", tr("Drawn as"), {tr("warped grid"), tr("arrows"), tr("magnitude")});
  fieldShape_->setToolTip(tr(
      "Where each point x of the reference lies in the template, x + u(x): the grid moved there, or arrows "
      "that lead there. The template's tissue moves the other way."));
  fieldColor_ =
      choice("fieldColor", tr("Color of lines"), {tr("by length"), tr("by direction"), tr("plain")});
  fieldColor_->setToolTip(tr("By direction: left-right red, front-back green, up-down blue"));
  fieldEvery_ = new QSpinBox;
  fieldEvery_->setObjectName(QStringLiteral("fieldEvery"));
  fieldEvery_->setAccessibleName(tr("Voxels between lines or arrows"));
  fieldEvery_->setRange(0, 100);
  fieldEvery_->setSpecialValueText(tr("auto"));
  fieldEvery_->setSuffix(tr(" voxels"));
  guardWheel(fieldEvery_);
  withoutAffine_ = new QCheckBox(tr("Leave out the affine part"));
  withoutAffine_->setObjectName(QStringLiteral("fieldWithoutAffine"));
  withoutAffine_->setToolTip(
      tr("Takes off the affine map that fits the field best, so that what was deformed beyond it shows"));
  const auto tell = [this] {
    FieldStyle style;
    style.shape = FieldStyle::Shape(fieldShape_->currentIndex());
    style.color = FieldStyle::Color(fieldColor_->currentIndex());
    style.every = fieldEvery_->value();
    style.withoutAffine = withoutAffine_->isChecked();
    show();
    emit fieldStyleChanged(style);
  };
  connect(fieldShape_, &QComboBox::currentIndexChanged, this, tell);
  connect(fieldColor_, &QComboBox::currentIndexChanged, this, tell);
  connect(fieldEvery_, &QSpinBox::valueChanged, this, tell);
  connect(withoutAffine_, &QCheckBox::toggled, this, tell);
  convention_ = choice("fieldConvention", tr("Convention of the file"),
                       {tr("ITK, ANTs (LPS)"), tr("3D Slicer (RAS)")});  // in the order of FieldConvention
  convention_->setToolTip(tr("Whose convention the file's vectors follow: turns their x and y"));
  connect(convention_, &QComboBox::activated, this,
          [this](int index) { emit conventionChosen(layers_.current(), FieldConvention(index)); });
  form_->addRow(tr("Drawn as"), fieldShape_);
  form_->addRow(tr("Every"), fieldEvery_);
  form_->addRow(tr("Line color"), fieldColor_);
  form_->addRow(withoutAffine_);
  form_->addRow(tr("Read as"), convention_);
}

void LayerProperties::buildScalars() {
  scalars_ = new QComboBox;
  scalars_->setObjectName(QStringLiteral("scalars"));
  scalars_->setAccessibleName(tr("What colors the surface"));
  guardWheel(scalars_);
  connect(scalars_, &QComboBox::activated, this,
          [this](int index) { layers_.setVolume(layers_.current(), index - 1); });
  form_->addRow(tr("Colored by"), scalars_);
}

void LayerProperties::showScalars(const LayerState& state) {
  const auto* surface = std::get_if<MeshLayer>(&state.layer->content);
  if (!surface) return;
  QStringList names{tr("plain")};
  for (const auto& [name, values] : surface->mesh->pointScalars) names << QString::fromStdString(name);
  const QSignalBlocker quiet(scalars_);
  scalars_->clear();
  scalars_->addItems(names);
  scalars_->setCurrentIndex(shownScalars(*state.layer, state.volume) ? state.volume + 1 : 0);
}

void LayerProperties::showCard(const LayerState& state) {
  QStringList lines{kindText(*state.layer)};
  if (const Grid* grid = gridOf(*state.layer)) {
    lines << QString::fromStdString(describeGrid(*grid));
    lines << tr("axes %1, %2")
                 .arg(QString::fromStdString(orientationCode(*grid)),
                      grid->worldFromVoxel.determinant() < 0 ? tr("left-handed") : tr("right-handed"));
  }
  if (const auto* surface = std::get_if<MeshLayer>(&state.layer->content)) {
    if (surface->mesh != cardMesh_) {
      cardMesh_ = surface->mesh;
      cardMeshClosed_ = isClosedOutwards(*surface->mesh);
    }
    lines << (cardMeshClosed_ ? tr("closed, facing outwards") : tr("open or facing inwards"));
    lines << tr("%1 points").arg(formatNumber(double(surface->mesh->points.size())));
    if (state.layer->source.empty()) lines << tr("in scanner space, mm, RAS");
  }
  QStringList warnings;  // what cannot be trusted is read first
  for (const auto& note : state.layer->notes)
    (note.starts_with("Warning:") ? warnings : lines) << QString::fromStdString(note);
  lines = warnings + lines;
  if (const auto& provenance = state.layer->provenance)
    lines << tr("computed by %1 on %2")
                 .arg(QString::fromStdString(provenance->analysis),
                      QString::fromStdString(provenance->device));
  if (!state.layer->source.empty()) lines << QString::fromStdString(state.layer->source);
  card_->setText(lines.join(QLatin1Char('\n')));
  cardTitle_->show();
}

}  // namespace sulcus::ui
