#pragma once

#include "ui/model/text/contrast_rows.h"

#include <QTableWidget>
#include <string>
#include <vector>

namespace sulcus::ui::widgets {

/// Contrasts as a table: a row for each, a column for each regressor, and one for the F contrast in which
/// rows are tested together. An empty row at the end accepts another one. Hidden until regressors are known.
class ContrastTable : public QTableWidget {
  Q_OBJECT
 public:
  explicit ContrastTable(QWidget* parent = nullptr);

  /// The regressors, in order.
  void setNames(const std::vector<std::string>& names);
  /// Shows contrasts given as text; without signalling.
  void setText(const QString& text);

 signals:
  /// The contrasts were edited here: the new text.
  void edited(const QString& text);

 private:
  void fill();
  void fillRow(int r, const model::ContrastRow& row);
  void takeName(model::ContrastRow& row, const QString& typed);
  void take(int row, int column);

  QString text_;
  QStringList names_;
  std::vector<model::ContrastRow> rows_;
};

}  // namespace sulcus::ui::widgets
