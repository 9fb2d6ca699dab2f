#pragma once

#include <QWidget>

class QStackedWidget;
class QTabBar;
class QToolButton;

namespace sulcus::ui::widgets {

/// Pages below a row of tabs, with the tools of the page in front at its end. When folded, only the row is
/// left; pressing a tab opens the pages, pressing it again folds them.
class FoldingTabs : public QWidget {
  Q_OBJECT
 public:
  explicit FoldingTabs(QWidget* parent = nullptr);

  /// `tools` are in the row of tabs while the page is in front; may be null.
  void addPage(QWidget* page, const QString& title, QWidget* tools);
  /// Whether a page has a tab.
  void setOffered(QWidget* page, bool offered);
  /// Puts a page in front and opens it.
  void open(QWidget* page);
  /// Opens a page unless the user has folded the pages, or chosen another page than the first.
  void offer(QWidget* page);
  /// Puts a page in front, open or folded, as it was left; this does not count as the user's choice.
  void restore(QWidget* page, bool folded);
  QWidget* current() const;
  bool folded() const { return folded_; }
  /// Folds or unfolds at the user's request: once folded, offer() opens nothing.
  void setFolded(bool folded);
  /// The row at the top, by which a dock can be dragged.
  QWidget* row() { return row_; }

 signals:
  void foldedChanged(bool folded);
  /// The tabs should move to a window of their own, or back.
  void floatRequested();

 protected:
  bool event(QEvent* event) override;

 private:
  void fold(bool folded);
  /// When folded, it is as high as the row of tabs in the current style.
  void fitHeight();
  void showPage(int index);

  QWidget* row_ = nullptr;
  QTabBar* tabs_ = nullptr;
  QStackedWidget *pages_ = nullptr, *tools_ = nullptr;
  QToolButton* foldButton_ = nullptr;
  bool folded_ = true, foldedByHand_ = false, chosen_ = false;
};

}  // namespace sulcus::ui::widgets
