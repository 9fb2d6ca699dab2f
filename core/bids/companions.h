#pragma once

#include "core/bids/jobs.h"

#include <string>
#include <vector>

// The files that belong to a scan: gradients, events, confounds, a mask, the repetition time.
namespace sulcus::bids {

/// The path of a file. Throws Error if its content is not present.
std::filesystem::path presentPath(const Dataset& dataset, const File& file);

/// Adds to `job` the files that belong to its scan, from the scan's data set or, for events and sidecars,
/// from the others.
///
/// @param slots  inputs that are searched for beside the scan
/// @param given  those of `slots` that the call names itself and that need no search
/// @throws Error  if something that the analysis needs is missing or two files fit
void addCompanions(Job& job, const Study& study, const Dataset& dataset, const File& scan,
                   const std::vector<std::string>& slots, const std::vector<std::string>& given);

/// Whether the analysis needs events and the data set has none for this scan.
bool lacksEvents(const Study& study, const Dataset& dataset, const File& scan,
                 const std::vector<std::string>& slots, const std::vector<std::string>& given);

/// Whether a file in fmap/ is an image of opposite phase encoding or a field map for a scan of the same
/// participant and session: by B0FieldSource of the scan's sidecars, else by IntendedFor.
bool isFieldMapOf(const std::filesystem::path& file, const std::filesystem::path& scan);

/// The label of the space whose reference image is this file.
std::string referenceLabel(const std::filesystem::path& reference);

}  // namespace sulcus::bids
