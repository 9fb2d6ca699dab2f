#include "ui/widgets/window/start_page.h"

#include "ui/model/text/localize.h"
#include "ui/widgets/controls/elided_label.h"
#include "ui/widgets/controls/label.h"
#include "ui/widgets/controls/widget_help.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QLayoutItem>
#include <QPushButton>
#include <QVBoxLayout>

namespace sulcus::ui::widgets {

StartPage::StartPage(const std::vector<Analysis>& analyses, model::RecentFiles& recent,
                     model::RecentFiles& sessions, QWidget* parent)
    : QWidget(parent), recent_(recent), sessions_(sessions) {
  setObjectName(QStringLiteral("startPage"));
  setAttribute(Qt::WA_StyledBackground);
  auto* title = new Label(QStringLiteral("Sulcus"));
  QFont large = title->font();
  large.setPointSizeF(large.pointSizeF() * 2);
  large.setWeight(QFont::DemiBold);
  title->setFont(large);

  auto* below = new QHBoxLayout;
  below->setSpacing(32);
  recentColumn_ = new QVBoxLayout;
  recentColumn_->setSpacing(4);
  auto* recentSide = new QVBoxLayout;
  recentSide->addLayout(recentColumn_);
  recentSide->addStretch(1);
  below->addLayout(recentSide, 1);
  below->addLayout(makeDemos(analyses), 1);

  auto* column = new QVBoxLayout;
  column->setSpacing(8);
  column->addWidget(title);
  column->addWidget(
      quietLabel(tr("Open scans, run analyses on CPU and GPU, see both results side by side.")));
  column->addSpacing(8);
  column->addWidget(makeDropTarget());
  column->addSpacing(16);
  column->addLayout(below);
  column->addStretch(1);
  column->addWidget(quietLabel(tr("Research use only. Not for diagnosis or treatment.")));

  auto* body = new QWidget;
  body->setLayout(column);
  body->setMaximumWidth(960);
  auto* all = new QHBoxLayout(this);
  all->setContentsMargins(32, 32, 32, 16);
  all->addStretch(1);
  all->addWidget(body, 8);
  all->addStretch(1);
  for (const model::RecentFiles* recent : {&recent_, &sessions_})
    connect(recent, &model::RecentFiles::changed, this, &StartPage::showRecent);
  showRecent();
}

QWidget* StartPage::makeDropTarget() {
  auto* target = new QFrame;
  target->setObjectName(QStringLiteral("dropTarget"));
  target->setAttribute(Qt::WA_StyledBackground);
  auto* open = new QPushButton(tr("Open files…"));
  open->setObjectName(QStringLiteral("open"));
  open->setProperty("primary", true);
  auto* folder = new QPushButton(tr("Open DICOM folder…"));
  folder->setObjectName(QStringLiteral("openFolder"));
  auto* study = new QPushButton(tr("Open study…"));
  study->setObjectName(QStringLiteral("openStudy"));
  connect(open, &QPushButton::clicked, this, &StartPage::openRequested);
  connect(folder, &QPushButton::clicked, this, &StartPage::openFolderRequested);
  connect(study, &QPushButton::clicked, this, &StartPage::openStudyRequested);
  auto* buttons = new QHBoxLayout;
  buttons->setSpacing(8);
  buttons->addStretch(1);
  buttons->addWidget(open);
  buttons->addWidget(folder);
  buttons->addWidget(study);
  buttons->addStretch(1);
  auto* say = new Label(tr("Drop scans, surfaces, a DICOM folder, a study in BIDS or a session here"));
  say->setAlignment(Qt::AlignCenter);
  auto* column = new QVBoxLayout(target);
  column->setContentsMargins(16, 32, 16, 32);
  column->setSpacing(16);
  column->addWidget(say);
  column->addLayout(buttons);
  return target;
}

QVBoxLayout* StartPage::makeDemos(const std::vector<Analysis>& analyses) {
  auto* column = new QVBoxLayout;
  column->setSpacing(4);
  column->addWidget(sectionHeading(tr("Demos with known truth")));
  for (const auto& analysis : analyses) {
    if (!analysis.demo) continue;
    const QString name = QString::fromStdString(analysis.name);
    QString demo = model::words(analysis.demoTitle);
    if (!demo.isEmpty()) demo[0] = demo[0].toUpper();
    auto* summary = new Label(model::words(analysis.summary));
    summary->setWordWrap(true);
    QPushButton* card = makeCard(demo, summary);
    card->setObjectName(QStringLiteral("demo.") + name);
    card->setAccessibleName(tr("Demo: %1").arg(demo));
    connect(card, &QPushButton::clicked, this, [this, name] { emit demoRequested(name); });
    column->addWidget(card);
  }
  column->addStretch(1);
  return column;
}

QPushButton* StartPage::makeCard(const QString& title, QLabel* below) {
  auto* card = new QPushButton;
  card->setProperty("card", true);
  auto* column = new QVBoxLayout(card);
  column->setContentsMargins(12, 7, 12, 7);
  column->setSpacing(2);
  below->setForegroundRole(QPalette::PlaceholderText);
  for (QLabel* line : {static_cast<QLabel*>(new Label(title)), below}) {
    line->setAttribute(Qt::WA_TransparentForMouseEvents);
    column->addWidget(line);
  }
  card->setSizePolicy(QSizePolicy::Minimum, QSizePolicy::Minimum);  // as high as its text at this width
  if (!column->hasHeightForWidth()) card->setMinimumHeight(column->sizeHint().height());
  return card;
}

void StartPage::showRecent() {
  while (QLayoutItem* item = recentColumn_->takeAt(0)) {
    if (item->widget()) item->widget()->deleteLater();
    delete item;
  }
  addRecent(tr("Recent sessions"), sessions_.paths().mid(0, 4));
  addRecent(tr("Recent files"), recent_.paths().mid(0, 6));
  if (recentColumn_->count() > 0) return;
  recentColumn_->addWidget(sectionHeading(tr("Recent files")));
  recentColumn_->addWidget(quietLabel(tr("What you open is listed here.")));
}

void StartPage::addRecent(const QString& title, const QStringList& paths) {
  if (paths.isEmpty()) return;
  if (recentColumn_->count() > 0) recentColumn_->addSpacing(12);
  recentColumn_->addWidget(sectionHeading(title));
  for (const QString& path : paths) {
    const QFileInfo file(path);
    auto* folder = new ElidedLabel(Qt::ElideLeft);
    folder->setText(file.path());
    QPushButton* card = makeCard(file.fileName(), folder);
    card->setToolTip(path);
    card->setAccessibleName(path);
    connect(card, &QPushButton::clicked, this, [this, path] { emit recentRequested(path); });
    recentColumn_->addWidget(card);
  }
}

}  // namespace sulcus::ui::widgets
