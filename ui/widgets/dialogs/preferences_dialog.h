#pragma once

#include "ui/model/workspace.h"

#include <QDialog>

class QLabel;

namespace sulcus::ui::widgets {

class OptionForm;

/// The user's settings for all sessions; every change takes effect at once.
class PreferencesDialog : public QDialog {
  Q_OBJECT
 public:
  /// `workspace` must outlive this.
  explicit PreferencesDialog(model::Workspace& workspace, QWidget* parent = nullptr);

 private:
  void addFolderButton();
  void take();
  void showPreferences();

  model::Workspace& workspace_;
  OptionForm* form_ = nullptr;
  QLabel* fault_ = nullptr;
};

}  // namespace sulcus::ui::widgets
