#pragma once

#include "core/registration/population/population_template.h"

#include <filesystem>
#include <string>

namespace sulcus::app::cli {

/// Stores the state of an unfinished template in a folder, so that the same call can resume it. A folder of a
/// different call is emptied.
///
/// @param key  identifies the images and options
registration::PopulationStore folderStore(const std::filesystem::path& folder, const std::string& key);
/// Removes the folder if no state has been stored in it.
void removeIfUnused(const std::filesystem::path& folder);

}  // namespace sulcus::app::cli
