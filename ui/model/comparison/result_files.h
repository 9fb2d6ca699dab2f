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
  std::vector<LayerId> layers;  ///< two or more, in the order in which the analysis lists its results
};
/// The runs whose files are open. Files belong to a run if `provenance.json` is next to them.
std::vector<OpenedResult> openedResults(const LayerStack& layers, const std::vector<Analysis>& analyses);

/// The images, surfaces and tables that a run wrote to a folder; none if it is not such a folder.
QStringList filesOfRun(const QString& folder);

}  // namespace sulcus::ui::model
