#include "ui/widgets/export/picture_dialog.h"

#include "ui/widgets/controls/widget_help.h"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QPushButton>
#include <QSettings>
#include <algorithm>

namespace sulcus::ui::widgets {
namespace {

constexpr int kAllViews = -1, kWindow = -2;
const QString kScale = QStringLiteral("picture/scale"), kBackground = QStringLiteral("picture/background"),
              kAnnotations = QStringLiteral("picture/annotations");

}  // namespace

PictureDialog::PictureDialog(const QStringList& views, const QSize& viewSize, const QSize& windowSize,
                             QSettings& settings, QWidget* parent)
    : QDialog(parent), settings_(settings) {
  setObjectName(QStringLiteral("pictureDialog"));
  setWindowTitle(tr("Picture"));
  what_ = named("pictureWhat", new QComboBox);
  what_->addItem(views.size() > 1 ? tr("All views") : views.value(0), kAllViews);
  if (views.size() > 1)
    for (int i = 0; i < views.size(); ++i) what_->addItem(views[i], i);
  what_->addItem(tr("The whole window"), kWindow);
  scale_ = named("pictureScale", new QComboBox);
  for (int scale = 1; scale <= 4; ++scale) scale_->addItem(QString(), scale);
  scale_->setCurrentIndex(std::clamp(settings.value(kScale, 1).toInt(), 1, 4) - 1);
  background_ = named("pictureBackground", new QComboBox);
  background_->addItems({tr("as on screen"), tr("black"), tr("white"), tr("transparent")});
  background_->setCurrentIndex(std::clamp(settings.value(kBackground, 0).toInt(), 0, 3));
  background_->setToolTip(tr("Where there is no image; black in an image stays black"));
  annotations_ = named("pictureAnnotations", new QCheckBox(tr("Letters, crosshair and color bars")));
  annotations_->setChecked(settings.value(kAnnotations, true).toBool());
  auto* form = new QFormLayout;
  form->addRow(tr("Of"), what_);
  form->addRow(tr("Size"), scale_);
  form->addRow(tr("Background"), background_);
  form->addRow(QString(), annotations_);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
  QPushButton* copy = named("pictureCopy", buttons->addButton(tr("Copy"), QDialogButtonBox::ActionRole));
  copy->setToolTip(tr("To the clipboard"));
  QPushButton* save = named("pictureSave", buttons->addButton(tr("Save…"), QDialogButtonBox::AcceptRole));
  save->setDefault(true);
  auto* column = new QVBoxLayout(this);
  column->addLayout(form);
  column->addWidget(buttons);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(copy, &QPushButton::clicked, this, [this] {
    keep();
    emit copyRequested();
    accept();
  });
  connect(save, &QPushButton::clicked, this, [this] {
    keep();
    emit saveRequested();
    accept();
  });
  connect(what_, &QComboBox::currentIndexChanged, this, &PictureDialog::refresh);
  const auto pixels = [this, viewSize, windowSize] {
    const QSize size = what() == kWindow ? windowSize : viewSize;
    for (int i = 0; i < scale_->count(); ++i) {
      const int scale = i + 1;
      scale_->setItemText(
          i, what() >= 0
                 ? tr("%1×").arg(scale)
                 : tr("%1×: %2 × %3 pixels").arg(scale).arg(size.width() * scale).arg(size.height() * scale));
    }
  };
  connect(what_, &QComboBox::currentIndexChanged, this, pixels);
  pixels();
  refresh();
}

int PictureDialog::what() const { return what_->currentData().toInt(); }

PictureStyle PictureDialog::style() const {
  return {scale_->currentIndex() + 1, PictureStyle::Background(background_->currentIndex()),
          annotations_->isChecked()};
}

void PictureDialog::refresh() {
  const bool views = what() != kWindow;
  background_->setEnabled(views);
  annotations_->setEnabled(views);
}

void PictureDialog::keep() {
  settings_.setValue(kScale, scale_->currentIndex() + 1);
  settings_.setValue(kBackground, background_->currentIndex());
  settings_.setValue(kAnnotations, annotations_->isChecked());
}

}  // namespace sulcus::ui::widgets
