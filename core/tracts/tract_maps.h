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

/// The mean over the lines through each voxel of a number that each has, such as its length.
class MeanCounter {
 public:
  explicit MeanCounter(const Grid& grid) : sums_(grid), lines_(grid) {}
  /// @param values  of the lines; one that is not finite counts for nothing
  void add(const Tracts& tracts, std::span<const float> values, const Progress& progress = {});
  /// 0 where there is no line.
  Volume<float> map() const;

 private:
  DensityCounter sums_, lines_;
};

/// Of each line its length, mm.
std::vector<float> lengthsOf(const Tracts& tracts, const Progress& progress = {});
/// Of each line the mean of an image along its way, interpolated linearly; what is not finite or outside of
/// the image counts for nothing. NaN for a line without values.
std::vector<float> meansAlong(const Tracts& tracts, const Volume<float>& image,
                              const Progress& progress = {});

/// How many ends of lines each voxel holds.
class EndCounter {
 public:
  explicit EndCounter(const Grid& grid) : grid_(grid), counts_(std::size_t(grid.voxels())) {}
  void add(const Tracts& tracts, const Progress& progress = {});
  Volume<float> map() const;

 private:
  Grid grid_;
  std::vector<std::uint32_t> counts_;
};

/// Which regions lines connect.
struct Connectome {
  std::vector<Label> labels;       ///< of the image but 0, ascending
  std::vector<double> count;       ///< labels × labels, symmetric: lines between two
  std::vector<double> weight;      ///< the sum of their weights
  std::vector<double> meanLength;  ///< of these, mm; 0 where there is none
  /// Of each line the places of its two labels among `labels`; −1: an end with none.
  std::vector<std::pair<std::int32_t, std::int32_t>> pairOf;
  std::int64_t unassigned = 0;  ///< lines with an end that belongs to no label

  std::size_t index(std::size_t a, std::size_t b) const { return a * labels.size() + b; }
};

/// Each end belongs to the label whose voxel is nearest to it, if its center is within `radius` mm or the end
/// lies in it (radial search; Smith et al., NeuroImage 119 (2015) 338).
class ConnectomeCounter {
 public:
  /// `labels` must outlive it.
  ConnectomeCounter(const Volume<Label>& labels, double radius);
  ~ConnectomeCounter();
  ConnectomeCounter(const ConnectomeCounter&) = delete;
  ConnectomeCounter& operator=(const ConnectomeCounter&) = delete;

  /// @param weights  of the lines; none: each counts as 1
  void add(const Tracts& tracts, std::span<const float> weights = {}, const Progress& progress = {});
  Connectome found() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};
/// That of lines which are held.
Connectome connectomeOf(const Tracts& tracts, const Volume<Label>& labels, double radius,
                        const Progress& progress = {});

}  // namespace sulcus::tracts
