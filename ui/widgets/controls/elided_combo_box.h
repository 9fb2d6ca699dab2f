#pragma once

#include <QComboBox>
#include <QStringList>
#include <QVariant>
#include <utility>
#include <vector>

namespace sulcus::ui::widgets {

/// A combo box of names. If the chosen one does not fit, parts that other names share are shortened
/// (model::ShortNames), and the tool tip has the full name; the list is as wide as its names.
class ElidedComboBox : public QComboBox {
  Q_OBJECT
 public:
  using QComboBox::QComboBox;

  using Items = std::vector<std::pair<QString, QVariant>>;  ///< names and the values they stand for
  /// Offers these; only changed items are rewritten. The caller sets the selection.
  void setItems(const Items& items);
  void showPopup() override;
  /// The chosen name, shortened to the available room.
  QString shownText() const;

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  /// The names from which the chosen one must be distinguishable.
  virtual QStringList names() const;
};

}  // namespace sulcus::ui::widgets
