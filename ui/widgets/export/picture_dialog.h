#pragma once

#include "ui/widgets/export/picture_style.h"

#include <QDialog>
#include <QString>
#include <vector>

class QCheckBox;
class QComboBox;
class QSettings;

namespace sulcus::ui::widgets {

/// The options for taking a picture; remembered in the settings.
class PictureDialog : public QDialog {
  Q_OBJECT
 public:
  /// @param views     names of the views on screen, in order
  /// @param viewSize  of all views on screen together, in pixels
  PictureDialog(const QStringList& views, const QSize& viewSize, const QSize& windowSize, QSettings& settings,
                QWidget* parent = nullptr);

  /// −1: all views; −2: the whole window as it is on screen; else the index of the view.
  int what() const;
  PictureStyle style() const;

 signals:
  void saveRequested();
  void copyRequested();

 private:
  void refresh();
  void keep();

  QSettings& settings_;
  QComboBox *what_ = nullptr, *scale_ = nullptr, *background_ = nullptr;
  QCheckBox* annotations_ = nullptr;
};

}  // namespace sulcus::ui::widgets
