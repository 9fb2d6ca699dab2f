#pragma once

#include "core/base/note.h"
#include "core/base/progress.h"
#include "core/bids/report/pictures.h"
#include "core/bids/results/records.h"

#include <filesystem>
#include <string>
#include <vector>

namespace sulcus::bids {

/// The corresponding maps of all participants in one common space.
struct MapGroup {
  Name name;                       ///< without participant, session and run
  std::vector<std::string> files;  ///< relative to the output folder
};

/// Groups the scalar maps of finished runs that lie in the space of a template by what they show. Maps left
/// out because they lie in a participant's own space are mentioned in `notes`.
std::vector<MapGroup> mapGroups(const std::vector<Record>& records, Notes& notes);

/// Mean and standard deviation over participants in each voxel, over those with a finite value there. Each
/// participant counts once, with the mean of its runs.
struct MeanMap {
  Layer mean, sd, count;  ///< sd is NaN where fewer than two participants have a value
  int participants = 0;
};

/// Reads the maps of a group, one at a time.
///
/// @param notes  about maps that are left out because they cannot be read or lie on another grid than the
///               first
/// @throws Error  (unavailable), Cancelled
MeanMap meanMap(const MapGroup& group, const std::filesystem::path& out, Notes& notes,
                const Progress& progress);

/// Whether a report shows the mean of such maps: effects, deformed images, volume changes, anisotropy and
/// counts; other means are only written to files.
bool isPictured(const MapGroup& group);

/// The mean in color.
ReportPicture meanPicture(const MapGroup& group, const MeanMap& map);

}  // namespace sulcus::bids
