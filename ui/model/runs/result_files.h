#pragma once

#include "core/analysis/analysis.h"
#include "ui/model/layers/layer_stack.h"

#include <QStringList>
#include <string>
#include <vector>

namespace sulcus::ui::model {

/// Layers that were opened from the folder of one run.
struct OpenedResult {
  std::string folder;
  std::vector<LayerId> layers;  ///< two or more, in the order in which the analysis names its results
};
/// The runs whose files are open. Files belong to a run where `provenance.json` lies beside them.
std::vector<OpenedResult> openedResults(const LayerStack& layers, const std::vector<Analysis>& analyses);

/// The images, surfaces and tables that a run left in a folder; none where it is no such folder.
QStringList filesOfRun(const QString& folder);

}  // namespace sulcus::ui::model
