#pragma once

#include "core/base/options.h"
#include "core/image/layer.h"

#include <QWidget>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

class QFormLayout;
class QLabel;
class QToolButton;

namespace sulcus::ui::widgets {

class OptionSlider;

/// A form made from describe(): one row per option, advanced ones under "More", and a full-width slider below
/// numbers that can be changed on a finished result. It shows and edits values but owns none.
class OptionForm : public QWidget {
  Q_OBJECT
 public:
  explicit OptionForm(const std::vector<OptionInfo>& options, QWidget* parent = nullptr);

  /// The values now shown in the rows.
  OptionValues values() const;
  /// Shows these values without signalling; names without a row are ignored.
  void setValues(const OptionValues& values);
  /// The useful ranges of numbers, by option name: these get a slider over that range. Others lose theirs
  /// unless they are applied to a finished result.
  void setSpans(const std::map<std::string, Range>& spans);
  /// Sets the names for the weights of a list option, e.g. the regressors: then it also has a table.
  void setNames(const std::vector<std::string>& names);
  /// Sets what texts may name, by option name, e.g. columns of a table: they are chosen from a menu beside
  /// the field.
  void setOffers(const std::map<std::string, std::vector<std::string>>& offers);
  /// Hides the options of these names, and shows all others.
  void setIdle(const std::vector<std::string>& names);
  /// Names the result whose options can be changed, above these options; "" if that is obvious.
  void setResultName(const QString& name);
  /// Notes at each field that is not at its default for which scan its value was chosen; "": for this one.
  void setKeptFrom(const QString& scan);
  /// The editor of an option: QComboBox, QCheckBox, WholeEdit, NumberEdit or QLineEdit.
  QWidget* editor(const std::string& name) const;

 signals:
  /// The user changed a row.
  void edited(const QString& name);
  /// A number beyond its range was typed; the row shows the previous one.
  void refused(const QString& name, const QString& typed);

 private:
  struct Row {
    OptionInfo option;
    QWidget *editor = nullptr, *field = nullptr;  ///< the editor with the button next to it
    QToolButton* reset = nullptr;                 ///< visible while the value is not the default
    QToolButton* offer = nullptr;                 ///< of a text: opens the menu of what it may name
    QStringList offered{};
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
  /// The editor with a button that resets the option to its default.
  void addReset(Row& row);
  /// The button that opens the menu of what a text may name.
  void addOffer(Row& row);
  void showOffers(const std::string& option);
  /// A table below a list, which writes and shows the same text.
  void addTable(const Row& row, QFormLayout& form);
  /// Marks what is not at its default, here and at "More", disables what another option overrules, and shows
  /// the rows that have an effect.
  void showState();

  QFormLayout *form_ = nullptr, *moreForm_ = nullptr;
  QToolButton* more_ = nullptr;
  std::vector<QLabel*> ofResult_;  ///< a line above each group of such options
  std::map<std::string, Row> rows_;
  std::set<std::string> idle_;  ///< options without effect on the inputs
  QString keptFrom_;
};

}  // namespace sulcus::ui::widgets
