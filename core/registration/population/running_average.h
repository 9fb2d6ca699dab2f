#pragma once

#include "core/image/labels/label_table.h"
#include "core/image/volume.h"

#include <cstdint>
#include <vector>

namespace sulcus::registration {

/// The average of images that are added one by one, each scaled to the same brightness in the object.
class RunningAverage {
 public:
  /// @param object    the voxels in which brightness is measured; empty: where an image is above its mean
  /// @param mean, sd  of a previous average, by which values are judged: those further than 1.5 s.d. away
  ///                  count less (Huber, Ann Math Stat 35 (1964) 73); null: all count the same
  RunningAverage(const Grid& grid, const Mask& object, const Volume<float>* mean, const Volume<float>* sd);

  /// Adds an image on the grid, which is NaN outside of its field of view.
  void add(const Volume<float>& image);

  /// 0 where no image has a value.
  Volume<float> mean() const;
  Volume<float> sd() const;
  /// dark(): the mean level of the images that becomes 0 in the average: 0, or for images below 0 outside of
  /// the object, such as CT, their mean there. brightness(): the mean difference between that level and the
  /// one that becomes 1, the mean in the object.
  double dark() const { return images_ > 0 ? dark_ / images_ : 0; }
  double brightness() const { return images_ > 0 ? brightness_ / images_ : 1; }

 private:
  Mask object_;
  const Volume<float>*before_, *spread_;
  Volume<float> weight_, sum_, squares_;
  double brightness_ = 0, dark_ = 0;
  int images_ = 0;
};

/// The most frequent label at each voxel, of label images that are added one by one. Each voxel keeps enough
/// candidates that a label of more than one in seven people is not lost (Misra & Gries, Sci Comput Program 2
/// (1982) 143).
class LabelVote {
 public:
  explicit LabelVote(const Grid& grid);
  void add(const Volume<Label>& labels);
  Volume<Label> winners() const;

 private:
  static constexpr int kCandidates = 6;
  struct Candidate {
    std::int32_t index = -1;  ///< index of a known label
    std::int32_t votes = 0;
  };
  Grid grid_;
  std::vector<Label> known_;
  std::vector<Candidate> candidates_;  ///< kCandidates per voxel
};

}  // namespace sulcus::registration
