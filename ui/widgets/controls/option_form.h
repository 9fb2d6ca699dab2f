#pragma once

#include "core/base/options.h"
#include "core/image/layer.h"

#include <QWidget>
#include <functional>
#include <map>
#include <string>
#include <vector>

class QFormLayout;
class QLabel;
class QToolButton;

namespace sulcus::ui::widgets {

class OptionSlider;

/// A form made from describe(): one row per option, advanced ones behind "More", a slider as wide as the form
/// below numbers that may be changed on a finished result. Shows and edits values; owns none.
class OptionForm : public QWidget {
  Q_OBJECT
 public:
  explicit OptionForm(const std::vector<OptionInfo>& options, QWidget* parent = nullptr);

  /// What the rows show now.
  OptionValues values() const;
  /// Shows these values without signalling; names it has no row for are ignored.
  void setValues(const OptionValues& values);
  /// Where numbers are worth choosing, by option name: they get a slider over that. Others lose theirs
  /// unless they are applied afterwards.
  void setSpans(const std::map<std::string, Range>& spans);
  /// Names what the weights of a list option are of, e.g. the regressors: then it has a table, too.
  void setNames(const std::vector<std::string>& names);
  /// Says above what may be changed on a finished result whose result that is; "" where that is plain.
  void setResultName(const QString& name);
  /// Says at each field that is not at its default which scan its value was chosen for; "": for this one.
  void setKeptFrom(const QString& scan);
  /// The editor of an option: QComboBox, QCheckBox, WholeEdit, NumberEdit or QLineEdit.
  QWidget* editor(const std::string& name) const;

 signals:
  /// A row was changed by hand.
  void edited(const QString& name);
  /// A number beyond its range was typed; the row shows the one before.
  void refused(const QString& name, const QString& typed);

 private:
  struct Row {
    OptionInfo option;
    QWidget *editor = nullptr, *field = nullptr;  ///< the editor with the button beside it
    QToolButton* reset = nullptr;                 ///< seen while the value is not the default
    std::function<OptionValue()> read;
    std::function<void(const OptionValue&)> show;
  };
  Row makeRow(const OptionInfo& option);
  template <class Edit>
  Row makeNumber(Edit* edit, const OptionInfo& option);
  /// Puts a slider below a number.
  template <class Edit>
  void addSlider(Edit* edit, const OptionInfo& option);
  void addResultLine(QFormLayout& form);
  OptionSlider* sliderOf(const QString& option) const;
  /// The editor with a button that gives the option its default back.
  void addReset(Row& row);
  /// A table below a list that writes and shows the same text.
  void addTable(const Row& row, QFormLayout& form);
  /// Marks what is not at its default, here and at "More", and disables what has no effect.
  void showState();

  QFormLayout *form_ = nullptr, *moreForm_ = nullptr;
  QToolButton* more_ = nullptr;
  std::vector<QLabel*> ofResult_;  ///< a line above each group of such options
  std::map<std::string, Row> rows_;
  QString keptFrom_;
};

}  // namespace sulcus::ui::widgets
