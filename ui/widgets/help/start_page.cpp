#include "ui/widgets/help/start_page.h"

#include "ui/model/text/localize.h"
#include "ui/widgets/controls/elided_label.h"
#include "ui/widgets/controls/label.h"
#include "ui/widgets/controls/picture_card.h"
#include "ui/widgets/controls/widget_help.h"

#include <QFileInfo>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QIcon>
#include <QLabel>
#include <QLayoutItem>
#include <QPushButton>
#include <QStyle>
#include <QVBoxLayout>

namespace sulcus::ui::widgets {

StartPage::StartPage(const std::vector<Analysis>& analyses, model::RecentFiles& recent,
                     model::RecentFiles& sessions, QWidget* parent)
    : QWidget(parent), recent_(recent), sessions_(sessions) {
  setObjectName(QStringLiteral("startPage"));
  setAttribute(Qt::WA_StyledBackground);
  recentColumn_ = new QVBoxLayout;
  recentColumn_->setSpacing(4);
  pictures_ = new QGridLayout;
  pictures_->setSpacing(12);

  auto* column = new QVBoxLayout;
  column->setSpacing(14);
  column->addWidget(makeHead());
  column->addLayout(pictures_, 4);
  column->addWidget(makeDropTarget());
  column->addLayout(recentColumn_);
  column->addWidget(makeDemos(analyses));
  column->addStretch(1);
  column->addWidget(quietLabel(tr("Research use only. Not for diagnosis or treatment.")));

  auto* body = new QWidget;
  body->setLayout(column);
  body->setMaximumWidth(1320);
  auto* all = new QHBoxLayout(this);
  all->setContentsMargins(28, 20, 28, 14);
  all->addStretch(1);
  all->addWidget(body, 20);
  all->addStretch(1);
  for (const model::RecentFiles* recent : {&recent_, &sessions_})
    connect(recent, &model::RecentFiles::changed, this, &StartPage::showRecent);
  placePictures();
  showRecent();
}

QWidget* StartPage::makeHead() {
  auto* head = new QWidget;
  auto* logo = new QLabel;
  logo->setPixmap(QIcon(QStringLiteral(":/sulcus/icons/sulcus.svg")).pixmap(44, 44));
  auto* title = new Label(QStringLiteral("Sulcus"));
  QFont large = title->font();
  large.setPointSizeF(large.pointSizeF() * 2);
  large.setWeight(QFont::DemiBold);
  title->setFont(large);
  auto* words = new QVBoxLayout;
  words->setSpacing(0);
  words->addWidget(title);
  words->addWidget(
      quietLabel(tr("View a brain, analyze it, and share your results. Click a picture to see how.")));
  auto* row = tight<QHBoxLayout>(head, 12);
  row->addWidget(logo);
  row->addLayout(words, 1);
  return head;
}

void StartPage::setExamples(const std::vector<model::Example>& examples) {
  constexpr int kHighest = 360;  // of a picture: wider than high on any screen
  qDeleteAll(cards_);
  cards_.clear();
  for (const model::Example& example : examples) {
    const QString name = QString::fromStdString(example.name);
    auto* card = new PictureCard(model::words(example.title), model::words(example.summary),
                                 QStringLiteral(":/sulcus/start/%1.png").arg(name));
    card->setObjectName(QStringLiteral("example.") + name);
    card->setMaximumHeight(kHighest);
    connect(card, &QPushButton::clicked, this, [this, name] { emit exampleRequested(name); });
    cards_.push_back(card);
  }
  placePictures();
}

void StartPage::placePictures() {
  constexpr int kNarrow = 900;  // below this, two pictures side by side
  const int columns = width() < kNarrow ? 2 : 3;
  for (QWidget* card : cards_) pictures_->removeWidget(card);
  for (std::size_t i = 0; i < cards_.size(); ++i)
    pictures_->addWidget(cards_[i], int(i) / columns, int(i) % columns);
  for (int i = 0; i < 3; ++i) pictures_->setColumnStretch(i, i < columns ? 1 : 0);
}

QSize StartPage::minimumSizeHint() const { return {layout()->minimumSize().width(), 0}; }

int StartPage::heightForWidth(int width) const { return layout()->totalMinimumHeightForWidth(width); }

void StartPage::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  placePictures();
}

QWidget* StartPage::makeDropTarget() {
  auto* target = new QFrame;
  dropTarget_ = target;
  target->setObjectName(QStringLiteral("dropTarget"));
  target->setAttribute(Qt::WA_StyledBackground);
  auto* open = named("open", new QPushButton(tr("Open files…")));
  open->setProperty("primary", true);
  auto* folder = named("openFolder", new QPushButton(tr("Open DICOM folder…")));
  auto* study = named("openStudy", new QPushButton(tr("Open study…")));
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
  auto* column = padded<QVBoxLayout>(target, {16, 16, 16, 16}, 12);
  column->addWidget(say);
  column->addLayout(buttons);
  return target;
}

void StartPage::setDragged(bool dragged) {
  if (dropTarget_->property("dragged").toBool() == dragged) return;
  dropTarget_->setProperty("dragged", dragged);
  dropTarget_->style()->polish(dropTarget_);  // a style sheet evaluates properties only then
}

QWidget* StartPage::makeDemos(const std::vector<Analysis>& analyses) {
  constexpr int kColumns = 3;
  auto* demos = new QWidget;
  auto* grid = tight<QGridLayout>(demos, 4);
  grid->addWidget(sectionHeading(tr("Phantoms with known truth")), 0, 0, 1, kColumns);
  int placed = 0;
  for (const auto& analysis : analyses) {
    if (!analysis.demo) continue;
    const QString name = QString::fromStdString(analysis.name);
    QString demo = model::words(analysis.demoTitle);
    if (!demo.isEmpty()) demo[0] = demo[0].toUpper();
    QPushButton* card = makeCard(demo, new Label(model::words(analysis.title)));
    card->setObjectName(QStringLiteral("demo.") + name);
    card->setAccessibleName(tr("Demo: %1").arg(demo));
    card->setToolTip(model::words(analysis.summary));
    connect(card, &QPushButton::clicked, this, [this, name] { emit demoRequested(name); });
    grid->addWidget(card, 1 + placed / kColumns, placed % kColumns);
    ++placed;
  }
  for (int column = 0; column < kColumns; ++column) grid->setColumnStretch(column, 1);
  return demos;
}

QPushButton* StartPage::makeCard(const QString& title, QLabel* below) {
  auto* card = new QPushButton;
  card->setProperty("card", true);
  auto* column = padded<QVBoxLayout>(card, {12, 7, 12, 7}, 2);
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
  const auto empty = [](QLayout& layout, const auto& again) -> void {
    while (QLayoutItem* item = layout.takeAt(0)) {
      if (item->widget()) item->widget()->deleteLater();
      if (item->layout()) again(*item->layout(), again);
      delete item;
    }
  };
  empty(*recentColumn_, empty);
  addRecent(tr("Recent sessions"), sessions_.paths().mid(0, 4));
  addRecent(tr("Recent files"), recent_.paths().mid(0, 6));
}

void StartPage::addRecent(const QString& title, const QStringList& paths) {
  if (paths.isEmpty()) return;
  if (recentColumn_->count() > 0) recentColumn_->addSpacing(12);
  recentColumn_->addWidget(sectionHeading(title));
  auto* grid = new QGridLayout;
  grid->setSpacing(4);
  for (const QString& path : paths) {
    const QFileInfo file(path);
    auto* folder = new ElidedLabel(Qt::ElideLeft);
    folder->setText(file.path());
    QPushButton* card = makeCard(file.fileName(), folder);
    card->setToolTip(path);
    card->setAccessibleName(path);
    connect(card, &QPushButton::clicked, this, [this, path] { emit recentRequested(path); });
    const int place = grid->count();
    grid->addWidget(card, place / 2, place % 2);
  }
  grid->setColumnStretch(0, 1), grid->setColumnStretch(1, 1);
  recentColumn_->addLayout(grid);
}

}  // namespace sulcus::ui::widgets
