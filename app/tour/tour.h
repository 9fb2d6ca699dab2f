#pragma once

#include "core/analysis/analysis.h"

#include <QString>
#include <QStringList>
#include <vector>

namespace sulcus::ui::widgets {
class MainWindow;
}

namespace sulcus::app::tour {

/// Takes the window through every demo and through `files`: runs the analyses (CPU, and GPU if there is one),
/// compares, leaves numbered pictures and the results in `folder`, prints the comparison tables on stdout.
/// Waits only for signals. Returns the exit code: 0, or 5 with the reasons on stderr.
int takeTour(ui::widgets::MainWindow& window, const std::vector<Analysis>& analyses, const QString& folder,
             const QStringList& files);

}  // namespace sulcus::app::tour
