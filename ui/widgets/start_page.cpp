#include "ui/widgets/start_page.h"

#include "ui/widgets/widget_help.h"

#include <QCommandLinkButton>
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
  auto* title = new QLabel(QStringLiteral("Sulcus"));
  QFont large = title->font();
  large.setPointSizeF(large.pointSizeF() * 2.4);
  large.setWeight(QFont::DemiBold);
  title->setFont(large);

  auto* open = new QPushButton(tr("Open files…"));
  open->setObjectName(QStringLiteral("open"));
  open->setDefault(true);
  auto* folder = new QPushButton(tr("Open DICOM folder…"));
  folder->setObjectName(QStringLiteral("openFolder"));
  for (QPushButton* button : {open, folder}) button->setMinimumHeight(fontMetrics().height() * 2);
  connect(open, &QPushButton::clicked, this, &StartPage::openRequested);
  connect(folder, &QPushButton::clicked, this, &StartPage::openFolderRequested);
  auto* buttons = new QHBoxLayout;
  buttons->addWidget(open);
  buttons->addWidget(folder);

  auto* column = new QVBoxLayout;
  column->setSpacing(8);
  column->addWidget(title);
  column->addWidget(
      quietLabel(tr("Open scans, run analyses on CPU and GPU, see both results side by side.")));
  column->addSpacing(12);
  column->addLayout(buttons);
  column->addWidget(quietLabel(tr("Or drop files or a DICOM folder anywhere in this window.")));
  column->addSpacing(16);
  column->addWidget(heading(tr("Demos with known truth")));
  for (const auto& analysis : analyses) {
    if (!analysis.demo) continue;
    const QString name = QString::fromStdString(analysis.name);
    QString demo = QString::fromStdString(analysis.demoTitle);
    if (!demo.isEmpty()) demo[0] = demo[0].toUpper();
    auto* button = new QCommandLinkButton(demo, QString::fromStdString(analysis.summary));
    button->setObjectName(QStringLiteral("demo.") + name);
    button->setAccessibleName(tr("Demo: %1").arg(demo));
    connect(button, &QPushButton::clicked, this, [this, name] { emit demoRequested(name); });
    column->addWidget(button);
  }
  column->addSpacing(16);
  recentColumn_ = new QVBoxLayout;
  recentColumn_->setSpacing(2);
  column->addLayout(recentColumn_);
  column->addStretch(1);
  column->addWidget(quietLabel(tr("Research use only. Not for diagnosis or treatment.")));

  auto* body = new QWidget;
  body->setLayout(column);
  body->setMaximumWidth(560);
  auto* all = new QHBoxLayout(this);
  all->setContentsMargins(32, 40, 32, 24);
  all->addStretch(1);
  all->addWidget(body, 4);
  all->addStretch(1);
  for (const model::RecentFiles* recent : {&recent_, &sessions_})
    connect(recent, &model::RecentFiles::changed, this, &StartPage::showRecent);
  showRecent();
}

void StartPage::showRecent() {
  while (QLayoutItem* item = recentColumn_->takeAt(0)) {
    if (item->widget()) item->widget()->deleteLater();
    delete item;
  }
  addRecent(tr("Recent sessions"), sessions_.paths().mid(0, 4));
  addRecent(tr("Recent files"), recent_.paths().mid(0, 6));
}

void StartPage::addRecent(const QString& title, const QStringList& paths) {
  if (paths.isEmpty()) return;
  recentColumn_->addWidget(heading(title));
  for (const QString& path : paths) {
    const QFileInfo file(path);
    auto* button = new QPushButton(
        QStringLiteral("%1   –   %2")
            .arg(file.fileName(), fontMetrics().elidedText(file.path(), Qt::ElideMiddle, 320)));
    button->setFlat(true);
    button->setToolTip(path);
    button->setStyleSheet(QStringLiteral("text-align: left; padding: 3px;"));
    connect(button, &QPushButton::clicked, this, [this, path] { emit recentRequested(path); });
    recentColumn_->addWidget(button);
  }
}

}  // namespace sulcus::ui::widgets
