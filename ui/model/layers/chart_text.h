#pragma once

#include "ui/scene/charts/named_chart.h"

#include <QString>
#include <vector>

namespace sulcus::ui::model {

/// A cell of comma-separated values, quoted if necessary.
QString csvCell(QString text);

/// Charts as comma-separated values with a header: a matrix as it is, series as rows of run, series, x, y
/// and, for bands, the upper end. Numbers have a decimal point in any locale.
QString chartCsv(const std::vector<scene::NamedChart>& charts);

}  // namespace sulcus::ui::model
