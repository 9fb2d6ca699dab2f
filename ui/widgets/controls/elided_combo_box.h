#pragma once

#include <QComboBox>
#include <QStringList>
#include <QVariant>
#include <utility>
#include <vector>

namespace sulcus::ui::widgets {

/// A combo box of names. Where the chosen one does not fit, what others have too gives way
/// (model::ShortNames), and the tooltip has the whole; the list is as wide as its names.
class NameBox : public QComboBox {
  Q_OBJECT
 public:
  using QComboBox::QComboBox;

  using Items = std::vector<std::pair<QString, QVariant>>;  ///< names and what each stands for
  /// Offers these; only what differs is written again. Which of them is chosen is for the caller to say.
  void setItems(const Items& items);
  void showPopup() override;
  /// The chosen name as far as there is room for it.
  QString shownText() const;

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  /// The names that the chosen one must differ from.
  virtual QStringList names() const;
};

}  // namespace sulcus::ui::widgets
