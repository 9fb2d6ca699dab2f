#pragma once

#include <QString>
#include <QStringList>
#include <vector>

namespace sulcus::ui::model {

/// A contrast as a row of a table.
struct ContrastRow {
  QString name;  ///< may be empty
  std::vector<double>
      weights;      ///< of the regressors; none: `written` is not a sum of them that can be parsed here
  QString joint;    ///< the F contrast to which it belongs; empty: none
  QString written;  ///< as written in the text, if it has no weights

  friend bool operator==(const ContrastRow&, const ContrastRow&) = default;
};

/// Parses the contrasts in the format of the activation analysis's option, "a - b; name: 0 1 -1; n: F(a; b)".
std::vector<ContrastRow> contrastRows(const QString& text, const QStringList& regressors);
/// The inverse. Rows whose weights are all 0 are left out.
QString contrastText(const std::vector<ContrastRow>& rows, const QStringList& regressors);

}  // namespace sulcus::ui::model
