#include "ui/widgets/panels/compare_panel.h"

#include "ui/model/comparison/compared_layers.h"
#include "ui/model/session/file_names.h"
#include "ui/model/text/localize.h"
#include "ui/widgets/controls/elided_combo_box.h"
#include "ui/widgets/controls/label.h"
#include "ui/widgets/controls/number_edit.h"
#include "ui/widgets/controls/widget_help.h"
#include "ui/widgets/window/theme.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSplitter>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <iterator>
#include <numeric>

namespace sulcus::ui::widgets {
namespace {

constexpr int kLeastNames = 12, kLeastRun = 6;  ///< ems of columns
constexpr int kBesideHeader = 12;               ///< pixels of a header
constexpr int kBesideTexts = 24;                ///< pixels for the scroll bar and the edges of a list

QString titleOf(const model::Run& run) {
  if (model::isLayerSide(run)) return run.title;
  return QStringLiteral("%1 · %2").arg(model::words(run.analysis->title), run.title);
}

/// Heading rows are bold.
class SectionDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

 protected:
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
    QStyledItemDelegate::initStyleOption(option, index);
    option->font.setBold(index.data(model::ComparisonModel::sectionRole).toBool());
  }
};

void dress(QTableView& table) {
  table.setItemDelegate(new SectionDelegate(&table));
  table.setShowGrid(false);
  table.setAlternatingRowColors(true);
  table.setFrameShape(QFrame::NoFrame);
  table.setWordWrap(false);
  table.setTextElideMode(Qt::ElideMiddle);
  table.verticalHeader()->hide();
  table.verticalHeader()->setDefaultSectionSize(table.fontMetrics().height() + 7);
  table.horizontalHeader()->setHighlightSections(false);
  table.horizontalHeader()->setTextElideMode(Qt::ElideMiddle);
}

/// A name without values of the two runs next to it may use their room, too.
void fitColumns(QTableView& table) {
  using Model = model::ComparisonModel;
  table.clearSpans();
  table.resizeColumnsToContents();
  for (int column = 0; column < Model::columns; ++column)
    table.setColumnWidth(column, table.columnWidth(column) + 8);
  const QAbstractItemModel& model = *table.model();
  const int ofRuns = table.columnWidth(Model::first) + table.columnWidth(Model::second);
  int names = 0;
  for (int row = 0; row < model.rowCount(); ++row) {
    const auto isEmpty = [&](int column) { return model.index(row, column).data().toString().isEmpty(); };
    const bool alone = isEmpty(Model::first) && isEmpty(Model::second);
    if (alone) table.setSpan(row, Model::quantity, 1, Model::second + 1);
    const int width = table.sizeHintForIndex(model.index(row, Model::quantity)).width() + 8;
    names = std::max(names, alone ? width - ofRuns : width);
  }
  table.setColumnWidth(Model::quantity, names);
}

}  // namespace

ComparePanel::ComparePanel(model::RunController& runs, model::LayerStack& layers, QWidget* parent)
    : QWidget(parent), runs_(runs), layers_(layers) {
  first_ = nameBox("compareFirst", tr("First of the two"), {}, 6);
  second_ = nameBox("compareSecond", tr("Second of the two"), {}, 6);
  for (ElidedComboBox* box : {first_, second_}) {
    connect(box, &QComboBox::activated, this, [this] { byHand_ = true; });
    connect(box, &QComboBox::currentIndexChanged, this,
            [this] { compare_->setEnabled(runs_.comparer().mayCompare(chosen(first_), chosen(second_))); });
  }
  compare_ = named("compare", new QPushButton(tr("Compare")));
  compare_->setEnabled(false);
  compare_->setToolTip(tr("Compares two runs of one analysis, or two layers of the same kind"));
  connect(compare_, &QPushButton::clicked, this,
          [this] { runs_.comparer().compare(chosen(first_), chosen(second_)); });

  exports_ = new QWidget;
  auto* exportLine = padded<QHBoxLayout>(exports_, {8, 2, 0, 2}, 4);
  exportLine->addStretch(1);
  const auto button = [&](const QString& text, const QString& tip, const char* name) {
    auto* made = textButton(text, tip, name);
    exportLine->addWidget(made);
    return made;
  };
  connect(button(tr("Markdown"), tr("Copy as Markdown"), "copyMarkdown"), &QToolButton::clicked, this,
          [this] { QApplication::clipboard()->setText(model_.markdown()); });
  connect(button(tr("CSV…"), tr("Save as CSV"), "saveCsv"), &QToolButton::clicked, this,
          &ComparePanel::saveCsvRequested);
  connect(button(tr("PNG…"), tr("Save as PNG"), "savePng"), &QToolButton::clicked, this,
          &ComparePanel::savePictureRequested);
  exports_->setEnabled(false);

  auto* top = new QHBoxLayout;
  top->setContentsMargins(8, 6, 8, 0);
  top->addWidget(first_, 1);
  top->addWidget(new Label(tr("with")));
  top->addWidget(second_, 1);
  top->addWidget(compare_);
  summary_ = named("summary", new Label);
  summary_->setWordWrap(true);
  summary_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
  summary_->setContentsMargins(8, 0, 8, 0);
  summary_->setTextInteractionFlags(Qt::TextSelectableByMouse);

  table_ = named("comparison", new QTableView, tr("Comparison"));
  table_->setModel(&model_);
  table_->setTabKeyNavigation(false);
  dress(*table_);
  worst_ = named("worst", new QListWidget, tr("Worst voxels"));
  worst_->setFrameShape(QFrame::NoFrame);
  auto* worstBox = new QWidget;
  auto* worstColumn = new QVBoxLayout(worstBox);
  worstColumn->setContentsMargins(8, 4, 4, 0);
  worstColumn->addWidget(sectionHeading(tr("Largest differences")));
  worstColumn->addWidget(worst_);
  connect(worst_, &QListWidget::currentRowChanged, this, [this](int row) {
    if (row >= 0) emit worstChosen(model_.worstPosition(row));
  });
  auto* split = split_ = new QSplitter;
  split->setHandleWidth(1);
  split->addWidget(table_);
  split->addWidget(worstBox);
  split->setStretchFactor(0, 1);  // the list is as wide as its texts
  split->setChildrenCollapsible(false);
  auto* column = tight<QVBoxLayout>(this, 6);
  column->addLayout(top);
  column->addWidget(summary_);
  column->addWidget(split, 1);

  connect(&runs_, &model::RunController::runsChanged, this, &ComparePanel::showRuns);
  connect(&runs_.comparer(), &model::RunComparer::finished, this, &ComparePanel::showComparison);
  connect(&runs_.comparer(), &model::RunComparer::gone, this, [this] { showComparison(nullptr); });
  connect(
      &runs_.comparer(), &model::RunComparer::comparing, this,
      [this](const QString& a, const QString& b, bool again) {
        const QString what = tr("Comparing %1 and %2 …").arg(a, b);
        summary_->setText(
            again ? tr("%1 Runs from a session are first recomputed from their inputs.").arg(what) : what);
      });
  // A comparison that failed or was cancelled leaves the previous one.
  connect(&runs_, &model::RunController::idle, this, &ComparePanel::showSummary);
  connect(&layers, &model::LayerStack::changed, this, [this] { offerSides(true); });
  // The titles of the compared runs may have changed.
  connect(&runs_, &model::RunController::runsChanged, this, [this] { showComparison(model_.comparison()); });
  showComparison(nullptr);
  showRuns();
}

bool ComparePanel::mayCompareLast() const {
  const auto& runs = runs_.runs();
  return runs.size() > 1 && runs.back()->analysis == runs[runs.size() - 2]->analysis;
}

void ComparePanel::compareLast() {
  showRuns();  // which selects them
  compare_->click();
}

void ComparePanel::showRuns() { offerSides(false); }

model::RunPtr ComparePanel::chosen(const QComboBox* box) const {
  const int index = box->currentIndex();
  return index < 0 || index >= int(sides_.size()) ? nullptr : sides_[std::size_t(index)];
}

std::array<int, 2> ComparePanel::suggestedSides() const {
  const int runs = int(runs_.runs().size());
  if (runs >= 2) return {runs - 2, runs - 1};
  const auto isSeen = [this](const model::RunPtr& side) {
    return model::isLayerSide(*side) && layers_.find(side->layers.front())->display.visible;
  };
  const auto madeBy = [this](const model::RunPtr& side) {
    return model::isLayerSide(*side) ? runs_.runOf(side->layers.front()) : side;
  };
  const auto areOfOneRun = [&](const model::RunPtr& a, const model::RunPtr& b) {
    return madeBy(a) && madeBy(a) == madeBy(b);
  };
  for (const bool seen : {true, false})
    for (std::size_t i = 0; i < sides_.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        if ((!seen || (isSeen(sides_[j]) && isSeen(sides_[i]))) && !areOfOneRun(sides_[j], sides_[i]) &&
            runs_.comparer().mayCompare(sides_[j], sides_[i]))
          return {int(j), int(i)};
  return {0, 0};
}

void ComparePanel::offerSides(bool keep) {
  const auto keyOf = [](const model::RunPtr& side) {
    if (!side) return 0;
    return model::isLayerSide(*side) ? -side->layers.front() : side->id;
  };
  const int before[] = {keyOf(chosen(first_)), keyOf(chosen(second_))};
  keep = keep && (byHand_ || compare_->isEnabled());
  byHand_ = byHand_ && keep;
  sides_ = runs_.comparer().sides();
  const auto indexOf = [&](int key) {
    const auto side = std::ranges::find_if(sides_, [&](const auto& one) { return keyOf(one) == key; });
    return key == 0 || side == sides_.end() ? -1 : int(side - sides_.begin());
  };
  const std::array<int, 2> kept{indexOf(before[0]), indexOf(before[1])};
  keep = keep && kept[0] >= 0 && kept[1] >= 0;
  const std::array<int, 2> now = keep ? kept : suggestedSides();
  ElidedComboBox::Items items;
  for (const auto& side : sides_) items.emplace_back(titleOf(*side), keyOf(side));
  for (int n = 0; ElidedComboBox * box : {first_, second_}) {
    const QSignalBlocker quiet(box);
    box->setItems(items);
    box->setCurrentIndex(now[std::size_t(n)]);
    box->setEnabled(box->count() > 0);
    ++n;
  }
  emit second_->currentIndexChanged(second_->currentIndex());
}

void ComparePanel::showSummary() {
  summary_->setText(
      model_.comparison()
          ? model_.summary()
          : tr("No comparison yet: press “Run both and compare”, or choose two runs of one analysis, or two "
               "layers of one kind."));
}

void ComparePanel::showComparison(const model::ComparedPtr& comparison) {
  model_.setComparison(comparison);
  showSummary();
  exports_->setEnabled(comparison != nullptr);
  split_->setVisible(comparison != nullptr);
  // Layers have no such numbers, as runs have their times.
  for (const int ofRun : {model::ComparisonModel::first, model::ComparisonModel::second})
    table_->setColumnHidden(ofRun, comparison && model::isLayerSide(*comparison->a));
  table_->horizontalHeader()->setStretchLastSection(false);  // otherwise the last column's width only grows
  fitColumns(*table_);
  for (int column = 0; column < model::ComparisonModel::columns; ++column)
    widths_[column] = table_->columnWidth(column);
  table_->horizontalHeader()->setStretchLastSection(true);
  fitToRoom();
  const QSignalBlocker quiet(worst_);
  worst_->clear();
  worst_->addItems(model_.worstTexts());
  const int most = 20 * fontMetrics().horizontalAdvance(QLatin1Char('M'));
  worst_->setFixedWidth(std::min(worst_->sizeHintForColumn(0) + kBesideTexts, most));
}

void ComparePanel::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  fitToRoom();
}

void ComparePanel::fitToRoom() {
  using Model = model::ComparisonModel;
  const QAbstractItemView& cells = *table_;
  const int em = fontMetrics().horizontalAdvance(QLatin1Char('M'));
  int missing = std::accumulate(std::begin(widths_), std::end(widths_), 0) - table_->viewport()->width();
  const auto giveWay = [&](int column, int least) {
    const int width =
        std::clamp(widths_[column] - missing, std::min(least, widths_[column]), widths_[column]);
    missing -= widths_[column] - width;
    table_->setColumnWidth(column, width);
  };
  for (const int run : {Model::first, Model::second})
    giveWay(run, std::max(kLeastRun * em, cells.sizeHintForColumn(run)));
  giveWay(Model::quantity, kLeastNames * em);
  showTitles();
}

void ComparePanel::showTitles() {
  using Model = model::ComparisonModel;
  const model::ComparedPtr& comparison = model_.comparison();
  if (!comparison) return;
  const QFontMetrics letters = table_->horizontalHeader()->fontMetrics();
  const auto shown = [&](const QString& title, int column) {
    const int room = table_->columnWidth(column) - kBesideHeader;
    return model::ShortNames({comparison->a->title, comparison->b->title})(
        title, [&](const QString& text) { return letters.horizontalAdvance(text) <= room; });
  };
  model_.setShownTitles(shown(comparison->a->title, Model::first),
                        shown(comparison->b->title, Model::second));
}

QImage ComparePanel::tablePicture() {
  // The whole table, not only the visible part.
  QTableView whole;
  dressForPrint(whole);
  whole.setModel(&model_);
  dress(whole);
  whole.setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  whole.setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  int width = 0, height = whole.horizontalHeader()->sizeHint().height();
  if (const model::ComparedPtr& comparison = model_.comparison())
    model_.setShownTitles(comparison->a->title, comparison->b->title);
  fitColumns(whole);
  for (int column = 0; column < model::ComparisonModel::columns; ++column) width += whole.columnWidth(column);
  for (int row = 0; row < model_.rowCount(); ++row) height += whole.rowHeight(row);
  whole.resize(width, height);
  const QImage picture = whole.grab().toImage();
  showTitles();
  return picture;
}

}  // namespace sulcus::ui::widgets
