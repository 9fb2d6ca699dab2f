#pragma once

#include "core/image/labels/label_table.h"
#include "core/image/volume.h"

#include <map>

namespace sulcus::registration {

/// The volume of each label of an atlas in a person, mm³, told by the person's log Jacobian in the space of
/// the atlas: the sum of exp(log J) over its voxels. 0, the background, is left out, as are voxels whose
/// value is not sound.
///
/// @param logJacobian  above 0 where the person is larger, as TemplatePerson has it
/// @param atlas        on its grid
std::map<Label, double> regionVolumes(const Volume<float>& logJacobian, const Volume<Label>& atlas);

}  // namespace sulcus::registration
