#pragma once

#include "core/activation/design/design.h"
#include "core/image/volume.h"

#include <memory>
#include <set>

// Scans that are left out. Time continues: events and the memory of the noise are those of the whole run.
namespace sulcus::activation {

/// The design with a confound for each of these scans that no other column removes yet, 1 there and 0
/// elsewhere: the estimates are the same as without these scans. A note lists them.
///
/// @param scans  rows of the design, counted from 0
/// @throws Error  if fewer than 4 scans of a run are left
Design withoutScans(Design design, const std::set<int>& scans);

/// The series with each of these scans replaced by the nearest remaining scan of its run, so that they do not
/// affect masks and means; the series itself if there are none.
std::shared_ptr<const Series<float>> withoutScans(std::shared_ptr<const Series<float>> bold,
                                                  const std::set<int>& scans, const std::vector<Run>& runs);

}  // namespace sulcus::activation
