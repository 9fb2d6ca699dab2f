#pragma once

#include "ui/model/analysis_presenter.h"

#include <QWidget>
#include <map>
#include <string>

class QComboBox;
class QLabel;
class QPushButton;

namespace sulcus::ui {

class OptionForm;

/// One tab of the analysis dock: pickers, form, device card, advice and the run buttons of one presenter.
class AnalysisPanel : public QWidget {
  Q_OBJECT
 public:
  /// `presenter` and `layers` must outlive this.
  AnalysisPanel(AnalysisPresenter& presenter, LayerStack& layers, QWidget* parent = nullptr);

  AnalysisPresenter& presenter() { return presenter_; }
  OptionForm* form() { return form_; }
  QComboBox* picker(const std::string& slot) const;
  QPushButton* button(RunChoice choice) const { return buttons_[int(choice)]; }
  /// The visible sentence about what cannot be run now; empty when all can.
  QString reason() const;

 signals:
  void runRequested(sulcus::ui::RunChoice choice);
  /// "Open…" beside a picker.
  void openRequested(const QString& slot);
  /// Files were dropped on a picker.
  void filesDropped(const QString& slot, const QStringList& paths);
  void copyCommandRequested();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QWidget* makeInputs();
  QWidget* makeFooter();
  void showInputs();
  void showReadiness();

  AnalysisPresenter& presenter_;
  LayerStack& layers_;
  std::map<std::string, QComboBox*> pickers_;
  OptionForm* form_ = nullptr;
  QLabel *advice_ = nullptr, *memory_ = nullptr, *reason_ = nullptr;
  QPushButton* buttons_[3] = {};
};

}  // namespace sulcus::ui
