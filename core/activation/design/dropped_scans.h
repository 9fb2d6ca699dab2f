#pragma once

#include "core/activation/design/design.h"
#include "core/image/volume.h"

#include <memory>
#include <set>

// Scans that are left out. Time goes on: events and the memory of the noise are those of the whole run.
namespace sulcus::activation {

/// The design with a confound for each of these scans that no other column takes out yet, 1 there and 0
/// elsewhere: what is estimated is the same as without them. A note lists them.
///
/// @param scans  rows of the design, counted from 0
/// @throws Error  where fewer than 4 scans are left of a run
Design withoutScans(Design design, const std::set<int>& scans);

/// The series with the values of the nearest scan of its run that stays in the place of each of these, so
/// that nothing of them gets into masks and means; itself where there are none.
std::shared_ptr<const Series<float>> withoutScans(std::shared_ptr<const Series<float>> bold,
                                                  const std::set<int>& scans, const std::vector<Run>& runs);

}  // namespace sulcus::activation
