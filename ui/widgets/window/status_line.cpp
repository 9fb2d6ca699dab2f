#include "ui/widgets/window/status_line.h"

#include "core/base/platform/memory/host_memory.h"
#include "ui/model/choices/analysis_presenter.h"
#include "ui/model/layers/readout.h"
#include "ui/model/text/localize.h"
#include "ui/model/views/typed_position.h"
#include "ui/widgets/controls/label.h"
#include "ui/widgets/controls/widget_help.h"

#include <QHBoxLayout>
#include <QKeyEvent>

namespace sulcus::ui::widgets {

static constexpr int kWithDevice = 95;  // ems
static constexpr int kPassing = 8000;   // ms for which a note on a completed action is shown

StatusLine::StatusLine(model::LayerStack& layers, QWidget* parent) : QWidget(parent), layers_(layers) {
  auto* line = padded<QHBoxLayout>(this, {8, 2, 8, 2}, 18);
  const auto label = [&](const char* name, const QString& accessible) {
    auto* made = named(name, new Label, accessible);
    line->addWidget(made);
    return made;
  };
  position_ =
      field("position", tr("Position in the scanner, mm"), QStringLiteral("R 000.0  A 000.0  S 000.0 mm"));
  position_->setToolTip(tr(
      "Position of the pointer. Type a position and press Return: 12 -3.5 40 or L 12 A 3.5 S 40 (Ctrl+G)"));
  line->addWidget(position_);
  space_ = label("space", tr("Atlas of the coordinates"));
  space_->setToolTip(tr("The file says that its coordinates are those of this atlas"));
  voxel_ = field("voxel", tr("Voxel"), QStringLiteral("voxel 000, 000, 000"));
  voxel_->setToolTip(tr("Voxel of the current layer, from 0. Type three numbers and press Return"));
  line->addWidget(voxel_);
  values_ = label("values", tr("Values of the visible layers"));
  note_ = label("note", tr("Note"));
  undo_ = toolButton("undoRemoval", tr("Undo"), tr("Brings it back (Ctrl+Z)"));
  undo_->setFocusPolicy(Qt::TabFocus);
  undo_->hide();
  line->addWidget(undo_);
  connect(undo_, &QToolButton::clicked, this, [this] {
    showNote({});
    emit undoRequested();
  });
  device_ = label("device", tr("Processors and memory"));
  values_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  values_->installEventFilter(this);
  line->setStretchFactor(values_, 1);
  setMinimumWidth(1);  // a long note must not widen the window
  for (QLabel* quiet : {space_, note_, device_}) quiet->setForegroundRole(QPalette::PlaceholderText);
  passing_.setSingleShot(true);
  connect(&passing_, &QTimer::timeout, this, [this] { showNote({}); });
  timer_.setInterval(2000);
  connect(&timer_, &QTimer::timeout, this, &StatusLine::showMemory);
  timer_.start();
  showMemory();
}

QLineEdit* StatusLine::field(const char* name, const QString& accessible, const QString& widest) {
  auto* field = named(name, new QLineEdit, accessible);
  field->setFrame(false);
  field->setFocusPolicy(Qt::ClickFocus);
  field->installEventFilter(this);
  // Numbers change with every move of the pointer: the widgets next to them must not move.
  field->setFixedWidth(field->fontMetrics().horizontalAdvance(widest) + 12);
  connect(field, &QLineEdit::returnPressed, this, [this, field] { take(field); });
  return field;
}

void StatusLine::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  // In a narrow window, values are more important than the memory in use.
  device_->setVisible(width() >= kWithDevice * fontMetrics().horizontalAdvance(QLatin1Char('M')));
}

bool StatusLine::eventFilter(QObject* watched, QEvent* event) {
  // The line of a job takes room from the values, and returns it.
  if (watched == values_ && event->type() == QEvent::Resize) showPosition(shown_);
  auto* field = qobject_cast<QLineEdit*>(watched);
  if (field && event->type() == QEvent::FocusIn)
    QMetaObject::invokeMethod(field, &QLineEdit::selectAll, Qt::QueuedConnection);  // after the click
  if (field && event->type() == QEvent::FocusOut)
    QMetaObject::invokeMethod(
        this, [this] { showPosition(shown_); }, Qt::QueuedConnection);
  const bool escape =
      event->type() == QEvent::KeyPress && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape;
  if (field && escape) {
    emit editingEnded();
    return true;
  }
  return QWidget::eventFilter(watched, event);
}

void StatusLine::editPosition() { position_->setFocus(Qt::ShortcutFocusReason); }

const Grid* StatusLine::grid() const { return model::gridOfVoxels(layers_); }

void StatusLine::take(QLineEdit* field) {
  std::optional<Vec3<double>> place;
  if (field == position_) {
    place = model::positionFrom(field->text());
  } else if (const Grid* voxels = grid()) {
    if (const auto voxel = model::voxelFrom(field->text(), *voxels)) place = voxels->positionOf(*voxel);
  }
  if (!place) {
    showNote(field == position_
                 ? tr("Not a coordinate: type three numbers in mm, e.g. 12 -3.5 40 or L 12 A 3.5 S 40")
                 : tr("Not a voxel of this layer: type three whole numbers from 0"));
    return field->selectAll();
  }
  showNote({});
  shown_ = *place;
  emit placeChosen(*place);
  emit editingEnded();
}

void StatusLine::showPosition(const Vec3<double>& world) {
  shown_ = world;
  if (layers_.empty()) {
    for (QLineEdit* field : {position_, voxel_}) field->clear();
    for (QLabel* label : {space_, values_}) label->clear();
    return;
  }
  if (!position_->hasFocus()) position_->setText(model::positionText(world));
  if (!voxel_->hasFocus()) voxel_->setText(model::voxelText(layers_, world));
  const Grid* voxels = grid();
  space_->setText(voxels ? model::atlasOf(*voxels) : QString());
  values_->setText(model::valuesText(layers_, world, [this](const QString& text) {
    return values_->fontMetrics().horizontalAdvance(text) <= values_->width();
  }));
  values_->setToolTip(
      model::valuesText(layers_, world).replace(QStringLiteral("    "), QStringLiteral("\n")));
}

void StatusLine::showDevices(const QString& processor, const DeviceReport& report) {
  if (report.devices.empty()) {
    gpu_ = tr("no GPU: %1").arg(model::words(report.reason));
    device_->setToolTip(model::words(processor.toStdString()));
  } else {
    const DeviceInfo& device = report.devices.front();
    gpu_ = tr("%1: %2 of %3 in use")
               .arg(QString::fromStdString(device.name),
                    model::formatBytes(device.memoryBytes - device.freeBytes),
                    model::formatBytes(device.memoryBytes));
    device_->setToolTip(model::words(processor.toStdString()) + QLatin1Char('\n') + gpu_);
  }
  showMemory();
}

void StatusLine::showNote(const QString& note) {
  passing_.stop();
  undo_->hide();
  note_->setText(note);
}

void StatusLine::offerUndo(const QString& done) {
  showPassingNote(done);
  undo_->show();
}

void StatusLine::showPassingNote(const QString& note) {
  showNote(note);
  passing_.start(kPassing);
}

void StatusLine::showMemory() {
  QString text = tr("%1 in use").arg(model::formatBytes(residentHostMemory()));
  if (!gpu_.isEmpty()) text += QStringLiteral("  ·  ") + gpu_;
  device_->setText(text);
}

}  // namespace sulcus::ui::widgets
