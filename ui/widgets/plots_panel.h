#pragma once

#include "ui/model/plots_model.h"

#include <QImage>
#include <QWidget>

class QLabel;
class QTabBar;
class QToolButton;

namespace sulcus::ui::widgets {

class ChartView;

/// A tab per plot of what is on screen, and its export.
class PlotsPanel : public QWidget {
  Q_OBJECT
 public:
  /// Both must outlive this.
  PlotsPanel(model::PlotsModel& plots, model::ViewState& view, QWidget* parent = nullptr);

  /// The tabs and buttons, to be put above the chart or into the title bar of a dock.
  QWidget* strip() { return strip_; }
  /// Takes them back above the chart.
  void showStrip();
  ChartView* chart() { return chart_; }
  QTabBar* tabs() { return tabs_; }

 signals:
  /// "png", "svg" or "csv" is wanted of the current chart.
  void saveRequested(const QString& format);
  /// In a window of its own, or back.
  void floatRequested();

 protected:
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;

 private:
  void showNames();
  void showCharts();

  model::PlotsModel& plots_;
  QWidget* strip_ = nullptr;
  QTabBar* tabs_ = nullptr;
  ChartView* chart_ = nullptr;
  QLabel* empty_ = nullptr;
  QToolButton* save_ = nullptr;
  QString shown_;  ///< the plot that is drawn
};

}  // namespace sulcus::ui::widgets
