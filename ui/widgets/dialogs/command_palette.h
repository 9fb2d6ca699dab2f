#pragma once

#include "ui/model/views/search.h"

#include <QFrame>
#include <QPointer>

class QLabel;
class QLineEdit;
class QListView;

namespace sulcus::ui::widgets {

/// A field over the window in which everything that can be done is found by words: arrow keys select, Return
/// runs it, Escape or a click outside closes it.
class CommandPalette : public QFrame {
  Q_OBJECT
 public:
  /// Placed over `window`, hidden.
  explicit CommandPalette(QWidget* window);

  /// Offers these entries and takes the keyboard focus.
  void open(std::vector<model::SearchEntry> entries);
  /// Offers these instead, for what is typed already.
  void offer(std::vector<model::SearchEntry> entries);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void place();
  void move(int rows);
  void act();
  /// `back`: restores the previous keyboard focus.
  void close(bool back);

  model::SearchModel found_;
  QLineEdit* query_ = nullptr;
  QListView* list_ = nullptr;
  QLabel* nothing_ = nullptr;
  QPointer<QWidget> before_;  ///< had the keyboard focus
};

}  // namespace sulcus::ui::widgets
