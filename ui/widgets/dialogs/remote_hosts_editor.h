#pragma once

#include "ui/model/workspace.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QLineEdit;
class QListWidget;
class QPushButton;

namespace sulcus::ui::widgets {

/// The remote machines for runs: a list of them, and a row for adding one.
class RemoteHostsEditor : public QWidget {
  Q_OBJECT
 public:
  /// `workspace` must outlive this.
  explicit RemoteHostsEditor(model::Workspace& workspace, QWidget* parent = nullptr);

 private:
  QWidget* makeNewRow();
  void showPlaces();
  void add();
  /// The selected place; "" if there is none.
  QString chosen() const;

  model::Workspace& workspace_;
  QListWidget* list_ = nullptr;
  QPushButton *remove_ = nullptr, *setUp_ = nullptr;
  QComboBox *kind_ = nullptr, *uses_ = nullptr;
  QLineEdit *host_ = nullptr, *partition_ = nullptr;
  QLabel* said_ = nullptr;
};

}  // namespace sulcus::ui::widgets
