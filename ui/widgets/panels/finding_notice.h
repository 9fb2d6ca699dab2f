#pragma once

#include "core/analysis/analysis.h"

#include <QWidget>

class QLabel;
class QPushButton;

namespace sulcus::ui::widgets {

/// A problem of a layer, with a button that mends it and one that leaves it.
class FindingNotice : public QWidget {
  Q_OBJECT
 public:
  explicit FindingNotice(QWidget* parent = nullptr);

  /// Null: there is none, and this is hidden.
  void show(const Finding* finding);

 signals:
  void mendRequested();
  void dismissed();

 private:
  QLabel* text_ = nullptr;
  QPushButton* mend_ = nullptr;
};

}  // namespace sulcus::ui::widgets
