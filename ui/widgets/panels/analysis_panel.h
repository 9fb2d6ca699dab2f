#pragma once

#include "ui/model/choices/analysis_presenter.h"

#include <QWidget>
#include <map>
#include <string>

class QCheckBox;
class QComboBox;
class QLabel;
class QPushButton;
class QScrollArea;
class QToolButton;
class QVBoxLayout;

namespace sulcus::ui::widgets {

class LayerPicker;
class ElidedComboBox;
class OptionForm;

/// One tab of the analysis dock: pickers, form, device card, advice and the run buttons of one presenter.
class AnalysisPanel : public QWidget {
  Q_OBJECT
 public:
  /// `presenter` and `layers` must outlive this.
  AnalysisPanel(model::AnalysisPresenter& presenter, model::LayerStack& layers, QWidget* parent = nullptr);

  model::AnalysisPresenter& presenter() { return presenter_; }
  OptionForm* form() { return form_; }
  /// The picker of a slot that takes one layer; null for others.
  QComboBox* picker(const std::string& slot) const;
  /// The picker of a slot that takes many; null for others.
  LayerPicker* manyPicker(const std::string& slot) const;
  /// Scrolls to the field of a slot or of an option and gives it the focus.
  void focusInput(const std::string& slot);
  void focusOption(const std::string& option);
  QPushButton* button(model::RunChoice choice) const { return buttons_[int(choice)]; }
  /// The visible sentence on what cannot be run now; empty if everything can.
  QString reason() const;

 signals:
  void runRequested(model::RunChoice choice);
  /// "Open…" next to a picker.
  void openRequested(const QString& slot);
  /// Files were dropped on a picker.
  void filesDropped(const QString& slot, const QStringList& paths);
  void copyCommandRequested();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QWidget* makeInputs();
  QWidget* makeFooter();
  ElidedComboBox* makePicker(const InputSlot& slot);
  LayerPicker* makeManyPicker(const InputSlot& slot);
  /// A line that says which scan's parameters are still set, with a button that resets them.
  QWidget* makeKept();
  void showKept();
  void makePresets(QVBoxLayout* column);
  QLayout* makePresetRow();
  void fillPresets();
  void askPresetName();
  void focusField(QWidget* field, QToolButton* fold);
  void takeEdit(const std::string& option);
  /// Reports that a typed number is not valid for this option.
  void refuse(const QString& option, const QString& typed);
  void showFault(const QString& sentence);
  void showOptions();
  void showInputs();
  void showReadiness();
  QWidget* makeLive();

  model::AnalysisPresenter& presenter_;
  model::LayerStack& layers_;
  std::map<std::string, ElidedComboBox*> pickers_;
  std::map<std::string, LayerPicker*> manyPickers_;
  QScrollArea* scroll_ = nullptr;
  QWidget* kept_ = nullptr;
  QToolButton* moreInputs_ = nullptr;
  QComboBox* presets_ = nullptr;
  OptionForm* form_ = nullptr;
  QLabel *fault_ = nullptr, *advice_ = nullptr, *memory_ = nullptr, *reason_ = nullptr;
  QPushButton* buttons_[3] = {};
};

}  // namespace sulcus::ui::widgets
