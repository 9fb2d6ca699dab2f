#pragma once

#include <QLabel>

namespace sulcus::ui::widgets {

/// A label that shows its text as it is. Qt's own takes a text that looks like HTML for HTML, so that a name
/// in a file could make it read other files.
class Label : public QLabel {
 public:
  explicit Label(const QString& text = {}, QWidget* parent = nullptr);
};

/// A text in lines that a tool tip has room for: Qt folds only those of HTML.
QString inShortLines(const QString& text);

/// While it lives all tool tips of the program show their text as it is, as Label does.
class PlainToolTips : public QObject {
 public:
  explicit PlainToolTips(QObject* parent);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
};

}  // namespace sulcus::ui::widgets
