#include "ui/widgets/panels/layer_card.h"

#include "core/image/display/layer_kinds.h"
#include "ui/model/comparison/comparison_model.h"
#include "ui/model/layers/layer_list_model.h"
#include "ui/model/text/localize.h"
#include "ui/scene/volume3d/mesh_index.h"
#include "ui/widgets/controls/label.h"
#include "ui/widgets/controls/widget_help.h"

#include <QGridLayout>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>

namespace sulcus::ui::widgets {
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

LayerCard::LayerCard(const std::vector<Analysis>& analyses, QWidget* parent)
    : QWidget(parent), analyses_(analyses) {
  warnings_ = named("cardWarnings", quietLabel({}));
  warnings_->setForegroundRole(QPalette::WindowText);  // a style sheet halves the color of muted text
  others_ = named("card", quietLabel({}));
  auto* column = tight<QVBoxLayout>(this, 8);
  auto* body = new QWidget;
  auto* grid = tight<QGridLayout>(body);
  grid->setVerticalSpacing(3);
  grid->setColumnStretch(1, 1);
  for (int row = 0; row < kRows; ++row) {
    names_[row] = new Label;
    names_[row]->setForegroundRole(QPalette::PlaceholderText);
    values_[row] = new Label;
    values_[row]->setObjectName(QStringLiteral("cardRow%1").arg(row));
    values_[row]->setWordWrap(true);
    values_[row]->setTextInteractionFlags(Qt::TextSelectableByMouse);
    grid->addWidget(names_[row], row, 0, Qt::AlignTop);
    grid->addWidget(values_[row], row, 1);
  }
  grid->addWidget(others_, kRows, 0, 1, 2);
  line_ = named("cardLine", foldButton(body));
  line_->setToolTip(
      tr("Orientation card: how the image is oriented, where it comes from and what was assumed"));
  line_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
  // A long word must not widen the panel.
  for (QLabel* lines : {others_, warnings_, values_[0], values_[1], values_[2], values_[3]})
    lines->setSizePolicy(QSizePolicy::Ignored, lines->sizePolicy().verticalPolicy());
  column->addWidget(warnings_);  // what cannot be trusted comes first
  column->addWidget(line_);
  column->addWidget(body);
}

void LayerCard::fold() { line_->setChecked(false); }

void LayerCard::show(const model::LayerState& state) {
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
    if (surface->mesh != mesh_) {
      mesh_ = surface->mesh;
      isMeshClosed_ = scene::isClosedOutwards(*surface->mesh);
    }
    const QString size = tr("%1 points").arg(model::formatNumber(double(surface->mesh->points.size())));
    rows.emplace_back(tr("Size"), size);
    QString shape = isMeshClosed_ ? tr("closed, facing outwards") : tr("open or facing inwards");
    if (state.layer->source.empty()) shape += tr(", in scanner space, mm, RAS");
    rows.emplace_back(tr("Shape"), shape);
    line = QStringLiteral("%1 · %2").arg(kind, size);
  }
  const auto& provenance = state.layer->provenance;
  if (!state.layer->source.empty())
    rows.emplace_back(tr("File"), breakable(QString::fromStdString(state.layer->source)));
  else if (provenance)
    rows.emplace_back(
        tr("Made by"),
        tr("%1 on %2").arg(model::words(provenance->analysis), model::words(provenance->device)));
  for (int row = 0; row < kRows; ++row) {
    const bool any = row < int(rows.size());
    names_[row]->setVisible(any);
    values_[row]->setVisible(any);
    if (!any) continue;
    names_[row]->setText(rows[std::size_t(row)].first);
    values_[row]->setText(rows[std::size_t(row)].second);
  }
  line_->setText(line);
  QStringList notes, warnings;
  for (const auto& note : state.layer->notes)
    (note.isWarning() ? warnings : notes) << model::noteText(analyses_, *state.layer, note);
  if (!state.layer->source.empty() && provenance)
    notes << tr("computed by %1 on %2")
                 .arg(model::words(provenance->analysis), model::words(provenance->device));
  warnings_->setText(warnings.join(QLatin1Char('\n')));
  warnings_->setVisible(!warnings.empty());
  others_->setText(notes.join(QLatin1Char('\n')));
  others_->setVisible(!notes.empty());
}

}  // namespace sulcus::ui::widgets
