#pragma once

#include "core/base/progress.h"
#include "core/image/labels/label_table.h"
#include "core/image/tracts.h"
#include "core/image/tracts/line_density.h"
#include "core/image/volume.h"

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace sulcus::tracts {

/// In each voxel the mean of a number over the lines through it, from the sum of the number and the count of
/// the lines; 0 where there is no line.
Volume<float> meanOf(const DensityCounter& sums, const DensityCounter& lines);

/// The mean, over the lines through each voxel, of a number for each line, such as its length.
class MeanCounter {
 public:
  explicit MeanCounter(const Grid& grid) : sums_(grid), lines_(grid) {}
  /// @param values  of the lines; those that are not finite are ignored
  void add(const Tracts& tracts, std::span<const float> values, const Progress& progress = {});
  Volume<float> map() const { return meanOf(sums_, lines_); }

 private:
  DensityCounter sums_, lines_;
};

/// The length of each line, mm.
std::vector<float> lengthsOf(const Tracts& tracts, const Progress& progress = {});
/// For each line the mean of an image along it, interpolated linearly; values outside the image or not finite
/// are ignored. NaN for a line without values.
std::vector<float> meansAlong(const Tracts& tracts, const Volume<float>& image,
                              const Progress& progress = {});

/// The number of line ends in each voxel.
class EndCounter {
 public:
  explicit EndCounter(const Grid& grid) : grid_(grid), counts_(std::size_t(grid.voxels())) {}
  void add(const Tracts& tracts, const Progress& progress = {});
  Volume<float> map() const;

 private:
  Grid grid_;
  std::vector<std::uint32_t> counts_;
};

/// The regions that lines connect.
struct Connectome {
  std::vector<Label> labels;       ///< of the image, without 0, ascending
  std::vector<double> count;       ///< labels × labels, symmetric: lines between two
  std::vector<double> weight;      ///< the sum of their weights
  std::vector<double> meanLength;  ///< of these, mm; 0 where there is none
  /// For each line the indices of its two labels in `labels`; −1: no label.
  std::vector<std::pair<std::int32_t, std::int32_t>> pairOf;
  std::int64_t unassigned = 0;  ///< lines with an end that belongs to no label

  std::size_t index(std::size_t a, std::size_t b) const { return a * labels.size() + b; }
};

/// Each end is assigned to the label whose voxel is nearest to it, if the voxel's center is within `radius`
/// mm or the end lies in it (radial search; Smith et al., NeuroImage 119 (2015) 338).
class ConnectomeCounter {
 public:
  ConnectomeCounter(const Volume<Label>& labels, double radius);
  ~ConnectomeCounter();
  ConnectomeCounter(const ConnectomeCounter&) = delete;
  ConnectomeCounter& operator=(const ConnectomeCounter&) = delete;

  /// @param weights  of the lines; empty: each counts as 1
  void add(const Tracts& tracts, std::span<const float> weights = {}, const Progress& progress = {});
  Connectome found() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};
/// The connectome of lines in memory.
Connectome connectomeOf(const Tracts& tracts, const Volume<Label>& labels, double radius,
                        const Progress& progress = {});

}  // namespace sulcus::tracts
