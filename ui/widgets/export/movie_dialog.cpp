#include "ui/widgets/export/movie_dialog.h"

#include "ui/widgets/controls/number_edit.h"
#include "ui/widgets/controls/widget_help.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QPushButton>
#include <QSettings>
#include <algorithm>

namespace sulcus::ui::widgets {
namespace {

constexpr int kMostFrames = 5000, kTurntableFrames = 72;
const QString kRate = QStringLiteral("movie/rate"), kMovieScale = QStringLiteral("movie/scale");

}  // namespace

MovieDialog::MovieDialog(const MovieExporter& backendFunction, const QSize& viewSize, QSettings& settings,
                         QWidget* parent)
    : QDialog(parent), maker_(backendFunction), settings_(settings) {
  setObjectName(QStringLiteral("movieDialog"));
  setWindowTitle(tr("Movie of the views"));
  using model::MovieKind;
  kind_ = named("movieKind", new QComboBox);
  kind_->addItem(tr("One turn in 3D"), int(MovieKind::turntable));
  kind_->addItem(tr("Slices from end to end"), int(MovieKind::slices));
  kind_->addItem(tr("Volumes of a series"), int(MovieKind::volumes));
  kind_->addItem(tr("Iterations of a run"), int(MovieKind::iterations));
  for (int i = 0; i < kind_->count(); ++i)
    if (maker_.whyNot(MovieKind(i)).isEmpty()) {
      kind_->setCurrentIndex(i);
      break;
    }
  plane_ = named("moviePlane", new QComboBox);
  plane_->addItems({tr("axial"), tr("coronal"), tr("sagittal")});
  plane_->setCurrentIndex(int(maker_.planeInView()));
  frames_ = named("movieFrames", new WholeEdit);
  rate_ = named("movieRate", new NumberEdit);
  rate_->setRange(0.5, 120);
  rate_->setValue(settings.value(kRate, 24).toDouble());
  scale_ = named("movieScale", new QComboBox);
  for (int scale = 1; scale <= 4; ++scale)
    scale_->addItem(
        tr("%1×: %2 × %3 pixels").arg(scale).arg(viewSize.width() * scale).arg(viewSize.height() * scale));
  scale_->setCurrentIndex(std::clamp(settings.value(kMovieScale, 1).toInt(), 1, 4) - 1);
  format_ = named("movieFormat", new QComboBox);
  if (jobs::hasFfmpeg()) format_->addItem(tr("MP4"), true);
  format_->addItem(tr("pictures (PNG) in a folder"), false);
  said_ = named("movieSaid", quietLabel({}));
  auto* form = new QFormLayout;
  form->addRow(tr("What moves"), kind_);
  form->addRow(tr("Plane"), plane_);
  form->addRow(tr("Frames"), frames_);
  form->addRow(tr("Frames a second"), rate_);
  form->addRow(tr("Size"), scale_);
  form->addRow(tr("Written as"), format_);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
  save_ = named("movieSave", buttons->addButton(tr("Save…"), QDialogButtonBox::AcceptRole));
  auto* column = new QVBoxLayout(this);
  column->addLayout(form);
  column->addWidget(said_);
  column->addWidget(buttons);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(buttons, &QDialogButtonBox::accepted, this, [this] {
    keep();
    accept();
  });
  for (QComboBox* box : {kind_, plane_})
    connect(box, &QComboBox::currentIndexChanged, this, &MovieDialog::refresh);
  refresh();
}

model::MovieOptions MovieDialog::order() const {
  model::MovieOptions order;
  order.kind = model::MovieKind(kind_->currentData().toInt());
  order.plane = model::Plane(plane_->currentIndex());
  order.frames = int(frames_->value());
  order.framesPerSecond = rate_->value();
  order.scale = scale_->currentIndex() + 1;
  return order;
}

bool MovieDialog::asVideo() const { return format_->currentData().toBool(); }

void MovieDialog::refresh() {
  const auto kind = model::MovieKind(kind_->currentData().toInt());
  const QString why = maker_.whyNot(kind);
  const int most = maker_.mostFrames(kind, model::Plane(plane_->currentIndex()));
  plane_->setEnabled(kind == model::MovieKind::slices);
  frames_->setRange(2, kMostFrames);
  frames_->setValue(most > 1 ? std::min(most, kMostFrames) : kTurntableFrames);
  const QString what = jobs::hasFfmpeg()
                           ? tr("The movie shows the views as they are on screen now.")
                           : tr("The movie shows the views as they are on screen now. For MP4 install "
                                "ffmpeg, which was not found.");
  said_->setText(why.isEmpty() ? what : why);
  save_->setEnabled(why.isEmpty());
}

void MovieDialog::keep() {
  settings_.setValue(kRate, rate_->value());
  settings_.setValue(kMovieScale, scale_->currentIndex() + 1);
}

}  // namespace sulcus::ui::widgets
