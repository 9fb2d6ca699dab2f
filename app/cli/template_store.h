#pragma once

#include "core/registration/population/population_template.h"

#include <filesystem>
#include <string>

namespace sulcus::app::cli {

/// Keeps a template in the making in a folder, so that a call that was broken off is gone on with by the same
/// one. A folder that belongs to another call is emptied.
///
/// @param key  of what is made: of images and options
registration::PopulationStore folderStore(const std::filesystem::path& folder, const std::string& key);

}  // namespace sulcus::app::cli
