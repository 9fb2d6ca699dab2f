#pragma once

#include "ui/model/runs/run.h"

#include <QStringList>
#include <vector>

namespace sulcus::ui::model {

/// Titles for runs of one analysis: their backend and what distinguishes them, "CPU, ν_e 3" and "CPU, ν_e
/// 45"; runs that do not differ are numbered, "CPU" and "CPU 2".
QStringList runTitles(const std::vector<const Run*>& runs);

}  // namespace sulcus::ui::model
