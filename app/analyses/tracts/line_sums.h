#pragma once

#include "core/analysis/analysis.h"
#include "core/tracts/tract_maps.h"
#include "core/tracts/tracts.h"

#include <optional>
#include <string>
#include <vector>

namespace sulcus::app::analyses {

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
  /// `labels`, null for no connectome, must outlive it.
  LineSums(const Grid& grid, const Volume<Label>* labels, std::vector<ImageAlong> images,
           const tracts::TractOptions& options);

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
    tracts::MeanCounter map;
    std::vector<float> means;  ///< of all lines
  };

  tracts::TractOptions options_;
  DensityCounter density_;
  std::optional<DensityCounter> weighted_;
  tracts::EndCounter ends_;
  tracts::MeanCounter lengths_;
  std::optional<tracts::ConnectomeCounter> connectome_;
  std::vector<Along> along_;
};

}  // namespace sulcus::app::analyses
