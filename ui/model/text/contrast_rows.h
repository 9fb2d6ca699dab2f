#pragma once

#include <QString>
#include <QStringList>
#include <vector>

namespace sulcus::ui::model {

/// A contrast as a row of a table.
struct ContrastRow {
  QString name;  ///< may be empty
  std::vector<double>
      weights;      ///< of the regressors; none: `written` is no sum of them that is understood here
  QString joint;    ///< the F contrast that it is a row of; empty: none
  QString written;  ///< as it stands in the text, where it has no weights

  friend bool operator==(const ContrastRow&, const ContrastRow&) = default;
};

/// The contrasts of a text as the option of the activation analysis has it, "a - b; name: 0 1 -1; n: F(a;
/// b)".
std::vector<ContrastRow> contrastRows(const QString& text, const QStringList& regressors);
/// The same the other way round. Rows whose weights are all 0 are left out.
QString contrastText(const std::vector<ContrastRow>& rows, const QStringList& regressors);

}  // namespace sulcus::ui::model
