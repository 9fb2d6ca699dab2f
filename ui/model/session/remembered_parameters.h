#pragma once

#include "ui/model/choices/analysis_presenter.h"

#include <QSettings>

namespace sulcus::ui::model {

/// Gives an analysis its last parameters, if they are kept, and the user's presets, and saves both from now
/// on. `settings` must outlive the presenter.
void rememberParameters(AnalysisPresenter& presenter, QSettings& settings, bool keep);

}  // namespace sulcus::ui::model
