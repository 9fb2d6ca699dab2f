#pragma once

#include "core/image/labels/label_table.h"
#include "core/image/volume.h"

#include <map>
#include <vector>

namespace sulcus::registration {

/// The volume of each label of an atlas in a person, mm³, from the person's log Jacobian in the space of the
/// atlas: the sum of exp(log J) over its voxels. The background, 0, is left out, as are voxels whose value is
/// not sound.
///
/// @param logJacobian  above 0 where the person is larger, as in TemplatePerson
/// @param atlas        on its grid
std::map<Label, double> regionVolumes(const Volume<float>& logJacobian, const Volume<Label>& atlas);

/// The change of a region over people.
struct RegionChange {
  double mean = 0, deviation = 0;  ///< of the change, in % of the region's volume in the atlas
  /// Sample size per arm of a trial with two arms to detect a slowing of the mean change by 25 %, with a
  /// power of 80 % at two-sided 5 %: 2 (1.960 + 0.842)² s.d.² / (0.25 mean)² (Fox et al., Arch Neurol 57
  /// (2000) 339).
  double sampleSize = 0;
};

/// @param volumes  of each person, with the same labels; at least two people
/// @param atlas    volume of each label in the atlas itself
std::map<Label, RegionChange> regionChanges(const std::vector<std::map<Label, double>>& volumes,
                                            const std::map<Label, double>& atlas);

}  // namespace sulcus::registration
