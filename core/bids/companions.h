#pragma once

#include "core/bids/jobs.h"

#include <string>
#include <vector>

// What goes with a scan: gradients, events, confounds, a mask, the repetition time.
namespace sulcus::bids {

/// The path of a file. Throws Error when its content is not there.
std::filesystem::path presentPath(const Dataset& dataset, const File& file);

/// Adds to `job` what goes with its scan, in the scan's data set or, for events and sidecars, in the others.
///
/// @param slots  inputs that are looked for beside the scan
/// @param given  those of them that are given for all scans
/// @throws Error  when something that the analysis needs is missing or two files fit
void addCompanions(Job& job, const Study& study, const Dataset& dataset, const File& scan,
                   const std::vector<std::string>& slots, const std::vector<std::string>& given);

/// Whether the analysis needs events, and the data set has none for this scan.
bool lacksEvents(const Study& study, const Dataset& dataset, const File& scan,
                 const std::vector<std::string>& slots, const std::vector<std::string>& given);

/// What a space is called whose reference image is this file.
std::string referenceLabel(const std::filesystem::path& reference);

}  // namespace sulcus::bids
