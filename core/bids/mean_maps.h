#pragma once

#include "core/base/note.h"
#include "core/base/progress.h"
#include "core/bids/pictures.h"
#include "core/bids/records.h"

#include <filesystem>
#include <string>
#include <vector>

namespace sulcus::bids {

/// The maps of all participants that show the same in one common space.
struct MapGroup {
  Name name;                       ///< without participant, session and run
  std::vector<std::string> files;  ///< below the output folder
};

/// Scalar maps of done runs that lie in the space of a template, by what they show. What is left out, since
/// it lies in each participant's own space, is said in `notes`.
std::vector<MapGroup> mapGroups(const std::vector<Record>& records, Notes& notes);

/// Mean and standard deviation over participants in each voxel, of those that have a number there. Each
/// participant counts once, by the mean of its runs.
struct MeanMap {
  Layer mean, sd, count;  ///< sd is NaN where fewer than two participants have a number
  int participants = 0;
};

/// Reads the maps of a group, one at a time.
///
/// @param notes  sentences on maps that cannot be read, or lie on another grid than the first, which are left
///               out
/// @throws Error  (unavailable), Cancelled
MeanMap meanMap(const MapGroup& group, const std::filesystem::path& out, Notes& notes,
                const Progress& progress);

/// Whether a report shows the mean of such maps: effects, deformed images, changes of volume, anisotropy and
/// counts; the other means are files only.
bool isPictured(const MapGroup& group);

/// The mean in color.
ReportPicture meanPicture(const MapGroup& group, const MeanMap& map);

}  // namespace sulcus::bids
