#pragma once

#include "ui/model/runs/run.h"

#include <QStringList>
#include <vector>

namespace sulcus::ui::model {

/// What to call runs of one analysis: by their backend and by what differs among them, "CPU, ν_e 3" and
/// "CPU, ν_e 45"; runs that differ in nothing are counted, "CPU" and "CPU 2".
QStringList runTitles(const std::vector<const Run*>& runs);

}  // namespace sulcus::ui::model
