#pragma once

#include "ui/widgets/export/movie_exporter.h"

#include <QDialog>
#include <QSize>

class QComboBox;
class QLabel;
class QPushButton;
class QSettings;

namespace sulcus::ui::widgets {

class NumberEdit;
class WholeEdit;

/// The options of a movie of the views; remembered in the settings.
class MovieDialog : public QDialog {
  Q_OBJECT
 public:
  /// All but `viewSize` must outlive this.
  MovieDialog(const MovieExporter& backendFunction, const QSize& viewSize, QSettings& settings,
              QWidget* parent = nullptr);

  /// The chosen movie, without its file.
  model::MovieOptions order() const;
  /// Whether to write an MP4; else a folder of pictures.
  bool asVideo() const;

 private:
  void refresh();
  void keep();

  const MovieExporter& maker_;
  QSettings& settings_;
  QComboBox *kind_ = nullptr, *plane_ = nullptr, *scale_ = nullptr, *format_ = nullptr;
  WholeEdit* frames_ = nullptr;
  NumberEdit* rate_ = nullptr;
  QLabel* said_ = nullptr;
  QPushButton* save_ = nullptr;
};

}  // namespace sulcus::ui::widgets
