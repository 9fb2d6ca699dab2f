#pragma once

#include <QLabel>

namespace sulcus::ui::widgets {

/// A label that shows its text literally. Qt's own label interprets text that looks like HTML as such, so
/// that a name in a file could make it read other files.
class Label : public QLabel {
 public:
  explicit Label(const QString& text = {}, QWidget* parent = nullptr);
};

/// A text broken into lines that fit into a tool tip: Qt wraps only HTML.
QString inShortLines(const QString& text);

/// While it exists, all tool tips of the program show their text literally, like Label.
class PlainToolTips : public QObject {
 public:
  explicit PlainToolTips(QObject* parent);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
};

}  // namespace sulcus::ui::widgets
