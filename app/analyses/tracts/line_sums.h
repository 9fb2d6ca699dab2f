#pragma once

#include "core/analysis/analysis.h"
#include "core/tracts/tract_maps.h"
#include "core/tracts/tracts.h"

#include <optional>
#include <string>
#include <vector>

namespace sulcus::app::analyses {

/// Whether a result is to be made, by the name of a file such as "density.nii": all are where there are no
/// places.
bool isWanted(const ResultPlaces& places, const std::string& file);

/// The grid of the maps: that of the field, or one of the same extent with voxels of this size, mm. Throws
/// Error if there would be too many voxels.
Grid mapGrid(const Grid& field, double voxel);

/// An image whose mean along each line is requested.
struct ImageAlong {
  std::string name;
  Volume<float> values;
};

/// Sums over lines that are added part by part, so that they need not be kept in memory: maps and the
/// connectome.
class LineSums {
 public:
  /// @param labels  null: no connectome
  /// @param places  maps that have none are not made
  LineSums(const Grid& grid, const Volume<Label>* labels, std::vector<ImageAlong> images,
           const tracts::TractOptions& options, const ResultPlaces& places);

  void add(const Tracts& lines, const Progress& progress);
  /// Layers of the maps.
  void addMaps(RunResult& result) const;
  /// Adds the table, files, plot and note of the connectome, if there are labels.
  void addConnectome(RunResult& result) const;
  /// Adds to lines in memory their means along images, and a group for each pair of labels.
  void describe(Tracts& lines) const;

 private:
  struct Along {
    ImageAlong image;
    std::optional<tracts::MeanCounter> map;
    std::vector<float> means;  ///< of all lines
  };

  tracts::TractOptions options_;
  bool showsDensity_;                      ///< which the mean length needs, too
  std::optional<DensityCounter> density_;  ///< of each map that is wanted
  std::optional<DensityCounter> weighted_;
  std::optional<tracts::EndCounter> ends_;
  std::optional<DensityCounter> lengths_;  ///< sums of the lengths of lines
  std::optional<tracts::ConnectomeCounter> connectome_;
  std::vector<Along> along_;
};

}  // namespace sulcus::app::analyses
