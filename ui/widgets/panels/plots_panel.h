#pragma once

#include "ui/model/layers/plots_model.h"

#include <QImage>
#include <QWidget>

class QComboBox;
class QLabel;
class QToolButton;

namespace sulcus::ui::widgets {

class ChartView;

/// A plot of what is on screen, chosen by quantity and regressor, and its export.
class PlotsPanel : public QWidget {
  Q_OBJECT
 public:
  /// Both must outlive this.
  PlotsPanel(model::PlotsModel& plots, model::ViewState& view, QWidget* parent = nullptr);

  /// The choices and the export, for a row of tabs above the chart.
  QWidget* tools() { return tools_; }
  ChartView* chart() { return chart_; }

 signals:
  /// The current chart should be saved as "png", "svg" or "csv".
  void saveRequested(const QString& format);

 protected:
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;

 private:
  void showNames();
  void showCharts();

  model::PlotsModel& plots_;
  QWidget* tools_ = nullptr;
  QComboBox *quantity_ = nullptr, *subject_ = nullptr;
  ChartView* chart_ = nullptr;
  QLabel* empty_ = nullptr;
  QToolButton *save_ = nullptr, *again_ = nullptr;
  QString shown_;  ///< the plot that is drawn
};

}  // namespace sulcus::ui::widgets
