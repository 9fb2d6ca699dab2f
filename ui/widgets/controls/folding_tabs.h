#pragma once

#include <QWidget>

class QStackedWidget;
class QTabBar;
class QToolButton;

namespace sulcus::ui::widgets {

/// Pages below one row of tabs, with the tools of the page in front at its end. Folded, the row alone is
/// left; a tab that is pressed opens the pages, pressed again it folds them.
class FoldingTabs : public QWidget {
  Q_OBJECT
 public:
  explicit FoldingTabs(QWidget* parent = nullptr);

  /// `tools` stand in the row of tabs while the page is in front; may be null.
  void addPage(QWidget* page, const QString& title, QWidget* tools);
  /// Whether a page has a tab.
  void setOffered(QWidget* page, bool offered);
  /// Puts a page in front and opens it.
  void open(QWidget* page);
  /// As open(), unless the user has folded the pages, or looks at another than the first that was chosen.
  void offer(QWidget* page);
  /// Puts a page in front, open or folded, as it was left; neither was chosen by hand.
  void restore(QWidget* page, bool folded);
  QWidget* current() const;
  bool folded() const { return folded_; }
  /// Folds or unfolds by hand: once folded, offer() opens nothing.
  void setFolded(bool folded);
  /// The row at the top, by which a dock may be held.
  QWidget* row() { return row_; }

 signals:
  void foldedChanged(bool folded);
  /// The tabs shall stand in a window of their own, or go back.
  void floatRequested();

 protected:
  bool event(QEvent* event) override;

 private:
  void fold(bool folded);
  /// Folded it is as high as the row of tabs, however the style draws that.
  void fitHeight();
  void showPage(int index);

  QWidget* row_ = nullptr;
  QTabBar* tabs_ = nullptr;
  QStackedWidget *pages_ = nullptr, *tools_ = nullptr;
  QToolButton* foldButton_ = nullptr;
  bool folded_ = true, foldedByHand_ = false, chosen_ = false;
};

}  // namespace sulcus::ui::widgets
