#include "ui/widgets/panels/table_window.h"

#include "core/image/table_places.h"
#include "core/io/tables/tables.h"
#include "ui/model/layers/layer_list_model.h"
#include "ui/model/layers/table_model.h"
#include "ui/model/text/localize.h"
#include "ui/widgets/controls/widget_help.h"

#include <QApplication>
#include <QClipboard>
#include <QDialog>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QScreen>
#include <QScrollBar>
#include <QShortcut>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

namespace sulcus::ui::widgets {
namespace {

class CopyableTable : public QTableView {
 public:
  using QTableView::QTableView;

 protected:
  void keyPressEvent(QKeyEvent* event) override {
    if (!event->matches(QKeySequence::Copy)) return QTableView::keyPressEvent(event);
    QModelIndexList cells = selectionModel()->selectedIndexes();
    std::sort(cells.begin(), cells.end());
    QString text;
    for (int i = 0; i < int(cells.size()); ++i) {
      if (i > 0) text += cells[i].row() == cells[i - 1].row() ? QLatin1Char('\t') : QLatin1Char('\n');
      text += cells[i].data().toString();
    }
    QApplication::clipboard()->setText(text);
  }
};

}  // namespace

QTableView* copyableTable() {
  auto* table = new CopyableTable;
  table->setAlternatingRowColors(true);
  table->setFrameShape(QFrame::NoFrame);
  table->setWordWrap(false);
  table->verticalHeader()->setDefaultSectionSize(table->fontMetrics().height() + 7);
  return table;
}

void goToSelectedPosition(QTableView* table, const std::function<void(const Vec3<double>&)>& go) {
  const auto lead = [table, go](const QModelIndex& index) {
    const auto* model = qobject_cast<model::TableModel*>(table->model());
    const TableLayer* rows = model ? model->table() : nullptr;
    const auto place = rows && index.isValid() ? placeOfRow(*rows, std::size_t(index.row())) : std::nullopt;
    if (place) go(*place);
  };
  QObject::connect(table, &QTableView::clicked, table, lead);
  QObject::connect(table->selectionModel(), &QItemSelectionModel::currentRowChanged, table, lead);
}

void showTable(QWidget* parent, model::LayerStack& layers, model::Bookmarks& places, model::LayerId id,
               const std::function<void(const Vec3<double>&)>& go) {
  const model::LayerState* state = layers.find(id);
  if (!state) return;
  const QString name = QStringLiteral("table.%1").arg(id);
  if (auto* open = parent->findChild<QDialog*>(name)) {
    open->raise();
    open->activateWindow();
    return;
  }
  auto* window = deletedOnClose(new QDialog(parent));
  window->setObjectName(name);
  auto* model = new model::TableModel(window);
  QTableView* table = copyableTable();
  table->setModel(model);
  table->setAccessibleName(state->name);
  goToSelectedPosition(table, go);
  if (model::Bookmarks::holds(*state->layer)) {
    table->setEditTriggers(QAbstractItemView::EditKeyPressed | QAbstractItemView::DoubleClicked);
    // Queued, because the table is refilled while the model is being notified.
    QObject::connect(
        model, &model::TableModel::renamed, window,
        [&places, id](int row, const QString& name) { places.rename(id, row, name); }, Qt::QueuedConnection);
    auto* remove = new QShortcut(QKeySequence::Delete, table, nullptr, nullptr, Qt::WidgetShortcut);
    QObject::connect(remove, &QShortcut::activated, window, [&places, id, table] {
      if (const QModelIndex at = table->currentIndex(); at.isValid()) places.remove(id, at.row());
    });
    table->setToolTip(QDialog::tr("F2 renames a bookmark, Del removes it"));
  }
  auto* about = quietLabel({});
  QToolButton* copy = toolButton("copyTable", QDialog::tr("Copy"),
                                 QDialog::tr("Copy the table, to paste into a spreadsheet"));
  copy->setFocusPolicy(Qt::TabFocus);  // a click leaves the focus, and so Del, with the table
  QObject::connect(copy, &QToolButton::clicked, window, [&layers, id] {
    const auto& rows = std::get<TableLayer>(layers.find(id)->layer->content);
    QApplication::clipboard()->setText(QString::fromStdString(io::tableText(rows, '\t')));
  });
  auto* line = new QHBoxLayout;
  line->addWidget(about, 1);
  line->addWidget(copy, 0, Qt::AlignTop);
  auto* column = new QVBoxLayout(window);
  column->addLayout(line);
  column->addWidget(table);
  const auto show = [window, model, about, &layers, id] {
    const model::LayerState* now = layers.find(id);
    window->setWindowTitle(now->name);
    QStringList lines{model::kindText(*now->layer)};
    for (const Note& note : now->layer->notes) lines << model::noteText(note);
    about->setText(lines.join(QLatin1Char('\n')));
    model->setLayer(now->layer);
  };
  show();
  table->horizontalHeader()->setResizeContentsPrecision(50);  // rows to measure: a table may have a million
  table->resizeColumnsToContents();
  for (int i = 0; i < std::min(model->columnCount(), 200); ++i)
    table->setColumnWidth(i, std::min(table->columnWidth(i) + 12, 320));
  const auto follow = [show, id](model::LayerId changed) {
    if (changed == id) show();
  };
  QObject::connect(&layers, &model::LayerStack::contentChanged, window, follow);
  QObject::connect(&layers, &model::LayerStack::displayChanged, window,
                   [window, &layers, id](model::LayerId changed) {
                     if (changed == id) window->setWindowTitle(layers.find(id)->name);
                   });
  QObject::connect(&layers, &model::LayerStack::removed, window, [window, id](model::LayerId removed) {
    if (removed == id) window->close();
  });
  // As large as the table, within the limits of the screen and readability.
  const QMargins margins = column->contentsMargins();
  const int width = table->horizontalHeader()->length() + table->verticalHeader()->sizeHint().width() +
                    margins.left() + margins.right() + table->verticalScrollBar()->sizeHint().width();
  const int height = table->verticalHeader()->length() + table->horizontalHeader()->sizeHint().height() +
                     std::max(copy->sizeHint().height(), about->heightForWidth(width)) + 4 * margins.top();
  const QSize screen = window->screen()->availableSize();
  window->resize(std::clamp(width, 320, screen.width() * 9 / 10),
                 std::clamp(height, 160, screen.height() * 6 / 10));
  window->show();
}

}  // namespace sulcus::ui::widgets
